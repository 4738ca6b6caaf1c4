//! What collective operations cost in Dimemas' model: a fan-in, then a fan-out.

/// Operations by their numbers, as Dimemas counts them, with the names they have here.
const OPERATIONS: [&str; 16] = [
    "barrier",
    "bcast",
    "gather",
    "gatherv",
    "scatter",
    "scatterv",
    "allgather",
    "allgatherv",
    "alltoall",
    "alltoallv",
    "reduce",
    "allreduce",
    "reduce_scatter",
    "reduce_scatter_block",
    "scan",
    "alltoallw",
];

/// The number of `MPI_Reduce`, whose phases Dimemas takes as constant whatever its files say.
const REDUCE: usize = 10;

/// The phases of each operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DimemasCollectives([DimemasPhases; OPERATIONS.len()]);

/// The two phases of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DimemasPhases {
    /// From all ranks.
    pub fan_in: DimemasPhase,
    /// To all ranks.
    pub fan_out: DimemasPhase,
}

/// One phase: how many steps it has, and what moves in each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DimemasPhase {
    /// How the steps grow with those who take part.
    pub growth: DimemasGrowth,
    /// What moves.
    pub size: DimemasSize,
}

/// How the steps of a phase grow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DimemasGrowth {
    /// There is no such phase.
    Absent,
    /// One step.
    Constant,
    /// One step for each other.
    Linear,
    /// A step for each level of a binary tree.
    Logarithmic,
}

/// What moves in a step, of what the root sends and receives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DimemasSize {
    /// What is sent in a fan-in, what is received in a fan-out.
    Own,
    /// The less of both.
    Least,
    /// The more of both.
    Most,
    /// Their mean.
    Mean,
    /// Twice the more of both.
    TwiceMost,
    /// Both.
    Sum,
}

impl DimemasGrowth {
    /// What a file names so.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "0" => DimemasGrowth::Absent,
            "CTE" => DimemasGrowth::Constant,
            "LIN" => DimemasGrowth::Linear,
            "LOG" => DimemasGrowth::Logarithmic,
            _ => return None,
        })
    }

    /// Steps among so many who take part, with so many buses: messages of one level of the tree
    /// that find no bus take a step more. None stands for any number of buses.
    pub fn steps(self, partners: u32, buses: Option<u32>) -> u64 {
        match self {
            DimemasGrowth::Absent => 0,
            DimemasGrowth::Constant => 1,
            DimemasGrowth::Linear => u64::from(partners.saturating_sub(1)),
            DimemasGrowth::Logarithmic => {
                let partners = u64::from(partners.max(1));
                let levels = partners.next_power_of_two().ilog2();
                let on_level = |level: u32| (partners - (1_u64 << level)).div_ceil(2 << level);
                let buses = buses.map_or(u64::MAX, u64::from);
                (0..levels).map(|level| on_level(level).div_ceil(buses)).sum()
            }
        }
    }
}

impl DimemasSize {
    /// What a file names so.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "MIN" => DimemasSize::Least,
            "MAX" => DimemasSize::Most,
            "MEAN" => DimemasSize::Mean,
            "2MAX" => DimemasSize::TwiceMost,
            "S+R" => DimemasSize::Sum,
            _ => return None,
        })
    }

    /// Bytes of a step: of what the phase itself moves, and of what is sent and received.
    pub fn bytes(self, own: u64, sent: u64, received: u64) -> u64 {
        match self {
            DimemasSize::Own => own,
            DimemasSize::Least => sent.min(received),
            DimemasSize::Most => sent.max(received),
            DimemasSize::Mean => sent.saturating_add(received) / 2,
            DimemasSize::TwiceMost => sent.max(received).saturating_mul(2),
            DimemasSize::Sum => sent.saturating_add(received),
        }
    }
}

impl DimemasCollectives {
    /// All operations grow in this way, but for `MPI_Reduce`.
    pub fn all(growth: DimemasGrowth) -> Self {
        let phases = |growth| {
            let phase = DimemasPhase { growth, size: DimemasSize::Own };
            DimemasPhases { fan_in: phase, fan_out: phase }
        };
        let mut all = [phases(growth); OPERATIONS.len()];
        all[REDUCE] = phases(DimemasGrowth::Constant);
        Self(all)
    }

    /// The phases of an operation, by its name; none for those that Dimemas does not have.
    pub fn of(&self, operation: &str) -> Option<DimemasPhases> {
        let at = OPERATIONS.iter().position(|name| *name == operation)?;
        Some(self.0[at])
    }

    /// Gives an operation its phases, by its number. Those of `MPI_Reduce` stay as they are. False
    /// if there is no such operation.
    pub(crate) fn set(&mut self, operation: usize, phases: DimemasPhases) -> bool {
        if operation == REDUCE {
            return true;
        }
        let place = self.0.get_mut(operation);
        place.map(|place| *place = phases).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_of_a_tree_wait_for_buses() {
        let tree = DimemasGrowth::Logarithmic;
        assert_eq!(
            [1, 2, 3, 4, 5, 8, 9].map(|ranks| tree.steps(ranks, None)),
            [0, 1, 2, 2, 3, 3, 4]
        );
        // Eight ranks: four messages, then two, then one.
        let with = |buses| tree.steps(8, Some(buses));
        assert_eq!([with(1), with(2), with(3), with(4)], [7, 4, 4, 3]);
        // Five ranks: two messages, then one, then one.
        assert_eq!((tree.steps(5, Some(1)), tree.steps(5, Some(2))), (4, 3));
        assert_eq!(DimemasGrowth::Linear.steps(8, Some(1)), 7);
        assert_eq!(DimemasGrowth::Constant.steps(8, Some(1)), 1);
        assert_eq!(DimemasGrowth::Absent.steps(8, None), 0);
    }

    #[test]
    fn sizes_are_of_what_is_sent_and_received() {
        use DimemasSize::{Least, Mean, Most, Own, Sum, TwiceMost};
        let sizes = [Own, Least, Most, Mean, TwiceMost, Sum];
        assert_eq!(sizes.map(|size| size.bytes(7, 10, 31)), [7, 10, 31, 20, 62, 41]);
    }

    #[test]
    fn reductions_to_one_rank_are_constant() {
        let mut all = DimemasCollectives::all(DimemasGrowth::Logarithmic);
        let linear = DimemasPhase { growth: DimemasGrowth::Linear, size: DimemasSize::Most };
        let phases = DimemasPhases { fan_in: linear, fan_out: linear };
        assert!(all.set(10, phases) && all.set(11, phases) && !all.set(16, phases));
        assert_eq!(all.of("reduce").unwrap().fan_in.growth, DimemasGrowth::Constant);
        assert_eq!(all.of("allreduce"), Some(phases));
        assert_eq!(all.of("exscan"), None);
    }
}
