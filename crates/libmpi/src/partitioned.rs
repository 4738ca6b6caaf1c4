//! Partitioned communication. MPI 4.1 chapter 4.

use std::cell::{Cell, RefCell};
use std::ffi::{c_int, c_void};
use std::rc::Rc;

use foretell_mpi::{
    Cut, Landing, PartitionedReceive, PartitionedSend, Parts, Received, Request, SendTrace,
};
use foretell_ranks::block_on;

use crate::abi::*;
use crate::buffer::Buffer;
use crate::call::{mpi, mpi_large};
use crate::comm::CommObject;
use crate::failure::{Failure, Outcome, bad};
use crate::objects::{no_such, objects};
use crate::pointer::{In, Out};
use crate::rank::RankContext;
use crate::request::{Kind, Persistent, Started};
use crate::send::check_tag;

/// What a partitioned request has beyond a persistent one.
#[derive(Clone)]
pub(crate) enum Partitioned {
    Send(Rc<Outgoing>),
    Receive(Rc<Incoming>),
}

/// A partitioned send.
pub(crate) struct Outgoing {
    comm: Rc<CommObject>,
    send: PartitionedSend,
    buffer: Buffer,
    /// Elements of each part.
    each: i64,
    /// The parts that are ready since the last start.
    ready: RefCell<Vec<bool>>,
    /// Parts that have not left yet.
    left: Cell<usize>,
    /// Completes when all have.
    whole: RefCell<Request>,
}

/// A partitioned receive.
pub(crate) struct Incoming {
    receive: Rc<PartitionedReceive>,
    partitions: u64,
    /// Bytes of each part.
    each: u64,
}

/// The buffer of a partitioned receive, as its parts see it.
struct Places(Buffer);

impl Parts for Places {
    fn landing(&self, offset: u64, _: u64) -> Landing {
        match self.0.landing() {
            Landing::Memory(address) => Landing::Memory(address + offset as usize),
            other => other,
        }
    }

    fn landed(&self, offset: u64, received: &Received) {
        if self.0.datatype.dense.is_none() {
            self.0.unpack_at(offset, received.payload.bytes());
        }
    }
}

/// Checks the arguments both sides share; gives the communicator and the whole buffer.
fn arguments(
    here: &RankContext,
    (address, partitions, count, datatype): (usize, c_int, i64, MPI_Datatype),
    (peer, tag, comm): (c_int, c_int, MPI_Comm),
) -> Result<(Rc<CommObject>, Buffer), Failure> {
    let comm = here.comm(comm)?;
    if partitions < 1 {
        return bad(MPI_ERR_ARG, format!("{partitions} partitions: there must be one at least"));
    }
    let Some(all) = count.checked_mul(i64::from(partitions)) else {
        return bad(MPI_ERR_COUNT, format!("{partitions} times {count} elements are too many"));
    };
    let buffer = Buffer::new(address, all, datatype)?;
    check_tag(tag)?;
    comm.check_target(peer)?;
    Ok((comm, buffer))
}

mpi_large! {
    /// `MPI_Psend_init`.
    timed fn MPI_Psend_init(
        buf: In<c_void>, partitions: c_int, count: C, datatype: MPI_Datatype, dest: c_int,
        tag: c_int, comm: MPI_Comm, info: MPI_Info, request: Out<MPI_Request>,
    ) -> c_int on Comm(comm), |here| {
        let _ = info;
        let each = i64::from(count);
        let what = (buf.address(), partitions, each, datatype);
        let (comm, buffer) = arguments(here, what, (dest, tag, comm))?;
        let bytes = buffer.bytes() / partitions as u64;
        let cut = Cut { parts: partitions as u32, bytes };
        let send = block_on(comm.comm.announce_parts(cut, dest, tag))?;
        let outgoing = Rc::new(Outgoing {
            comm: comm.clone(),
            send,
            buffer,
            each,
            ready: RefCell::new(vec![false; partitions as usize]),
            left: Cell::new(0),
            whole: RefCell::new(Request::NULL),
        });
        let shared = outgoing.clone();
        let start = Rc::new(move |_: &RankContext| Ok(shared.start()));
        request.set(Persistent::keep_partitioned(comm, start, Partitioned::Send(outgoing)));
        Ok(())
    }

    /// `MPI_Precv_init`.
    timed fn MPI_Precv_init(
        buf: Out<c_void>, partitions: c_int, count: C, datatype: MPI_Datatype, source: c_int,
        tag: c_int, comm: MPI_Comm, info: MPI_Info, request: Out<MPI_Request>,
    ) -> c_int on Comm(comm), |here| {
        let _ = info;
        let what = (buf.address(), partitions, i64::from(count), datatype);
        let (comm, buffer) = arguments(here, what, (source, tag, comm))?;
        let receive = Rc::new(comm.comm.expect_parts(buffer.bytes(), source, tag)?);
        let each = buffer.bytes() / partitions as u64;
        let partitions = partitions as u64;
        let incoming = Rc::new(Incoming { receive: receive.clone(), partitions, each });
        let sender = comm.clone();
        let start = Rc::new(move |_: &RankContext| {
            let request = sender.comm.start_parts(&receive, Places(buffer.clone()));
            Ok(Started { request, trace: SendTrace::NONE, after: None, noted: Vec::new() })
        });
        request.set(Persistent::keep_partitioned(comm, start, Partitioned::Receive(incoming)));
        Ok(())
    }
}

