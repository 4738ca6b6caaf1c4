//! `MPI_Bcast`. MPI 4.1 section 6.4.

use std::ffi::{c_int, c_void};

use foretell_mpi::{Comm, Payload, Pending};

use super::check::{self, Place};
use super::{Collective, collectives};
use crate::abi::*;
use crate::buffer::Buffer;
use crate::check::{Described, Flow};
use crate::failure::{Failure, Outcome};
use crate::pointer::Out;

struct Bcast {
    /// None where nothing comes or goes: in the root's group of an inter-communicator.
    buffer: Option<Buffer>,
    place: Place,
}

impl Bcast {
    fn new(
        comm: &Comm,
        (address, count, handle): (usize, i64, MPI_Datatype),
        root: c_int,
    ) -> Result<Self, Failure> {
        let place = Place::new(comm, root)?;
        check::is_place(address)?;
        let is_used = place.is_root || place.is_member;
        let buffer = is_used.then(|| Buffer::new(address, count, handle)).transpose()?;
        Ok(Bcast { buffer, place })
    }

    fn payload(&self) -> Payload {
        match &self.buffer {
            Some(buffer) if self.place.is_root => buffer.copied(),
            Some(buffer) => Payload::Size(buffer.bytes()),
            None => Payload::Size(0),
        }
    }
}

impl Collective for Bcast {
    type Brought = Payload;

    async fn run(&self, comm: &Comm) -> foretell_mpi::Result<Payload> {
        comm.bcast(self.payload(), self.place.root).await
    }

    fn begin(&self, comm: &Comm) -> Pending<Payload> {
        comm.ibcast(self.payload(), self.place.root)
    }

    fn land(&self, brought: Payload) -> Outcome {
        match &self.buffer {
            Some(buffer) if !self.place.is_root => check::land(buffer, &brought),
            _ => Ok(()),
        }
    }

    fn described(&self, _: &Comm) -> Described {
        let call = Described::new("MPI_Bcast", Flow::Same).rooted(self.place.root);
        match &self.buffer {
            None => call,
            Some(buffer) if self.place.is_root => call.sends(buffer),
            // All name the same elements; only the root has them already.
            Some(buffer) => call.sends(buffer).receives(buffer),
        }
    }
}

collectives! {
    MPI_Bcast MPI_Ibcast MPI_Bcast_init(
        buffer: Out<c_void>, count: C, datatype: MPI_Datatype, root: c_int,
    ), |here, comm| {
        Bcast::new(&comm.comm, (buffer.address(), i64::from(count), datatype), root)
    }
}
