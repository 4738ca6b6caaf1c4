//! The power of a node over time, in a bounded number of steps.

/// Most steps of one node; past that, short ones are merged.
const MOST_STEPS: usize = 2048;

/// Into how many stretches the time so far is cut when there are too many steps.
const STRETCHES: f64 = 512.0;

/// Power over time as steps, one behind the other. Merging keeps the energy.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Series {
    /// Seconds and watts of each step.
    steps: Vec<(f64, f64)>,
    /// Steps shorter than this are merged with what follows them.
    shortest: f64,
    seconds: f64,
}

impl Series {
    /// The next stretch of time, at constant power.
    pub(super) fn add(&mut self, seconds: f64, watts: f64) {
        self.seconds += seconds;
        push(&mut self.steps, self.shortest, (seconds, watts));
        if self.steps.len() > MOST_STEPS {
            self.shortest = self.seconds / STRETCHES;
            let steps = std::mem::take(&mut self.steps);
            steps.into_iter().for_each(|step| push(&mut self.steps, self.shortest, step));
        }
    }

    /// Steps shorter than this are merged with what follows them.
    pub(super) fn shortest(&self) -> f64 {
        self.shortest
    }

    /// The same with so many watts more at all times.
    pub(super) fn raised(mut self, watts: f64) -> Self {
        self.steps.iter_mut().for_each(|step| step.1 += watts);
        self
    }

    /// When the power changed, and to how many watts.
    pub fn changes(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        self.steps.iter().scan(0.0, |date, (seconds, watts)| {
            let start = *date;
            *date += seconds;
            Some((start, *watts))
        })
    }
}

/// Adds a step, to the last one if that is still short or the power is the same.
fn push(steps: &mut Vec<(f64, f64)>, shortest: f64, (seconds, watts): (f64, f64)) {
    match steps.last_mut() {
        Some(last) if last.1 == watts => last.0 += seconds,
        Some(last) if last.0 < shortest => {
            let joules = last.0 * last.1 + seconds * watts;
            last.0 += seconds;
            last.1 = joules / last.0;
        }
        _ => steps.push((seconds, watts)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn energy(series: &Series) -> f64 {
        series.steps.iter().map(|(seconds, watts)| seconds * watts).sum()
    }

    #[test]
    fn few_changes_are_kept_as_they_are() {
        let mut series = Series::default();
        [(1.0, 95.0), (2.0, 200.0), (1.0, 200.0), (0.5, 95.0)]
            .iter()
            .for_each(|(seconds, watts)| series.add(*seconds, *watts));
        let changes: Vec<_> = series.changes().collect();
        assert_eq!(changes, [(0.0, 95.0), (1.0, 200.0), (4.0, 95.0)]);
    }

    #[test]
    fn many_changes_take_bounded_room_and_keep_their_energy() {
        let mut series = Series::default();
        let mut joules = 0.0;
        for step in 0..100_000 {
            let (seconds, watts) = (1e-3, f64::from(100 + step % 7));
            series.add(seconds, watts);
            joules += seconds * watts;
        }
        assert!(series.steps.len() <= MOST_STEPS);
        assert!((energy(&series) / joules - 1.0).abs() < 1e-9);
        let last = series.changes().last().unwrap().0;
        assert!(last > 99.0 && last < 100.0, "{last}");
    }
}