impl Outgoing {
    fn start(&self) -> Started {
        let comm = &self.comm.comm;
        let request = comm.new_event();
        *self.whole.borrow_mut() = comm.alias(&request);
        self.ready.borrow_mut().fill(false);
        self.left.set(self.ready.borrow().len());
        Started { request, trace: SendTrace::NONE, after: None, noted: Vec::new() }
    }

    /// Sends one part; the whole is complete when the last has left.
    fn ready(self: &Rc<Self>, part: c_int) -> Outcome {
        match self.ready.borrow_mut().get_mut(part as usize) {
            Some(ready) if !*ready => *ready = true,
            Some(_) => {
                return bad(MPI_ERR_ARG, format!("partition {part} was marked as ready before"));
            }
            None => {
                let count = self.ready.borrow().len();
                return bad(MPI_ERR_ARG, format!("partition {part} of {count} partitions"));
            }
        }
        let payload = self.buffer.at(i64::from(part) * self.each, self.each).payload();
        let comm = &self.comm.comm;
        let request = block_on(comm.send_part(&self.send, part as u32, payload))?;
        if request.is_null() {
            self.part_left();
        } else {
            let shared = self.clone();
            comm.attend(request, move |_| shared.part_left());
        }
        Ok(())
    }

    fn part_left(&self) {
        self.left.set(self.left.get() - 1);
        if self.left.get() == 0 {
            self.comm.comm.complete_event(&self.whole.borrow());
        }
    }
}

/// The partitioned operation of a request, and whether it was started.
fn find(request: MPI_Request) -> Result<(Partitioned, bool), Failure> {
    let table = objects().requests.borrow();
    let object = table.get(request).ok_or_else(|| no_such(MPI_ERR_REQUEST, "request", request))?;
    if let Kind::Persistent(persistent) = &object.kind
        && let Some(parts) = &persistent.parts
    {
        return Ok((parts.clone(), persistent.is_active));
    }
    bad(MPI_ERR_REQUEST, "this is not a request of partitioned communication")
}

/// Marks partitions of a send as ready.
fn mark(request: MPI_Request, parts: impl Iterator<Item = c_int>) -> Outcome {
    match find(request)? {
        (Partitioned::Send(outgoing), true) => {
            for part in parts {
                outgoing.ready(part)?;
            }
            Ok(())
        }
        (Partitioned::Send(_), false) => {
            bad(MPI_ERR_REQUEST, "the partitioned send is not active: MPI_Start comes first")
        }
        (Partitioned::Receive(_), _) => {
            bad(MPI_ERR_REQUEST, "only partitions of a send can be marked as ready")
        }
    }
}

mpi! {
    /// `MPI_Pready`.
    timed fn MPI_Pready(partition: c_int, request: MPI_Request) -> c_int, |here| {
        let _ = here;
        mark(request, std::iter::once(partition))
    }

    /// `MPI_Pready_range`.
    timed fn MPI_Pready_range(low: c_int, high: c_int, request: MPI_Request) -> c_int, |here| {
        let _ = here;
        if low > high {
            return bad(MPI_ERR_ARG, format!("partitions from {low} to {high} are none"));
        }
        mark(request, low..=high)
    }

    /// `MPI_Pready_list`.
    timed fn MPI_Pready_list(
        length: c_int, partitions: In<c_int>, request: MPI_Request,
    ) -> c_int, |here| {
        let _ = here;
        mark(request, partitions.slice(length.max(0) as usize).iter().copied())
    }

    /// `MPI_Parrived`.
    timed fn MPI_Parrived(
        request: MPI_Request, partition: c_int, flag: Out<c_int>,
    ) -> c_int, |here| {
        let (Partitioned::Receive(incoming), is_active) = find(request)? else {
            return bad(MPI_ERR_REQUEST, "only partitions of a receive can arrive");
        };
        if partition < 0 || partition as u64 >= incoming.partitions {
            let count = incoming.partitions;
            return bad(MPI_ERR_ARG, format!("partition {partition} of {count} partitions"));
        }
        let first = partition as u64 * incoming.each;
        let has_come = || incoming.receive.has_arrived(first..first + incoming.each);
        // Who asks again and again lets time pass.
        block_on(here.comm.poll_for(|| !is_active || has_come()));
        flag.set(c_int::from(!is_active || has_come()));
        Ok(())
    }
}
