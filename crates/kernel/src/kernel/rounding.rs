//! Ends of transfers, rounded to a share of their durations.
//!
//! Where thousands of flows are out of step, each ends at a date of its own, and each end changes
//! the shares of many others: there are as many solutions as messages. Who only wants to know times
//! to one in a thousand can have the ends of transfers fall on a grid, coarse for long transfers
//! and fine for short ones. Those that end close together then end at once. Delays, such as
//! latencies, stay exact.
//!
//! Messages that are next to empty, such as those of barriers, spend nearly all their time in their
//! delay. For them the little that they have to move takes what it would take alone: they share
//! links with nobody.

use crate::activity::Transfer;

/// How ends are rounded.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Rounding {
    /// The grid is at most as wide as this share of a transfer's duration; zero for no grid.
    share: f64,
}

impl Rounding {
    pub(super) fn to(share: f64) -> Self {
        assert!((0.0..1.0).contains(&share), "a share is at least zero and less than one");
        Self { share }
    }

    /// What a transfer takes whose own part, at its highest rate, is no more than the share of its
    /// delay; none for others.
    #[inline]
    pub(super) fn tiny(self, transfer: &Transfer<'_>) -> Option<f64> {
        if self.share == 0.0 {
            return None;
        }
        let alone = transfer.amount / (transfer.bound * transfer.efficiency);
        (alone <= self.share * transfer.delay).then_some(transfer.delay + alone)
    }

    /// The date at which a transfer ends that would end at `date`, and takes `amount / speed` in
    /// all at its present speed; not before `now`.
    #[inline]
    pub(super) fn date(self, date: f64, amount: f64, speed: f64, now: f64) -> f64 {
        if self.share == 0.0 { date } else { self.on_grid(date, amount / speed).max(now) }
    }

    /// The nearest date on the grid. Its width is a power of two, so that grids of transfers that
    /// take about as long are the same, or every second date of one is on the other.
    #[cold]
    fn on_grid(self, date: f64, duration: f64) -> f64 {
        const MANTISSA: u64 = (1 << 52) - 1;
        let width = f64::from_bits((self.share * duration).to_bits() & !MANTISSA);
        if width.is_normal() && date / width < MANTISSA as f64 {
            (date / width).round() * width
        } else {
            date
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_move_by_at_most_half_the_share() {
        let rounding = Rounding::to(1e-2);
        for step in 1..2000 {
            let (date, duration) = (f64::from(step) * 0.137, f64::from(step) * 0.0171);
            let rounded = rounding.date(date, duration, 1.0, 0.0);
            assert!((rounded - date).abs() <= 0.5e-2 * duration, "{date} became {rounded}");
        }
    }

    #[test]
    fn ends_that_are_close_become_one() {
        let rounding = Rounding::to(1e-3);
        let ends = [10.0001, 10.0002, 10.0003].map(|date| rounding.date(date, 2.0, 2.0, 0.0));
        assert!(ends.iter().all(|end| *end == ends[0]));
    }

    #[test]
    fn what_is_next_to_nothing_shares_with_nobody() {
        let transfer = |amount, delay| Transfer {
            uses: &[],
            delay,
            amount,
            efficiency: 0.5,
            weight: 1.0,
            bound: 10.0,
        };
        assert_eq!(Rounding::to(0.1).tiny(&transfer(0.5, 1.0)), Some(1.1));
        assert_eq!(Rounding::to(0.1).tiny(&transfer(0.6, 1.0)), None);
        assert_eq!(Rounding::to(0.1).tiny(&transfer(0.6, 0.0)), None);
        assert_eq!(Rounding::default().tiny(&transfer(0.0, 1.0)), None);
    }

    #[test]
    fn nothing_ends_in_the_past_and_nothing_is_rounded_unasked() {
        assert_eq!(Rounding::to(0.1).date(10.01, 10.0, 1.0, 10.009), 10.009);
        assert_eq!(Rounding::default().date(0.1234567, 10.0, 1.0, 0.0), 0.1234567);
        assert_eq!(Rounding::to(0.1).date(3.0, 1.0, 0.0, 0.0), 3.0);
    }
}
