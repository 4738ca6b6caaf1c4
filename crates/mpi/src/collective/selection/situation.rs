//! What rules look at when they choose an algorithm.

use crate::collective::Operation;

/// What a rank asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Call {
    /// The operation.
    pub operation: Operation,
    /// Bytes of the vector for bcast, reduce, allreduce and scans; of one rank's block for gather,
    /// scatter, allgather and alltoall; of the mean block for the `v` forms; of the whole vector
    /// for reduce_scatter.
    pub bytes: u64,
    /// Bytes of one element, as reductions cut vectors between elements.
    pub element: u64,
    /// Whether the operands of the reduction may change places.
    pub is_commutative: bool,
    /// Whether MPI defines the reduction, rather than the program.
    pub is_predefined: bool,
    /// Whether all blocks are of one size.
    pub is_even: bool,
}

impl Call {
    /// Something else than a reduction.
    pub fn new(operation: Operation, bytes: u64) -> Call {
        let (is_commutative, is_predefined, is_even) = (true, true, true);
        Call { operation, bytes, element: 1, is_commutative, is_predefined, is_even }
    }

    /// A reduction.
    pub(crate) fn with(operation: Operation, bytes: u64, op: &crate::op::Op) -> Call {
        let (element, is_commutative) = (op.element(), op.is_commutative());
        let is_predefined = op.is_predefined();
        Call { element, is_commutative, is_predefined, ..Call::new(operation, bytes) }
    }
}

/// A call, who makes it, and where they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Situation {
    /// The call.
    pub call: Call,
    /// How many ranks take part.
    pub ranks: u32,
    /// On how many nodes.
    pub nodes: u32,
    /// How many ranks there are on each node; 0 if it is not the same everywhere.
    pub per_node: u32,
    /// Whether the call is a part of another collective, among some of its ranks.
    pub is_part: bool,
}

impl Situation {
    /// Each rank on a node of its own.
    pub fn spread(call: Call, ranks: u32) -> Situation {
        Situation { call, ranks, nodes: ranks, per_node: 1, is_part: false }
    }

    /// Bytes of all ranks' blocks together.
    pub(crate) fn total(&self) -> u64 {
        self.call.bytes.saturating_mul(u64::from(self.ranks))
    }

    /// Bytes of each rank's part of a vector.
    pub(crate) fn block(&self) -> u64 {
        self.call.bytes / u64::from(self.ranks.max(1))
    }

    /// Bytes of one element of each rank.
    pub(crate) fn element_total(&self) -> u64 {
        self.call.element.saturating_mul(u64::from(self.ranks))
    }

    /// Ranks on a node, on average, rounded up.
    pub(crate) fn mean_per_node(&self) -> u64 {
        u64::from(self.ranks.div_ceil(self.nodes.max(1)))
    }

    /// Elements of the vector.
    pub(crate) fn elements(&self) -> u64 {
        self.call.bytes / self.call.element.max(1)
    }
}
