//! Collectives among neighbours. MPI 4.1 section 8.6.

use std::ffi::c_void;

use foretell_mpi::{Comm, Payload, Pending, Topology};

use super::alltoall::Form;
use super::parts::{Parts, Sizes};
use super::{Collective, check, collectives};
use crate::abi::*;
use crate::buffer::Buffer;
use crate::check::{Described, Flow};
use crate::failure::{Failure, Outcome, bad};
use crate::pointer::{In, Out};

/// One entry for each source; none where there is nobody.
type FromEach = Vec<Option<Payload>>;

/// How many neighbours send to this rank, and how many it sends to.
fn degrees(comm: &Comm) -> Result<(u32, u32), Failure> {
    let both = |count: usize| (count as u32, count as u32);
    match comm.topology() {
        Some(Topology::Cartesian(grid)) => Ok(both(2 * grid.dims.len())),
        Some(Topology::Graph(_)) => Ok(both(comm.graph_neighbours(comm.rank())?.len())),
        Some(Topology::Distributed) => {
            let neighbours = comm.neighbours()?;
            Ok((neighbours.sources.len() as u32, neighbours.destinations.len() as u32))
        }
        None => bad(MPI_ERR_TOPOLOGY, "the communicator has no topology: nobody is a neighbour"),
    }
}

/// Puts what came from each source in its place.
fn land(receive: &Parts, brought: &FromEach) -> Outcome {
    for (source, part) in (0..).zip(brought) {
        if let Some(part) = part {
            check::land(&receive.part(source), part)?;
        }
    }
    Ok(())
}

/// Every destination gets the same.
struct Allgather {
    send: Buffer,
    receive: Parts,
    sizes: Sizes,
}

impl Allgather {
    fn new(
        comm: &Comm,
        (address, count, handle): (usize, i64, MPI_Datatype),
        target: usize,
        receive: impl FnOnce(u32) -> Result<Parts, Failure>,
        sizes: Sizes,
    ) -> Result<Self, Failure> {
        check::is_intra(comm)?;
        let (sources, _) = degrees(comm)?;
        check::is_place(address)?;
        check::is_place(target)?;
        let send = Buffer::new(address, count, handle)?;
        Ok(Allgather { send, receive: receive(sources)?, sizes })
    }
}

impl Collective for Allgather {
    type Brought = FromEach;

    async fn run(&self, comm: &Comm) -> foretell_mpi::Result<FromEach> {
        match self.sizes {
            Sizes::Equal => comm.neighbor_allgather(self.send.copied()).await,
            Sizes::Any => comm.neighbor_allgatherv(self.send.copied(), self.receive.counts()).await,
        }
    }

    fn begin(&self, comm: &Comm) -> Pending<FromEach> {
        match self.sizes {
            Sizes::Equal => comm.ineighbor_allgather(self.send.copied()),
            Sizes::Any => comm.ineighbor_allgatherv(self.send.copied(), self.receive.counts()),
        }
    }

    fn land(&self, brought: FromEach) -> Outcome {
        land(&self.receive, &brought)
    }

    fn described(&self, _: &Comm) -> Described {
        let name = match self.sizes {
            Sizes::Equal => "MPI_Neighbor_allgather",
            Sizes::Any => "MPI_Neighbor_allgatherv",
        };
        let call = Described::new(name, Flow::None).sends(&self.send);
        self.receive.received(call, None)
    }
}

/// Every destination gets something of its own.
struct Alltoall {
    send: Parts,
    receive: Parts,
    form: Form,
}

impl Alltoall {
    fn new(
        comm: &Comm,
        (source, target): (usize, usize),
        send: impl FnOnce(u32) -> Result<Parts, Failure>,
        receive: impl FnOnce(u32) -> Result<Parts, Failure>,
        form: Form,
    ) -> Result<Self, Failure> {
        check::is_intra(comm)?;
        let (sources, destinations) = degrees(comm)?;
        check::is_place(source)?;
        check::is_place(target)?;
        Ok(Alltoall { send: send(destinations)?, receive: receive(sources)?, form })
    }
}

impl Collective for Alltoall {
    type Brought = FromEach;

    async fn run(&self, comm: &Comm) -> foretell_mpi::Result<FromEach> {
        let (data, send, receive) = (self.send.copied(), self.send.counts(), self.receive.counts());
        match self.form {
            Form::Plain => comm.neighbor_alltoall(data).await,
            Form::Sizes => comm.neighbor_alltoallv(data, send, receive).await,
            Form::Types => comm.neighbor_alltoallw(data, send, receive).await,
        }
    }

