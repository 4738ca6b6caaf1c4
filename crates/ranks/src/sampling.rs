//! Regions that are measured a few times and replayed afterwards (`SMPI_SAMPLE_LOCAL`,
//! `SMPI_SAMPLE_GLOBAL`).
//!
//! The first executions of a region run and are measured. Once there are enough of them, or once
//! their mean is known well enough, the region is skipped and its mean is charged instead.

use rustc_hash::FxHashMap;

/// Where a sampled region stands, and for whom it is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Site {
    /// The place in the program: any number that is the same at each execution.
    pub place: u64,
    /// The rank for a local region; none for a global one, which all ranks measure together.
    pub rank: Option<u32>,
}

/// When a region has been measured often enough.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rule {
    /// At most so many measurements.
    pub count: u32,
    /// Stop before when the standard error is below this share of the mean; none to go on.
    pub precision: Option<f64>,
}

/// What to do with one execution of a region.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Sample {
    /// Run it, and record how long it took.
    Measure,
    /// Skip it, and charge so many seconds.
    Replay(f64),
}

/// What is known of all sampled regions.
#[derive(Debug, Default)]
pub struct Sampler {
    // Never iterated, so its order reaches no result.
    sites: FxHashMap<Site, Statistics>,
}

impl Sampler {
    /// Says whether the next execution at `site` shall be measured or replayed.
    ///
    /// Ranks that reach a global region while others still measure it measure it too: none waits
    /// for another.
    pub fn next(&mut self, site: Site, rule: Rule) -> Sample {
        let statistics = self.sites.entry(site).or_default();
        if statistics.wants_more(rule) { Sample::Measure } else { Sample::Replay(statistics.mean) }
    }

    /// Adds one measurement.
    pub fn record(&mut self, site: Site, seconds: f64) {
        self.sites.entry(site).or_default().add(seconds);
    }

    /// How often a region was measured, and its mean so far.
    pub fn known(&self, site: Site) -> (u32, f64) {
        self.sites.get(&site).map_or((0, 0.0), |known| (known.count, known.mean))
    }
}

/// Mean and spread of measurements, updated one by one (Welford 1962).
#[derive(Debug, Clone, Copy, Default)]
struct Statistics {
    count: u32,
    mean: f64,
    /// Sum of squared distances from the mean.
    spread: f64,
}

impl Statistics {
    fn add(&mut self, seconds: f64) {
        self.count += 1;
        let distance = seconds - self.mean;
        self.mean += distance / f64::from(self.count);
        self.spread += distance * (seconds - self.mean);
    }

    fn wants_more(&self, rule: Rule) -> bool {
        // Without one measurement there is no mean to charge, whatever the rule says.
        if self.count == 0 {
            return true;
        }
        let is_precise = rule.precision.is_some_and(|bound| self.relative_error() < bound);
        self.count < rule.count && !is_precise
    }

    /// Standard error of the mean, as a share of it; unknown below two measurements.
    fn relative_error(&self) -> f64 {
        if self.count < 2 {
            return f64::INFINITY;
        }
        if self.mean == 0.0 {
            return 0.0;
        }
        let count = f64::from(self.count);
        (self.spread / (count - 1.0) / count).sqrt() / self.mean
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: Site = Site { place: 1, rank: None };

    /// Feeds measurements while they are asked for; returns how many were, and the mean charged.
    fn check(rule: Rule, measurements: &[f64], expected: (usize, f64)) {
        let mut sampler = Sampler::default();
        for (taken, seconds) in measurements.iter().enumerate() {
            match sampler.next(HERE, rule) {
                Sample::Measure => sampler.record(HERE, *seconds),
                Sample::Replay(mean) => {
                    assert_eq!(taken, expected.0);
                    assert!((mean - expected.1).abs() < 1e-12, "{mean}");
                    return;
                }
            }
        }
        panic!("{} measurements were not enough", measurements.len());
    }

    #[test]
    fn stops_after_the_count() {
        check(Rule { count: 3, precision: None }, &[1.0, 2.0, 6.0, 9.0], (3, 3.0));
    }

    #[test]
    fn stops_when_the_mean_is_precise() {
        check(Rule { count: 100, precision: Some(0.1) }, &[2.0, 2.0, 9.0], (2, 2.0));
    }

    #[test]
    fn one_measurement_is_never_precise() {
        check(Rule { count: 100, precision: Some(0.5) }, &[1.0, 1.0, 1.0], (2, 1.0));
    }

    #[test]
    fn a_scattered_region_is_measured_to_the_count() {
        let scattered = [1.0, 9.0, 1.0, 9.0, 0.0];
        check(Rule { count: 4, precision: Some(1e-3) }, &scattered, (4, 5.0));
    }

    #[test]
    fn a_count_of_zero_still_measures_once() {
        check(Rule { count: 0, precision: None }, &[4.0, 0.0], (1, 4.0));
    }

    #[test]
    fn ranks_measure_local_regions_for_themselves() {
        let rule = Rule { count: 1, precision: None };
        let mut sampler = Sampler::default();
        let of = |rank| Site { place: 7, rank: Some(rank) };
        sampler.record(of(0), 1.0);
        assert_eq!(sampler.next(of(0), rule), Sample::Replay(1.0));
        assert_eq!(sampler.next(of(1), rule), Sample::Measure);
        assert_eq!(sampler.known(of(0)), (1, 1.0));
    }
}
