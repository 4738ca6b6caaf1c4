//! The actions of one rank, read in small pieces.

use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

use crate::action::Action;
use crate::compact::Walk;
use crate::echo::Echo;
use crate::fields::{Fields, shown};
use crate::files::Files;
use crate::hint::hint;
use crate::layout::is_passed_over;
use crate::left::{Left, lines_of};
use crate::means::{Evened, Means};
use crate::mistake::{Mistake, Problem};
use crate::quick;

/// Bytes read at once, unless a line is longer.
const WINDOW: usize = 4096;
/// A longer line is none.
const LONGEST_LINE: usize = 1 << 28;

/// A part of a file that holds lines of one rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) file: u32,
    pub(crate) start: u64,
    /// How long it is; the largest number for all of a file.
    pub(crate) length: u64,
}

/// Where the lines of a rank come from, which says how places in them are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// A file of its own.
    Split,
    /// A file of all ranks.
    Merged,
    /// A trace in another format.
    Imported,
}

/// Reads the actions of one rank, from the first to the last.
#[derive(Debug)]
pub struct Cursor(Kind);

#[derive(Debug)]
enum Kind {
    Text(TextCursor),
    Compact(Walk),
    Evened(Box<Evened>),
}

impl Cursor {
    pub(crate) fn new(
        files: Rc<RefCell<Files>>,
        place: (u32, u32),
        origin: Origin,
        pieces: Vec<Piece>,
    ) -> Self {
        Self(Kind::Text(TextCursor::new(files, place, origin, pieces)))
    }

    pub(crate) fn walk(walk: Walk) -> Self {
        Self(Kind::Compact(walk))
    }

    /// The same actions, but computations that vary at their places take these means.
    #[must_use]
    pub fn evened(self, means: Means) -> Self {
        Self(Kind::Evened(Box::new(Evened::new(self, means))))
    }

    /// The next action; none at the end.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or the line makes no sense.
    #[allow(clippy::should_implement_trait, reason = "what it gives borrows from it")]
    #[inline]
    pub fn next(&mut self) -> Result<Option<Action<'_>>, Problem> {
        match &mut self.0 {
            Kind::Text(text) => text.next(),
            Kind::Compact(walk) => walk.next(),
            Kind::Evened(evened) => evened.next(),
        }
    }
}

impl Cursor {
    /// What is wrong with the action that was read last, and where that is.
    #[cold]
    pub fn blame(&self, what: String) -> Problem {
        match &self.0 {
            Kind::Text(text) => text.problem(Mistake(what)),
            Kind::Compact(walk) => walk.problem(what),
            Kind::Evened(evened) => evened.cursor.blame(what),
        }
    }
}

/// Reads lines.
#[derive(Debug)]
struct TextCursor {
    files: Rc<RefCell<Files>>,
    rank: u32,
    ranks: u32,
    origin: Origin,
    /// What is yet to be read, the first piece last.
    pieces: Vec<Piece>,
    window: Vec<u8>,
    /// What of the window has not been handed out. No window is as long as a line must not be.
    unread: Range<u32>,
    echo: Echo,
    /// Lines read so far; of merged files, those of this rank that are actions.
    line: u64,
    is_over: bool,
}

/// A rank that is stuck never asks for its next action.
impl Drop for TextCursor {
    fn drop(&mut self) {
        if let Some(mut files) = self.files.try_borrow_mut().ok().filter(|_| !self.is_over) {
            files.left.insert(self.rank, Left::Line(self.line));
        }
    }
}

impl TextCursor {
    fn new(
        files: Rc<RefCell<Files>>,
        (rank, ranks): (u32, u32),
        origin: Origin,
        mut pieces: Vec<Piece>,
    ) -> Self {
        pieces.reverse();
        let (window, unread) = (Vec::new(), 0..0);
        let (echo, line, is_over) = (Echo::default(), 0, false);
        Self { files, rank, ranks, origin, pieces, window, unread, echo, line, is_over }
    }

    /// Where in the window that is.
    #[inline]
    fn unread(&self) -> Range<usize> {
        self.unread.start as usize..self.unread.end as usize
    }

