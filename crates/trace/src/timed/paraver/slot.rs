//! What a rank does from a date on, before it is text: small, of one size, and quickly written.

use super::labels::Call;

/// No state, no message, no words.
pub(super) const NONE: u32 = u32::MAX;

/// How many words have room in place.
const FEW: usize = 13;

/// How many words a state has: one for each side, and one for where it stands in the program.
const WORDS: usize = 4;
const CALLER: u16 = 3;

/// What follows is a type and a value, in four words each.
const SPELT_OUT: u16 = u16::MAX;

/// What a rank does from a date on: the state it is in, its events of that date, and what it sends
/// in a call that it made then. One cache line.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(super) struct Slot {
    pub(super) begin: u64,
    pub(super) end: u64,
    pub(super) rank: u32,
    pub(super) state: u32,
    /// What is to be known before it can be told: its end, and the ways of messages.
    pub(super) awaits: u32,
    /// The message that came last of those that were sent.
    pub(super) newest: u32,
    /// Where its words are, if they are many.
    more: u32,
    words: [u16; FEW],
    count: u8,
}

const _: () = assert!(size_of::<Slot>() == 64);

/// Which side of a call an event tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Enter,
    Leave,
    /// Both at once.
    Visit,
}

impl Slot {
    /// A rank begins something, of which nothing more is known.
    #[inline]
    pub(super) fn new(rank: u32, begin: u64) -> Self {
        Self {
            begin,
            end: begin,
            rank,
            state: NONE,
            awaits: 1,
            newest: NONE,
            more: NONE,
            words: [0; FEW],
            count: 0,
        }
    }

    /// Types and values of its events, as numbers: those of calls are known by the number of the
    /// state, others are spelt out.
    #[inline]
    pub(super) fn words<'a>(&'a self, texts: &'a Texts) -> &'a [u16] {
        match self.more {
            NONE => &self.words[..usize::from(self.count).min(FEW)],
            more => &texts.all[more as usize],
        }
    }

    /// Adds an event of a call.
    #[inline]
    pub(super) fn call(&mut self, call: &Call, side: Side, texts: &mut Texts) {
        match call.word {
            Some(word) if call.caller.is_none() => self.push(word + side as u16, texts),
            Some(word) => self.call_from(word, side, texts),
            None => self.spell_call(call, side, texts),
        }
    }

    /// The same, with where the call stands in the program.
    #[inline(never)]
    fn call_from(&mut self, word: u16, side: Side, texts: &mut Texts) {
        if side == Side::Leave {
            return self.push(word + Side::Leave as u16, texts);
        }
        self.push(word + Side::Enter as u16, texts);
        self.push(word + CALLER, texts);
        if side == Side::Visit {
            self.push(word + Side::Leave as u16, texts);
        }
    }

    #[cold]
    fn spell_call(&mut self, call: &Call, side: Side, texts: &mut Texts) {
        if side != Side::Leave {
            self.pair(call.kind, call.value, texts);
            for (kind, value) in call.caller.into_iter().flatten() {
                self.pair(kind, value, texts);
            }
        }
        if side != Side::Enter {
            self.pair(call.kind, 0, texts);
        }
    }

    /// Adds any other event.
    pub(super) fn pair(&mut self, kind: u64, value: u64, texts: &mut Texts) {
        self.push(SPELT_OUT, texts);
        for number in [kind, value] {
            for shift in [0, 16, 32, 48] {
                self.push((number >> shift) as u16, texts);
            }
        }
    }

    #[inline]
    fn push(&mut self, word: u16, texts: &mut Texts) {
        if let Some(place) = self.words.get_mut(usize::from(self.count)) {
            *place = word;
            self.count += 1;
        } else {
            self.push_far(word, texts);
        }
    }

    #[cold]
    fn push_far(&mut self, word: u16, texts: &mut Texts) {
        if self.more == NONE {
            self.more = texts.take();
            texts.all[self.more as usize].extend_from_slice(&self.words);
        }
        texts.all[self.more as usize].push(word);
    }

    /// It is told: what it has elsewhere is free.
    #[inline]
    pub(super) fn free(&self, texts: &mut Texts) {
        if self.more != NONE {
            texts.give_back(self.more);
        }
    }
}

/// Words of slots that have many.
#[derive(Debug, Default)]
pub(super) struct Texts {
    all: Vec<Vec<u16>>,
    free: Vec<u32>,
}

impl Texts {
    fn take(&mut self) -> u32 {
        self.free.pop().unwrap_or_else(|| {
            self.all.push(Vec::new());
            self.all.len() as u32 - 1
        })
    }

    #[cold]
    fn give_back(&mut self, at: u32) {
        self.all[at as usize].clear();
        self.free.push(at);
    }
}

/// The number of a state's first event among those of calls; none for states that are too many.
pub(super) fn word(state: usize) -> Option<u16> {
    u16::try_from(WORDS * state).ok().filter(|word| *word < SPELT_OUT - WORDS as u16)
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
        assert_eq!((calls[7].word, late.word), (Some(28), None));
        let mut texts = Texts::default();
        for count in 0..200_u32 {
            let mut slot = Slot::new(0, 0);
            let mut expected = Vec::new();
            for nth in 0..count {
                match nth % 4 {
                    0 => slot.pair(nth.into(), u64::MAX - u64::from(nth), &mut texts),
                    1 => slot.call(&calls[nth as usize], Side::Leave, &mut texts),
                    2 => slot.call(&late, Side::Visit, &mut texts),
                    _ => slot.call(&late, Side::Enter, &mut texts),
                }
                match nth % 4 {
                    0 => expected.push((u64::from(nth), u64::MAX - u64::from(nth))),
                    1 => expected.push((u64::from(4 * nth + 1), 0)),
                    2 => expected.extend([(late.kind, late.value), (late.kind, 0)]),
                    _ => expected.push((late.kind, late.value)),
                }
            }
            let (mut found, mut rest) = (Vec::new(), slot.words(&texts));
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
            slot.free(&mut texts);
        }
        assert_eq!(texts.all.len(), 1, "one slot had many words at a time");
    }
}
