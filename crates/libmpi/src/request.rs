//! Requests as programs hold them. MPI 4.1 section 3.7.

use std::rc::Rc;

use foretell_mpi::{Received, Request, SendTrace, Status};

use crate::abi::*;
use crate::check::{self, Noted};
use crate::comm::CommObject;
use crate::failure::{Failure, Outcome};
use crate::grequest::Grequest;
use crate::objects::{no_such, objects};
use crate::partitioned::Partitioned;
use crate::pointer::Out;
use crate::rank::RankContext;

/// What a request is.
pub(crate) struct RequestObject {
    /// The operation under way; null when it was complete at once.
    pub(crate) request: Request,
    /// The communicator it belongs to: sources of statuses are ranks of it.
    pub(crate) comm: Option<Rc<CommObject>>,
    pub(crate) kind: Kind,
    /// What is left to do when the operation is complete.
    pub(crate) after: Option<After>,
}

/// The last step of an operation: unpacking, or handing a result over.
pub(crate) type After = Box<dyn FnOnce(&RankContext, &Received) -> Outcome>;

/// Kinds of requests that behave differently.
pub(crate) enum Kind {
    /// A send, and how to withdraw it.
    Send(SendTrace),
    Receive,
    /// A collective.
    Collective,
    /// An access to a file that moves so many bytes.
    File(u64),
    /// An operation of the program's own.
    General(Rc<Grequest>),
    /// To be started again and again.
    Persistent(Box<Persistent>),
}

/// A persistent request.
pub(crate) struct Persistent {
    /// Starts the operation once more.
    pub(crate) start: Rc<Start>,
    pub(crate) is_active: bool,
    pub(crate) trace: SendTrace,
    pub(crate) was_cancelled: bool,
    /// What partitioned communication needs beside.
    pub(crate) parts: Option<Partitioned>,
}

/// Starts an operation of a persistent request.
pub(crate) type Start = dyn Fn(&RankContext) -> Result<Started, Failure>;

/// An operation that was started.
pub(crate) struct Started {
    pub(crate) request: Request,
    pub(crate) trace: SendTrace,
    pub(crate) after: Option<After>,
    /// What a checker knows of it; nothing if none is on.
    pub(crate) noted: Noted,
}

impl RequestObject {
    /// Keeps a request of a communicator.
    pub(crate) fn keep(self) -> MPI_Request {
        self.keep_noted(check::is_on().then(Noted::new))
    }

    /// The same, with what a checker knows of it, if one is on.
    #[inline]
    pub(crate) fn keep_noted(self, noted: Option<Noted>) -> MPI_Request {
        let handle = objects().requests.borrow_mut().insert(self);
        if let Some(noted) = noted {
            check::note(check::Sort::Request, handle);
            check::hold(handle, noted);
        }
        handle
    }

    /// Whether nothing will happen to it before it is started.
    pub(crate) fn is_idle(&self) -> bool {
        matches!(&self.kind, Kind::Persistent(persistent) if !persistent.is_active)
    }
}

/// Takes the operation of a request out, to be waited for; null if there is none.
pub(crate) fn take_operation(handle: MPI_Request) -> Result<Operation, Failure> {
    if handle == MPI_REQUEST_NULL {
        return Ok(Operation::None);
    }
    let mut table = objects().requests.borrow_mut();
    let Some(object) = table.get_mut(handle) else {
        drop(table);
        return Err(no_such(MPI_ERR_REQUEST, "request", handle));
    };
    if object.is_idle() {
        return Ok(Operation::None);
    }
    if let Kind::General(_) = &object.kind {
        // Another thread completes it while this one waits for it.
        return Ok(Operation::Active(object.request.alias()));
    }
    Ok(Operation::Active(std::mem::replace(&mut object.request, Request::NULL)))
}

/// The communicator of a request that is nothing but a send or a receive, with nothing left to do
/// when it is complete; and whether its handle stays then.
pub(crate) fn is_plain(handle: MPI_Request) -> Option<(Rc<CommObject>, bool)> {
    let table = objects().requests.borrow();
    let object = table.get(handle)?;
    let is_kept = match &object.kind {
        Kind::Send(_) | Kind::Receive => false,
        Kind::Persistent(persistent) if persistent.parts.is_none() => true,
        _ => return None,
    };
    let comm = object.after.is_none().then(|| object.comm.clone());
    Some((comm.flatten()?, is_kept))
}

/// What there is to wait for in a request.
pub(crate) enum Operation {
    /// Nothing: null, or persistent and not started.
    None,
    /// This; a null request is complete.
    Active(Request),
}

/// Puts an operation that is not complete back.
pub(crate) fn put_back(handle: MPI_Request, request: Request) {
    if let Some(object) = objects().requests.borrow_mut().get_mut(handle) {
        object.request = request;
    }
}

