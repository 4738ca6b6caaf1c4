//! Random streams, one for each rank.

use rand_distr::{Distribution, StandardNormal};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// The random numbers of one rank.
#[derive(Debug, Clone)]
pub struct Noise(Xoshiro256PlusPlus);

impl Noise {
    /// The stream of a rank in runs with this seed.
    pub fn new(seed: u64, rank: u32) -> Self {
        // Two rounds of mixing: neighbouring seeds and neighbouring ranks share nothing.
        let mixed = mix(mix(seed).wrapping_add(u64::from(rank)));
        Self(Xoshiro256PlusPlus::seed_from_u64(mixed))
    }

    /// A draw of the normal distribution with mean 0 and deviation 1.
    #[inline]
    pub fn normal(&mut self) -> f64 {
        StandardNormal.sample(&mut self.0)
    }

    /// A whole number below `end`, each as likely as the others; zero if there is none.
    #[inline]
    pub fn below(&mut self, end: u64) -> u64 {
        // The upper half of the product; the bias is below `end / 2^64`.
        ((u128::from(self.0.next_u64()) * u128::from(end)) >> 64) as u64
    }

    /// A draw of the half-normal distribution with this mean and standard deviation.
    #[inline]
    pub fn half_normal(&mut self, mean: f64, deviation: f64) -> f64 {
        half_normal(mean, deviation, self.normal())
    }
}

/// A half-normal variable with this mean and standard deviation, made from a normal one.
///
/// `|Z|` has mean `sqrt(2/pi)` and variance `1 - 2/pi`; it is stretched and shifted. Its least
/// value is `mean - 1.3236 deviation`.
#[inline]
pub fn half_normal(mean: f64, deviation: f64, normal: f64) -> f64 {
    /// `1 / sqrt(1 - 2/pi)`.
    const STRETCH: f64 = 1.658_896_739_970_306;
    /// `sqrt(2/pi) / sqrt(1 - 2/pi)`.
    const SHIFT: f64 = 1.323_608_096_788_512_9;
    mean + deviation * (STRETCH * normal.abs() - SHIFT)
}

/// The finaliser of `splitmix64` (Steele, Lea and Flood 2014).
fn mix(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;

    #[test]
    fn the_constants_are_those_of_the_distribution() {
        let deviation = (1.0 - 2.0 / PI).sqrt();
        assert!(
            (half_normal(0.0, 1.0, 1.0) - half_normal(0.0, 1.0, 0.0) - 1.0 / deviation).abs()
                < 1e-14
        );
        assert!((half_normal(0.0, 1.0, 0.0) + (2.0 / PI).sqrt() / deviation).abs() < 1e-14);
    }

    #[test]
    fn draws_have_the_mean_and_the_deviation_asked_for() {
        let mut noise = Noise::new(7, 3);
        let count = 1_000_000;
        let (mut sum, mut squares, mut cubes) = (0.0, 0.0, 0.0);
        for _ in 0..count {
            let away = noise.half_normal(5.0, 0.25) - 5.0;
            (sum, squares, cubes) = (sum + away, squares + away * away, cubes + away.powi(3));
        }
        let of = |sum: f64| sum / f64::from(count);
        assert!(of(sum).abs() < 0.001, "{}", of(sum));
        assert!((of(squares).sqrt() - 0.25).abs() < 0.001, "{}", of(squares).sqrt());
        // Skewness of a half-normal: sqrt(2) (4 - pi) / (pi - 2)^1.5.
        let skewness = 2.0_f64.sqrt() * (4.0 - PI) / (PI - 2.0).powf(1.5);
        assert!((of(cubes) / 0.25_f64.powi(3) - skewness).abs() < 0.02);
    }

    #[test]
    fn streams_are_repeatable_and_their_own() {
        let draws = |seed, rank| {
            let mut noise = Noise::new(seed, rank);
            [noise.normal(), noise.normal(), noise.normal()]
        };
        assert_eq!(draws(1, 2), draws(1, 2));
        assert_ne!(draws(1, 2), draws(2, 1));
        assert_ne!(draws(1, 2), draws(1, 3));
        assert_ne!(draws(0, 0), draws(0, 1));
    }
}
