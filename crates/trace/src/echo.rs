//! Lines that a rank has read before.
//!
//! Most programs do the same over and over, so most lines of a trace have been there before, one
//! behind the other in the same order. A line that is the expected one need not be understood
//! again: it says what it said.

use crate::action::{Action, Amount, Message, Mode, Peer, Waited};
use crate::datatype::Datatype;

/// How many lines are kept, and how long they may be.
const LINES: usize = 8;
const LONGEST: usize = 38;

/// Some of the lines that a rank has read, and which one was the last.
#[derive(Debug, Default)]
pub(crate) struct Echo {
    lines: Vec<Line>,
    last: u8,
    /// Where the next new line goes.
    oldest: u8,
}

/// One cache line.
#[derive(Debug)]
#[repr(align(64))]
struct Line {
    text: [u8; LONGEST],
    length: u8,
    /// The line that came after it, last time.
    next: u8,
    said: Said,
}

const _: () = assert!(size_of::<Line>() == 64);

/// What a line said, in few bytes: its word, and up to three numbers and a datatype.
#[derive(Debug, Clone, Copy)]
struct Said {
    word: Word,
    datatype: Datatype,
    one: u32,
    other: u32,
    many: u64,
}

#[derive(Debug, Clone, Copy)]
enum Word {
    Send,
    Recv,
    Isend,
    Irecv,
    Wait,
    Waitall,
}

impl Said {
    /// Those of the commonest actions.
    fn of(action: Action<'_>) -> Option<Self> {
        let said = |word, one, other, many, datatype| Self { word, datatype, one, other, many };
        let (word, message) = match action {
            Action::Send(Mode::Standard, message) => (Word::Send, message),
            Action::Isend(Mode::Standard, message) => (Word::Isend, message),
            Action::Recv(message) => (Word::Recv, message),
            Action::Irecv(message) => (Word::Irecv, message),
            Action::Waitall(count) => {
                return Some(said(Word::Waitall, 0, 0, count, Datatype::BYTE));
            }
            Action::Wait(Waited { from: Peer::Rank(from), to: Peer::Rank(to), tag }) => {
                return Some(said(Word::Wait, from, to, tag?.into(), Datatype::BYTE));
            }
            _ => return None,
        };
        let Message { peer: Peer::Rank(peer), tag, size } = message else { return None };
        Some(said(word, peer, tag?, size.count?, size.datatype?))
    }

    #[inline]
    fn action(self) -> Action<'static> {
        let Self { word, datatype, one, other, many } = self;
        let size = Amount { count: Some(many), datatype: Some(datatype) };
        let message = Message { peer: Peer::Rank(one), tag: Some(other), size };
        match word {
            Word::Send => Action::Send(Mode::Standard, message),
            Word::Recv => Action::Recv(message),
            Word::Isend => Action::Isend(Mode::Standard, message),
            Word::Irecv => Action::Irecv(message),
            Word::Waitall => Action::Waitall(many),
            Word::Wait => {
                let (from, to) = (Peer::Rank(one), Peer::Rank(other));
                Action::Wait(Waited { from, to, tag: Some(many as u32) })
            }
        }
    }
}

impl Echo {
    /// What the first line of a text says, and how long it is, if it is the line that is expected.
    #[inline]
    pub(crate) fn expected(&mut self, text: &[u8]) -> Option<(Action<'static>, usize)> {
        let next = self.lines.get(usize::from(self.last))?.next;
        let line = self.lines.get(usize::from(next))?;
        let length = usize::from(line.length);
        if !text.starts_with(line.text.get(..length)?) {
            return None;
        }
        self.last = next;
        Some((line.said.action(), length))
    }

    /// Keeps a line, its end included, that was not the expected one: next time it is.
    pub(crate) fn keep(&mut self, text: &[u8], action: Action<'_>) {
        let is_known = |line: &Line| line.text.get(..usize::from(line.length)) == Some(text);
        let place = match (self.lines.iter().position(is_known), Said::of(action)) {
            (Some(place), _) => place as u8,
            (None, Some(said)) if text.len() <= LONGEST => self.add(text, said),
            _ => return,
        };
        if let Some(last) = self.lines.get_mut(usize::from(self.last)) {
            last.next = place;
        }
        self.last = place;
    }

    /// Puts a line in the place of the oldest.
    fn add(&mut self, text: &[u8], said: Said) -> u8 {
        let place = self.oldest;
        let mut line = Line { text: [0; LONGEST], length: text.len() as u8, next: place, said };
        line.text[..text.len()].copy_from_slice(text);
        match self.lines.get_mut(usize::from(place)) {
            Some(old) => *old = line,
            None => {
                self.lines.reserve_exact(if place == 0 { 4 } else { LINES - self.lines.len() });
                self.lines.push(line);
            }
        }
        self.oldest = (place + 1) % LINES as u8;
        place
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Reads lines, each a number, as a cursor would; tells how many were expected.
    fn read(lines: &[u64]) -> usize {
        let (mut echo, mut expected) = (Echo::default(), 0);
        for number in lines {
            let line = format!("{number}\n");
            let text = format!("{line}and more");
            match echo.expected(text.as_bytes()) {
                Some((action, length)) => {
                    assert_eq!((action, length), (Action::Waitall(*number), line.len()));
                    expected += 1;
                }
                None => echo.keep(line.as_bytes(), Action::Waitall(*number)),
            }
        }
        expected
    }

    #[test]
    fn what_comes_again_is_expected() {
        assert_eq!(read(&[7, 8, 9].repeat(10)), 26);
        // After 2 comes now 3, now 4: two of five are surprises.
        assert_eq!(read(&[1, 2, 3, 2, 4].repeat(10)), 26);
    }

    #[test]
    fn long_lines_are_not_kept() {
        let mut echo = Echo::default();
        echo.keep(&[b'1'; LONGEST + 1], Action::Barrier);
        assert_eq!(echo.expected(&[b'1'; 2 * LONGEST]), None);
    }

    #[test]
    fn what_is_kept_says_what_it_said() {
        let lines = [
            "send 3 4 100 6",
            "recv 3 4 100 6",
            "isend 3 4 100 6",
            "irecv 3 4 100 6",
            "wait 3 4 5",
            "waitall 6",
        ];
        for line in lines {
            let action = Action::parse(line.as_bytes(), 16).unwrap();
            assert_eq!(Said::of(action).map(Said::action), Some(action), "{line}");
        }
        for line in ["recv 3 4", "recv -1 4 100 6", "ssend 3 4 100 6", "compute 5"] {
            if let Ok(action) = Action::parse(line.as_bytes(), 16) {
                assert!(Said::of(action).is_none(), "{line}");
            }
        }
    }

    proptest! {
        #[test]
        fn nothing_is_said_that_is_not_there(
            lines in prop::collection::vec(prop_oneof![0_u64..6, 0_u64..200], 0..300),
        ) {
            read(&lines);
        }
    }
}
