//! Writing Dimemas' `.dim`: records task by task, and a table of where each task begins.
//!
//! Communicators stand before the records, so a trace is read twice. Messages stay on the world
//! with the tags that they have. Parts of the program are user functions, as Extrae has them; their
//! names are in a `.pcf` beside the file.

mod passed;
mod requests;
mod task;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use rustc_hash::FxHashMap;

use crate::action::Action;
use crate::layout::Trace;
use crate::mistake::Problem;
use crate::timed::{Draft, FUNCTIONS};
use task::Task;

/// The number of the communicator of all tasks; others follow.
const WORLD: u32 = 1;
/// How much text is gathered before it is written.
const PAGE: usize = 64 << 10;

/// What became of a trace that was written in another format.
#[derive(Debug)]
pub struct Written {
    /// How large the file is.
    pub bytes: u64,
    /// What it does not tell, in words.
    pub lost: Vec<String>,
}

/// Writes a trace as Dimemas' `.dim`; so many flops of it are computed in a second.
///
/// # Errors
///
/// If the trace cannot be read, or a file cannot be written, which is then not there.
pub fn write_dimemas(trace: &Trace, path: &Path, speed: f64) -> Result<Written, Problem> {
    let mut draft = Draft::create(path)?;
    let mut book = Book::of(trace, speed)?;
    let mut text = header(path, trace.ranks(), book.comms.len(), None);
    let head = text.len();
    book.define(trace.ranks(), &mut text);
    let (mut starts, mut bytes) = (Vec::new(), 0);
    for rank in 0..trace.ranks() {
        starts.push(bytes + text.len() as u64);
        let (mut task, mut cursor) = (Task::new(rank), trace.cursor(rank));
        task.begin(&mut text);
        while let Some(action) = cursor.next()? {
            task.tell(&mut book, &action, &mut text);
            if text.len() >= PAGE {
                bytes += flush(&mut draft, &mut text);
            }
        }
    }
    bytes += flush(&mut draft, &mut text);
    // What is no plain file has no beginning to go back to; its reader looks for tasks itself.
    if draft.is_plain() {
        let over = header(path, trace.ranks(), book.comms.len(), Some(bytes));
        assert_eq!(over.len(), head, "a header is as long with the place of the table as without");
        draft.write_over(over.as_bytes());
        for (task, start) in starts.iter().enumerate() {
            let _ = writeln!(text, "s:{task}:{start}");
        }
        bytes += flush(&mut draft, &mut text);
    }
    book.name_parts(path)?;
    draft.finish()?;
    let lost = book.lost.into_iter().map(|(what, count)| format!("{count} {what}")).collect();
    Ok(Written { bytes, lost })
}

fn flush(draft: &mut Draft, text: &mut String) -> u64 {
    draft.write(text.as_bytes());
    let bytes = text.len() as u64;
    text.clear();
    bytes
}

/// The first line, with the place of the table that tells where tasks begin.
fn header(path: &Path, tasks: u32, comms: usize, table: Option<u64>) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy().replace(['"', '\n'], "_");
    let threads = vec!["1"; tasks as usize].join(",");
    let (has_table, place) = (u8::from(table.is_some()), table.unwrap_or(0));
    format!("#DIMEMAS:\"{name}\":{has_table},{place:015}:{tasks}({threads}),{}\n", comms + 1)
}

/// What tasks have in common.
#[derive(Debug)]
struct Book {
    /// Flops of a second.
    speed: f64,
    /// Communicators besides the world by what the trace calls them and their members, who have
    /// them in order.
    comms: FxHashMap<(u32, Vec<u32>), u32>,
    /// Parts of the program, by the values of their events.
    parts: BTreeMap<String, u32>,
    lost: BTreeMap<String, u64>,
}

impl Book {
    /// Gathers the communicators.
    fn of(trace: &Trace, speed: f64) -> Result<Self, Problem> {
        let mut comms = FxHashMap::default();
        for rank in 0..trace.ranks() {
            let mut cursor = trace.cursor(rank);
            while let Some(action) = cursor.next()? {
                if let Action::Define { id, members } = action {
                    let next = WORLD + 1 + comms.len() as u32;
                    comms.entry((id, members.iter().collect())).or_insert(next);
                }
            }
        }
        Ok(Self { speed, comms, parts: BTreeMap::new(), lost: BTreeMap::new() })
    }

    fn define(&self, tasks: u32, text: &mut String) {
        let mut write = |number: u32, members: &[u32]| {
            let _ = write!(text, "d:1:{number}:{}", members.len());
            members.iter().for_each(|member| _ = write!(text, ":{member}"));
            text.push('\n');
        };
        write(WORLD, &(0..tasks).collect::<Vec<u32>>());
        let mut comms: Vec<(u32, &[u32])> =
            self.comms.iter().map(|((_, members), number)| (*number, &members[..])).collect();
        comms.sort_unstable();
        comms.iter().for_each(|(number, members)| write(*number, members));
    }

    /// The value that stands for a part of the program.
    fn part(&mut self, name: &str) -> u32 {
        if let Some(value) = self.parts.get(name) {
            return *value;
        }
        let value = self.parts.len() as u32 + 1;
        self.parts.insert(name.to_owned(), value);
        value
    }

    fn lose(&mut self, what: &str) {
        match self.lost.get_mut(what) {
            Some(count) => *count += 1,
            None => _ = self.lost.insert(what.to_owned(), 1),
        }
    }

    /// Writes the names of parts beside the trace.
    fn name_parts(&self, path: &Path) -> Result<(), Problem> {
        if self.parts.is_empty() {
            return Ok(());
        }
        let mut draft = Draft::create(&path.with_extension("pcf"))?;
        let mut text = format!("EVENT_TYPE\n0    {FUNCTIONS}    User function\nVALUES\n0   End\n");
        for (name, value) in &self.parts {
            let _ = writeln!(text, "{value}   {name}");
        }
        draft.write(text.as_bytes());
        draft.finish()
    }
}

#[cfg(test)]
mod tests;
