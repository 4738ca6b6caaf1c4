//! Tables indexed by message size: factors that are constant per range, overheads that are affine.

/// Piecewise constant in the message size: `(threshold, value)` pairs in increasing order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Steps(pub Vec<(u64, f64)>);

impl Steps {
    /// The value of the largest threshold **strictly** below `bytes`, else `below_first`.
    ///
    /// A message of exactly a threshold's size still belongs to the range before it: that is how
    /// SimGrid reads its tables, and calibrated files rely on it.
    pub fn at(&self, bytes: u64, below_first: f64) -> f64 {
        match self.0.partition_point(|(threshold, _)| *threshold < bytes) {
            0 => below_first,
            n => self.0[n - 1].1,
        }
    }
}

/// Piecewise affine overheads: `(threshold, seconds, seconds per byte)` in increasing order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Overheads(pub Vec<(u64, f64, f64)>);

impl Overheads {
    /// The overhead of a message in seconds; an empty table costs nothing.
    ///
    /// Same range rule as [`Steps::at`], but at or below the first threshold the first entry
    /// applies.
    pub fn at(&self, bytes: u64) -> f64 {
        if self.0.is_empty() {
            return 0.0;
        }
        let after = self.0.partition_point(|(threshold, ..)| *threshold < bytes);
        let (_, base, per_byte) = self.0[after.max(1) - 1];
        base + per_byte * bytes as f64
    }
}

/// Everything about a message that depends on its size.
#[derive(Debug, Clone, PartialEq)]
pub struct MessageTables {
    /// Share of the nominal bandwidth that a message of this size reaches.
    pub bandwidth_factor: Steps,
    /// Multiplier of the route's latency.
    pub latency_factor: Steps,
    /// Paid by the sender of a blocking send before the message leaves (`smpi/os`).
    pub send: Overheads,
    /// The same for a non-blocking send (`smpi/ois`).
    pub isend: Overheads,
    /// Paid by the receiver once the data is there (`smpi/or`).
    pub receive: Overheads,
    /// Below this many bytes a transfer starts without waiting for its receive; 0 switches it off.
    pub eager_limit: u64,
    /// From this many bytes on, sender and receiver wait for each other.
    pub rendezvous_limit: u64,
}

impl Default for MessageTables {
    /// The tables of the SMPI-compatible preset.
    fn default() -> Self {
        let steps = |values: &[(u64, f64)]| Steps(values.to_vec());
        Self {
            bandwidth_factor: steps(&[
                (0, 0.812084),
                (257, 0.338112),
                (732, 0.341987),
                (1426, 0.608902),
                (3484, 0.77493),
                (5776, 1.08739),
                (9376, 0.58729),
                (15424, 0.697866),
                (65472, 0.940694),
            ]),
            latency_factor: steps(&[
                (0, 2.01467),
                (257, 1.95341),
                (732, 1.9503),
                (1426, 1.61075),
                (3484, 1.88101),
                (5776, 2.18796),
                (9376, 2.59299),
                (15424, 3.48845),
                (65472, 11.6436),
            ]),
            send: Overheads::default(),
            isend: Overheads::default(),
            receive: Overheads::default(),
            eager_limit: 0,
            rendezvous_limit: 65536,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_threshold_belongs_to_the_range_before_it() {
        let steps = Steps(vec![(0, 1.0), (100, 2.0)]);
        assert_eq!(steps.at(100, 9.0), 1.0);
        assert_eq!(steps.at(101, 9.0), 2.0);
    }

    #[test]
    fn at_or_below_the_first_threshold_the_fallback_applies() {
        let steps = Steps(vec![(10, 1.0), (100, 2.0)]);
        assert_eq!(steps.at(0, 9.0), 9.0);
        assert_eq!(steps.at(10, 9.0), 9.0);
        assert_eq!(steps.at(11, 9.0), 1.0);
        assert_eq!(Steps::default().at(5, 9.0), 9.0);
    }

    #[test]
    fn overheads_are_affine_within_a_range() {
        let table = Overheads(vec![(0, 1.0, 0.0), (10, 2.0, 0.5)]);
        assert_eq!(table.at(10), 1.0);
        assert_eq!(table.at(12), 8.0);
    }

    #[test]
    fn the_first_overhead_also_covers_what_lies_below_it() {
        let table = Overheads(vec![(10, 2.0, 0.5), (20, 7.0, 0.0)]);
        assert_eq!(table.at(0), 2.0);
        assert_eq!(table.at(4), 4.0);
        assert_eq!(table.at(10), 7.0);
        assert_eq!(table.at(21), 7.0);
    }

    #[test]
    fn an_empty_overhead_table_is_free() {
        assert_eq!(Overheads::default().at(1 << 40), 0.0);
    }

    #[test]
    fn the_default_tables_are_in_increasing_order() {
        let tables = MessageTables::default();
        assert!(tables.bandwidth_factor.0.is_sorted_by(|a, b| a.0 < b.0));
        assert!(tables.latency_factor.0.is_sorted_by(|a, b| a.0 < b.0));
        assert_eq!(tables.bandwidth_factor.at(65472, 1.0), 0.697866);
        assert_eq!(tables.bandwidth_factor.at(65473, 1.0), 0.940694);
    }
}