    #[inline]
    fn next(&mut self) -> Result<Option<Action<'_>>, Problem> {
        let unread = &self.window[self.unread()];
        let found = self.echo.expected(unread).or_else(|| {
            let (said, length) = quick::said(unread, (self.rank, self.ranks))?;
            self.echo.keep(&unread[..length], said);
            Some((said, length))
        });
        if let Some((said, length)) = found {
            self.unread.start += length as u32;
            self.line += 1;
            return Ok(Some(said.action()));
        }
        self.next_seldom()
    }

    /// The next action, whatever it is.
    fn next_seldom(&mut self) -> Result<Option<Action<'_>>, Problem> {
        let Some(line) = self.next_line()? else { return Ok(None) };
        let mut fields = Fields::new(&self.window[line.clone()]);
        let is_own = matches!(fields.integer(), Some(Ok(number)) if number == i64::from(self.rank));
        let action = match is_own {
            true => Action::parse(fields.rest(), self.ranks),
            false => Err(not_of(self.rank, &self.window[line])),
        };
        match action {
            Ok(action) => Ok(Some(action)),
            Err(mistake) => Err(self.problem(mistake)),
        }
    }

    /// Where in the window the next line is that has an action.
    #[inline]
    fn next_line(&mut self) -> Result<Option<Range<usize>>, Problem> {
        loop {
            let unread = self.unread();
            let (line, after) = match line_end(&self.window[unread.clone()]) {
                Some(end) => (unread.start..unread.start + end, end + 1),
                None if self.refill()? => continue,
                None if self.unread.is_empty() => {
                    self.is_over = true;
                    return Ok(None);
                }
                None => (self.unread(), self.unread.len()),
            };
            self.unread.start += after as u32;
            if is_passed_over(&self.window[line.clone()]) {
                if let Some(hint) = self.hint(&line) {
                    self.line += 1;
                    return Ok(Some(hint));
                }
                self.line += u64::from(self.origin == Origin::Split);
                continue;
            }
            self.line += 1;
            return Ok(Some(line));
        }
    }

    /// Where in a line that is passed over the action begins that it hints at, if it does.
    #[cold]
    fn hint(&self, line: &Range<usize>) -> Option<Range<usize>> {
        let (rank, start) = hint(&self.window[line.clone()])?;
        (rank == self.rank).then_some(line.start + start..line.end)
    }

    /// Reads on, behind what is unread; false at the end.
    fn refill(&mut self) -> Result<bool, Problem> {
        let unread = self.unread();
        self.window.copy_within(unread, 0);
        self.unread = 0..self.unread.len() as u32;
        while let Some(piece) = self.pieces.last_mut() {
            let end = self.unread.end as usize;
            if end > LONGEST_LINE {
                return Err(self.problem(Mistake("this line is endless".into())));
            }
            if self.window.len() == end {
                // A line longer than the window makes it grow.
                self.window.resize((end + 1).next_multiple_of(WINDOW), 0);
            }
            let room = &mut self.window[end..];
            let wanted = piece.length.min(room.len() as u64) as usize;
            let count =
                self.files.borrow_mut().read(piece.file, piece.start, &mut room[..wanted])?;
            piece.start += count as u64;
            piece.length -= count as u64;
            self.unread.end += count as u32;
            if count < wanted || piece.length == 0 {
                self.pieces.pop();
            }
            if count > 0 {
                return Ok(true);
            }
        }
        self.window.truncate(self.unread.end as usize);
        self.window.shrink_to_fit();
        Ok(false)
    }

    /// Says where the line is that was read last.
    #[cold]
    fn problem(&self, mistake: Mistake) -> Problem {
        let file = if self.origin == Origin::Split { self.file() } else { 0 };
        let path = self.files.borrow().path(file).to_owned();
        let line = match self.origin {
            Origin::Split => self.line,
            Origin::Merged => lines_of(&path, &[(self.rank, self.line)])[0].unwrap_or(0),
            Origin::Imported => {
                let (rank, action) = (self.rank, self.line);
                let reason = format!("rank {rank}, action {action}: {mistake}");
                return Problem::Whole { path, reason };
            }
        };
        Problem::Line { path, line, mistake }
    }

    fn file(&self) -> u32 {
        self.rank
    }
}

/// A line is of another rank than the file that it is in.
#[cold]
fn not_of(rank: u32, line: &[u8]) -> Mistake {
    let owner = shown(Fields::new(line).next().unwrap_or_default());
    Mistake(format!("expected an action of rank {rank}, whose file this is, not of {owner}"))
}

/// Where the first line ends; eight bytes are looked at together, for lines are short and many.
#[inline]
fn line_end(text: &[u8]) -> Option<usize> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let (words, rest) = text.as_chunks::<8>();
    for (at, word) in words.iter().enumerate() {
        // A byte that was a newline is zero now, and borrows from its highest bit.
        let other = u64::from_le_bytes(*word) ^ (ONES * u64::from(b'\n'));
        let ends = other.wrapping_sub(ONES) & !other & (ONES << 7);
        if ends != 0 {
            return Some(8 * at + (ends.trailing_zeros() / 8) as usize);
        }
    }
    rest.iter().position(|byte| *byte == b'\n').map(|at| 8 * words.len() + at)
}

#[cfg(test)]
mod tests {
    use super::line_end;

    #[test]
    fn the_end_of_a_line_is_found_wherever_it_is() {
        for length in 0..40 {
            let mut text = vec![0xff; length];
            assert_eq!(line_end(&text), None);
            for at in (0..length).rev() {
                text[at] = b'\n';
                assert_eq!(line_end(&text), Some(at));
            }
        }
    }
}
