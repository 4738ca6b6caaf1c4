//! `MPI_Allgather` and `MPI_Allgatherv`. MPI 4.1 section 6.7.

use std::ffi::c_void;

use foretell_mpi::{Comm, Payload, Pending};

use super::parts::{Parts, Sizes};
use super::{Collective, check, collectives};
use crate::abi::*;
use crate::buffer::Buffer;
use crate::check::{Described, Flow};
use crate::failure::{Failure, Outcome};
use crate::pointer::{In, Out};

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
        check::is_place(target)?;
        let own = |receive: &Parts| receive.part(comm.rank());
        if check::is_in_place(address, !comm.is_inter())? {
            let receive = receive(comm.target_count())?;
            return Ok(Allgather { send: own(&receive), receive, sizes });
        }
        let send = Buffer::new(address, count, handle)?;
        let receive = receive(comm.target_count())?;
        if !comm.is_inter() {
            check::are_apart(&send, &own(&receive))?;
        }
        Ok(Allgather { send, receive, sizes })
    }
}

impl Collective for Allgather {
    type Brought = Payload;

    async fn run(&self, comm: &Comm) -> foretell_mpi::Result<Payload> {
        match self.sizes {
            Sizes::Equal => comm.allgather(self.send.copied()).await,
            Sizes::Any => comm.allgatherv(self.send.copied(), self.receive.counts()).await,
        }
    }

    fn begin(&self, comm: &Comm) -> Pending<Payload> {
        match self.sizes {
            Sizes::Equal => comm.iallgather(self.send.copied()),
            Sizes::Any => comm.iallgatherv(self.send.copied(), self.receive.counts()),
        }
    }

    fn land(&self, brought: Payload) -> Outcome {
        self.receive.land(&brought)
    }

    fn described(&self, comm: &Comm) -> Described {
        let name = match self.sizes {
            Sizes::Equal => "MPI_Allgather",
            Sizes::Any => "MPI_Allgatherv",
        };
        let call = Described::new(name, Flow::Everyone).sends(&self.send);
        let own = (!comm.is_inter()).then(|| comm.rank());
        self.receive.received(call, own)
    }
}

collectives! {
    MPI_Allgather MPI_Iallgather MPI_Allgather_init(
        sendbuf: In<c_void>, sendcount: C, sendtype: MPI_Datatype,
        recvbuf: Out<c_void>, recvcount: C, recvtype: MPI_Datatype,
    ), |here, comm| {
        let (send, target) = ((sendbuf.address(), i64::from(sendcount), sendtype), recvbuf.address());
        let receive = |ranks| Parts::even(ranks, target, i64::from(recvcount), recvtype);
        Allgather::new(&comm.comm, send, target, receive, Sizes::Equal)
    }

    MPI_Allgatherv MPI_Iallgatherv MPI_Allgatherv_init(
        sendbuf: In<c_void>, sendcount: C, sendtype: MPI_Datatype,
        recvbuf: Out<c_void>, recvcounts: In<C>, displs: In<D>, recvtype: MPI_Datatype,
    ), |here, comm| {
        let (send, target) = ((sendbuf.address(), i64::from(sendcount), sendtype), recvbuf.address());
        let receive = |ranks| Parts::each(ranks, target, (recvcounts, displs), recvtype);
        Allgather::new(&comm.comm, send, target, receive, Sizes::Any)
    }
}
