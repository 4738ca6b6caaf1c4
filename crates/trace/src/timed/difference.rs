//! Two traces side by side: the calls of each rank, paired, and where they part.
//!
//! Calls are paired so that as many as possible are the same in both: by name, and by peer, tag,
//! size, communicator and root as far as both traces tell them. Between those, calls of one name
//! are paired that are about something else. Where whole traces are about something else (another
//! size of the problem), names alone may pair more, and then do. Calls at one date that took no
//! time may be in any order, where that pairs more.

mod align;
mod clocks;
mod told;
mod words;

use std::collections::BTreeMap;

use align::common;
pub use clocks::Clocks;
pub use told::Told;
use told::{About, Call, Part};
use words::{Row, Words};

/// What two traces differ in.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Difference {
    /// Calls that both have.
    pub paired: u64,
    /// Of these, calls that are about something else, by their names and what that is.
    pub changed: BTreeMap<(String, String), u64>,
    /// Calls of the first that the second has not, and of the second that the first has not.
    pub alone: [u64; 2],
    /// The same by name; calls that sent and got nothing are told apart.
    pub alone_by: BTreeMap<(String, bool), [u64; 2]>,
    /// Where the calls of each rank first differ, but for calls that sent and got nothing.
    pub partings: Vec<Parting>,
    /// How often ranks were in each state, and for how long, by its name: of the first and of the
    /// second.
    pub states: BTreeMap<String, [(u64, f64); 2]>,
    /// The same of regions of the program, with the time in calls within them.
    pub regions: BTreeMap<String, [(u64, f64, f64); 2]>,
    /// Each rank of both.
    pub each: Vec<RankDifference>,
    /// Calls at which the second fell behind or got ahead most, the largest first.
    pub shifts: Vec<Shift>,
    /// The first call at whose end the second is further behind or ahead than was asked for.
    pub beyond: Option<Beyond>,
    /// When each ended.
    pub ends: [f64; 2],
    /// How many ranks each has.
    pub ranks: [u32; 2],
    /// What dates count from.
    pub clocks: Clocks,
    /// Messages of each that came before they were sent: its clocks differ.
    pub too_early: [u64; 2],
}

/// Where the calls of a rank first differ.
#[derive(Debug, Clone, PartialEq)]
pub struct Parting {
    /// The rank.
    pub rank: u32,
    /// Which call it is, counted from one in the first trace.
    pub nth: u64,
    /// What each has there, and when it begins; none at the end.
    pub calls: [Option<(String, f64)>; 2],
}

/// What a rank did in both.
#[derive(Debug, Clone, PartialEq)]
pub struct RankDifference {
    /// The rank.
    pub rank: u32,
    /// For how long it computed.
    pub computing: [f64; 2],
    /// For how long it was in calls.
    pub calls: [f64; 2],
    /// By how much the second is behind at the last call that both have.
    pub lag: f64,
}

/// A call at which the distance between the traces changed.
#[derive(Debug, Clone, PartialEq)]
pub struct Shift {
    /// The rank.
    pub rank: u32,
    /// Which call it is, counted from one in the first trace.
    pub nth: u64,
    /// The call.
    pub call: String,
    /// When it ended in each.
    pub ends: [f64; 2],
    /// By how many seconds more the second is behind since the call before: in the computation
    /// before this call, and in the call.
    pub before: f64,
    /// The same in the call itself.
    pub within: f64,
}

/// A call that ends far from where it ends in the other trace.
#[derive(Debug, Clone, PartialEq)]
pub struct Beyond {
    /// The rank.
    pub rank: u32,
    /// Which call it is, counted from one in the first trace.
    pub nth: u64,
    /// The call.
    pub call: String,
    /// When it ended in each.
    pub ends: [f64; 2],
    /// By how much the second is behind.
    pub lag: f64,
}

/// What is asked for of a comparison.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wishes {
    /// How many shifts are kept.
    pub most: usize,
    /// Which distance is to be noted when it is first exceeded: seconds; a hundredth of the first
    /// trace without.
    pub lag: Option<f64>,
    /// What dates count from; found out without.
    pub clocks: Option<Clocks>,
}

impl Difference {
    /// Compares two traces.
    pub fn of(first: &Told, second: &Told, wishes: Wishes) -> Self {
        let mut found = Self {
            ends: [first.end, second.end],
            ranks: [first.cast.ranks(), second.cast.ranks()],
            too_early: [first.too_early, second.too_early],
            ..Self::default()
        };
        found.sum_up([first, second]);
        let words = Words::new(first, second);
        let mut comparison = Comparison { told: [first, second], words, wishes, found };
        let ranks = first.calls.len().min(second.calls.len());
        let paired: Vec<Paired> = (0..ranks).map(|rank| comparison.pair(rank)).collect();
        let origins = comparison.origins(&paired);
        for (rank, (paired, origin)) in paired.iter().zip(origins).enumerate() {
            comparison.compare(rank as u32, paired, origin);
        }
        comparison.found.keep_largest(wishes.most);
        comparison.found
    }

