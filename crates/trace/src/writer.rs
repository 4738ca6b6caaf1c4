//! Writing a trace: one file for each rank, and the list of them.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::action::Action;
use crate::mistake::Problem;

/// The list of files in a folder that holds a trace.
pub const INDEX: &str = "index.txt";

/// What all ranks together may hold back before it is written.
const HELD_BACK: usize = 64 << 20;
/// What one rank may hold back.
const PAGE: usize = 16 * 1024;

/// Writes the actions of ranks into a folder, in any order of ranks.
///
/// Files are opened only to add to them, so that there may be more ranks than a process may have
/// open files.
#[derive(Debug)]
pub struct TextWriter {
    folder: PathBuf,
    ranks: Vec<Own>,
    held_back: usize,
}

#[derive(Debug, Default)]
struct Own {
    text: Vec<u8>,
    /// Kept open where there are few ranks.
    file: Option<File>,
}

/// With no more ranks than this all files stay open.
const FEW: usize = 256;

impl TextWriter {
    /// Begins a trace of `ranks` ranks in a folder, which is made if it is not there.
    ///
    /// # Errors
    ///
    /// If the folder or the list in it cannot be written.
    pub fn create(folder: &Path, ranks: u32) -> Result<Self, Problem> {
        let cannot = |path: &Path| {
            let path = path.to_owned();
            move |error| Problem::File { path, error }
        };
        fs::create_dir_all(folder).map_err(cannot(folder))?;
        let index = folder.join(INDEX);
        let file = File::create(&index).map_err(cannot(&index))?;
        let mut list = BufWriter::new(file);
        for rank in 0..ranks {
            let path = folder.join(name(rank));
            let file = File::create(&path).map_err(cannot(&path))?;
            drop(file);
            writeln!(list, "{}", name(rank)).map_err(cannot(&index))?;
        }
        list.flush().map_err(cannot(&index))?;
        let ranks = (0..ranks).map(|_| Own::default()).collect();
        Ok(Self { folder: folder.to_owned(), ranks, held_back: 0 })
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
        let _ = writeln!(text, "{rank} {action}");
        self.held_back += text.len() - before;
        if text.len() > PAGE {
            self.write(rank)
        } else if self.held_back > HELD_BACK {
            self.write_all()
        } else {
            Ok(())
        }
    }

    /// Writes what is held back.
    ///
    /// # Errors
    ///
    /// If a file cannot be written.
    pub fn finish(mut self) -> Result<(), Problem> {
        self.write_all()
    }

    fn write_all(&mut self) -> Result<(), Problem> {
        (0..self.ranks.len() as u32).try_for_each(|rank| self.write(rank))
    }

    fn write(&mut self, rank: u32) -> Result<(), Problem> {
        let keeps = self.ranks.len() <= FEW;
        let own = &mut self.ranks[rank as usize];
        self.held_back -= own.text.len();
        let path = self.folder.join(name(rank));
        let mut append = || -> std::io::Result<()> {
            let mut file = match own.file.take() {
                Some(file) => file,
                None => File::options().append(true).open(&path)?,
            };
            file.write_all(&own.text)?;
            own.file = keeps.then_some(file);
            Ok(())
        };
        append().map_err(|error| Problem::File { path: path.clone(), error })?;
        own.text.clear();
        Ok(())
    }
}

fn name(rank: u32) -> String {
    format!("rank-{rank}.txt")
}
