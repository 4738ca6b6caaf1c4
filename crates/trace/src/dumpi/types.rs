//! How many bytes elements of datatypes have.

use std::collections::BTreeMap;

use super::stream::Call;

/// Bytes of predefined datatypes, by their handles.
const SIZES: [u64; 28] =
    [0, 0, 1, 1, 1, 1, 4, 2, 2, 4, 4, 8, 8, 4, 8, 16, 8, 8, 8, 1, 0, 0, 8, 16, 16, 8, 8, 32];
/// No message is longer.
const MOST: u64 = 1 << 40;

/// The datatypes of a rank.
#[derive(Debug)]
pub(super) struct Types {
    /// Of those that calls made, or were told the size of.
    made: BTreeMap<i64, u64>,
    /// What the file says at its end. Handles may be used again, of which it tells the first use.
    listed: Vec<u64>,
}

impl Types {
    pub(super) fn new(listed: Vec<u64>) -> Self {
        Self { made: BTreeMap::new(), listed }
    }

    /// Bytes of so many elements.
    pub(super) fn bytes(&self, count: i64, datatype: i64) -> u64 {
        let handle = usize::try_from(datatype).ok();
        let listed = handle.and_then(|handle| self.listed.get(handle)).filter(|size| **size > 0);
        let usual = || handle.and_then(|handle| SIZES.get(handle)).copied();
        let size = self.made.get(&datatype).or(listed).copied().or_else(usual).unwrap_or(1);
        (count.max(0) as u64).saturating_mul(size).min(MOST)
    }

    /// A datatype is made or freed, or tells its size.
    pub(super) fn hear(&mut self, call: &Call) {
        let list = |at: usize| call.lists.get(at).map_or(&[][..], Vec::as_slice);
        let sum = |at: usize| list(at).iter().sum::<i64>();
        let (new, size) = match (call.function, &call.numbers[..]) {
            (35, [count, old, new]) => (*new, self.bytes(*count, *old)),
            (36 | 37 | 219, [count, block, _, old, new]) | (220, [count, block, old, new]) => {
                (*new, self.bytes(count.saturating_mul(*block), *old))
            }
            (38 | 39 | 218, [_, old, new]) => (*new, self.bytes(sum(0), *old)),
            (40 | 222, [_, new]) => {
                let parts = list(0).iter().zip(list(2));
                (*new, parts.map(|(count, old)| self.bytes(*count, *old)).sum())
            }
            (43, [datatype, size]) => (*datatype, (*size).max(0) as u64),
            (178, [old, new]) | (221, [old, _, _, new]) => (*new, self.bytes(1, *old)),
            (223, [_, _, old, new]) => {
                let product = list(1).iter().fold(1, |all: i64, size| all.saturating_mul(*size));
                (*new, self.bytes(product, *old))
            }
            (47, [freed]) => {
                let _ = self.made.remove(freed);
                return;
            }
            _ => return,
        };
        self.made.insert(new, size.min(MOST));
    }
}