/// Finishes a request whose operation is complete: does what is left, frees it unless it is
/// persistent, and gives its status. The handle becomes null where MPI says so.
pub(crate) fn finish(
    here: &RankContext,
    handle: &mut MPI_Request,
    outcome: foretell_mpi::Result<Received>,
) -> (MPI_Status, Outcome) {
    let (comm, after, sort) = {
        let mut table = objects().requests.borrow_mut();
        let Some(object) = table.get_mut(*handle) else {
            drop(table);
            return (empty_status(), Err(no_such(MPI_ERR_REQUEST, "request", *handle)));
        };
        match &mut object.kind {
            Kind::Persistent(persistent) => {
                persistent.is_active = false;
                let cancelled = std::mem::take(&mut persistent.was_cancelled);
                (object.comm.clone(), object.after.take(), Sort::Plain { cancelled })
            }
            kind => {
                let sort = match kind {
                    Kind::General(general) => Sort::General(general.clone()),
                    Kind::File(bytes) => Sort::File(*bytes),
                    _ => Sort::Plain { cancelled: false },
                };
                let object = table.remove(*handle);
                *handle = MPI_REQUEST_NULL;
                match object {
                    Some(object) => (object.comm, object.after, sort),
                    None => (None, None, sort),
                }
            }
        }
    };
    if let Sort::General(general) = &sort {
        return crate::grequest::finish(general);
    }
    let cancelled = matches!(sort, Sort::Plain { cancelled: true });
    match outcome {
        Err(error) => (failed_status(comm.as_deref(), &error), Err(error.into())),
        Ok(received) => {
            let mut status = received.status;
            status.is_cancelled |= cancelled;
            let outcome = after.map_or(Ok(()), |after| after(here, &received));
            match sort {
                Sort::File(bytes) => (file_status(bytes), outcome),
                _ => (c_status(comm.as_deref(), &status), outcome),
            }
        }
    }
}

enum Sort {
    Plain { cancelled: bool },
    General(Rc<Grequest>),
    File(u64),
}

/// The status of an access to a file: it tells how many bytes were moved.
pub(crate) fn file_status(bytes: u64) -> MPI_Status {
    pack_status(MPI_ANY_SOURCE, MPI_ANY_TAG, bytes, false)
}

/// A status for C. The source, a rank of the world, becomes one of the communicator.
pub(crate) fn c_status(comm: Option<&CommObject>, status: &Status) -> MPI_Status {
    let source = match (comm, status.source) {
        (Some(comm), world @ 0..) => comm.comm.rank_of_world(world as u32),
        (_, source) => source,
    };
    pack_status(source, status.tag, status.bytes, status.is_cancelled)
}

/// A status whose source is a rank of the communicator already.
pub(crate) fn plain_status(status: &Status) -> MPI_Status {
    pack_status(status.source, status.tag, status.bytes, status.is_cancelled)
}

/// The words of a status: source, tag, error, then the size in two words and a flag.
pub(crate) fn pack_status(source: i32, tag: i32, bytes: u64, is_cancelled: bool) -> MPI_Status {
    let (low, high) = (bytes as u32 as i32, (bytes >> 32) as i32);
    MPI_Status {
        MPI_SOURCE: source,
        MPI_TAG: tag,
        MPI_ERROR: MPI_SUCCESS,
        MPI_internal: [low, high, i32::from(is_cancelled), 0, 0],
    }
}

/// The size a status tells, in bytes.
pub(crate) fn status_bytes(status: &MPI_Status) -> u64 {
    u64::from(status.MPI_internal[0] as u32) | u64::from(status.MPI_internal[1] as u32) << 32
}

/// Hands a status to a call that completes one operation: it leaves `MPI_ERROR` as it is.
/// MPI 4.1 section 3.2.5.
pub(crate) fn store(place: Out<MPI_Status>, status: MPI_Status) {
    store_at(place, 0, status);
}

/// The same in an array.
pub(crate) fn store_at(places: Out<MPI_Status>, at: usize, status: MPI_Status) {
    if status.MPI_SOURCE == MPI_ANY_SOURCE {
        // An empty status tells that there is no error either.
        places.set_at(at, status);
    } else if !places.is_null() {
        let before = places.slice(at + 1)[at].MPI_ERROR;
        places.set_at(at, MPI_Status { MPI_ERROR: before, ..status });
    }
}

/// The status of what never was: MPI 4.1 section 3.7.3.
pub(crate) fn empty_status() -> MPI_Status {
    pack_status(MPI_ANY_SOURCE, MPI_ANY_TAG, 0, false)
}

fn failed_status(comm: Option<&CommObject>, error: &foretell_mpi::Error) -> MPI_Status {
    match error {
        foretell_mpi::Error::Truncated { source_rank, tag, room, .. } => {
            let source = comm.map_or(MPI_ANY_SOURCE, |comm| comm.comm.rank_of_world(*source_rank));
            pack_status(source, *tag, *room, false)
        }
        _ => empty_status(),
    }
}

/// Whether a request is complete, and its status; it stays as it is.
pub(crate) fn peek(here: &RankContext, handle: MPI_Request) -> Result<(bool, MPI_Status), Failure> {
    let operation = match take_operation(handle)? {
        Operation::None => return Ok((true, empty_status())),
        Operation::Active(operation) => operation,
    };
    let found = match operation.is_null() {
        true => Some(Received::nothing().status),
        false => foretell_ranks::block_on(here.comm.peek(&operation)),
    };
    put_back(handle, operation);
    let table = objects().requests.borrow();
    let object = table.get(handle);
    if let (Some(Kind::File(bytes)), Some(_)) = (object.map(|object| &object.kind), &found) {
        return Ok((true, file_status(*bytes)));
    }
    let comm = object.and_then(|object| object.comm.as_deref());
    Ok(match found {
        Some(status) => (true, c_status(comm, &status)),
        None => (false, empty_status()),
    })
}
