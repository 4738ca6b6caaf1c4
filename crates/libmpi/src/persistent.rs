//! Starting persistent requests; freeing and cancelling requests. MPI 4.1 sections 3.7.3, 3.8.4
//! and 3.9.

use std::ffi::c_int;
use std::rc::Rc;

use foretell_mpi::{Request, SendTrace};

use crate::abi::*;
use crate::call::mpi;
use crate::check;
use crate::comm::CommObject;
use crate::failure::{Outcome, bad};
use crate::grequest;
use crate::objects::{no_such, objects};
use crate::partitioned::Partitioned;
use crate::pointer::{In, Out};
use crate::rank::RankContext;
use crate::request::{Kind, Persistent, RequestObject, Start, Started};

impl Persistent {
    /// Keeps a request that is not started.
    pub(crate) fn keep(comm: Rc<CommObject>, start: Rc<Start>) -> MPI_Request {
        Self::keep_with(comm, start, None)
    }

    /// The same for partitioned communication.
    pub(crate) fn keep_partitioned(
        comm: Rc<CommObject>,
        start: Rc<Start>,
        parts: Partitioned,
    ) -> MPI_Request {
        Self::keep_with(comm, start, Some(parts))
    }

    fn keep_with(
        comm: Rc<CommObject>,
        start: Rc<Start>,
        parts: Option<Partitioned>,
    ) -> MPI_Request {
        let (is_active, trace, was_cancelled) = (false, SendTrace::NONE, false);
        let persistent = Persistent { start, is_active, trace, was_cancelled, parts };
        let kind = Kind::Persistent(Box::new(persistent));
        RequestObject { request: Request::NULL, comm: Some(comm), kind, after: None }.keep()
    }
}

fn start(here: &RankContext, handle: MPI_Request) -> Outcome {
    let begin = {
        let mut table = objects().requests.borrow_mut();
        let Some(object) = table.get_mut(handle) else {
            drop(table);
            return Err(no_such(MPI_ERR_REQUEST, "request", handle));
        };
        match &mut object.kind {
            Kind::Persistent(persistent) if !persistent.is_active => persistent.start.clone(),
            Kind::Persistent(_) => {
                return bad(MPI_ERR_REQUEST, "the request was started before and is not complete");
            }
            _ => return bad(MPI_ERR_REQUEST, "only persistent requests can be started"),
        }
    };
    let Started { request, trace, after, noted } = begin(here)?;
    check::hold(handle, noted);
    let mut table = objects().requests.borrow_mut();
    if let Some(object) = table.get_mut(handle) {
        object.request = request;
        object.after = after;
        if let Kind::Persistent(persistent) = &mut object.kind {
            (persistent.is_active, persistent.trace) = (true, trace);
        }
    }
    Ok(())
}

mpi! {
    /// `MPI_Start`.
    timed fn MPI_Start(request: In<MPI_Request>) -> c_int, |here| {
        start(here, request.get())
    }

    /// `MPI_Startall`.
    timed fn MPI_Startall(count: c_int, requests: In<MPI_Request>) -> c_int, |here| {
        requests.slice(count.max(0) as usize).iter().try_for_each(|handle| start(here, *handle))
    }

    /// `MPI_Request_free`.
    local fn MPI_Request_free(request: Out<MPI_Request>) -> c_int, |here| {
        let handle = request.get();
        let object = objects().requests.borrow_mut().remove(handle);
        let object = object.ok_or_else(|| no_such(MPI_ERR_REQUEST, "request", handle))?;
        if check::is_on() {
            check::freed(here, handle);
        }
        request.set(MPI_REQUEST_NULL);
        free(here, object)
    }

    /// `MPI_Cancel`.
    local fn MPI_Cancel(request: In<MPI_Request>) -> c_int, |here| {
        let handle = request.get();
        let mut table = objects().requests.borrow_mut();
        let Some(object) = table.get_mut(handle) else {
            drop(table);
            return Err(no_such(MPI_ERR_REQUEST, "request", handle));
        };
        let RequestObject { request, kind, .. } = object;
        let mut is_withdrawn = false;
        match kind {
            Kind::Send(trace) => {
                is_withdrawn = here.comm.withdraw(request, *trace);
                if is_withdrawn && request.is_null() {
                    object.after = None;
                    *request = here.comm.cancelled();
                }
            }
            Kind::Receive => is_withdrawn = here.comm.withdraw(request, SendTrace::NONE),
            Kind::Persistent(persistent) => {
                is_withdrawn = here.comm.withdraw(request, persistent.trace);
                persistent.was_cancelled = is_withdrawn;
            }
            // What is under way comes to its end, which cancelling may leave it to.
            Kind::File(_) => {}
            Kind::Collective => return bad(MPI_ERR_REQUEST, "collectives cannot be cancelled"),
            Kind::General(general) => {
                let (general, is_complete) = (general.clone(), here.comm.is_complete(request));
                drop(table);
                return grequest::cancel(&general, is_complete);
            }
        }
        if is_withdrawn && check::is_on() {
            check::withdrawn(here, handle);
        }
        Ok(())
    }

    /// `MPI_Test_cancelled`.
    local fn MPI_Test_cancelled(status: In<MPI_Status>, flag: Out<c_int>) -> c_int, |here| {
        let _ = here;
        flag.set(c_int::from(status.get().MPI_internal[2] != 0));
        Ok(())
    }

    /// `MPI_Status_set_cancelled`.
    local fn MPI_Status_set_cancelled(status: Out<MPI_Status>, flag: c_int) -> c_int, |here| {
        let _ = here;
        let mut changed = status.get();
        changed.MPI_internal[2] = c_int::from(flag != 0);
        status.set(changed);
        Ok(())
    }
}

/// Lets an operation end by itself. What has to be unpacked at its end is waited for by an actor.
fn free(here: &RankContext, object: RequestObject) -> Outcome {
    let RequestObject { request, kind, after, .. } = object;
    if let Kind::General(general) = kind {
        return grequest::finish(&general).1;
    }
    match after {
        None => here.comm.abandon(request),
        Some(after) => here.comm.attend(request, move |received| {
            // The rank has gone on: there is nobody to tell of an error.
            let _ = RankContext::peek().map(|here| after(here, &received));
        }),
    }
    Ok(())
}
