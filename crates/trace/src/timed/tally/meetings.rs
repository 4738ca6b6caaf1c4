//! Who waited for whom in collective calls.

use std::collections::BTreeMap;

/// Time that ranks spent in collective calls of one name before the last of them had come.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Meeting {
    /// How many there were of which all ranks are told.
    pub count: u64,
    /// For how long ranks were there before the last, all ranks together.
    pub seconds: f64,
    /// How often each rank was the last, and for how long the others waited for it then.
    pub last: BTreeMap<u32, (u64, f64)>,
}

/// Collective calls, as ranks come to them.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Meetings {
    /// How many ranks each communicator has; number 0 has all.
    sizes: BTreeMap<u32, u32>,
    /// How many calls on a communicator each rank has behind it.
    counts: BTreeMap<(u32, u32), u64>,
    /// Calls that ranks are yet to be told of: by communicator and number.
    open: BTreeMap<(u32, u64), Open>,
}

/// A call of which some ranks are told.
#[derive(Debug, Clone, Default, PartialEq)]
struct Open {
    ranks: u32,
    /// The sum of the dates at which they came, less the first of these.
    sum: f64,
    first: f64,
    last: Option<(f64, u32)>,
}

impl Meetings {
    pub(super) fn form(&mut self, comm: u32, size: usize) {
        self.sizes.insert(comm, size as u32);
    }

    /// A rank was in a call since a date; gives who came last, and for how long others waited, when
    /// all are told.
    pub(super) fn join(&mut self, rank: u32, comm: u32, since: f64) -> Option<(u32, f64)> {
        let size = *self.sizes.get(&comm)?;
        let nth = self.counts.entry((comm, rank)).or_default();
        let key = (comm, *nth);
        *nth += 1;
        let open = self.open.entry(key).or_insert_with(|| Open { first: since, ..Open::default() });
        open.ranks += 1;
        open.sum += since - open.first;
        if open.last.is_none_or(|(last, _)| since > last) {
            open.last = Some((since, rank));
        }
        if open.ranks < size {
            return None;
        }
        let all = self.open.remove(&key)?;
        let (date, last) = all.last?;
        Some((last, (date - all.first) * f64::from(all.ranks) - all.sum))
    }
}

impl Meeting {
    pub(super) fn add(&mut self, last: u32, seconds: f64) {
        self.count += 1;
        // What rounding leaves of nothing is nothing.
        let seconds = seconds.max(0.0);
        self.seconds += seconds;
        if seconds > 0.0 {
            let sum = self.last.entry(last).or_default();
            *sum = (sum.0 + 1, sum.1 + seconds);
        }
    }
}
