//! How long calls of one kernel take on one kind of processor.

use super::known::MOST_DIMENSIONS;
use super::noise::Noise;
use super::polynomial::Polynomial;

/// The duration of a call: mean and standard deviation, in seconds.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Law {
    /// The mean.
    pub mean: Polynomial,
    /// The standard deviation.
    pub deviation: Polynomial,
}

impl Law {
    /// A law without noise.
    pub fn certain(mean: Polynomial) -> Self {
        Self { mean, deviation: Polynomial::ZERO }
    }

    /// The duration of one call. A call that has nothing to do takes no time, and no call takes
    /// less than none. Calls without deviation draw nothing.
    #[inline]
    pub fn duration(&self, dimensions: [f64; MOST_DIMENSIONS], noise: &mut Noise) -> f64 {
        if dimensions.contains(&0.0) {
            return 0.0;
        }
        let mean = self.mean.at(dimensions);
        let deviation = self.deviation.at(dimensions);
        let duration = if deviation > 0.0 { noise.half_normal(mean, deviation) } else { mean };
        duration.max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gemm() -> Law {
        Law {
            mean: Polynomial::new([(1e-11, [1, 1, 1]), (2e-10, [1, 1, 0]), (1e-6, [0, 0, 0])]),
            deviation: Polynomial::new([(1e-12, [1, 1, 1])]),
        }
    }

    #[test]
    fn the_mean_of_many_calls_is_the_polynomial() {
        let (mut noise, dimensions) = (Noise::new(1, 1), [100.0, 200.0, 50.0]);
        let calls = 200_000;
        let sum: f64 = (0..calls).map(|_| gemm().duration(dimensions, &mut noise)).sum();
        let expected = 1e-11 * 1e6 + 2e-10 * 2e4 + 1e-6;
        assert!((sum / f64::from(calls) / expected - 1.0).abs() < 1e-3);
    }

    #[test]
    fn a_call_without_work_takes_no_time() {
        assert_eq!(gemm().duration([0.0, 5.0, 5.0], &mut Noise::new(1, 1)), 0.0);
    }

    #[test]
    fn no_call_takes_less_than_no_time() {
        let wild = Law {
            mean: Polynomial::new([(1.0, [0, 0, 0])]),
            deviation: Polynomial::new([(10.0, [0, 0, 0])]),
        };
        let mut noise = Noise::new(1, 1);
        assert!((0..1000).all(|_| wild.duration([1.0; 3], &mut noise) >= 0.0));
    }

    #[test]
    fn calls_without_deviation_draw_nothing() {
        let certain = Law::certain(Polynomial::new([(1.0, [1, 0, 0])]));
        let (mut used, mut fresh) = (Noise::new(1, 1), Noise::new(1, 1));
        assert_eq!(certain.duration([3.0, 1.0, 1.0], &mut used), 3.0);
        assert_eq!(used.normal(), fresh.normal());
    }
}
