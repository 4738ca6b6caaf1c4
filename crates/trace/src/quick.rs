//! The commonest lines, read in one pass.
//!
//! Most lines of most traces are messages and waits, with nothing but blanks and ordinary numbers.
//! All others, and all that are wrong, are left to the reader that takes its time.

use crate::action::{Action, Amount, Message, Mode, Peer, Waited};
use crate::datatype::Datatype;

/// More digits than these are no ordinary number.
const MOST_DIGITS: usize = 9;

/// The action of a rank in the line that a text begins with, and how long that line is, its end
/// included. None if the line is not one of the commonest, or its end is not there.
#[inline]
pub(crate) fn action(text: &[u8], (rank, ranks): (u32, u32)) -> Option<(Action<'static>, usize)> {
    let mut scan = Scan { text, at: 0 };
    if scan.number()? != rank {
        return None;
    }
    let action = match scan.name()? {
        b"send" => Action::Send(Mode::Standard, scan.message(ranks)?),
        b"recv" => Action::Recv(scan.message(ranks)?),
        b"isend" => Action::Isend(Mode::Standard, scan.message(ranks)?),
        b"irecv" => Action::Irecv(scan.message(ranks)?),
        b"wait" => Action::Wait(scan.wait(ranks)?),
        b"waitall" => Action::Waitall(scan.number()?.into()),
        _ => return None,
    };
    (text.get(scan.at) == Some(&b'\n')).then_some((action, scan.at + 1))
}

/// A text and how much of it was read.
struct Scan<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Scan<'a> {
    /// Skips blanks: one as a rule, or a dozen where SimGrid leaves room for a field.
    #[inline]
    fn skip_blanks(&mut self) {
        const BLANKS: [u8; 8] = [b' '; 8];
        while self.text.get(self.at) == Some(&b' ') {
            let word = self.text[self.at..].first_chunk();
            self.at += if word == Some(&BLANKS) { 8 } else { 1 };
        }
    }

    /// A number of a few digits, with a blank or the end of the line behind it.
    #[inline]
    fn number(&mut self) -> Option<u32> {
        self.skip_blanks();
        let start = self.at;
        let mut value = 0_u32;
        loop {
            let byte = *self.text.get(self.at)?;
            let digit = byte.wrapping_sub(b'0');
            if digit > 9 {
                let is_whole = matches!(byte, b' ' | b'\n');
                let digits = self.at - start;
                return (is_whole && (1..=MOST_DIGITS).contains(&digits)).then_some(value);
            }
            // A number with too many digits is refused at its end.
            value = value.wrapping_mul(10).wrapping_add(digit.into());
            self.at += 1;
        }
    }

    /// A word with a blank behind it.
    #[inline]
    fn name(&mut self) -> Option<&'a [u8]> {
        self.skip_blanks();
        let start = self.at;
        while self.text.get(self.at)?.is_ascii_alphabetic() {
            self.at += 1;
        }
        (self.text[self.at] == b' ').then(|| &self.text[start..self.at])
    }

    #[inline]
    fn rank(&mut self, ranks: u32) -> Option<Peer> {
        self.number().filter(|rank| *rank < ranks).map(Peer::Rank)
    }

    #[inline]
    fn message(&mut self, ranks: u32) -> Option<Message> {
        let (peer, tag) = (self.rank(ranks)?, Some(self.number()?));
        let count = Some(self.number()?.into());
        let datatype = Some(Datatype::numbered(self.number()?.into())?);
        Some(Message { peer, tag, size: Amount { count, datatype } })
    }

    #[inline]
    fn wait(&mut self, ranks: u32) -> Option<Waited> {
        let (from, to) = (self.rank(ranks)?, self.rank(ranks)?);
        Some(Waited { from, to, tag: Some(self.number()?) })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What is read quickly, of rank 12 of 16.
    fn quick(line: &str) -> Option<Action<'static>> {
        let (action, length) = action(line.as_bytes(), (12, 16))?;
        assert_eq!(line.as_bytes()[length - 1], b'\n');
        Some(action)
    }

    #[test]
    fn common_lines_are_read_and_their_length_is_told() {
        let text = b"12 send 3 0 100            6\n12 wait 3 12 0\n";
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
