//! The collective operations: their names, and the algorithms there are for each.

mod algorithms;
mod aliases;
mod hindrance;

pub use hindrance::Standing;

/// Operations that have a choice of algorithms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Operation {
    /// `MPI_Barrier`
    Barrier,
    /// `MPI_Bcast`
    Bcast,
    /// `MPI_Gather`
    Gather,
    /// `MPI_Gatherv`
    Gatherv,
    /// `MPI_Scatter`
    Scatter,
    /// `MPI_Scatterv`
    Scatterv,
    /// `MPI_Allgather`
    Allgather,
    /// `MPI_Allgatherv`
    Allgatherv,
    /// `MPI_Alltoall`
    Alltoall,
    /// `MPI_Alltoallv`
    Alltoallv,
    /// `MPI_Alltoallw`
    Alltoallw,
    /// `MPI_Reduce`
    Reduce,
    /// `MPI_Allreduce`
    Allreduce,
    /// `MPI_Reduce_scatter`
    ReduceScatter,
    /// `MPI_Reduce_scatter_block`
    ReduceScatterBlock,
    /// `MPI_Scan`
    Scan,
    /// `MPI_Exscan`
    Exscan,
    /// `MPI_Comm_split`
    CommSplit,
    /// `MPI_Neighbor_allgather`
    NeighborAllgather,
    /// `MPI_Neighbor_allgatherv`
    NeighborAllgatherv,
    /// `MPI_Neighbor_alltoall`
    NeighborAlltoall,
    /// `MPI_Neighbor_alltoallv`
    NeighborAlltoallv,
    /// `MPI_Neighbor_alltoallw`
    NeighborAlltoallw,
}

/// Whether a call returns at the end of the operation or at its beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Blocking,
    NonBlocking,
}

impl Operation {
    /// All operations.
    pub const ALL: [Operation; 23] = [
        Operation::Barrier,
        Operation::Bcast,
        Operation::Gather,
        Operation::Gatherv,
        Operation::Scatter,
        Operation::Scatterv,
        Operation::Allgather,
        Operation::Allgatherv,
        Operation::Alltoall,
        Operation::Alltoallv,
        Operation::Alltoallw,
        Operation::Reduce,
        Operation::Allreduce,
        Operation::ReduceScatter,
        Operation::ReduceScatterBlock,
        Operation::Scan,
        Operation::Exscan,
        Operation::CommSplit,
        Operation::NeighborAllgather,
        Operation::NeighborAllgatherv,
        Operation::NeighborAlltoall,
        Operation::NeighborAlltoallv,
        Operation::NeighborAlltoallw,
    ];

    /// The operation of this name, as in `smpi/<name>`.
    pub fn named(name: &str) -> Option<Operation> {
        Self::ALL.into_iter().find(|operation| operation.name() == name)
    }