    /// Whether nothing differs: every call is in both, about the same, at the same dates.
    pub fn is_none(&self) -> bool {
        self.alone == [0, 0]
            && self.changed.is_empty()
            && self.shifts.is_empty()
            && self.ends[0] == self.ends[1]
            && self.ranks[0] == self.ranks[1]
    }

    fn sum_up(&mut self, told: [&Told; 2]) {
        for (side, told) in told.into_iter().enumerate() {
            for (name, sum) in told.names.iter().zip(&told.states) {
                if sum.0 > 0 {
                    self.states.entry(name.clone()).or_default()[side] = *sum;
                }
            }
            for (name, sum) in &told.regions {
                self.regions.entry(name.clone()).or_default()[side] = *sum;
            }
        }
        for (rank, (one, other)) in told[0].ranks.iter().zip(&told[1].ranks).enumerate() {
            let [computing, calls] = [0, 1].map(|what| [one[what], other[what]]);
            self.each.push(RankDifference { rank: rank as u32, computing, calls, lag: 0.0 });
        }
    }

    fn keep_largest(&mut self, most: usize) {
        let size = |shift: &Shift| (shift.before + shift.within).abs();
        self.shifts.sort_by(|a, b| size(b).total_cmp(&size(a)).then(a.rank.cmp(&b.rank)));
        self.shifts.truncate(most);
    }
}

/// Calls of a rank that belong together, as places in their rows, and whether they are the same.
struct Paired {
    rows: [Vec<u32>; 2],
    pairs: Vec<(u32, u32, bool)>,
}

struct Comparison<'a> {
    told: [&'a Told; 2],
    words: Words<'a>,
    wishes: Wishes,
    found: Difference,
}

impl Comparison<'_> {
    fn pair(&mut self, rank: usize) -> Paired {
        let rows = [0, 1].map(|side| self.words.row(side, rank));
        let found = pairs(&rows[0], &rows[1]);
        let is_all = |found: &[(u32, u32, bool)]| {
            found.len() == rows[0].words.len().min(rows[1].words.len())
                && found.iter().all(|(_, _, is_same)| *is_same)
        };
        let take = |rows: [Row; 2], pairs| Paired { rows: rows.map(|row| row.calls), pairs };
        if is_all(&found) {
            return take(rows, found);
        }
        let sorted =
            [0, 1].map(|side| rows[side].without_order_of_instants(&self.told[side].calls[rank]));
        if sorted.iter().all(Option::is_none) {
            return take(rows, found);
        }
        let [one, other] = sorted;
        let [first, second] = rows;
        let sorted =
            [one.unwrap_or_else(|| first.clone()), other.unwrap_or_else(|| second.clone())];
        let again = pairs(&sorted[0], &sorted[1]);
        match worth(&again) > worth(&found) {
            true => take(sorted, again),
            false => take([first, second], found),
        }
    }

    /// The call at a place of a row.
    fn call(&self, side: usize, rank: usize, place: u32, paired: &Paired) -> &Call {
        &self.told[side].calls[rank][paired.rows[side][place as usize] as usize]
    }

    fn compare(&mut self, rank: u32, paired: &Paired, origin: [f64; 2]) {
        let at = rank as usize;
        let (mut next, mut has_parted) = ([0, 0], false);
        let mut lag = Lag { rank, origin, behind: 0.0, limit: self.limit() };
        let lengths = [0, 1].map(|side| paired.rows[side].len() as u32);
        let ends = [(lengths[0], lengths[1], true)];
        for (a, b, is_same) in paired.pairs.iter().copied().chain(ends) {
            let is_end = a == lengths[0] && b == lengths[1];
            let mut parts = [a, b];
            for (side, until) in [a, b].into_iter().enumerate() {
                for place in (next[side]..until).rev() {
                    if !self.leave_alone(side, at, place, paired) {
                        parts[side] = place;
                    }
                }
            }
            if (parts != [a, b] || !is_same) && !std::mem::replace(&mut has_parted, true) {
                self.part(rank, parts, paired);
            }
            next = [a + 1, b + 1];
            if !is_end {
                let calls = [*self.call(0, at, a, paired), *self.call(1, at, b, paired)];
                let nth = u64::from(paired.rows[0][a as usize]) + 1;
                self.found.paired += 1;
                self.note(calls, is_same);
                lag.pass(&mut self.found, nth, &self.told[0].names, calls);
            }
        }
        self.found.each[at].lag = lag.behind;
        if self.found.shifts.len() > 1 << 16 {
            self.found.keep_largest(self.wishes.most.max(1 << 10));
        }
    }

    fn limit(&self) -> f64 {
        self.wishes.lag.unwrap_or(self.told[0].end / 100.0)
    }

    /// The rank does something else in one trace than in the other for the first time, but for calls
    /// to nobody.
    fn part(&mut self, rank: u32, next: [u32; 2], paired: &Paired) {
        let calls = [0, 1].map(|side| {
            let place = *paired.rows[side].get(next[side] as usize)?;
            let call = &self.told[side].calls[rank as usize][place as usize];
            Some((self.told[side].words(call), call.begin))
        });
        let nth = paired.rows[0].get(next[0] as usize).copied();
        let nth = nth.unwrap_or(self.told[0].calls[rank as usize].len() as u32);
        self.found.partings.push(Parting { rank, nth: u64::from(nth) + 1, calls });
    }

    /// Counts a call that one trace has alone; true if it moved nothing, and so does not matter.
    fn leave_alone(&mut self, side: usize, rank: usize, place: u32, paired: &Paired) -> bool {
        let call = *self.call(side, rank, place, paired);
        let name = self.told[side].names[call.name as usize].clone();
        let is_idle = self.words.is_idle(side, &call);
        self.found.alone[side] += 1;
        self.found.alone_by.entry((name, is_idle)).or_default()[side] += 1;
        is_idle
    }

    fn note(&mut self, calls: [Call; 2], is_same: bool) {
        if !is_same {
            let name = self.told[0].names[calls[0].name as usize].clone();
            let what = self.words.unlike([&calls[0], &calls[1]]).join(", ");
            *self.found.changed.entry((name, what)).or_default() += 1;
        }
    }
}

