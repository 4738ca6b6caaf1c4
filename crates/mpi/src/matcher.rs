//! Finding the first of many waiting sends or receives with a given envelope, in constant time.
//!
//! One hash table for all ranks, chained, first in first out. A rank with thousands of waiting
//! messages costs the others nothing, an empty one costs no memory.

use foretell_kernel::FreeSlots;

/// Who sends to whom, in which context, with which tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Envelope {
    pub(crate) to: u32,
    pub(crate) context: u32,
    pub(crate) from: u32,
    pub(crate) tag: i32,
}

const NONE: u32 = u32::MAX;

#[derive(Debug, Default)]
pub(crate) struct Matcher {
    buckets: Vec<Bucket>,
    nodes: Vec<Node>,
    free: FreeSlots,
    count: usize,
}

#[derive(Debug, Clone, Copy)]
struct Bucket {
    head: u32,
    tail: u32,
}

#[derive(Debug, Clone, Copy)]
struct Node {
    envelope: Envelope,
    value: u32,
    next: u32,
}

impl Matcher {
    /// Appends `value` to those waiting with this envelope.
    pub(crate) fn push(&mut self, envelope: Envelope, value: u32) {
        if self.count == self.buckets.len() {
            self.grow();
        }
        self.count += 1;
        let node = Node { envelope, value, next: NONE };
        let at = match self.free.pop(self.nodes.len()) {
            Some(at) => {
                self.nodes[at as usize] = node;
                at
            }
            None => {
                self.nodes.push(node);
                self.nodes.len() as u32 - 1
            }
        };
        self.append(at);
    }

    /// The first waiting with this envelope.
    pub(crate) fn first(&self, envelope: Envelope) -> Option<u32> {
        let mut at = self.buckets.get(self.bucket(envelope))?.head;
        while at != NONE {
            let node = &self.nodes[at as usize];
            if node.envelope == envelope {
                return Some(node.value);
            }
            at = node.next;
        }
        None
    }

    /// Takes out `value`, which waits with this envelope; false if it does not.
    pub(crate) fn remove(&mut self, envelope: Envelope, value: u32) -> bool {
        let bucket = self.bucket(envelope);
        let mut before = NONE;
        let mut at = self.buckets.get(bucket).map_or(NONE, |bucket| bucket.head);
        while at != NONE {
            let node = self.nodes[at as usize];
            if node.value == value && node.envelope == envelope {
                match before {
                    NONE => self.buckets[bucket].head = node.next,
                    before => self.nodes[before as usize].next = node.next,
                }
                if node.next == NONE {
                    self.buckets[bucket].tail = before;
                }
                self.free.push(at);
                self.count -= 1;
                return true;
            }
            (before, at) = (at, node.next);
        }
        false
    }

    fn append(&mut self, at: u32) {
        let index = self.bucket(self.nodes[at as usize].envelope);
        let bucket = &mut self.buckets[index];
        match bucket.tail {
            NONE => bucket.head = at,
            tail => self.nodes[tail as usize].next = at,
        }
        bucket.tail = at;
    }

    /// Doubles the table. Chains are walked in order, so what waits in order stays in order.
    fn grow(&mut self) {
        let size = (self.buckets.len() * 2).max(64);
        let empty = Bucket { head: NONE, tail: NONE };
        let old = std::mem::replace(&mut self.buckets, vec![empty; size]);
        for bucket in old {
            let mut at = bucket.head;
            while at != NONE {
                let next = std::mem::replace(&mut self.nodes[at as usize].next, NONE);
                self.append(at);
                at = next;
            }
        }
    }

    fn bucket(&self, envelope: Envelope) -> usize {
        let Envelope { to, context, from, tag } = envelope;
        let ends = u64::from(to) << 32 | u64::from(from);
        let labels = u64::from(context) << 32 | u64::from(tag as u32);
        let mixed = (ends ^ labels.rotate_left(23).wrapping_mul(0x9E37_79B9_7F4A_7C15))
            .wrapping_mul(0xD6E8_FEB8_6659_FD93);
        // The table's size is a power of two, and the high bits are the best mixed.
        (mixed >> 32) as usize & self.buckets.len().wrapping_sub(1)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn an_empty_table_has_nothing() {
        let mut matcher = Matcher::default();
        let envelope = Envelope { to: 0, context: 0, from: 0, tag: 0 };
        assert_eq!(matcher.first(envelope), None);
        assert!(!matcher.remove(envelope, 0));
    }

    proptest! {
        /// Against a plain list searched from its front.
        #[test]
        fn comes_out_in_order_for_each_envelope(
            steps in prop::collection::vec((0u8..5, 0u32..3, 0u32..3, 0i32..3), 0..600)
        ) {
            let mut matcher = Matcher::default();
            let mut list: Vec<(Envelope, u32)> = Vec::new();
            for (value, (step, to, from, tag)) in steps.into_iter().enumerate() {
                let envelope = Envelope { to, context: 1, from, tag };
                let at = list.iter().position(|entry| entry.0 == envelope);
                match step {
                    0..=2 => {
                        matcher.push(envelope, value as u32);
                        list.push((envelope, value as u32));
                    }
                    3 => {
                        prop_assert_eq!(matcher.first(envelope), at.map(|at| list[at].1));
                        if let Some(at) = at {
                            prop_assert!(matcher.remove(envelope, list.remove(at).1));
                        }
                    }
                    _ => if let Some(last) = list.iter().rposition(|entry| entry.0 == envelope) {
                        let (_, value) = list.remove(last);
                        prop_assert!(matcher.remove(envelope, value));
                        prop_assert!(!matcher.remove(envelope, value));
                    },
                }
            }
        }
    }
}