    fn begin(&self, comm: &Comm) -> Pending<FromEach> {
        let (data, send, receive) = (self.send.copied(), self.send.counts(), self.receive.counts());
        match self.form {
            Form::Plain => comm.ineighbor_alltoall(data),
            Form::Sizes => comm.ineighbor_alltoallv(data, send, receive),
            Form::Types => comm.ineighbor_alltoallw(data, send, receive),
        }
    }

    fn land(&self, brought: FromEach) -> Outcome {
        land(&self.receive, &brought)
    }

    fn described(&self, _: &Comm) -> Described {
        let name = match self.form {
            Form::Plain => "MPI_Neighbor_alltoall",
            Form::Sizes => "MPI_Neighbor_alltoallv",
            Form::Types => "MPI_Neighbor_alltoallw",
        };
        self.receive.received(self.send.sent(Described::new(name, Flow::None)), None)
    }
}

collectives! {
    MPI_Neighbor_allgather MPI_Ineighbor_allgather MPI_Neighbor_allgather_init(
        sendbuf: In<c_void>, sendcount: C, sendtype: MPI_Datatype,
        recvbuf: Out<c_void>, recvcount: C, recvtype: MPI_Datatype,
    ), |here, comm| {
        let (send, target) = ((sendbuf.address(), i64::from(sendcount), sendtype), recvbuf.address());
        let receive = |sources| Parts::even(sources, target, i64::from(recvcount), recvtype);
        Allgather::new(&comm.comm, send, target, receive, Sizes::Equal)
    }

    MPI_Neighbor_allgatherv MPI_Ineighbor_allgatherv MPI_Neighbor_allgatherv_init(
        sendbuf: In<c_void>, sendcount: C, sendtype: MPI_Datatype,
        recvbuf: Out<c_void>, recvcounts: In<C>, displs: In<D>, recvtype: MPI_Datatype,
    ), |here, comm| {
        let (send, target) = ((sendbuf.address(), i64::from(sendcount), sendtype), recvbuf.address());
        let receive = |sources| Parts::each(sources, target, (recvcounts, displs), recvtype);
        Allgather::new(&comm.comm, send, target, receive, Sizes::Any)
    }

    MPI_Neighbor_alltoall MPI_Ineighbor_alltoall MPI_Neighbor_alltoall_init(
        sendbuf: In<c_void>, sendcount: C, sendtype: MPI_Datatype,
        recvbuf: Out<c_void>, recvcount: C, recvtype: MPI_Datatype,
    ), |here, comm| {
        let (source, target) = (sendbuf.address(), recvbuf.address());
        let send = |ranks| Parts::even(ranks, source, i64::from(sendcount), sendtype);
        let receive = |ranks| Parts::even(ranks, target, i64::from(recvcount), recvtype);
        Alltoall::new(&comm.comm, (source, target), send, receive, Form::Plain)
    }

    MPI_Neighbor_alltoallv MPI_Ineighbor_alltoallv MPI_Neighbor_alltoallv_init(
        sendbuf: In<c_void>, sendcounts: In<C>, sdispls: In<D>, sendtype: MPI_Datatype,
        recvbuf: Out<c_void>, recvcounts: In<C>, rdispls: In<D>, recvtype: MPI_Datatype,
    ), |here, comm| {
        let (source, target) = (sendbuf.address(), recvbuf.address());
        let send = |ranks| Parts::each(ranks, source, (sendcounts, sdispls), sendtype);
        let receive = |ranks| Parts::each(ranks, target, (recvcounts, rdispls), recvtype);
        Alltoall::new(&comm.comm, (source, target), send, receive, Form::Sizes)
    }

    MPI_Neighbor_alltoallw MPI_Ineighbor_alltoallw MPI_Neighbor_alltoallw_init(
        sendbuf: In<c_void>, sendcounts: In<C>, sdispls: In<MPI_Aint>, sendtypes: In<MPI_Datatype>,
        recvbuf: Out<c_void>, recvcounts: In<C>, rdispls: In<MPI_Aint>,
        recvtypes: In<MPI_Datatype>,
    ), |here, comm| {
        let (source, target) = (sendbuf.address(), recvbuf.address());
        let send = |ranks| Parts::mixed(ranks, source, (sendcounts, sdispls), sendtypes);
        let receive = |ranks| Parts::mixed(ranks, target, (recvcounts, rdispls), recvtypes);
        Alltoall::new(&comm.comm, (source, target), send, receive, Form::Types)
    }
}
