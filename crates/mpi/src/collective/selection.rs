//! Which algorithm a collective operation runs.

use std::collections::BTreeMap;

/// Operations that have a choice of algorithms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Operation {
    /// `MPI_Barrier`
    Barrier,
    /// `MPI_Allreduce`
    Allreduce,
    /// `MPI_Alltoall`
    Alltoall,
}

impl Operation {
    /// The operation of this name, as in `smpi/<name>`.
    pub fn named(name: &str) -> Option<Operation> {
        Self::ALL.into_iter().find(|operation| operation.name() == name)
    }

    const ALL: [Operation; 3] = [Operation::Barrier, Operation::Allreduce, Operation::Alltoall];

    /// The name, as in `smpi/<name>`.
    pub fn name(self) -> &'static str {
        match self {
            Operation::Barrier => "barrier",
            Operation::Allreduce => "allreduce",
            Operation::Alltoall => "alltoall",
        }
    }

    /// The algorithms there are, the default first.
    pub fn algorithms(self) -> &'static [&'static str] {
        match self {
            Operation::Barrier => &["ompi_recursivedoubling"],
            Operation::Allreduce => &["rdb"],
            Operation::Alltoall => &["pair"],
        }
    }
}

/// Algorithms chosen by name; operations not named run their default.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selection {
    chosen: BTreeMap<Operation, &'static str>,
}

impl Selection {
    /// Chooses an algorithm; on failure says which there are.
    pub fn choose(&mut self, operation: Operation, algorithm: &str) -> Result<(), String> {
        match operation.algorithms().iter().find(|name| **name == algorithm) {
            Some(name) => {
                self.chosen.insert(operation, name);
                Ok(())
            }
            None => Err(format!(
                "{} has no algorithm '{algorithm}'; there are: {}",
                operation.name(),
                operation.algorithms().join(", ")
            )),
        }
    }

    /// The algorithm of an operation.
    pub fn algorithm(&self, operation: Operation) -> &'static str {
        self.chosen.get(&operation).copied().unwrap_or(operation.algorithms()[0])
    }
}
