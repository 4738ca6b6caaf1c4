//! `MPI_Reduce_scatter` and `MPI_Reduce_scatter_block`. MPI 4.1 section 6.10.

use std::ffi::c_void;

use foretell_mpi::{Comm, Counts, Op, Payload, Pending};

use super::parts::{self, Numbers};
use super::{Collective, check, collectives};
use crate::abi::*;
use crate::buffer::Buffer;
use crate::check::{Described, Flow};
use crate::datatype;
use crate::failure::{Failure, Outcome};
use crate::op;
use crate::pointer::{In, Out};
use crate::rank::RankContext;

struct ReduceScatter {
    /// What the rank contributes: a part for each rank of its group.
    send: Buffer,
    /// The rank's own part of the result.
    receive: Buffer,
    /// Bytes of each part; none if they are equal.
    counts: Option<Counts>,
    op: Op,
}

impl ReduceScatter {
    fn new(
        here: &'static RankContext,
        comm: &Comm,
        (source, target): (usize, usize),
        (counts, own, total): (Option<Counts>, i64, i64),
        (handle, op): (MPI_Datatype, MPI_Op),
    ) -> Result<Self, Failure> {
        check::is_place(target)?;
        let is_in_place = check::is_in_place(source, !comm.is_inter())?;
        let receive = Buffer::new(target, own, handle)?;
        let send = Buffer::new(if is_in_place { target } else { source }, total, handle)?;
        let op = op::operation(here, op, handle, &send.datatype)?;
        if !is_in_place {
            check::are_apart(&send, &receive)?;
        }
        Ok(ReduceScatter { send, receive, counts, op })
    }

    /// With the elements of each rank given.
    fn by_counts(
        here: &'static RankContext,
        comm: &Comm,
        places: (usize, usize),
        numbers: Numbers,
        (handle, op): (MPI_Datatype, MPI_Op),
    ) -> Result<Self, Failure> {
        let (rank, ranks) = (comm.rank(), comm.size());
        numbers.are_counts(ranks)?;
        let size = datatype::committed(handle)?.datatype.size();
        let count = |rank| numbers.of(rank, ranks);
        let counts = parts::counts(ranks, |rank| count(rank) as u64 * size);
        let total = (0..ranks).map(count).sum();
        Self::new(here, comm, places, (Some(counts), count(rank), total), (handle, op))
    }
}

impl Collective for ReduceScatter {
    type Brought = Payload;

    async fn run(&self, comm: &Comm) -> foretell_mpi::Result<Payload> {
        let data = self.send.copied();
        match &self.counts {
            Some(counts) => comm.reduce_scatter(data, counts, &self.op).await,
            None => comm.reduce_scatter_block(data, &self.op).await,
        }
    }

    fn begin(&self, comm: &Comm) -> Pending<Payload> {
        let data = self.send.copied();
        match &self.counts {
            Some(counts) => comm.ireduce_scatter(data, counts, &self.op),
            None => comm.ireduce_scatter_block(data, &self.op),
        }
    }

    fn land(&self, brought: Payload) -> Outcome {
        check::land(&self.receive, &brought)
    }

    fn runs_program(&self) -> bool {
        !self.op.is_predefined()
    }

    fn described(&self, _: &Comm) -> Described {
        let name = match self.counts {
            Some(_) => "MPI_Reduce_scatter",
            None => "MPI_Reduce_scatter_block",
        };
        let call = Described::new(name, Flow::Same).reducing(&self.op);
        call.sends(&self.send).receives(&self.receive)
    }
}

collectives! {
    MPI_Reduce_scatter MPI_Ireduce_scatter MPI_Reduce_scatter_init(
        sendbuf: In<c_void>, recvbuf: Out<c_void>, recvcounts: In<C>, datatype: MPI_Datatype,
        op: MPI_Op,
    ), |here, comm| {
        let places = (sendbuf.address(), recvbuf.address());
        ReduceScatter::by_counts(here, &comm.comm, places, recvcounts.into(), (datatype, op))
    }

    MPI_Reduce_scatter_block MPI_Ireduce_scatter_block MPI_Reduce_scatter_block_init(
        sendbuf: In<c_void>, recvbuf: Out<c_void>, recvcount: C, datatype: MPI_Datatype,
        op: MPI_Op,
    ), |here, comm| {
        let places = (sendbuf.address(), recvbuf.address());
        let own = i64::from(recvcount);
        let total = own.saturating_mul(i64::from(comm.comm.size()));
        ReduceScatter::new(here, &comm.comm, places, (None, own, total), (datatype, op))
    }
}
