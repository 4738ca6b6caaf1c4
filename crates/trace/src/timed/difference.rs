//! Two traces side by side: the calls of each rank, paired in their order, and where they part.

use std::collections::BTreeMap;

use super::whole::{Stay, Whole};

/// How far ahead a call is looked for that both have again.
const AHEAD: usize = 64;
/// How many calls must agree there.
const AGREE: usize = 3;

/// What two traces differ in.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Difference {
    /// Calls that both have.
    pub paired: u64,
    /// Calls of the first that the second has not, and of the second that the first has not.
    pub alone: [u64; 2],
    /// Where the calls of each rank first differ.
    pub partings: Vec<Parting>,
    /// Seconds in each state, by its name: of the first and of the second.
    pub states: BTreeMap<String, [f64; 2]>,
    /// Calls at which the second fell behind or got ahead most, the largest first.
    pub shifts: Vec<Shift>,
    /// When each ended.
    pub ends: [f64; 2],
    /// How many ranks each has.
    pub ranks: [u32; 2],
}

/// Where the calls of a rank first differ.
#[derive(Debug, Clone, PartialEq)]
pub struct Parting {
    /// The rank.
    pub rank: u32,
    /// Which call it is, counted from one.
    pub nth: u64,
    /// What each has there, and when it begins; none at the end.
    pub calls: [Option<(String, f64)>; 2],
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

impl Difference {
    /// Compares two traces; at most so many shifts are kept.
    pub fn of(first: &Whole, second: &Whole, most: usize) -> Self {
        let mut found = Self {
            ends: [first.end, second.end],
            ranks: [first.cast.ranks(), second.cast.ranks()],
            ..Self::default()
        };
        for (side, whole) in [first, second].into_iter().enumerate() {
            for stay in whole.stays.iter().flatten() {
                let name = whole.states[stay.state as usize].clone();
                found.states.entry(name).or_default()[side] += stay.end - stay.begin;
            }
        }
        for rank in 0..first.stays.len().min(second.stays.len()) {
            found.compare(rank as u32, &calls(first, rank), &calls(second, rank));
            if found.shifts.len() > 4 * most.max(64) {
                found.keep_largest(most);
            }
        }
        found.keep_largest(most);
        found
    }

    fn keep_largest(&mut self, most: usize) {
        let size = |shift: &Shift| (shift.before + shift.within).abs();
        self.shifts.sort_by(|a, b| size(b).total_cmp(&size(a)).then(a.rank.cmp(&b.rank)));
        self.shifts.truncate(most);
    }

    fn compare(&mut self, rank: u32, first: &[Call<'_>], second: &[Call<'_>]) {
        let (mut a, mut b, mut behind) = (0, 0, 0.0);
        let mut has_parted = false;
        let mut part = |found: &mut Self, a: usize, b: usize| {
            if !std::mem::replace(&mut has_parted, true) {
                let told = |calls: &[Call<'_>], at: usize| {
                    calls.get(at).map(|call| (call.name.to_owned(), call.stay.begin))
                };
                let calls = [told(first, a), told(second, b)];
                found.partings.push(Parting { rank, nth: a as u64 + 1, calls });
            }
        };
        while let (Some(one), Some(other)) = (first.get(a), second.get(b)) {
            if one.name == other.name {
                self.pair(rank, a as u64 + 1, (one, other), &mut behind);
                (a, b) = (a + 1, b + 1);
                continue;
            }
            part(self, a, b);
            let (more_a, more_b) = meet(&first[a..], &second[b..]);
            self.alone[0] += more_a as u64;
            self.alone[1] += more_b as u64;
            (a, b) = (a + more_a, b + more_b);
        }
        if a < first.len() || b < second.len() {
            part(self, a, b);
        }
        self.alone[0] += (first.len() - a) as u64;
        self.alone[1] += (second.len() - b) as u64;
    }

    fn pair(
        &mut self,
        rank: u32,
        nth: u64,
        (one, other): (&Call<'_>, &Call<'_>),
        behind: &mut f64,
    ) {
        self.paired += 1;
        let at_begin = other.stay.begin - one.stay.begin;
        let at_end = other.stay.end - one.stay.end;
        let (before, within) = (at_begin - *behind, at_end - at_begin);
        *behind = at_end;
        if before != 0.0 || within != 0.0 {
            let ends = [one.stay.end, other.stay.end];
            let call = one.name.to_owned();
            self.shifts.push(Shift { rank, nth, call, ends, before, within });
            // A rank with many calls does not fill the memory.
            if self.shifts.len() > 1 << 16 {
                self.keep_largest(1 << 10);
            }
        }
    }
}

#[derive(Debug, Clone, Copy)]
struct Call<'a> {
    name: &'a str,
    stay: Stay,
}

