//! Free slots of an array, given out so that neighbours in time are neighbours in memory.
//!
//! Taking the slot last freed is simplest, but after many rounds the slots of messages sent one
//! after the other lie all over memory, and every access misses the cache. So when most slots
//! are free, as at the end of a round of a regular program, they are put in order again. That
//! happens at most once in as many frees as half the slots, and costs little.

/// Numbers of free slots.
#[derive(Debug, Clone, Default)]
pub struct FreeSlots {
    slots: Vec<u32>,
    /// Slots freed since they were last in order.
    disorder: usize,
    /// A bit for each slot, used while they are put in order and zero otherwise.
    bits: Vec<u64>,
}

impl FreeSlots {
    /// Gives a slot back.
    pub fn push(&mut self, slot: u32) {
        self.disorder += 1;
        self.slots.push(slot);
    }

    /// Takes a slot, if one of the `total` slots there are is free.
    #[inline]
    pub fn pop(&mut self, total: usize) -> Option<u32> {
        if self.disorder > total / 2 && self.slots.len() > total / 8 * 7 {
            self.put_in_order();
        }
        self.slots.pop()
    }

    /// The slot that is probably taken next.
    #[inline]
    pub fn upcoming(&self) -> Option<u32> {
        self.slots.last().copied()
    }

    /// Sorts the slots, the lowest last. They lie so close together that marking and collecting
    /// them costs a fraction of comparing them.
    #[cold]
    fn put_in_order(&mut self) {
        for slot in self.slots.drain(..) {
            let word = slot as usize / 64;
            if self.bits.len() <= word {
                self.bits.resize(word + 1, 0);
            }
            self.bits[word] |= 1 << (slot % 64);
        }
        for (at, word) in self.bits.iter_mut().enumerate().rev() {
            let mut left = std::mem::take(word);
            while left != 0 {
                let bit = 63 - left.leading_zeros();
                self.slots.push(at as u32 * 64 + bit);
                left &= !(1 << bit);
            }
        }
        self.disorder = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_that_are_all_free_come_out_in_order() {
        let mut free = FreeSlots::default();
        for slot in [3, 0, 2, 1] {
            free.push(slot);
        }
        let order: Vec<u32> = std::iter::from_fn(|| free.pop(4)).collect();
        assert_eq!(order, [0, 1, 2, 3]);
    }

    #[test]
    fn otherwise_the_last_freed_comes_first() {
        let mut free = FreeSlots::default();
        free.push(7);
        free.push(2);
        assert_eq!(free.pop(100), Some(2));
        assert_eq!(free.pop(100), Some(7));
        assert_eq!(free.pop(100), None);
    }
}
