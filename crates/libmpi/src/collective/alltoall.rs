//! `MPI_Alltoall`, `MPI_Alltoallv` and `MPI_Alltoallw`. MPI 4.1 section 6.8.

use std::ffi::c_void;

use foretell_mpi::{Comm, Payload, Pending};

use super::parts::Parts;
use super::{Collective, check, collectives};
use crate::abi::*;
use crate::check::{Described, Flow};
use crate::failure::{Failure, Outcome, ensure};
use crate::pointer::{In, Out};

struct Alltoall {
    send: Parts,
    receive: Parts,
    form: Form,
}

/// Which of the three calls it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Plain,
    Sizes,
    Types,
}

impl Alltoall {
    fn new(
        comm: &Comm,
        (source, target): (usize, usize),
        send: impl FnOnce(u32) -> Result<Parts, Failure>,
        receive: impl FnOnce(u32) -> Result<Parts, Failure>,
        form: Form,
    ) -> Result<Self, Failure> {
        check::is_place(target)?;
        let ranks = comm.target_count();
        let is_in_place = check::is_in_place(source, !comm.is_inter())?;
        if is_in_place {
            let receive = receive(ranks)?;
            return Ok(Alltoall { send: receive.clone(), receive, form });
        }
        let (send, receive) = (send(ranks)?, receive(ranks)?);
        ensure(!send.begins_with(&receive), MPI_ERR_BUFFER, || {
            "the send and the receive buffer are the same; MPI_IN_PLACE says that on purpose".into()
        })?;
        Ok(Alltoall { send, receive, form })
    }

    /// Where the data is, where it goes and how many bytes it has, if it can go from the buffer of
    /// one rank to that of another with no copies in between.
    fn places(&self, comm: &Comm) -> Option<(usize, usize, u64)> {
        if self.form != Form::Plain || comm.is_inter() || self.send.begins_with(&self.receive) {
            return None;
        }
        let ((from, bytes), (to, room)) = (self.send.solid()?, self.receive.solid()?);
        (bytes == room).then_some((from, to, bytes))
    }
}

impl Collective for Alltoall {
    type Brought = Payload;

    async fn run(&self, comm: &Comm) -> foretell_mpi::Result<Payload> {
        if let Some((from, to, bytes)) = self.places(comm) {
            return comm.alltoall_in_memory(from, to, bytes).await;
        }
        let (data, send, receive) = (self.send.copied(), self.send.counts(), self.receive.counts());
        match self.form {
            Form::Plain => comm.alltoall(data).await,
            Form::Sizes => comm.alltoallv(data, send, receive).await,
            Form::Types => comm.alltoallw(data, send, receive).await,
        }
    }

    fn begin(&self, comm: &Comm) -> Pending<Payload> {
        let (data, send, receive) = (self.send.copied(), self.send.counts(), self.receive.counts());
        match self.form {
            Form::Plain => comm.ialltoall(data),
            Form::Sizes => comm.ialltoallv(data, send, receive),
            Form::Types => comm.ialltoallw(data, send, receive),
        }
    }

    fn land(&self, brought: Payload) -> Outcome {
        self.receive.land(&brought)
    }

    fn can_be_foreseen(&self, comm: &Comm) -> bool {
        self.places(comm).is_some()
    }

    fn described(&self, _: &Comm) -> Described {
        let name = match self.form {
            Form::Plain => "MPI_Alltoall",
            Form::Sizes => "MPI_Alltoallv",
            Form::Types => "MPI_Alltoallw",
        };
        let mut call = self.send.sent(Described::new(name, Flow::Everyone));
        if self.send.begins_with(&self.receive) {
            // In place.
            call.claims.clear();
        }
        self.receive.received(call, None)
    }
}

collectives! {
    MPI_Alltoall MPI_Ialltoall MPI_Alltoall_init(
        sendbuf: In<c_void>, sendcount: C, sendtype: MPI_Datatype,
        recvbuf: Out<c_void>, recvcount: C, recvtype: MPI_Datatype,
    ), |here, comm| {
        let (source, target) = (sendbuf.address(), recvbuf.address());
        let send = |ranks| Parts::even(ranks, source, i64::from(sendcount), sendtype);
        let receive = |ranks| Parts::even(ranks, target, i64::from(recvcount), recvtype);
        Alltoall::new(&comm.comm, (source, target), send, receive, Form::Plain)
    }

    MPI_Alltoallv MPI_Ialltoallv MPI_Alltoallv_init(
        sendbuf: In<c_void>, sendcounts: In<C>, sdispls: In<D>, sendtype: MPI_Datatype,
        recvbuf: Out<c_void>, recvcounts: In<C>, rdispls: In<D>, recvtype: MPI_Datatype,
    ), |here, comm| {
        let (source, target) = (sendbuf.address(), recvbuf.address());
        let send = |ranks| Parts::each(ranks, source, (sendcounts, sdispls), sendtype);
        let receive = |ranks| Parts::each(ranks, target, (recvcounts, rdispls), recvtype);
        Alltoall::new(&comm.comm, (source, target), send, receive, Form::Sizes)
    }

    MPI_Alltoallw MPI_Ialltoallw MPI_Alltoallw_init(
        sendbuf: In<c_void>, sendcounts: In<C>, sdispls: In<D>, sendtypes: In<MPI_Datatype>,
        recvbuf: Out<c_void>, recvcounts: In<C>, rdispls: In<D>, recvtypes: In<MPI_Datatype>,
    ), |here, comm| {
        let (source, target) = (sendbuf.address(), recvbuf.address());
        let send = |ranks| Parts::mixed(ranks, source, (sendcounts, sdispls), sendtypes);
        let receive = |ranks| Parts::mixed(ranks, target, (recvcounts, rdispls), recvtypes);
        Alltoall::new(&comm.comm, (source, target), send, receive, Form::Types)
    }
}
