//! What events beside a collective call tell of it.

use crate::timed::paraver::labels::{ALGORITHM, COMMUNICATOR, RECEIVED, ROOT, SENT};

/// The most bytes that are believed.
const MOST: u64 = 1 << 40;

/// What a rank tells of the collective call at hand.
///
/// Our traces tell the vector or a block as what is sent and as what is received, and of each rank
/// whether it is the root. Extrae tells what is passed to the call: at the root of a gather or a
/// scatter that is what all ranks give or get, with `MPI_IN_PLACE` it may be nothing.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Arguments {
    sent: u64,
    received: u64,
    is_root: Option<bool>,
    pub(super) comm: Option<u64>,
    /// The number of its algorithm, which our traces tell.
    pub(super) algorithm: Option<u64>,
}

impl Arguments {
    /// Takes note of an event; false if it tells something else.
    pub(super) fn hear(&mut self, kind: u64, value: u64) -> bool {
        match kind {
            SENT => self.sent = value.min(MOST),
            RECEIVED => self.received = value.min(MOST),
            ROOT => self.is_root = Some(value != 0),
            COMMUNICATOR => self.comm = Some(value),
            ALGORITHM => self.algorithm = Some(value),
            _ => return false,
        }
        true
    }

    /// Whether the rank is the root of an operation that has one. Extrae numbers the roots of
    /// gathers and scatters within their communicators and looks for them in the world; what
    /// sizes say is right.
    pub(super) fn is_root(&self, name: &str) -> bool {
        let at_root = match name {
            "MPI_Gather" | "MPI_Gatherv" => self.received,
            "MPI_Scatter" | "MPI_Scatterv" => self.sent,
            _ => return self.is_root == Some(true),
        };
        at_root > 0 && self.is_root != Some(false)
    }

    /// The bytes of the vector, or of the rank's own block, among so many ranks.
    pub(super) fn block(&self, name: &str, size: u64) -> u64 {
        let Self { sent, received, .. } = *self;
        match name {
            "MPI_Gather" | "MPI_Gatherv" | "MPI_Allgatherv" => sent,
            "MPI_Scatter" | "MPI_Scatterv" => received,
            "MPI_Reduce_scatter" | "MPI_Reduce_scatter_block" => received,
            "MPI_Allgather" | "MPI_Alltoall" if sent == 0 => received / size.max(1),
            "MPI_Allgather" | "MPI_Alltoall" => sent,
            "MPI_Alltoallv" | "MPI_Alltoallw" => sent / size.max(1),
            _ => sent.max(received),
        }
    }

    /// What the rank gets of all ranks, if blocks are not of one size; of operations in which each
    /// rank has a block for each, the mean.
    pub(super) fn gathered(&self, name: &str, size: u64) -> u64 {
        match name {
            "MPI_Allgatherv" => self.received,
            "MPI_Alltoallv" | "MPI_Alltoallw" => self.received / size.max(1),
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(sent: u64, received: u64, root: Option<u64>) -> Arguments {
        let mut arguments = Arguments::default();
        arguments.hear(SENT, sent);
        arguments.hear(RECEIVED, received);
        if let Some(root) = root {
            arguments.hear(ROOT, root);
        }
        arguments
    }

    #[test]
    fn roots_are_where_all_comes_together_or_from() {
        let check = |name, arguments: Arguments, is_root| {
            assert_eq!(arguments.is_root(name), is_root, "{name} {arguments:?}");
        };
        // As we write them.
        check("MPI_Gather", told(50, 50, Some(1)), true);
        check("MPI_Gather", told(50, 50, Some(0)), false);
        // As Extrae does, where another rank is taken for the root.
        check("MPI_Gather", told(50, 100, None), true);
        check("MPI_Gather", told(50, 0, Some(1)), false);
        check("MPI_Scatterv", told(120, 60, None), true);
        check("MPI_Scatterv", told(0, 60, Some(1)), false);
        check("MPI_Bcast", told(0, 60, None), false);
        check("MPI_Reduce", told(0, 60, Some(1)), true);
    }

    #[test]
    fn blocks_are_those_of_one_rank() {
        let check = |name, sent, received, block| {
            assert_eq!(told(sent, received, None).block(name, 4), block, "{name}");
        };
        check("MPI_Gather", 50, 200, 50);
        check("MPI_Gather", 0, 200, 0);
        check("MPI_Scatter", 200, 50, 50);
        check("MPI_Allgather", 0, 200, 50);
        check("MPI_Alltoall", 50, 200, 50);
        check("MPI_Allgatherv", 0, 200, 0);
        check("MPI_Reduce_scatter", 200, 0, 0);
        check("MPI_Reduce", 0, 80, 80);
        check("MPI_Alltoallv", 400, 200, 100);
    }
}
