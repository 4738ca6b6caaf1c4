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
}

impl FreeSlots {
    /// Gives a slot back.
    pub fn push(&mut self, slot: u32) {
        self.disorder += 1;
        self.slots.push(slot);
    }

    /// Takes a slot, if one of the `total` slots there are is free.
    pub fn pop(&mut self, total: usize) -> Option<u32> {
        if self.disorder > total / 2 && self.slots.len() > total / 8 * 7 {
            self.slots.sort_unstable_by(|a, b| b.cmp(a));
            self.disorder = 0;
        }
        self.slots.pop()
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
