//! Records before they are text: small, of one size, and quickly moved.

use super::labels::Call;

/// A record of a date.
#[derive(Debug, Clone, Copy)]
pub(super) enum Entry {
    /// A rank is in a state.
    Stay { rank: u32, state: u32, begin: u64, end: u64 },
    /// A message.
    Message { ends: [u32; 2], tag: u32, dates: Dates, bytes: u64 },
    /// Events of one rank and one date, or some of them.
    Events { rank: u32, date: u64, words: Words },
    /// A rank is in a state, and its events of when that begins.
    Call { rank: u32, state: u32, begin: u64, end: u64, words: Words },
}

/// The dates of a message.
#[derive(Debug, Clone, Copy)]
pub(super) struct Dates {
    pub(super) called: u64,
    pub(super) departed: u64,
    pub(super) posted: u64,
    pub(super) arrived: u64,
}

/// Types and values of events, or some of them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Words {
    pub(super) list: [u16; Words::MOST],
    pub(super) count: u8,
    /// Whether the next entry has more of the same record.
    pub(super) goes_on: bool,
}

const _: () = assert!(size_of::<Entry>() == 64);

impl Words {
    /// How many an entry has.
    pub(super) const MOST: usize = 18;

    const NONE: Words = Words { list: [0; Words::MOST], count: 0, goes_on: false };
}

/// Types and values of events that are put together, as numbers: those of calls are known by the
/// number of the state, others are spelt out.
#[derive(Debug, Clone)]
pub(super) struct Events {
    /// When they happen.
    pub(super) date: u64,
    /// The last of them, and those before, if they are many.
    words: Words,
    full: Vec<Words>,
}

/// What follows is a type and a value, in four numbers each.
const SPELT_OUT: u16 = u16::MAX;

impl Default for Events {
    fn default() -> Self {
        Self { date: 0, words: Words::NONE, full: Vec::new() }
    }
}

impl Events {
    #[inline]
    fn push(&mut self, word: u16) {
        if usize::from(self.words.count) == Words::MOST {
            self.turn();
        }
        self.words.list[usize::from(self.words.count)] = word;
        self.words.count += 1;
    }

    /// There is more than fits into one entry.
    #[cold]
    fn turn(&mut self) {
        self.full.push(Words { goes_on: true, ..self.words });
        self.words.count = 0;
    }

    /// A rank enters a call, or leaves it.
    #[inline]
    pub(super) fn call(&mut self, call: &Call, is_end: bool) {
        match call.word {
            Some(word) => self.push(word + u16::from(is_end)),
            None => self.pair(call.kind, if is_end { 0 } else { call.value }),
        }
    }

    /// A rank enters a call and leaves it at once.
    #[inline]
    pub(super) fn visit(&mut self, call: &Call) {
        match call.word {
            Some(word) => self.push(word + 2),
            None => {
                self.call(call, false);
                self.call(call, true);
            }
        }
    }

    /// Any other event.
    #[cold]
    pub(super) fn pair(&mut self, kind: u64, value: u64) {
        self.push(SPELT_OUT);
        for number in [kind, value] {
            [0, 16, 32, 48].into_iter().for_each(|shift| self.push((number >> shift) as u16));
        }
    }

    /// What is added from now on is of this date: gives what was there to `end`.
    #[inline]
    pub(super) fn reach(&mut self, date: u64, rank: u32, end: impl FnMut(Entry)) {
        if self.date != date {
            self.end(rank, end);
            self.date = date;
        }
    }

    /// What is there, if it fits into one entry; it is gone then.
    #[inline]
    pub(super) fn take_few(&mut self) -> Option<Words> {
        let words = self.full.is_empty().then_some(self.words)?;
        self.words.count = 0;
        Some(words)
    }

    /// Gives what is there away, as entries that must stay together.
    #[inline]
    pub(super) fn end(&mut self, rank: u32, mut end: impl FnMut(Entry)) {
        let date = self.date;
        if !self.full.is_empty() {
            self.full.drain(..).for_each(|words| end(Entry::Events { rank, date, words }));
        }
        if self.words.count > 0 {
            end(Entry::Events { rank, date, words: self.words });
            self.words.count = 0;
        }
    }
}

/// The number of a state's first event among those of calls; none for states that are too many.
pub(super) fn word(state: usize) -> Option<u16> {
    u16::try_from(3 * state).ok().filter(|word| *word < SPELT_OUT - 2)
}

/// The type and value that words begin with which stand for no call, and the words behind them.
pub(super) fn spelt_out(words: &[u16]) -> (u64, u64, &[u16]) {
    let number = |words: &[u16]| {
        let parts = words.iter().zip([0, 16, 32, 48]);
        parts.fold(0, |sum, (part, shift)| sum | u64::from(*part) << shift)
    };
    let (kind, rest) = words[1..].split_at(4);
    let (value, rest) = rest.split_at(4);
    (number(kind), number(value), rest)
}

#[cfg(test)]
mod tests {
    use super::super::super::Class;
    use super::*;

    #[test]
    fn events_are_told_as_they_were_put_together_however_many_there_are() {
        let calls: Vec<Call> =
            (0..200).map(|nth| Call::new("MPI_Send", Class::Send, nth)).collect();
        let late = Call::new("MPI_Send", Class::Send, 40_000);
        assert_eq!((calls[7].word, late.word), (Some(21), None));
        for count in 0..200_u32 {
            let mut events = Events::default();
            let mut expected = Vec::new();
            for nth in 0..count {
                match nth % 3 {
                    0 => events.pair(nth.into(), u64::MAX - u64::from(nth)),
                    1 => events.call(&calls[nth as usize], true),
                    _ => events.call(&late, false),
                }
                expected.push(match nth % 3 {
                    0 => (u64::from(nth), u64::MAX - u64::from(nth)),
                    1 => (u64::from(3 * nth + 1), 0),
                    _ => (late.kind, late.value),
                });
            }
            let mut words = Vec::new();
            let mut goes_on = false;
            events.end(7, |entry| {
                let Entry::Events { rank: 7, words: part, .. } = entry else { panic!("{entry:?}") };
                words.extend_from_slice(&part.list[..part.count.into()]);
                goes_on = part.goes_on;
            });
            assert!(!goes_on, "the last entry is the last");
            let (mut found, mut rest) = (Vec::new(), &words[..]);
            while let [word, after @ ..] = rest {
                if *word < SPELT_OUT {
                    found.push((u64::from(*word), 0));
                    rest = after;
                } else {
                    let (kind, value);
                    (kind, value, rest) = spelt_out(rest);
                    found.push((kind, value));
                }
            }
            assert_eq!(found, expected);
        }
    }
}
