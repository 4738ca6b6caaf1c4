//! How many bytes a collective call is told to send and to receive.
//!
//! Score-P counts what would go between all pairs of ranks, each rank with itself among them: the
//! root of a broadcast to ten ranks sends ten times what it has. This is what tools expect, so it
//! is what is written, and it is undone where archives are read.

/// A rank in a collective call.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part {
    /// The operation, by its number.
    pub(super) operation: u8,
    /// How many ranks take part.
    pub(super) size: u64,
    /// The rank among them.
    pub(super) rank: u64,
    pub(super) is_root: bool,
}

/// What a rank gives to each of the other group, or to the root, and what it gets, in a collective of
/// two groups. The sizes are those of its own group and of the other.
pub(super) fn across(operation: u8, [own, there]: [u64; 2], sent: u64, received: u64) -> [u64; 2] {
    match operation {
        0 => [0, 0],
        // The root alone gives, and tells what it gives to all.
        1 | 4 | 5 => [share(sent, there), received],
        2 | 3 | 12 => [sent, share(received, there)],
        // What the group shares, and what the rank gets of it.
        13 => [sent, share(received, there)],
        16 => [sent, share(received, own)],
        _ => [share(sent, there), share(received, there)],
    }
}

impl Part {
    /// What is told of a call whose vector or block has so many bytes.
    pub(super) fn totals(self, bytes: u64) -> (u64, u64) {
        let Part { operation, size, rank, is_root } = self;
        let all = bytes.saturating_mul(size);
        match operation {
            0 => (0, 0),
            // From one to all: broadcasts and scatters.
            1 | 4 | 5 => (if is_root { all } else { 0 }, bytes),
            // From all to one: gathers and reductions.
            2 | 3 | 12 => (bytes, if is_root { all } else { 0 }),
            14 | 15 => {
                let own = u64::from(operation == 14);
                let after = size.saturating_sub(rank + 1) + own;
                (bytes.saturating_mul(after), bytes.saturating_mul(rank + own))
            }
            _ => (all, all),
        }
    }

    /// The bytes of the vector or block of a call of which all of [`Part::totals`] is told, as in
    /// archives of ours, which leave out nothing where a call is in place.
    pub(super) fn whole(self, sent: u64, received: u64) -> u64 {
        match self.operation {
            1 | 4 | 5 => received,
            2 | 3 | 12 => sent,
            0 | 14 | 15 => self.bytes(sent, received),
            _ => received / self.size.max(1),
        }
    }

    /// The same of a call of which what it is given is told, as EZTrace does.
    pub(super) fn plain(self, sent: u64, received: u64) -> u64 {
        match self.operation {
            4 | 5 if received > 0 => received,
            9 | 10 => sent.max(received) / self.size.max(1),
            13 => received.max(sent) / self.size.max(1),
            _ if sent > 0 => sent,
            _ => received,
        }
    }

    /// The bytes of the vector or block of a call of which this is told.
    pub(super) fn bytes(self, sent: u64, received: u64) -> u64 {
        let Part { operation, size, rank, is_root } = self;
        match operation {
            0 => 0,
            1 | 4 | 5 if received > 0 => received,
            1 | 4 | 5 if is_root => share(sent, size),
            2 | 3 | 12 if sent > 0 => sent,
            2 | 3 | 12 if is_root => share(received, size),
            1..=5 | 12 => 0,
            14 | 15 => {
                let own = u64::from(operation == 14);
                // The first rank of an exclusive scan receives nothing.
                let after = size.saturating_sub(1).max(1);
                received.checked_div(rank + own).unwrap_or(sent / after)
            }
            // What this rank gives where blocks differ: what it gets are those of all.
            7 if sent > 0 => share(sent, size),
            // On average to each.
            9 | 10 => sent.max(received) / size.max(1),
            // What this rank gets of a reduction that is scattered.
            13 => share(received, size),
            _ => share(sent.max(received), size),
        }
    }
}

/// The share of one rank. A call in place leaves out what a rank would send itself, and does not
/// say so: what is no whole number of the elements that programs mostly have, or no whole number
/// at all, was such a call if it is one then.
fn share(bytes: u64, size: u64) -> u64 {
    const ELEMENT: u64 = 4;
    let (all, others) = (size.max(1), size.saturating_sub(1).max(1));
    let is_whole = |ranks: u64, unit: u64| bytes.is_multiple_of(ranks.saturating_mul(unit));
    let is_in_place = match is_whole(all, 1) {
        true => !is_whole(all, ELEMENT) && is_whole(others, ELEMENT),
        false => is_whole(others, 1),
    };
    bytes / if is_in_place { others } else { all }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_told_is_undone(
            operation in 1_u8..17, size in 2_u64..100, rank in 0_u64..100, count in 1_u64..1 << 38,
        ) {
            let bytes = 4 * count;
            let rank = rank % size;
            for is_root in [false, true] {
                let part = Part { operation, size, rank, is_root };
                let (sent, received) = part.totals(bytes);
                prop_assert_eq!(part.bytes(sent, received), bytes);
                let (sent, received) = part.totals(count);
                prop_assert_eq!(part.whole(sent, received), count);
            }
        }
    }

    #[test]
    fn calls_in_place_leave_out_one_share() {
        let check = |size: u64, operation: u8, told: u64, bytes: u64| {
            let part = Part { operation, size, rank: size / 2, is_root: false };
            assert_eq!(part.bytes(told, told), bytes, "{told} bytes on {size}");
        };
        check(8, 11, 7 * 8, 8);
        check(4, 11, 3 * 152, 152);
        check(3, 6, 2 * 8, 8);
        check(8, 11, 7 * 1001, 1001);
        // Those of a call that is not in place say the same.
        check(8, 11, 7 * 1024, 896);
        check(2, 11, 8, 4);
        // Bytes that are no whole elements.
        check(8, 6, 8 * 5, 5);
        check(8, 9, 7 * 12, 10);
    }

    #[test]
    fn blocks_that_differ_are_those_that_are_given() {
        let part = Part { operation: 7, size: 2, rank: 1, is_root: false };
        assert_eq!([part.bytes(2 * 16, 24), part.bytes(0, 24)], [16, 12]);
    }
}
