//! The commonest lines, read in one pass.
//!
//! Most lines of most traces are messages and waits, with nothing but blanks and ordinary numbers.
//! All others, and all that are wrong, are left to the reader that takes its time.

use crate::action::{Action, Amount, Message, Mode, Peer, Waited};
use crate::datatype::Datatype;

/// The action of a rank in the line that a text begins with, and how long that line is, its end
/// included. None if the line is not one of the commonest, or its end is not there.
#[inline]
pub(crate) fn action(text: &[u8], (rank, ranks): (u32, u32)) -> Option<(Action<'static>, usize)> {
    let mut scan = Scan { text, at: 0 };
    if scan.number(BLANK)? != rank {
        return None;
    }
    let action = match scan.name()? {
        Name::Send => Action::Send(Mode::Standard, scan.message(ranks)?),
        Name::Recv => Action::Recv(scan.message(ranks)?),
        Name::Isend => Action::Isend(Mode::Standard, scan.message(ranks)?),
        Name::Irecv => Action::Irecv(scan.message(ranks)?),
        Name::Wait => Action::Wait(scan.wait(ranks)?),
        Name::Waitall => Action::Waitall(scan.number(END)?.into()),
    };
    Some((action, scan.at))
}

const BLANK: u8 = b' ';
const END: u8 = b'\n';

/// Names of the commonest actions.
#[derive(Clone, Copy)]
enum Name {
    Send,
    Recv,
    Isend,
    Irecv,
    Wait,
    Waitall,
}

/// Each with the blank behind it, as a word, and how long that is.
const NAMES: [(u64, usize, Name); 6] = [
    name(b"send ", Name::Send),
    name(b"recv ", Name::Recv),
    name(b"isend ", Name::Isend),
    name(b"irecv ", Name::Irecv),
    name(b"wait ", Name::Wait),
    name(b"waitall ", Name::Waitall),
];

const fn name(text: &[u8], name: Name) -> (u64, usize, Name) {
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
    fn name(&mut self) -> Option<Name> {
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
    fn rank(&mut self, ranks: u32) -> Option<Peer> {
        self.number(BLANK).filter(|rank| *rank < ranks).map(Peer::Rank)
    }

    #[inline]
    fn message(&mut self, ranks: u32) -> Option<Message> {
        let (peer, tag) = (self.rank(ranks)?, Some(self.number(BLANK)?));
        let count = Some(self.number(BLANK)?.into());
        let datatype = Some(Datatype::numbered(self.number(END)?.into())?);
        Some(Message { peer, tag, size: Amount { count, datatype } })
    }

    #[inline]
    fn wait(&mut self, ranks: u32) -> Option<Waited> {
        let (from, to) = (self.rank(ranks)?, self.rank(ranks)?);
        Some(Waited { from, to, tag: Some(self.number(END)?) })
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
