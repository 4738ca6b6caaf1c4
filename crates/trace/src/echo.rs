//! Lines that a rank has read before.
//!
//! Most programs do the same over and over, so most lines of a trace have been there before, one
//! behind the other in the same order. A line that is the expected one need not be understood
//! again: it says what it said.

use crate::said::Said;

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

impl Echo {
    /// What the first line of a text says, and how long it is, if it is the line that is expected.
    #[inline]
    pub(crate) fn expected(&mut self, text: &[u8]) -> Option<(Said, usize)> {
        let next = self.lines.get(usize::from(self.last))?.next;
        let line = self.lines.get(usize::from(next))?;
        let length = usize::from(line.length);
        if !text.starts_with(line.text.get(..length)?) {
            return None;
        }
        self.last = next;
        Some((line.said, length))
    }

    /// Keeps a line, its end included, that was not the expected one: next time it is.
    pub(crate) fn keep(&mut self, text: &[u8], said: Said) {
        let is_known = |line: &Line| line.text.get(..usize::from(line.length)) == Some(text);
        let place = match self.lines.iter().position(is_known) {
            Some(place) => place as u8,
            None if text.len() <= LONGEST => self.add(text, said),
            None => return,
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
    use crate::datatype::Datatype;
    use crate::said::Word;

    fn waitall(many: u64) -> Said {
        Said { word: Word::Waitall, datatype: Datatype::BYTE, one: 0, other: 0, many }
    }

    /// Reads lines, each a number, as a cursor would; tells how many were expected.
    fn read(lines: &[u64]) -> usize {
        let (mut echo, mut expected) = (Echo::default(), 0);
        for number in lines {
            let line = format!("{number}\n");
            let text = format!("{line}and more");
            match echo.expected(text.as_bytes()) {
                Some((said, length)) => {
                    assert_eq!((said, length), (waitall(*number), line.len()));
                    expected += 1;
                }
                None => echo.keep(line.as_bytes(), waitall(*number)),
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
        echo.keep(&[b'1'; LONGEST + 1], waitall(1));
        assert_eq!(echo.expected(&[b'1'; 2 * LONGEST]), None);
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