/// How far the second trace is behind, call by call of a rank.
struct Lag {
    rank: u32,
    origin: [f64; 2],
    behind: f64,
    limit: f64,
}

impl Lag {
    fn pass(&mut self, found: &mut Difference, nth: u64, names: &[String], calls: [Call; 2]) {
        let distance = |get: fn(&Call) -> f64| {
            (get(&calls[1]) - self.origin[1]) - (get(&calls[0]) - self.origin[0])
        };
        let (at_begin, at_end) = (distance(|call| call.begin), distance(|call| call.end));
        let (before, within) = (at_begin - self.behind, at_end - at_begin);
        self.behind = at_end;
        let (rank, ends) = (self.rank, [calls[0].end, calls[1].end]);
        let call = || names[calls[0].name as usize].clone();
        if before != 0.0 || within != 0.0 {
            found.shifts.push(Shift { rank, nth, call: call(), ends, before, within });
        }
        let is_first = found.beyond.as_ref().is_none_or(|known| ends[0] < known.ends[0]);
        if at_end.abs() > self.limit && is_first {
            found.beyond = Some(Beyond { rank, nth, call: call(), ends, lag: at_end });
        }
    }
}

/// Pairs of two rows, and whether they are the same: the way that has more of the same counts.
fn pairs(first: &Row, second: &Row) -> Vec<(u32, u32, bool)> {
    let same = common(&first.words, &second.words);
    let is_all = same.len() == first.words.len().min(second.words.len());
    let mut pairs = Vec::with_capacity(same.len());
    let ends = (first.words.len() as u32, second.words.len() as u32);
    let mut from = (0, 0);
    for (a, b) in same.into_iter().chain([ends]) {
        let (one, other) = (from.0 as usize..a as usize, from.1 as usize..b as usize);
        if !one.is_empty() && !other.is_empty() {
            let between = common(&first.names[one], &second.names[other]);
            pairs.extend(between.into_iter().map(|(x, y)| (from.0 + x, from.1 + y, false)));
        }
        pairs.push((a, b, true));
        from = (a + 1, b + 1);
    }
    pairs.pop();
    if is_all {
        return pairs;
    }
    let is_same = |a: u32, b: u32| first.words[a as usize] == second.words[b as usize];
    let by_name = common(&first.names, &second.names);
    let by_name: Vec<_> = by_name.into_iter().map(|(a, b)| (a, b, is_same(a, b))).collect();
    if worth(&by_name) > worth(&pairs) { by_name } else { pairs }
}

/// How good pairs are: those that are the same count twice.
fn worth(pairs: &[(u32, u32, bool)]) -> usize {
    pairs.iter().map(|(_, _, is_same)| 1 + usize::from(*is_same)).sum()
}

impl Told {
    /// A call, and what it was about.
    fn words(&self, call: &Call) -> String {
        let about: &About = self.about(call);
        let part = |part: &Part, way: &str| {
            let tag = part.tag.map_or_else(String::new, |tag| format!(", tag {tag}"));
            match part.count {
                1 => format!(" {way} {}, {} bytes{tag}", part.peer, part.bytes),
                count => format!(" {way} {} and others, {count} messages", part.peer),
            }
        };
        let mut text = self.names[call.name as usize].clone();
        text.extend(about.sent.iter().map(|sent| part(sent, "to")));
        text.extend(about.received.iter().map(|received| part(received, "from")));
        text.extend(about.root.map(|root| format!(", root {root}")));
        if about.comm.is_some() && about.bytes > 0 {
            text.push_str(&format!(", {} bytes", about.bytes));
        }
        text
    }

    /// Whether the trace tells messages at all.
    fn is_telling(&self) -> bool {
        self.abouts.iter().any(|about| about.sent.is_some() || about.received.is_some())
    }
}

#[cfg(test)]
mod tests;
