//! `MPI_Scan` and `MPI_Exscan`. MPI 4.1 section 6.11.

use std::ffi::c_void;

use foretell_mpi::{Comm, Payload, Pending};

use super::reduce::Everywhere;
use super::{Collective, check, collectives};
use crate::abi::*;
use crate::check::Described;
use crate::failure::{Failure, Outcome};
use crate::pointer::{In, Out};
use crate::rank::RankContext;

struct Scan(Everywhere);

impl Collective for Scan {
    type Brought = Payload;

    async fn run(&self, comm: &Comm) -> foretell_mpi::Result<Payload> {
        comm.scan(self.0.send.copied(), &self.0.op).await
    }

    fn begin(&self, comm: &Comm) -> Pending<Payload> {
        comm.iscan(self.0.send.copied(), &self.0.op)
    }

    fn land(&self, brought: Payload) -> Outcome {
        check::land(&self.0.receive, &brought)
    }

    fn runs_program(&self) -> bool {
        !self.0.op.is_predefined()
    }

    fn described(&self, _: &Comm) -> Described {
        self.0.described("MPI_Scan")
    }
}

struct Exscan(Everywhere);

impl Collective for Exscan {
    type Brought = Option<Payload>;

    async fn run(&self, comm: &Comm) -> foretell_mpi::Result<Option<Payload>> {
        comm.exscan(self.0.send.copied(), &self.0.op).await
    }

    fn begin(&self, comm: &Comm) -> Pending<Option<Payload>> {
        comm.iexscan(self.0.send.copied(), &self.0.op)
    }

    fn land(&self, brought: Option<Payload>) -> Outcome {
        // Nothing comes to rank 0, whose buffer stays as it is.
        brought.map_or(Ok(()), |brought| check::land(&self.0.receive, &brought))
    }

    fn runs_program(&self) -> bool {
        !self.0.op.is_predefined()
    }

    fn described(&self, _: &Comm) -> Described {
        self.0.described("MPI_Exscan")
    }
}

fn arguments(
    here: &'static RankContext,
    comm: &Comm,
    places: (usize, usize),
    what: (i64, MPI_Datatype, MPI_Op),
) -> Result<Everywhere, Failure> {
    check::is_intra(comm)?;
    Everywhere::new(here, comm, places, what)
}

collectives! {
    MPI_Scan MPI_Iscan MPI_Scan_init(
        sendbuf: In<c_void>, recvbuf: Out<c_void>, count: C, datatype: MPI_Datatype, op: MPI_Op,
    ), |here, comm| {
        let places = (sendbuf.address(), recvbuf.address());
        arguments(here, &comm.comm, places, (i64::from(count), datatype, op)).map(Scan)
    }

    MPI_Exscan MPI_Iexscan MPI_Exscan_init(
        sendbuf: In<c_void>, recvbuf: Out<c_void>, count: C, datatype: MPI_Datatype, op: MPI_Op,
    ), |here, comm| {
        let places = (sendbuf.address(), recvbuf.address());
        arguments(here, &comm.comm, places, (i64::from(count), datatype, op)).map(Exscan)
    }
}
