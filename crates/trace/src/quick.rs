//! The commonest lines, read in one pass.
//!
//! Most lines of most traces are messages and waits, with nothing but blanks and ordinary numbers.
//! All others, and all that are wrong, are left to the reader that takes its time.

use crate::datatype::Datatype;
use crate::said::{Said, Word};

/// What a rank is told by the line that a text begins with, and how long that line is, its end
/// included. None if the line is not one of the commonest, or its end is not there.
#[inline]
pub(crate) fn said(text: &[u8], (rank, ranks): (u32, u32)) -> Option<(Said, usize)> {
    let mut scan = Scan { text, at: 0 };
    if scan.number(BLANK)? != rank {
        return None;
    }
    let said = match scan.name()? {
        Word::Wait => scan.wait(ranks)?,
        Word::Waitall => Said { many: scan.number(END)?.into(), ..NOTHING },
        word => Said { word, ..scan.message(ranks)? },
    };
    Some((said, scan.at))
}

/// What is filled in.
const NOTHING: Said =
    Said { word: Word::Waitall, datatype: Datatype::BYTE, one: 0, other: 0, many: 0 };

const BLANK: u8 = b' ';
const END: u8 = b'\n';

/// Each with the blank behind it, as a word, and how long that is.
const NAMES: [(u64, usize, Word); 6] = [
    name(b"send ", Word::Send),
    name(b"recv ", Word::Recv),
    name(b"isend ", Word::Isend),
    name(b"irecv ", Word::Irecv),
    name(b"wait ", Word::Wait),
    name(b"waitall ", Word::Waitall),
];

const fn name(text: &[u8], name: Word) -> (u64, usize, Word) {
    let (mut word, mut at) = (0, text.len());
    while at > 0 {
        at -= 1;
        word = word << 8 | text[at] as u64;
    }
    (word, text.len(), name)
}

/// The same byte eight times.
const fn all(byte: u8) -> u64 {
    u64::from_le_bytes([byte; 8])
}

/// A text and how much of it was read. Eight bytes are looked at together: with fewer left, the
/// line is left to the other reader.
struct Scan<'a> {
    text: &'a [u8],
    at: usize,
}

impl Scan<'_> {
    /// The next eight bytes, the first of them lowest.
    #[inline]
    fn word(&self) -> Option<u64> {
        self.text.get(self.at..)?.first_chunk().map(|bytes| u64::from_le_bytes(*bytes))
    }

    /// Skips blanks, where there is more than one: SimGrid leaves room for a field.
    #[inline(never)]
    fn skip_blanks(&mut self) -> Option<u64> {
        loop {
            let blanks = (self.word()? ^ all(BLANK)).trailing_zeros() as usize / 8;
            self.at += blanks;
            if blanks < 8 {
                return self.word();
            }
        }
    }

    /// A number of one to seven digits and the one byte behind it, which is to be this one.
    #[inline]
    fn number(&mut self, behind: u8) -> Option<u32> {
        let mut word = self.word()?;
        if word as u8 == BLANK {
            word = self.skip_blanks()?;
        }
        // A digit's own value, and more than nine for any other byte: with 0x76 added, those reach
        // the highest bit.
        let values = word ^ all(b'0');
        let others = (values.wrapping_add(all(0x76)) | values) & all(0x80);
        let digits = others.trailing_zeros() as usize / 8;
        if !(1..8).contains(&digits) || (word >> (8 * digits)) as u8 != behind {
            return None;
        }
        self.at += digits + 1;
        Some(joined(values << (64 - 8 * digits)))
    }

    /// A name with a blank behind it.
    #[inline]
    fn name(&mut self) -> Option<Word> {
        let word = self.word()?;
        let found = NAMES.iter().find(|(known, length, _)| {
            let others = 64 - 8 * length;
            word << others == known << others
        });
        found.map(|(_, length, name)| {
            self.at += length;
            *name
        })
    }

    #[inline]
    fn rank(&mut self, ranks: u32) -> Option<u32> {
        self.number(BLANK).filter(|rank| *rank < ranks)
    }

    #[inline]
    fn message(&mut self, ranks: u32) -> Option<Said> {
        let (one, other) = (self.rank(ranks)?, self.number(BLANK)?);
        let many = self.number(BLANK)?.into();
        let datatype = Datatype::numbered(self.number(END)?.into())?;
        Some(Said { datatype, one, other, many, ..NOTHING })
    }

    #[inline]
    fn wait(&mut self, ranks: u32) -> Option<Said> {
        let (one, other) = (self.rank(ranks)?, self.rank(ranks)?);
        Some(Said { word: Word::Wait, one, other, many: self.number(END)?.into(), ..NOTHING })
    }
}

