//! Finding loops in a list of symbols while it grows.
//!
//! Each new step may complete another turn of a loop just before it, or the second turn of one
//! that was not known yet. Steps carry hashes, and each knows the last one before it that looks
//! the same, so that few places have to be compared.

use std::hash::Hasher;

use rustc_hash::{FxHashMap, FxHasher};

/// So many places are tried at which a loop may have begun.
const TRIES: usize = 16;

/// A step of a rank: a symbol, or steps that are repeated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    Do(u32),
    Repeat { times: u64, body: Vec<Step> },
}

/// Steps so far, with the loops that were found in them.
#[derive(Debug, Default)]
pub(super) struct Folded {
    steps: Vec<Step>,
    hashes: Vec<u64>,
    /// For each step the last one before it with the same hash.
    before: Vec<Option<u32>>,
    last: FxHashMap<u64, u32>,
    /// Where the loops are.
    loops: Vec<u32>,
}

impl Folded {
    /// Adds a symbol.
    pub(super) fn push(&mut self, symbol: u32) {
        self.add(Step::Do(symbol));
        while self.extend_loop() || self.begin_loop() {}
    }

    /// The steps.
    pub(super) fn finish(self) -> Vec<Step> {
        self.steps
    }

    fn add(&mut self, step: Step) {
        let (at, hash) = (self.steps.len() as u32, hash(&step));
        if matches!(step, Step::Repeat { .. }) {
            self.loops.push(at);
        }
        self.before.push(self.last.insert(hash, at));
        self.steps.push(step);
        self.hashes.push(hash);
    }

    fn remove(&mut self) -> Option<Step> {
        let (step, hash) = (self.steps.pop()?, self.hashes.pop()?);
        match self.before.pop()? {
            Some(before) => self.last.insert(hash, before),
            None => self.last.remove(&hash),
        };
        if matches!(step, Step::Repeat { .. }) {
            self.loops.pop();
        }
        Some(step)
    }

    fn cut(&mut self, steps: usize) {
        (0..steps).for_each(|_| drop(self.remove()));
    }

    /// Whether the last steps were one more turn of the loop before them.
    fn extend_loop(&mut self) -> bool {
        let count = self.steps.len();
        let is_another_turn = |at: &&u32| {
            let at = **at as usize;
            match &self.steps[at] {
                Step::Repeat { body, .. } => *body == self.steps[at + 1..count],
                Step::Do(_) => false,
            }
        };
        let Some(at) = self.loops.iter().rev().take(TRIES).find(is_another_turn).copied() else {
            return false;
        };
        self.cut(count - at as usize - 1);
        if let Some(Step::Repeat { times, body }) = self.remove() {
            self.add(Step::Repeat { times: times + 1, body });
        }
        true
    }

    /// Whether the last steps were two turns of a loop.
    fn begin_loop(&mut self) -> bool {
        let count = self.steps.len();
        let Some(&newest) = self.before.last() else { return false };
        let mut other = newest;
        for _ in 0..TRIES {
            let Some(at) = other else { return false };
            let length = count - 1 - at as usize;
            let Some(start) = count.checked_sub(2 * length) else { return false };
            let middle = start + length;
            if self.hashes[start..middle] == self.hashes[middle..]
                && self.steps[start..middle] == self.steps[middle..]
            {
                let body = self.steps[middle..].to_vec();
                self.cut(2 * length);
                self.add(Step::Repeat { times: 2, body });
                return true;
            }
            other = self.before[at as usize];
        }
        false
    }
}

fn hash(step: &Step) -> u64 {
    let mut hasher = FxHasher::default();
    write_hash(step, &mut hasher);
    hasher.finish()
}

fn write_hash(step: &Step, hasher: &mut FxHasher) {
    match step {
        Step::Do(symbol) => hasher.write_u64(u64::from(*symbol) << 1),
        Step::Repeat { times, body } => {
            hasher.write_u64(times << 1 | 1);
            body.iter().for_each(|step| write_hash(step, hasher));
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn fold(symbols: &[u32]) -> Vec<Step> {
        let mut folded = Folded::default();
        symbols.iter().for_each(|symbol| folded.push(*symbol));
        folded.finish()
    }

    fn unfold(steps: &[Step], into: &mut Vec<u32>) {
        for step in steps {
            match step {
                Step::Do(symbol) => into.push(*symbol),
                Step::Repeat { times, body } => (0..*times).for_each(|_| unfold(body, into)),
            }
        }
    }

    #[test]
    fn turns_become_loops_and_loops_nest() {
        let row = [1, 2, 2, 2, 3];
        let symbols: Vec<u32> = [9].into_iter().chain(row.repeat(50)).chain([8]).collect();
        let twos = Step::Repeat { times: 3, body: vec![Step::Do(2)] };
        let body = vec![Step::Do(1), twos, Step::Do(3)];
        let all = [Step::Do(9), Step::Repeat { times: 50, body }, Step::Do(8)];
        assert_eq!(fold(&symbols), all);
    }

    #[test]
    fn a_long_loop_is_found_though_its_steps_are_alike() {
        let turn: Vec<u32> = (0..300).map(|at| if at % 7 == 0 { at } else { 1 }).collect();
        let steps = fold(&turn.repeat(100));
        let size = |steps: &[Step]| {
            let mut all = Vec::new();
            unfold(steps, &mut all);
            all.len()
        };
        assert_eq!((steps.len(), size(&steps)), (1, 30_000));
    }

    proptest! {
        #[test]
        fn what_was_folded_unfolds(
            turns in prop::collection::vec((prop::collection::vec(0u32..4, 1..8), 1usize..9), 0..12),
        ) {
            let symbols: Vec<u32> =
                turns.iter().flat_map(|(turn, times)| turn.repeat(*times)).collect();
            let mut unfolded = Vec::new();
            unfold(&fold(&symbols), &mut unfolded);
            prop_assert_eq!(unfolded, symbols);
        }
    }
}
