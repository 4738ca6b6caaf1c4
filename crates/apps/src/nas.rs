//! Three of the NAS parallel benchmarks, as the Fortran programs of NPB 3.4 do them with MPI.
//!
//! Rank by rank the messages of the whole program, from `MPI_Init` to `MPI_Finalize`; the timed
//! section is the one that the program times. What is computed follows from the operations that
//! the program itself counts for its figure of merit, and goes through named kernels.

mod cg;
mod ep;
mod lu;

use clap::{Args, ValueEnum};
use foretell_mpi::{Comm, KernelId};

pub use cg::NasCg;
pub use ep::NasEp;
pub use lu::NasLu;

/// What all of them have in common.
#[derive(Debug, Clone, Copy, Args)]
pub struct Nas {
    /// The class: how large the problem is
    #[arg(long, ignore_case = true, value_enum, default_value = "A")]
    pub class: Class,
    /// Compute so many times as much as NPB counts; 0 leaves the messages alone
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, value_parser = crate::limits::operations)]
    pub work: f64,
}

/// The size of a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Class {
    /// Sample
    #[value(name = "S")]
    S,
    /// Workstation
    #[value(name = "W")]
    W,
    /// The smallest one in earnest
    #[value(name = "A")]
    A,
    /// About four times A
    #[value(name = "B")]
    B,
    /// About four times B
    #[value(name = "C")]
    C,
    /// About sixteen times C
    #[value(name = "D")]
    D,
}

impl Nas {
    /// Spends the time of so many operations of a kernel.
    async fn compute(&self, comm: &Comm, kernel: KernelId, operations: f64) {
        let seconds = comm.kernel_time(kernel, [self.work * operations, 1.0, 1.0]);
        comm.spend(seconds).await;
    }
}
