//! Looking at requests without completing them. MPI 4.1 section 3.7.6.

use std::ffi::c_int;

use crate::abi::*;
use crate::call::mpi;
use crate::objects::objects;
use crate::pointer::{In, Out};
use crate::request::{self, store, store_at};

mpi! {
    /// `MPI_Request_get_status`.
    timed fn MPI_Request_get_status(
        request: MPI_Request, flag: Out<c_int>, status: Out<MPI_Status>,
    ) -> c_int, |here| {
        let (is_done, found) = request::peek(here, request)?;
        flag.set(c_int::from(is_done));
        if is_done {
            store(status, found);
        }
        Ok(())
    }

    /// `MPI_Request_get_status_any`.
    timed fn MPI_Request_get_status_any(
        count: c_int, requests: In<MPI_Request>, index: Out<c_int>, flag: Out<c_int>,
        status: Out<MPI_Status>,
    ) -> c_int, |here| {
        let handles = requests.slice(count.max(0) as usize);
        let (mut is_idle, mut done) = (true, None);
        for (at, handle) in handles.iter().enumerate().filter(|(_, handle)| is_active(**handle)) {
            is_idle = false;
            if let (true, found) = request::peek(here, *handle)? {
                done = Some((at as c_int, found));
                break;
            }
        }
        flag.set(c_int::from(is_idle || done.is_some()));
        let (at, found) = done.unwrap_or((MPI_UNDEFINED, request::empty_status()));
        index.set(at);
        if is_idle || at != MPI_UNDEFINED {
            store(status, found);
        }
        Ok(())
    }

    /// `MPI_Request_get_status_all`.
    timed fn MPI_Request_get_status_all(
        count: c_int, requests: In<MPI_Request>, flag: Out<c_int>, statuses: Out<MPI_Status>,
    ) -> c_int, |here| {
        let handles = requests.slice(count.max(0) as usize);
        let mut all = Vec::with_capacity(handles.len());
        for handle in handles {
            let (is_done, found) = request::peek(here, *handle)?;
            if !is_done {
                flag.set(0);
                return Ok(());
            }
            all.push(found);
        }
        flag.set(1);
        all.into_iter().enumerate().for_each(|(at, found)| store_at(statuses, at, found));
        Ok(())
    }

    /// `MPI_Request_get_status_some`.
    timed fn MPI_Request_get_status_some(
        count: c_int, requests: In<MPI_Request>, outcount: Out<c_int>, indices: Out<c_int>,
        statuses: Out<MPI_Status>,
    ) -> c_int, |here| {
        let handles = requests.slice(count.max(0) as usize);
        let (mut is_idle, mut done) = (true, 0);
        for (at, handle) in handles.iter().enumerate().filter(|(_, handle)| is_active(**handle)) {
            is_idle = false;
            if let (true, found) = request::peek(here, *handle)? {
                indices.set_at(done, at as c_int);
                store_at(statuses, done, found);
                done += 1;
            }
        }
        outcount.set(if is_idle { MPI_UNDEFINED } else { done as c_int });
        Ok(())
    }
}

/// Whether there is anything to ask about a request: it is not null, and started.
fn is_active(handle: MPI_Request) -> bool {
    handle != MPI_REQUEST_NULL
        && objects().requests.borrow().get(handle).is_some_and(|object| !object.is_idle())
}