    /// The name, as in `smpi/<name>`.
    pub fn name(self) -> &'static str {
        self.names().0
    }

    /// The algorithms there are, the default first. One named `default` goes by the number of ranks.
    ///
    /// Those that cannot cut or reorder what they are given (a short vector, an operation that
    /// does not commute, a number of ranks that is no power of two) fall back to one that can.
    pub fn algorithms(self) -> &'static [&'static str] {
        algorithms::of(self)
    }

    /// What libraries call algorithms that have another name here: pairs of theirs and ours.
    pub fn aliases(self) -> &'static [(&'static str, &'static str)] {
        aliases::of(self)
    }

    /// The algorithm of this name, or that a library calls so.
    pub fn algorithm(self, name: &str) -> Option<&'static str> {
        let known = self.algorithms().iter().find(|known| **known == name).copied();
        // Until MPICH 4.0, `tsp_` was `gentran_`.
        let newer = name.replace("mpich_gentran_", "mpich_tsp_");
        let alias = || self.aliases().iter().find(|(alias, _)| *alias == newer);
        known.or_else(|| alias().map(|(_, known)| *known))
    }

    /// What to say of a name that no algorithm has.
    pub(crate) fn unknown(self, name: &str) -> String {
        let (operation, names) = (self.name(), self.algorithms().join(", "));
        format!("{operation} has no algorithm '{name}'; there are: {names}")
    }

    /// The call, for reports.
    pub(crate) fn call(self, form: Form) -> &'static str {
        let (_, blocking, non_blocking) = self.names();
        match form {
            Form::Blocking => blocking,
            Form::NonBlocking => non_blocking,
        }
    }

    /// Name in `smpi/<name>`, blocking call, non-blocking call.
    fn names(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Operation::Barrier => ("barrier", "MPI_Barrier", "MPI_Ibarrier"),
            Operation::Bcast => ("bcast", "MPI_Bcast", "MPI_Ibcast"),
            Operation::Gather => ("gather", "MPI_Gather", "MPI_Igather"),
            Operation::Gatherv => ("gatherv", "MPI_Gatherv", "MPI_Igatherv"),
            Operation::Scatter => ("scatter", "MPI_Scatter", "MPI_Iscatter"),
            Operation::Scatterv => ("scatterv", "MPI_Scatterv", "MPI_Iscatterv"),
            Operation::Allgather => ("allgather", "MPI_Allgather", "MPI_Iallgather"),
            Operation::Allgatherv => ("allgatherv", "MPI_Allgatherv", "MPI_Iallgatherv"),
            Operation::Alltoall => ("alltoall", "MPI_Alltoall", "MPI_Ialltoall"),
            Operation::Alltoallv => ("alltoallv", "MPI_Alltoallv", "MPI_Ialltoallv"),
            Operation::Alltoallw => ("alltoallw", "MPI_Alltoallw", "MPI_Ialltoallw"),
            Operation::Reduce => ("reduce", "MPI_Reduce", "MPI_Ireduce"),
            Operation::Allreduce => ("allreduce", "MPI_Allreduce", "MPI_Iallreduce"),
            Operation::ReduceScatter => {
                ("reduce_scatter", "MPI_Reduce_scatter", "MPI_Ireduce_scatter")
            }
            Operation::ReduceScatterBlock => {
                ("reduce_scatter_block", "MPI_Reduce_scatter_block", "MPI_Ireduce_scatter_block")
            }
            Operation::Scan => ("scan", "MPI_Scan", "MPI_Iscan"),
            Operation::Exscan => ("exscan", "MPI_Exscan", "MPI_Iexscan"),
            Operation::CommSplit => ("comm_split", "MPI_Comm_split", "MPI_Comm_isplit"),
            Operation::NeighborAllgather => {
                ("neighbor_allgather", "MPI_Neighbor_allgather", "MPI_Ineighbor_allgather")
            }
            Operation::NeighborAllgatherv => {
                ("neighbor_allgatherv", "MPI_Neighbor_allgatherv", "MPI_Ineighbor_allgatherv")
            }
            Operation::NeighborAlltoall => {
                ("neighbor_alltoall", "MPI_Neighbor_alltoall", "MPI_Ineighbor_alltoall")
            }
            Operation::NeighborAlltoallv => {
                ("neighbor_alltoallv", "MPI_Neighbor_alltoallv", "MPI_Ineighbor_alltoallv")
            }
            Operation::NeighborAlltoallw => {
                ("neighbor_alltoallw", "MPI_Neighbor_alltoallw", "MPI_Ineighbor_alltoallw")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back_to_their_operation() {
        for operation in Operation::ALL {
            assert_eq!(Operation::named(operation.name()), Some(operation));
            assert_eq!(Operation::ALL[operation as usize], operation);
            assert!(!operation.algorithms().is_empty());
        }
    }

    #[test]
    fn every_name_has_one_meaning() {
        for operation in Operation::ALL {
            let names = operation.algorithms();
            let aliases = operation.aliases().iter().map(|(alias, _)| alias);
            let mut all: Vec<&&str> = names.iter().chain(aliases).collect();
            all.sort();
            assert!(all.windows(2).all(|pair| pair[0] != pair[1]), "{operation:?}: {all:?}");
            for (alias, known) in operation.aliases() {
                assert!(names.contains(known), "{operation:?}: {alias} is {known}");
                assert_eq!(operation.algorithm(alias), Some(*known));
            }
        }
    }
}
