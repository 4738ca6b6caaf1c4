//! `MPI_Reduce` and `MPI_Allreduce`. MPI 4.1 sections 6.9.1 and 6.9.6.

use std::ffi::{c_int, c_void};

use foretell_mpi::{Comm, Op, Payload, Pending};

use super::check::{self, Place};
use super::{Collective, collectives};
use crate::abi::*;
use crate::buffer::Buffer;
use crate::check::{Described, Flow};
use crate::failure::{Failure, Outcome};
use crate::op;
use crate::pointer::{In, Out};
use crate::rank::RankContext;

struct Reduce {
    /// What the rank contributes.
    send: Option<Buffer>,
    /// At the root.
    receive: Option<Buffer>,
    op: Op,
    place: Place,
}

impl Reduce {
    fn new(
        here: &'static RankContext,
        comm: &Comm,
        (source, target): (usize, usize),
        (count, handle, op): (i64, MPI_Datatype, MPI_Op),
        root: c_int,
    ) -> Result<Self, Failure> {
        let place = Place::new(comm, root)?;
        let nothing = Buffer::new(0, 0, handle)?;
        let op = op::operation(here, op, handle, &nothing.datatype)?;
        let buffer = |address| Buffer::new(address, count, handle);
        let mut receive = None;
        if place.is_root {
            check::is_place(target)?;
            receive = Some(buffer(target)?);
        }
        let mut send = None;
        if place.is_member {
            let is_in_place = check::is_in_place(source, place.is_root)?;
            send = Some(buffer(if is_in_place { target } else { source })?);
            if let (Some(send), Some(receive), false) = (&send, &receive, is_in_place) {
                check::are_apart(send, receive)?;
            }
        }
        Ok(Reduce { send, receive, op, place })
    }

    fn payload(&self) -> Payload {
        match (&self.send, &self.receive) {
            (Some(send), _) => send.copied(),
            // The root of an inter-communicator says how much it expects.
            (None, Some(receive)) => Payload::Size(receive.bytes()),
            (None, None) => Payload::Size(0),
        }
    }
}

impl Collective for Reduce {
    type Brought = Option<Payload>;

    async fn run(&self, comm: &Comm) -> foretell_mpi::Result<Option<Payload>> {
        comm.reduce(self.payload(), &self.op, self.place.root).await
    }

    fn begin(&self, comm: &Comm) -> Pending<Option<Payload>> {
        comm.ireduce(self.payload(), &self.op, self.place.root)
    }

    fn land(&self, brought: Option<Payload>) -> Outcome {
        match (&self.receive, brought) {
            (Some(receive), Some(brought)) => check::land(receive, &brought),
            _ => Ok(()),
        }
    }

    fn runs_program(&self) -> bool {
        !self.op.is_predefined()
    }

    fn described(&self, _: &Comm) -> Described {
        let mut call =
            Described::new("MPI_Reduce", Flow::Same).rooted(self.place.root).reducing(&self.op);
        if let Some(send) = &self.send {
            call = call.sends(send);
        }
        match &self.receive {
            Some(receive) => call.receives(receive),
            None => call,
        }
    }
}

/// The buffers of a reduction without root, and its operation.
pub(super) struct Everywhere {
    pub(super) send: Buffer,
    pub(super) receive: Buffer,
    pub(super) op: Op,
}

impl Everywhere {
    pub(super) fn new(
        here: &'static RankContext,
        comm: &Comm,
        (source, target): (usize, usize),
        (count, handle, op): (i64, MPI_Datatype, MPI_Op),
    ) -> Result<Self, Failure> {
        check::is_place(target)?;
        let is_in_place = check::is_in_place(source, !comm.is_inter())?;
        let receive = Buffer::new(target, count, handle)?;
        let send = Buffer::new(if is_in_place { target } else { source }, count, handle)?;
        let op = op::operation(here, op, handle, &receive.datatype)?;
        if !is_in_place {
            check::are_apart(&send, &receive)?;
        }
        Ok(Everywhere { send, receive, op })
    }

    /// What a checker is told of it.
    pub(super) fn described(&self, name: &'static str) -> Described {
        let call = Described::new(name, Flow::Same).reducing(&self.op);
        call.sends(&self.send).receives(&self.receive)
    }
}

struct Allreduce(Everywhere);

impl Collective for Allreduce {
    type Brought = Payload;

    async fn run(&self, comm: &Comm) -> foretell_mpi::Result<Payload> {
        comm.allreduce(self.0.send.copied(), &self.0.op).await
    }

    fn begin(&self, comm: &Comm) -> Pending<Payload> {
        comm.iallreduce(self.0.send.copied(), &self.0.op)
    }

    fn land(&self, brought: Payload) -> Outcome {
        check::land(&self.0.receive, &brought)
    }

    fn runs_program(&self) -> bool {
        !self.0.op.is_predefined()
    }

    fn described(&self, _: &Comm) -> Described {
        self.0.described("MPI_Allreduce")
    }
}

collectives! {
    MPI_Reduce MPI_Ireduce MPI_Reduce_init(
        sendbuf: In<c_void>, recvbuf: Out<c_void>, count: C, datatype: MPI_Datatype, op: MPI_Op,
        root: c_int,
    ), |here, comm| {
        let places = (sendbuf.address(), recvbuf.address());
        Reduce::new(here, &comm.comm, places, (i64::from(count), datatype, op), root)
    }

    MPI_Allreduce MPI_Iallreduce MPI_Allreduce_init(
        sendbuf: In<c_void>, recvbuf: Out<c_void>, count: C, datatype: MPI_Datatype, op: MPI_Op,
    ), |here, comm| {
        let places = (sendbuf.address(), recvbuf.address());
        Everywhere::new(here, &comm.comm, places, (i64::from(count), datatype, op)).map(Allreduce)
    }
}
