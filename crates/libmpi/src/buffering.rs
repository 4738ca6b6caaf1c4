//! Buffers of buffered sends. MPI 4.1 section 3.6.
//!
//! Messages are copied out of the program when they are sent, into memory of the library, so a
//! buffer is only remembered here: it holds nothing, and nothing has to be waited for when it is
//! flushed or detached.

use std::cell::Cell;
use std::ffi::c_void;

use foretell_mpi::Request;

use crate::abi::*;
use crate::call::{mpi, mpi_large};
use crate::failure::{Outcome, bad};
use crate::pointer::Out;
use crate::request::{Kind, RequestObject};
use crate::session;

/// An address and a size; nothing is attached at address 0.
type Place = Cell<(usize, i64)>;

/// Remembers a buffer of the program.
fn attach(place: &Place, buffer: Out<c_void>, size: i64) -> Outcome {
    if place.get().0 != 0 {
        return bad(MPI_ERR_BUFFER, "a buffer is attached already; detach it first");
    }
    if size < 0 {
        return bad(MPI_ERR_ARG, format!("a size of {size} is negative"));
    }
    let address = buffer.given("buffer")?.address();
    // A buffer that the library provides has no size.
    place.set((address, if address == MPI_BUFFER_AUTOMATIC { 0 } else { size }));
    Ok(())
}

/// Gives a buffer back: a null pointer if none is attached.
fn detach(place: &Place, buffer: Out<usize>) -> Result<i64, crate::failure::Failure> {
    let (address, size) = place.replace((0, 0));
    buffer.given("buffer_addr")?.set(address);
    Ok(size)
}

/// A request that is complete.
fn flushed(request: Out<MPI_Request>) -> Outcome {
    let (kind, after) = (Kind::Collective, None);
    let object = RequestObject { request: Request::NULL, comm: None, kind, after };
    request.given("request")?.set(object.keep());
    Ok(())
}

mpi_large! {
    /// `MPI_Buffer_attach`.
    local fn MPI_Buffer_attach(buffer: Out<c_void>, size: C) -> c_int, |here| {
        attach(&here.buffer, buffer, i64::from(size))
    }

    /// `MPI_Buffer_detach`.
    timed fn MPI_Buffer_detach(buffer: Out<usize>, size: Out<C>) -> c_int, |here| {
        size.given("size")?.set(detach(&here.buffer, buffer)? as C);
        Ok(())
    }

    /// `MPI_Comm_attach_buffer`.
    local fn MPI_Comm_attach_buffer(comm: MPI_Comm, buffer: Out<c_void>, size: C) -> c_int
        on Comm(comm), |here| {
        attach(&here.comm(comm)?.buffer, buffer, i64::from(size))
    }

    /// `MPI_Comm_detach_buffer`.
    timed fn MPI_Comm_detach_buffer(comm: MPI_Comm, buffer: Out<usize>, size: Out<C>) -> c_int
        on Comm(comm), |here| {
        size.given("size")?.set(detach(&here.comm(comm)?.buffer, buffer)? as C);
        Ok(())
    }

    /// `MPI_Session_attach_buffer`.
    local fn MPI_Session_attach_buffer(session: MPI_Session, buffer: Out<c_void>, size: C) -> c_int
        on Session(session), |here| {
        let _ = here;
        attach(&session::lookup(session)?.buffer, buffer, i64::from(size))
    }

    /// `MPI_Session_detach_buffer`.
    timed fn MPI_Session_detach_buffer(session: MPI_Session, buffer: Out<usize>, size: Out<C>)
        -> c_int on Session(session), |here| {
        let _ = here;
        size.given("size")?.set(detach(&session::lookup(session)?.buffer, buffer)? as C);
        Ok(())
    }
}

mpi! {
    /// `MPI_Buffer_flush`.
    timed fn MPI_Buffer_flush() -> c_int, |here| {
        let _ = here;
        Ok(())
    }

    /// `MPI_Buffer_iflush`.
    timed fn MPI_Buffer_iflush(request: Out<MPI_Request>) -> c_int, |here| {
        let _ = here;
        flushed(request)
    }

    /// `MPI_Comm_flush_buffer`.
    timed fn MPI_Comm_flush_buffer(comm: MPI_Comm) -> c_int on Comm(comm), |here| {
        here.comm(comm).map(drop)
    }

    /// `MPI_Comm_iflush_buffer`.
    timed fn MPI_Comm_iflush_buffer(comm: MPI_Comm, request: Out<MPI_Request>) -> c_int
        on Comm(comm), |here| {
        here.comm(comm)?;
        flushed(request)
    }

    /// `MPI_Session_flush_buffer`.
    timed fn MPI_Session_flush_buffer(session: MPI_Session) -> c_int on Session(session), |here| {
        let _ = here;
        session::lookup(session).map(drop)
    }

    /// `MPI_Session_iflush_buffer`.
    timed fn MPI_Session_iflush_buffer(session: MPI_Session, request: Out<MPI_Request>) -> c_int
        on Session(session), |here| {
        let _ = here;
        session::lookup(session)?;
        flushed(request)
    }
}