/// The number of eight digits, the first of them lowest: neighbours are joined, then pairs, then
/// fours.
#[inline]
fn joined(digits: u64) -> u32 {
    let pairs = (digits * 10 + (digits >> 8)) & 0x00ff_00ff_00ff_00ff;
    let fours = (pairs * 100 + (pairs >> 16)) & 0x0000_ffff_0000_ffff;
    (fours * 10_000 + (fours >> 32)) as u32
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::action::Action;

    /// The action in the line that a text begins with, and how long that line is.
    fn action(text: &[u8], place: (u32, u32)) -> Option<(Action<'static>, usize)> {
        said(text, place).map(|(said, length)| (said.action(), length))
    }

    /// What is read quickly, of rank 12 of 16, where more lines follow.
    fn quick(line: &str) -> Option<Action<'static>> {
        let text = format!("{line}12 finalize\n");
        let (action, length) = action(text.as_bytes(), (12, 16))?;
        assert_eq!(length, line.len());
        Some(action)
    }

    #[test]
    fn numbers_of_up_to_seven_digits_are_read() {
        for count in [0, 7, 12, 345, 6789, 10_234, 567_890, 1_234_567, 9_999_999] {
            let found = quick(&format!("12 send 3 0 {count} 6\n"));
            assert_eq!(
                found.map(Ok),
                Some(Action::parse(format!("send 3 0 {count} 6").as_bytes(), 16))
            );
        }
        assert_eq!(quick("12 send 3 0 12345678 6\n"), None);
    }

    #[test]
    fn each_of_the_commonest_lines_says_what_the_other_reader_finds() {
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
            assert_eq!(quick(&format!("12 {line}\n")), Some(action), "{line}");
        }
        for line in ["recv 3 4", "recv -1 4 100 6", "ssend 3 4 100 6", "compute 5"] {
            assert_eq!(quick(&format!("12 {line}\n")), None, "{line}");
        }
    }

    #[test]
    fn the_last_lines_are_left_alone() {
        assert_eq!(action(b"12 send 3 0 100 6\n", (12, 16)), None);
        assert_eq!(action(b"12 send 3 0 100 6\n12345", (12, 16)), None);
        assert!(action(b"12 send 3 0 100 6\n123456", (12, 16)).is_some());
    }

    #[test]
    fn common_lines_are_read_and_their_length_is_told() {
        let text = b"12 send 3 0 100            6\n12 wait 3 12 0\n12 finalize\n";
        let (first, length) = action(text, (12, 16)).unwrap();
        assert_eq!(Ok(first), Action::parse(b"send 3 0 100 6", 16));
        assert_eq!((length, action(&text[length..], (12, 16)).unwrap().1), (29, 15));
        assert_eq!(quick("12 waitall 4\n"), Some(Action::Waitall(4)));
    }

    #[test]
    fn what_is_not_common_is_left_alone() {
        let lines = [
            "11 send 3 0 100 6\n",
            "12 send 3 0 100\n",
            "12 send 16 0 100 6\n",
            "12 send -1 0 100 6\n",
            "12 send 3 0 1e2 6\n",
            "12 send 3 0 1234567890 6\n",
            "12 send 3 0 100 60\n",
            "12 send 3 0 100 6 7\n",
            "12 send 3 0 100 6\r\n",
            "12 send 3 0 100 6",
            "12 waitall\n",
            "12 barrier\n",
            "12\n",
            "# 12 waitall 4\n",
            "\n",
            "",
        ];
        for line in lines {
            assert_eq!(quick(line), None, "{line:?}");
        }
    }

    proptest! {
        #[test]
        fn whatever_is_read_quickly_is_what_the_line_says(
            line in "12 {1,9}(send|recv|isend|irecv|wait|waitall|sleep)( {1,20}-?[0-9]{1,10}){0,5} ?",
        ) {
            if let Some(found) = quick(&format!("{line}\n")) {
                prop_assert_eq!(Ok(found), Action::parse(&line.as_bytes()[2..], 16));
            }
        }

        #[test]
        fn no_bytes_make_it_fail(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
            if let Some((_, length)) = action(&bytes, (1, 2)) {
                prop_assert!(length <= bytes.len());
            }
        }
    }
}
