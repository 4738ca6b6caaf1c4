//! Actions of all ranks on their way from another format: gathered by rank in a temporary file.
//!
//! Readers tell actions in the order in which they find them, which is seldom that of ranks. Each
//! rank holds back some of its lines in memory; the rest is in the file, in pieces. What a format
//! tells later than it is needed, as the sender of a receive, gets a place that is filled then.

use std::fs::File;
use std::io::{self, Write};
use std::os::unix::fs::FileExt;

use crate::action::Action;
use crate::cursor::Piece;

/// What one rank may hold back.
const PAGE: usize = 16 * 1024;
/// What all ranks together may hold back.
const HELD_BACK: usize = 64 << 20;

/// Lines of ranks.
#[derive(Debug)]
pub(crate) struct Spool {
    file: File,
    ranks: Vec<Own>,
    held_back: usize,
    /// How long the file is.
    length: u64,
    /// The first thing that went wrong; nothing is written after it.
    error: Option<io::Error>,
}

#[derive(Debug, Default)]
struct Own {
    pieces: Vec<Piece>,
    /// How much was in pieces before each of them.
    before: Vec<u64>,
    /// How much is in pieces.
    written: u64,
    text: Vec<u8>,
}

/// Room for what is not known yet, in the lines of a rank.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place {
    rank: u32,
    at: u64,
    width: usize,
}

impl Spool {
    pub(crate) fn new(ranks: u32) -> io::Result<Self> {
        let file = tempfile::tempfile()?;
        let ranks = (0..ranks).map(|_| Own::default()).collect();
        Ok(Self { file, ranks, held_back: 0, length: 0, error: None })
    }

    pub(crate) fn ranks(&self) -> u32 {
        self.ranks.len() as u32
    }

    /// Adds an action of a rank.
    pub(crate) fn add(&mut self, rank: u32, action: &Action<'_>) {
        let text = &mut self.ranks[rank as usize].text;
        let before = text.len();
        // Writing to memory cannot fail.
        let _ = writeln!(text, "{rank} {action}");
        self.held_back += text.len() - before;
        self.added(rank);
    }

    /// Leaves room for so many bytes, which stay blank if nobody fills them.
    pub(crate) fn leave_room(&mut self, rank: u32, width: usize) -> Place {
        let own = &mut self.ranks[rank as usize];
        let at = own.written + own.text.len() as u64;
        own.text.resize(own.text.len() + width, b' ');
        own.text.push(b'\n');
        self.held_back += width + 1;
        self.added(rank);
        Place { rank, at, width }
    }

    /// Says what belongs into a place; too much is cut, which no caller asks for.
    pub(crate) fn fill(&mut self, place: Place, text: &[u8]) {
        let text = &text[..text.len().min(place.width)];
        let own = &mut self.ranks[place.rank as usize];
        if let Some(at) = place.at.checked_sub(own.written) {
            own.text[at as usize..at as usize + text.len()].copy_from_slice(text);
            return;
        }
        // Lines are set aside whole, so a place is in one piece.
        let nth = own.before.partition_point(|before| *before <= place.at) - 1;
        let at = own.pieces[nth].start + place.at - own.before[nth];
        let outcome = self.file.write_all_at(text, at);
        self.note(outcome);
    }

    fn added(&mut self, rank: u32) {
        if self.ranks[rank as usize].text.len() > PAGE {
            self.set_aside(rank);
        } else if self.held_back > HELD_BACK {
            (0..self.ranks()).for_each(|rank| self.set_aside(rank));
        }
    }

    fn set_aside(&mut self, rank: u32) {
        let own = &mut self.ranks[rank as usize];
        let length = own.text.len() as u64;
        if length == 0 {
            return;
        }
        let outcome = self.file.write_all_at(&own.text, self.length);
        own.pieces.push(Piece { file: 1, start: self.length, length });
        own.before.push(own.written);
        own.written += length;
        own.text.clear();
        self.length += length;
        self.held_back -= length as usize;
        self.note(outcome);
    }

    fn note(&mut self, outcome: io::Result<()>) {
        if let Err(error) = outcome {
            self.error.get_or_insert(error);
        }
    }

    /// Where in the file the lines of each rank are.
    pub(crate) fn finish(mut self) -> io::Result<(Vec<Vec<Piece>>, File)> {
        (0..self.ranks()).for_each(|rank| self.set_aside(rank));
        match self.error {
            Some(error) => Err(error),
            None => Ok((self.ranks.into_iter().map(|own| own.pieces).collect(), self.file)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(pieces: &[Piece], file: &File) -> String {
        let mut all = Vec::new();
        for piece in pieces {
            let mut part = vec![0; piece.length as usize];
            file.read_exact_at(&mut part, piece.start).unwrap();
            all.extend(part);
        }
        String::from_utf8(all).unwrap()
    }

    #[test]
    fn places_are_filled_whether_or_not_they_are_in_the_file_already() {
        let mut spool = Spool::new(2).unwrap();
        let early = spool.leave_room(1, 12);
        for _ in 0..5000 {
            spool.add(0, &Action::Barrier);
            spool.add(1, &Action::Barrier);
        }
        let late = spool.leave_room(1, 12);
        spool.fill(early, b"1 recv 0");
        spool.fill(late, b"1 finalize");
        let (pieces, file) = spool.finish().unwrap();
        let own = text(&pieces[1], &file);
        assert!(own.starts_with("1 recv 0    \n1 barrier\n"), "{}", &own[..40]);
        assert!(own.ends_with("1 barrier\n1 finalize  \n"));
        assert_eq!(text(&pieces[0], &file).lines().count(), 5000);
    }
}
