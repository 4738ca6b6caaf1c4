//! `MPI_Scatter` and `MPI_Scatterv`. MPI 4.1 section 6.6.

use std::ffi::{c_int, c_void};

use foretell_mpi::{Comm, Counts, Payload, Pending};

use super::check::{self, Place};
use super::parts::{Parts, Sizes};
use super::{Collective, collectives};
use crate::abi::*;
use crate::buffer::Buffer;
use crate::check::{Described, Flow};
use crate::failure::{Failure, Outcome};
use crate::pointer::{In, Out};

struct Scatter {
    /// At the root.
    send: Option<Parts>,
    /// Where the rank's part goes, unless it is the root's and stays.
    receive: Option<Buffer>,
    /// How many ranks share what the root gives, if all know of it.
    ranks: u32,
    place: Place,
    sizes: Sizes,
}

impl Scatter {
    /// `send` makes the parts of so many ranks; only the root asks for them.
    fn new(
        comm: &Comm,
        source: usize,
        send: impl FnOnce(u32) -> Result<Parts, Failure>,
        (address, count, handle): (usize, i64, MPI_Datatype),
        (root, sizes): (c_int, Sizes),
    ) -> Result<Self, Failure> {
        let place = Place::new(comm, root)?;
        let is_in_place = place.is_member && check::is_in_place(address, place.is_root)?;
        let mut receive = None;
        if place.is_member && !is_in_place {
            receive = Some(Buffer::new(address, count, handle)?);
        }
        let mut parts = None;
        if place.is_root {
            check::is_place(source)?;
            let sent = send(comm.target_count())?;
            if let Some(receive) = &receive {
                check::are_apart(&sent.part(comm.rank()), receive)?;
            }
            parts = Some(sent);
        }
        let ranks = if comm.is_inter() { 0 } else { comm.size() };
        Ok(Scatter { send: parts, receive, ranks, place, sizes })
    }

    /// What the root gives; others tell by theirs how much that is, for algorithms go by it.
    fn payload(&self) -> Payload {
        let bytes = self.receive.as_ref().map_or(0, Buffer::bytes);
        let expected = Payload::Size(bytes * u64::from(self.ranks));
        self.send.as_ref().map_or(expected, Parts::copied)
    }

    fn counts(&self) -> Counts {
        self.send.as_ref().map_or(Counts::even(0, 0), Parts::counts)
    }
}

impl Collective for Scatter {
    type Brought = Payload;

    async fn run(&self, comm: &Comm) -> foretell_mpi::Result<Payload> {
        match self.sizes {
            Sizes::Equal => comm.scatter(self.payload(), self.place.root).await,
            Sizes::Any => comm.scatterv(self.payload(), self.counts(), self.place.root).await,
        }
    }

    fn begin(&self, comm: &Comm) -> Pending<Payload> {
        match self.sizes {
            Sizes::Equal => comm.iscatter(self.payload(), self.place.root),
            Sizes::Any => comm.iscatterv(self.payload(), self.counts(), self.place.root),
        }
    }

    fn land(&self, brought: Payload) -> Outcome {
        self.receive.as_ref().map_or(Ok(()), |receive| check::land(receive, &brought))
    }

    fn described(&self, _: &Comm) -> Described {
        let name = match self.sizes {
            Sizes::Equal => "MPI_Scatter",
            Sizes::Any => "MPI_Scatterv",
        };
        let mut call = Described::new(name, Flow::FromRoot).rooted(self.place.root);
        if let Some(send) = &self.send {
            call = send.sent(call);
        }
        match &self.receive {
            Some(receive) => call.receives(receive),
            None => call,
        }
    }
}

collectives! {
    MPI_Scatter MPI_Iscatter MPI_Scatter_init(
        sendbuf: In<c_void>, sendcount: C, sendtype: MPI_Datatype,
        recvbuf: Out<c_void>, recvcount: C, recvtype: MPI_Datatype, root: c_int,
    ), |here, comm| {
        let source = sendbuf.address();
        let send = |ranks| Parts::even(ranks, source, i64::from(sendcount), sendtype);
        let receive = (recvbuf.address(), i64::from(recvcount), recvtype);
        Scatter::new(&comm.comm, source, send, receive, (root, Sizes::Equal))
    }

    MPI_Scatterv MPI_Iscatterv MPI_Scatterv_init(
        sendbuf: In<c_void>, sendcounts: In<C>, displs: In<D>, sendtype: MPI_Datatype,
        recvbuf: Out<c_void>, recvcount: C, recvtype: MPI_Datatype, root: c_int,
    ), |here, comm| {
        let source = sendbuf.address();
        let send = |ranks| Parts::each(ranks, source, (sendcounts, displs), sendtype);
        let receive = (recvbuf.address(), i64::from(recvcount), recvtype);
        Scatter::new(&comm.comm, source, send, receive, (root, Sizes::Any))
    }
}
