//! How good predictions are: errors, and whether configurations are put in the right order.

/// Errors of several predictions, each relative to what was measured.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Score {
    /// How many there are.
    pub(crate) count: usize,
    /// Mean of the absolute errors.
    pub(crate) mean: f64,
    /// The largest absolute error.
    pub(crate) largest: f64,
    /// How many are below five per cent.
    pub(crate) below_five: usize,
    /// Kendall's tau between measured and predicted; none if nothing is told apart.
    pub(crate) tau: Option<f64>,
}

impl Score {
    /// Scores pairs of a measured and a predicted figure; none if there are none.
    pub(crate) fn new(pairs: &[(f64, f64)]) -> Option<Self> {
        let errors: Vec<f64> = pairs.iter().map(|(real, told)| error(*real, *told).abs()).collect();
        let largest = errors.iter().copied().reduce(f64::max)?;
        Some(Self {
            count: errors.len(),
            mean: errors.iter().sum::<f64>() / errors.len() as f64,
            largest,
            below_five: errors.iter().filter(|error| **error < 0.05).count(),
            tau: kendall(pairs),
        })
    }
}

/// By how much a prediction is above what was measured.
pub(crate) fn error(measured: f64, predicted: f64) -> f64 {
    predicted / measured - 1.0
}

/// Kendall's tau-b: pairs in the same order less pairs in the opposite one, ties left out.
fn kendall(pairs: &[(f64, f64)]) -> Option<f64> {
    let (mut sum, mut told_apart, mut measured_apart) = (0.0, 0.0, 0.0);
    for (nth, (real, told)) in pairs.iter().enumerate() {
        for (other_real, other_told) in &pairs[..nth] {
            let (x, y) = (order(*real, *other_real), order(*told, *other_told));
            sum += x * y;
            measured_apart += x * x;
            told_apart += y * y;
        }
    }
    let apart: f64 = measured_apart * told_apart;
    (apart > 0.0).then(|| sum / apart.sqrt())
}

/// One, minus one or zero, as the first is above, below or the second.
fn order(first: f64, second: f64) -> f64 {
    first.partial_cmp(&second).map_or(0.0, |order| f64::from(order as i8))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_relative_to_what_was_measured() {
        let score = Score::new(&[(100.0, 104.0), (200.0, 180.0)]).unwrap();
        assert!((score.mean - 0.07).abs() < 1e-12);
        assert!((score.largest - 0.1).abs() < 1e-12);
        assert_eq!((score.count, score.below_five), (2, 1));
        assert_eq!(Score::new(&[]), None);
    }

    #[test]
    fn tau_is_one_for_the_same_order_and_minus_one_for_the_opposite() {
        let tau = |told: [f64; 4]| {
            let pairs: Vec<_> = [1.0, 2.0, 3.0, 4.0].into_iter().zip(told).collect();
            kendall(&pairs).unwrap()
        };
        assert_eq!(tau([1.0, 4.0, 5.0, 9.0]), 1.0);
        assert_eq!(kendall(&[(1.0, 2.0)]), None);
        assert_eq!(tau([9.0, 5.0, 4.0, 1.0]), -1.0);
        // Five of six pairs are in order: (5 - 1) / 6.
        assert!((tau([2.0, 1.0, 3.0, 4.0]) - 4.0 / 6.0).abs() < 1e-12);
        // One of six pairs is tied: 5 / sqrt(6 * 5).
        assert!((tau([1.0, 1.0, 3.0, 4.0]) - 5.0 / 30f64.sqrt()).abs() < 1e-12);
    }
}
