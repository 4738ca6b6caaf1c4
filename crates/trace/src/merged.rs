//! Where in a merged file the lines of each rank are.
//!
//! A file that has the ranks one behind the other is read where it is, each rank from its own
//! place. Lines of ranks that take turns are gathered by rank and set aside in a temporary file,
//! some pages at a time: so neither their number nor the length of the file costs memory.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;

use crate::cursor::Piece;
use crate::fields::{Fields, integer, shown};
use crate::hint::hint;
use crate::layout::is_passed_over;
use crate::mistake::{Mistake, Problem};
use crate::packed::Contents;

/// Consecutive lines of a rank that are longer than this stay where they are.
const LONG: usize = 16 * 1024;
/// What all ranks together may hold back before it is set aside.
const HELD_BACK: usize = 64 << 20;

/// The lines of each rank, in order.
#[derive(Debug)]
pub(crate) struct Index {
    pub(crate) pieces: Vec<Vec<Piece>>,
    /// File 0: the trace, or what was compressed in it.
    pub(crate) file: File,
    /// File 1, if there is any need of it.
    pub(crate) spool: Option<File>,
}

/// Goes through a merged file once.
pub(crate) fn index(path: &Path) -> Result<Index, Problem> {
    let cannot = |error| Problem::File { path: path.to_owned(), error };
    let file = Contents::open(path)?.into_file().map_err(cannot)?;
    let mut reader = BufReader::with_capacity(1 << 16, &file);
    let mut gathered = Gathered::default();
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        let length = reader.read_until(b'\n', &mut line).map_err(cannot)?;
        if length == 0 {
            break;
        }
        let rank = match is_passed_over(&line) {
            true => gathered.owner_of_comment(&line),
            false => rank_of(&line).map_err(|mistake| Problem::Line {
                path: path.to_owned(),
                line: number,
                mistake,
            })?,
        };
        gathered.add(rank, &line).map_err(cannot)?;
    }
    gathered.finish().map_err(cannot)?.dense(path, file)
}

fn rank_of(line: &[u8]) -> Result<u32, Mistake> {
    let field = Fields::new(line).next().unwrap_or_default();
    let number = integer(field).ok().and_then(|number| u32::try_from(number).ok());
    number.ok_or_else(|| Mistake(format!("expected the number of a rank, not {}", shown(field))))
}

/// Consecutive lines of one rank.
#[derive(Debug, Default)]
struct Run {
    rank: u32,
    start: u64,
    length: u64,
    /// Its text, as long as it is not long.
    text: Vec<u8>,
}

#[derive(Debug, Default)]
struct Gathered {
    run: Run,
    ranks: BTreeMap<u32, Own>,
    held_back: usize,
    spool: Option<File>,
    spooled: u64,
}

/// What is known of one rank.
#[derive(Debug, Default)]
struct Own {
    pieces: Vec<Piece>,
    /// Lines that are in no piece yet.
    held_back: Vec<u8>,
}

impl Gathered {
    fn add(&mut self, rank: u32, line: &[u8]) -> std::io::Result<()> {
        if rank != self.run.rank {
            self.end_run()?;
            self.run.rank = rank;
        }
        let run = &mut self.run;
        run.length += line.len() as u64;
        if run.length <= LONG as u64 {
            run.text.extend_from_slice(line);
        }
        Ok(())
    }

    /// Hints are of the rank that they name, if it is there; other comments stay where they are.
    fn owner_of_comment(&self, line: &[u8]) -> u32 {
        let is_there = |rank: u32| self.run.rank == rank || self.ranks.contains_key(&rank);
        hint(line).map(|(rank, _)| rank).filter(|rank| is_there(*rank)).unwrap_or(self.run.rank)
    }

    fn end_run(&mut self) -> std::io::Result<()> {
        let Run { rank, start, length, .. } = self.run;
        if length > LONG as u64 {
            self.set_aside(rank)?;
            let own = self.ranks.entry(rank).or_default();
            own.pieces.push(Piece { file: 0, start, length });
        } else if length > 0 {
            let own = self.ranks.entry(rank).or_default();
            own.held_back.extend_from_slice(&self.run.text);
            self.held_back += self.run.text.len();
            if own.held_back.len() > LONG {
                self.set_aside(rank)?;
            } else if self.held_back > HELD_BACK {
                self.set_all_aside()?;
            }
        }
        self.run.start += length;
        self.run.length = 0;
        self.run.text.clear();
        Ok(())
    }

    fn set_all_aside(&mut self) -> std::io::Result<()> {
        let ranks: Vec<u32> = self.ranks.keys().copied().collect();
        ranks.into_iter().try_for_each(|rank| self.set_aside(rank))
    }

    /// Writes what a rank holds back to the temporary file.
    fn set_aside(&mut self, rank: u32) -> std::io::Result<()> {
        let own = self.ranks.entry(rank).or_default();
        if own.held_back.is_empty() {
            return Ok(());
        }
        let spool = match &mut self.spool {
            Some(spool) => spool,
            none => none.insert(tempfile::tempfile()?),
        };
        spool.write_all(&own.held_back)?;
        let length = own.held_back.len() as u64;
        own.pieces.push(Piece { file: 1, start: self.spooled, length });
        own.held_back.clear();
        self.spooled += length;
        self.held_back -= length as usize;
        Ok(())
    }

    fn finish(mut self) -> std::io::Result<Self> {
        self.end_run()?;
        self.set_all_aside()?;
        Ok(self)
    }

    /// All ranks must be there.
    fn dense(self, path: &Path, file: File) -> Result<Index, Problem> {
        let mut pieces = Vec::with_capacity(self.ranks.len());
        let last = self.ranks.keys().next_back().copied().unwrap_or(0);
        for (expected, (rank, own)) in (0..).zip(self.ranks) {
            if rank != expected {
                let reason = format!("there are actions of rank {last}, but none of {expected}");
                return Err(Problem::Whole { path: path.to_owned(), reason });
            }
            pieces.push(own.pieces);
        }
        Ok(Index { pieces, file, spool: self.spool })
    }
}
