//! Writing a trace: one file for each rank, and the list of them.

mod folder;

use std::collections::VecDeque;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use crate::action::{Action, Message};
use crate::datatype::Datatype;
use crate::hint::HINT;
use crate::mistake::Problem;
use crate::print::Tag;
use folder::NewFolder;

/// The list of files in a folder that holds a trace.
pub const INDEX: &str = "index.txt";

/// What all ranks together may hold back before it is written.
const HELD_BACK: usize = 64 << 20;
/// Characters for the size of a receive that is not known yet.
const ROOM: usize = 15;
/// What one rank may hold back.
const PAGE: usize = 16 * 1024;

/// Writes the actions of ranks into a folder, in any order of ranks.
///
/// Files are opened only to add to them, so that there may be more ranks than a process may have
/// open files. The folder is there when all is written; what is dropped before leaves nothing.
#[derive(Debug)]
pub struct TextWriter {
    /// None once the trace has ended.
    folder: Option<NewFolder>,
    ranks: Vec<Own>,
    held_back: usize,
}

#[derive(Debug, Default)]
struct Own {
    text: Vec<u8>,
    /// Lines that lack a size: their keys, and where in the text it belongs, in order.
    open: VecDeque<(u32, usize)>,
    /// Kept open where there are few ranks.
    file: Option<File>,
}

/// With no more ranks than this all files stay open.
const FEW: usize = 256;

impl TextWriter {
    /// Begins a trace of `ranks` ranks in a folder, which takes the place of a trace that is there.
    ///
    /// # Errors
    ///
    /// If the folder or the files in it cannot be written.
    pub fn create(folder: &Path, ranks: u32) -> Result<Self, Problem> {
        let folder = NewFolder::create(folder)?;
        let list = |error| folder.cannot(INDEX, error);
        let mut index = BufWriter::new(File::create(folder.place_of(INDEX)).map_err(list)?);
        for rank in 0..ranks {
            let name = name(rank);
            File::create(folder.place_of(&name)).map_err(|error| folder.cannot(&name, error))?;
            writeln!(index, "{name}").map_err(list)?;
        }
        index.flush().map_err(list)?;
        let ranks = (0..ranks).map(|_| Own::default()).collect();
        Ok(Self { folder: Some(folder), ranks, held_back: 0 })
    }

    /// Adds an action of a rank.
    ///
    /// # Errors
    ///
    /// If a file cannot be written.
    pub fn add(&mut self, rank: u32, action: &Action<'_>) -> Result<(), Problem> {
        let text = &mut self.ranks[rank as usize].text;
        let before = text.len();
        // Writing to memory cannot fail.
        if action.is_hint() {
            let _ = write!(text, "{HINT} ");
        }
        let _ = writeln!(text, "{rank} {action}");
        self.added(rank, before)
    }

    /// Adds a receive whose size is not known yet. [`TextWriter::close`] tells it by the same key;
    /// else it is 0.
    ///
    /// # Errors
    ///
    /// If a file cannot be written.
    pub fn add_open(&mut self, rank: u32, key: u32, action: &Action<'_>) -> Result<(), Problem> {
        let (Action::Recv(Message { peer, tag, .. }) | Action::Irecv(Message { peer, tag, .. })) =
            action
        else {
            return self.add(rank, action);
        };
        let own = &mut self.ranks[rank as usize];
        let (before, byte) = (own.text.len(), Datatype::BYTE.number());
        let name = if matches!(action, Action::Recv(_)) { "recv" } else { "irecv" };
        let _ = write!(own.text, "{rank} {name} {peer} {} ", Tag(*tag));
        own.open.push_back((key, own.text.len()));
        let _ = writeln!(own.text, "{:<ROOM$} {byte}", 0);
        self.added(rank, before)
    }

    /// Tells the size of the first receive with this key that lacks it.
    pub fn close(&mut self, rank: u32, key: u32, bytes: u64) {
        let own = &mut self.ranks[rank as usize];
        let Some(at) = own.open.iter().position(|(other, _)| *other == key) else { return };
        let Some((_, place)) = own.open.remove(at) else { return };
        // There is room for any size that a message can have.
        let _ = write!(&mut own.text[place..place + ROOM], "{bytes:<ROOM$}");
    }

    fn added(&mut self, rank: u32, before: usize) -> Result<(), Problem> {
        let length = self.ranks[rank as usize].text.len();
        self.held_back += length - before;
        if length / PAGE > before / PAGE {
            self.write(rank)
        } else if self.held_back > HELD_BACK {
            self.write_all()
        } else {
            Ok(())
        }
    }

    /// Writes what is held back, and ends the trace.
    ///
    /// # Errors
    ///
    /// If a file cannot be written.
    pub fn finish(&mut self) -> Result<(), Problem> {
        self.ranks.iter_mut().for_each(|own| own.open.clear());
        self.write_all()?;
        self.folder.take().map_or(Ok(()), NewFolder::finish)
    }

    fn write_all(&mut self) -> Result<(), Problem> {
        (0..self.ranks.len() as u32).try_for_each(|rank| self.write(rank))
    }

    fn write(&mut self, rank: u32) -> Result<(), Problem> {
        let Some(folder) = &self.folder else { return Ok(()) };
        let keeps = self.ranks.len() <= FEW;
        let own = &mut self.ranks[rank as usize];
        // What follows a line that is not complete stays too.
        let keep =
            own.open.front().map_or(own.text.len(), |(_, place)| line_start(&own.text, *place));
        self.held_back -= keep;
        let name = name(rank);
        let mut append = || -> std::io::Result<()> {
            let mut file = match own.file.take() {
                Some(file) => file,
                None => File::options().append(true).open(folder.place_of(&name))?,
            };
            file.write_all(&own.text[..keep])?;
            own.file = keeps.then_some(file);
            Ok(())
        };
        append().map_err(|error| folder.cannot(&name, error))?;
        own.text.drain(..keep);
        own.open.iter_mut().for_each(|(_, place)| *place -= keep);
        Ok(())
    }
}

/// Where the line begins that has this place in it.
fn line_start(text: &[u8], place: usize) -> usize {
    text[..place].iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1)
}

fn name(rank: u32) -> String {
    format!("rank-{rank}.txt")
}

/// Whose file it is that has this name, if it is that of a rank.
fn rank_of(name: &str) -> Option<u32> {
    name.strip_prefix("rank-")?.strip_suffix(".txt")?.parse().ok()
}