fn calls(whole: &Whole, rank: usize) -> Vec<Call<'_>> {
    let is_call: Vec<bool> =
        (0..whole.states.len() as u32).map(|state| whole.is_call(state)).collect();
    let own = whole.stays[rank].iter().filter(|stay| is_call[stay.state as usize]);
    own.map(|stay| Call { name: &whole.states[stay.state as usize], stay: *stay }).collect()
}

/// How many calls of each to pass over so that both go on alike; one of each if there is no such
/// place nearby.
fn meet(first: &[Call<'_>], second: &[Call<'_>]) -> (usize, usize) {
    let agree = |a: usize, b: usize| {
        let (rest, other) = (first.get(a..)?, second.get(b..)?);
        let common = AGREE.min(rest.len()).min(other.len());
        (common > 0).then(|| rest.iter().zip(other).take(common).all(|(x, y)| x.name == y.name))
    };
    for sum in 1..2 * AHEAD {
        for a in 0..=sum.min(AHEAD) {
            if agree(a, sum - a) == Some(true) {
                return (a, sum - a);
            }
        }
    }
    (1, 1)
}

#[cfg(test)]
mod tests {
    use super::super::Cast;
    use super::*;

    const NAMES: [&str; 4] = ["computing", "MPI_Send", "MPI_Recv", "MPI_Barrier"];

    /// A trace of one rank with these calls: state, begin, end.
    fn whole(calls: &[(u32, f64, f64)]) -> Whole {
        let stay = |&(state, begin, end): &(u32, f64, f64)| Stay { state, begin, end, comm: None };
        Whole {
            cast: Cast { places: vec![0], ..Cast::default() },
            states: NAMES.map(str::to_owned).to_vec(),
            stays: vec![calls.iter().map(stay).collect()],
            end: calls.last().map_or(0.0, |call| call.2),
            ..Whole::default()
        }
    }

    #[test]
    fn a_trace_does_not_differ_from_itself() {
        let one = whole(&[(0, 0.0, 1.0), (1, 1.0, 2.0), (3, 2.0, 3.0)]);
        let found = Difference::of(&one, &one, 10);
        assert_eq!((found.paired, found.alone), (2, [0, 0]));
        assert!(found.partings.is_empty() && found.shifts.is_empty());
    }

    #[test]
    fn slower_calls_and_computations_are_told_apart() {
        let one = whole(&[(0, 0.0, 1.0), (1, 1.0, 2.0), (0, 2.0, 3.0), (2, 3.0, 4.0)]);
        let other = whole(&[(0, 0.0, 1.0), (1, 1.0, 2.5), (0, 2.5, 5.5), (2, 5.5, 6.5)]);
        let found = Difference::of(&one, &other, 10);
        let shifts: Vec<_> =
            found.shifts.iter().map(|one| (one.nth, one.before, one.within)).collect();
        assert_eq!(shifts, [(2, 2.0, 0.0), (1, 0.0, 0.5)]);
        assert_eq!(found.states["computing"], [2.0, 4.0]);
    }

    #[test]
    fn calls_that_one_has_alone_are_passed_over() {
        let one = whole(&[(1, 0.0, 1.0), (2, 1.0, 2.0), (1, 2.0, 3.0), (3, 3.0, 4.0)]);
        let other =
            whole(&[(1, 0.0, 1.0), (3, 1.0, 1.5), (2, 1.5, 2.0), (1, 2.0, 3.0), (3, 3.0, 4.0)]);
        let found = Difference::of(&one, &other, 10);
        assert_eq!((found.paired, found.alone), (4, [0, 1]));
        assert_eq!(found.partings[0].nth, 2);
        let [first, second] = &found.partings[0].calls;
        assert_eq!(first.as_ref().unwrap().0, "MPI_Recv");
        assert_eq!(second.as_ref().unwrap().0, "MPI_Barrier");
    }
}
