//! `MPI_Gather` and `MPI_Gatherv`. MPI 4.1 section 6.5.

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

struct Gather {
    /// What the rank has for the root.
    send: Option<Buffer>,
    /// At the root.
    receive: Option<Parts>,
    place: Place,
    sizes: Sizes,
}

impl Gather {
    /// `receive` makes the parts of so many ranks; only the root asks for them.
    fn new(
        comm: &Comm,
        (address, count, handle): (usize, i64, MPI_Datatype),
        target: usize,
        receive: impl FnOnce(u32) -> Result<Parts, Failure>,
        (root, sizes): (c_int, Sizes),
    ) -> Result<Self, Failure> {
        let place = Place::new(comm, root)?;
        let is_in_place = place.is_member && check::is_in_place(address, place.is_root)?;
        let mut send = None;
        if place.is_member && !is_in_place {
            send = Some(Buffer::new(address, count, handle)?);
        }
        let mut parts = None;
        if place.is_root {
            check::is_place(target)?;
            let received = receive(comm.target_count())?;
            if is_in_place {
                send = Some(received.part(comm.rank()));
            } else if let Some(send) = &send {
                check::are_apart(send, &received.part(comm.rank()))?;
            }
            parts = Some(received);
        }
        Ok(Gather { send, receive: parts, place, sizes })
    }

    fn payload(&self) -> Payload {
        self.send.as_ref().map_or(Payload::Size(0), Buffer::copied)
    }

    fn counts(&self) -> Counts {
        self.receive.as_ref().map_or(Counts::even(0, 0), Parts::counts)
    }
}

impl Collective for Gather {
    type Brought = Option<Payload>;

    async fn run(&self, comm: &Comm) -> foretell_mpi::Result<Option<Payload>> {
        match self.sizes {
            Sizes::Equal => comm.gather(self.payload(), self.place.root).await,
            Sizes::Any => comm.gatherv(self.payload(), self.counts(), self.place.root).await,
        }
    }

    fn begin(&self, comm: &Comm) -> Pending<Option<Payload>> {
        match self.sizes {
            Sizes::Equal => comm.igather(self.payload(), self.place.root),
            Sizes::Any => comm.igatherv(self.payload(), self.counts(), self.place.root),
        }
    }

    fn land(&self, brought: Option<Payload>) -> Outcome {
        match (&self.receive, brought) {
            (Some(receive), Some(brought)) => receive.land(&brought),
            _ => Ok(()),
        }
    }

    fn described(&self, comm: &Comm) -> Described {
        let name = match self.sizes {
            Sizes::Equal => "MPI_Gather",
            Sizes::Any => "MPI_Gatherv",
        };
        let mut call = Described::new(name, Flow::ToRoot).rooted(self.place.root);
        if let Some(send) = &self.send {
            call = call.sends(send);
        }
        match &self.receive {
            Some(receive) => receive.received(call, Some(comm.rank())),
            None => call,
        }
    }
}

collectives! {
    MPI_Gather MPI_Igather MPI_Gather_init(
        sendbuf: In<c_void>, sendcount: C, sendtype: MPI_Datatype,
        recvbuf: Out<c_void>, recvcount: C, recvtype: MPI_Datatype, root: c_int,
    ), |here, comm| {
        let (send, target) = ((sendbuf.address(), i64::from(sendcount), sendtype), recvbuf.address());
        let receive = |ranks| Parts::even(ranks, target, i64::from(recvcount), recvtype);
        Gather::new(&comm.comm, send, target, receive, (root, Sizes::Equal))
    }

    MPI_Gatherv MPI_Igatherv MPI_Gatherv_init(
        sendbuf: In<c_void>, sendcount: C, sendtype: MPI_Datatype,
        recvbuf: Out<c_void>, recvcounts: In<C>, displs: In<D>, recvtype: MPI_Datatype,
        root: c_int,
    ), |here, comm| {
        let (send, target) = ((sendbuf.address(), i64::from(sendcount), sendtype), recvbuf.address());
        let receive = |ranks| Parts::each(ranks, target, (recvcounts, displs), recvtype);
        Gather::new(&comm.comm, send, target, receive, (root, Sizes::Any))
    }
}
