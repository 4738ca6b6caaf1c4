//! What a solution looks at next: resources by level, the lowest first.
//!
//! Most solutions have a handful of resources in question. Among so few the lowest is found by
//! looking at all; where there are more, a heap takes over until it is empty.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// As many as one looks at faster than a heap is kept in order.
const FEW: usize = 8;

/// Levels, and resources that stand there.
#[derive(Debug, Default)]
pub(super) struct Queue {
    few: [u128; FEW],
    count: usize,
    /// Empty unless there were more; then all are here.
    many: BinaryHeap<Reverse<u128>>,
}

impl Queue {
    #[inline]
    pub(super) fn push(&mut self, level: f64, resource: u32) {
        // Levels are never negative, so their bits order like the numbers; in front of the resource
        // they make one number, which compares without a branch.
        let entry = u128::from(level.to_bits()) << 32 | u128::from(resource);
        if self.many.is_empty() && self.count < FEW {
            self.few[self.count] = entry;
            self.count += 1;
        } else {
            self.push_to_many(entry);
        }
    }

    #[inline(never)]
    fn push_to_many(&mut self, entry: u128) {
        let few = &self.few[..std::mem::take(&mut self.count)];
        self.many.extend(few.iter().copied().map(Reverse));
        self.many.push(Reverse(entry));
    }

    /// Takes the lowest out.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<(f64, u32)> {
        let entry = if self.count > 0 { self.pop_of_few() } else { self.many.pop()?.0 };
        Some((f64::from_bits((entry >> 32) as u64), entry as u32))
    }

    #[inline]
    fn pop_of_few(&mut self) -> u128 {
        let few = &mut self.few[..self.count];
        let (mut lowest, mut at) = (few[0], 0);
        for (other, entry) in few.iter().enumerate().skip(1) {
            (lowest, at) = if *entry < lowest { (*entry, other) } else { (lowest, at) };
        }
        self.count -= 1;
        few[at] = few[self.count];
        lowest
    }

    pub(super) fn clear(&mut self) {
        self.count = 0;
        self.many.clear();
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// However many there are at a time, they come out as from a heap.
        #[test]
        fn the_lowest_comes_first(steps in prop::collection::vec((0u32..4, 0u32..40), 0..200)) {
            let (mut queue, mut all) = (Queue::default(), BinaryHeap::new());
            for (kind, number) in steps {
                if kind == 0 {
                    let expected = all.pop().map(|Reverse(entry)| entry);
                    let found = queue.pop().map(|(level, resource)| (level.to_bits(), resource));
                    prop_assert_eq!(found, expected);
                } else {
                    let level = f64::from(number % 7);
                    queue.push(level, number);
                    all.push(Reverse((level.to_bits(), number)));
                }
            }
            while let Some(Reverse(expected)) = all.pop() {
                let (level, resource) = queue.pop().unwrap();
                prop_assert_eq!((level.to_bits(), resource), expected);
            }
            prop_assert!(queue.pop().is_none());
        }
    }
}
