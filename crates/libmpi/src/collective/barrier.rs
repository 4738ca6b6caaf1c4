//! `MPI_Barrier`. MPI 4.1 section 6.3.

use foretell_mpi::{Comm, Pending};

use super::{Collective, later, now, persistent};
use crate::abi::*;
use crate::call::mpi;
use crate::check::{Described, Flow};
use crate::failure::Outcome;
use crate::pointer::Out;

/// A barrier has no arguments.
struct Barrier;

impl Collective for Barrier {
    type Brought = ();

    async fn run(&self, comm: &Comm) -> foretell_mpi::Result<()> {
        comm.barrier().await
    }

    fn begin(&self, comm: &Comm) -> Pending<()> {
        comm.ibarrier()
    }

    fn land(&self, (): ()) -> Outcome {
        Ok(())
    }

    fn described(&self, _: &Comm) -> Described {
        Described::new("MPI_Barrier", Flow::None)
    }
}

mpi! {
    /// `MPI_Barrier`.
    timed fn MPI_Barrier(comm: MPI_Comm) -> c_int on Comm(comm), |here| {
        now(here, &here.comm(comm)?, Barrier)
    }

    /// `MPI_Ibarrier`.
    timed fn MPI_Ibarrier(
        comm: MPI_Comm, request: Out<MPI_Request>,
    ) -> c_int on Comm(comm), |here| {
        let comm = here.comm(comm)?;
        request.given("request")?.set(later(comm, Barrier)?);
        Ok(())
    }

    /// `MPI_Barrier_init`.
    timed fn MPI_Barrier_init(
        comm: MPI_Comm, _info: MPI_Info, request: Out<MPI_Request>,
    ) -> c_int on Comm(comm), |here| {
        let comm = here.comm(comm)?;
        request.given("request")?.set(persistent(comm, Barrier)?);
        Ok(())
    }
}
