//! When the units of a resource are taken.
//!
//! Thousands of messages may wait for the link of a node with many ranks. What they have taken is
//! kept as one line of steps, so that stretches in which the resource is full are passed at once,
//! however many messages fill them.

use std::collections::VecDeque;

/// The units of a resource over time.
#[derive(Debug, Clone, Default)]
pub(super) struct Timeline {
    /// How many units there are; none for any number.
    units: Option<u32>,
    /// How many are taken from a date on until the next, by date; none before the first.
    steps: VecDeque<(f64, u32)>,
}

impl Timeline {
    pub(super) fn new(units: Option<u32>) -> Self {
        Self { units, steps: VecDeque::new() }
    }

    /// The first date from `start` on at which a unit is free for so long.
    pub(super) fn earliest(&self, start: f64, time: f64) -> f64 {
        let Some(units) = self.units else { return start };
        if time <= 0.0 {
            return start;
        }
        let mut found = start;
        let after = self.steps.partition_point(|(date, _)| *date <= start);
        if after == 0 && self.steps.front().is_none_or(|(date, _)| start + time <= *date) {
            return start;
        }
        for at in after.max(1)..=self.steps.len() {
            let Some((_, taken)) = self.steps.get(at - 1) else { break };
            let next = self.steps.get(at).map_or(f64::INFINITY, |(date, _)| *date);
            if *taken >= units {
                found = next;
            } else if found + time <= next {
                break;
            }
        }
        found
    }

    /// Takes a unit from one date to another, and forgets what is over.
    pub(super) fn take(&mut self, now: f64, start: f64, end: f64) {
        while self.steps.get(1).is_some_and(|(date, _)| *date <= now) {
            self.steps.pop_front();
        }
        if self.units.is_none() || end <= start {
            return;
        }
        let first = self.step_at(start);
        let behind = self.step_at(end);
        for (_, taken) in self.steps.range_mut(first..behind) {
            *taken += 1;
        }
        // Steps that change nothing any more.
        for at in [behind, first] {
            let before = at.checked_sub(1).map_or(0, |before| self.steps[before].1);
            if self.steps[at].1 == before {
                self.steps.remove(at);
            }
        }
    }

    /// The place of the step at a date, which is made if there is none.
    fn step_at(&mut self, date: f64) -> usize {
        let at = self.steps.partition_point(|(other, _)| *other < date);
        if self.steps.get(at).is_none_or(|(other, _)| *other > date) {
            let taken = at.checked_sub(1).map_or(0, |before| self.steps[before].1);
            self.steps.insert(at, (date, taken));
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Whether a unit is free all the time, by looking at everything that was taken.
    fn is_free(taken: &[(f64, f64)], units: u32, start: f64, end: f64) -> bool {
        let used =
            |date: f64| taken.iter().filter(move |(from, to)| *from <= date && *to > date).count();
        let begins = taken.iter().map(|(from, _)| *from).filter(|from| *from > start);
        let mut dates = begins.filter(|from| *from < end).chain([start]);
        dates.all(|date| (used(date) as u32) < units)
    }

    #[test]
    fn full_stretches_are_one_step() {
        let mut line = Timeline::new(Some(1));
        for number in 0..1000 {
            let start = line.earliest(0.0, 1.0);
            assert_eq!(start, f64::from(number));
            line.take(0.0, start, start + 1.0);
        }
        assert_eq!(line.steps, [(0.0, 1), (1000.0, 0)]);
    }

    proptest! {
        /// Whole dates, so that what should meet does.
        #[test]
        fn the_earliest_date_is_the_first_that_is_free(
            asks in proptest::collection::vec((0..3_u32, 0..6_u32), 1..60),
            units in 1..4_u32,
        ) {
            let mut line = Timeline::new(Some(units));
            let (mut taken, mut now) = (Vec::new(), 0.0);
            for (passed, time) in asks {
                now += f64::from(passed);
                let time = f64::from(time);
                let found = line.earliest(now, time);
                let mut expected = now;
                while time > 0.0 && !is_free(&taken, units, expected, expected + time) {
                    expected += 1.0;
                }
                prop_assert_eq!(found, expected);
                line.take(now, found, found + time);
                taken.push((found, found + time));
            }
        }
    }
}
