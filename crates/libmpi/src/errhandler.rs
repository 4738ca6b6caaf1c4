//! Error handlers: what happens when a call fails. MPI 4.1 section 9.3.

pub(crate) mod functions;
mod slot;

use std::ffi::c_int;

use crate::abi::*;
use crate::alone;
use crate::failure::{Failure, OnError};
use crate::objects::objects;
use crate::place;
use crate::rank::{Phase, RankContext};
use crate::report;

pub(crate) use slot::{HandlerObject, HandlerSlot};

/// How a program can live with the errors of a call.
fn hint(call: &str) -> String {
    let object = match call {
        _ if call.starts_with("MPI_File_") => "File",
        _ if call.starts_with("MPI_Win_") => "Win",
        _ => "Comm",
    };
    format!(
        "\n  errors end the program, as MPI_ERRORS_ARE_FATAL says; after \
         MPI_{object}_set_errhandler({}, MPI_ERRORS_RETURN) calls return a code instead",
        object.to_lowercase()
    )
}

/// An error handler of the program.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Errhandler {
    /// For communicators.
    Comm(MPI_Comm_errhandler_function),
    /// For sessions.
    Session(MPI_Session_errhandler_function),
    /// For windows.
    Win(MPI_Win_errhandler_function),
    /// For files.
    File(MPI_File_errhandler_function),
}

/// Hands an error to its handler; gives what the call returns, if it returns at all: the error code,
/// or what the handler made of it.
pub(crate) fn raise(call: &'static str, on: OnError, failure: Failure) -> c_int {
    let Some(here) = RankContext::current() else { report::fatal(&failure.text) };
    if matches!(on, OnError::Tool(())) {
        return failure.code;
    }
    let (handler, object) = handler_of(here, on);
    handle(here, call, handler, object, &failure)
}

/// Lets a handler act on an error; comes back unless the handler is one that ends the run.
fn handle(
    here: &RankContext,
    call: &'static str,
    handler: MPI_Errhandler,
    object: Handle,
    failure: &Failure,
) -> c_int {
    match handler {
        MPI_ERRORS_RETURN => failure.code,
        MPI_ERRORS_ARE_FATAL | MPI_ERRORS_ABORT => fatal(here, call, failure),
        _ => {
            let found = objects().errhandlers.borrow().get(handler).map(|object| object.handler);
            match found {
                Some(handler) => call_handler(handler, object, failure.code),
                None => fatal(here, call, failure),
            }
        }
    }
}

/// Calls a handler of the program, which may change the error code.
fn call_handler(handler: Errhandler, object: Handle, code: c_int) -> c_int {
    let (mut object, mut code) = (object, code);
    // SAFETY: functions of the program, called as MPI says, with nothing of ours borrowed.
    unsafe {
        match handler {
            Errhandler::Comm(Some(f)) => f(&mut object, &mut code),
            Errhandler::Session(Some(f)) => f(&mut object, &mut code),
            Errhandler::Win(Some(f)) => f(&mut object, &mut code),
            Errhandler::File(Some(f)) => f(&mut object, &mut code),
            _ => {}
        }
    }
    code
}

/// The handler that hears of an error, and the object it is told of.
///
/// A communicator on which, and on whose ancestors, none was ever set asks that of `MPI_COMM_WORLD`
/// as it is now, and so does a window, as in MPICH: programs set it there late and mean all.
fn handler_of(here: &RankContext, on: OnError) -> (MPI_Errhandler, Handle) {
    match on {
        OnError::Comm(handle) => {
            if let Ok(comm) = here.comm(handle) {
                let own = comm.errhandler.set_one();
                return (own.unwrap_or_else(|| here.world.errhandler.get()), handle);
            }
        }
        OnError::Session(handle) => {
            if let Some(session) = objects().sessions.borrow().get(handle) {
                return (session.errhandler.get(), handle);
            }
        }
        OnError::Win(handle) => {
            let own = objects().wins.borrow().get(handle).and_then(|win| win.errhandler.set_one());
            if let Some(own) = own {
                return (own, handle);
            }
        }
        OnError::File(handle) => {
            return match objects().files.borrow().get(handle) {
                Some(file) => (file.errhandler.get(), handle),
                None => (here.file_errhandler.get(), MPI_FILE_NULL),
            };
        }
        OnError::Process | OnError::Tool(()) => {}
    }
    match here.itself_if_used().and_then(|comm| comm.errhandler.set_one()) {
        Some(handler) => (handler, MPI_COMM_SELF),
        None => (here.world.errhandler.get(), MPI_COMM_WORLD),
    }
}

/// Ends the run: nobody handles this error.
pub(crate) fn fatal(here: &RankContext, call: &'static str, failure: &Failure) -> ! {
    let mut text = format!("{call}: {}", failure.text);
    if let Some(place) = place::of(here.caller.get()) {
        text += &format!("\n  called at {place}");
    }
    if here.phase.get() == Phase::Running {
        text += &hint(call);
    }
    crate::fortran::units::flush();
    if alone::is_on_its_own() {
        report::fatal(&text);
    }
    here.comm.fail(&text);
    foretell_ranks::end(report::FAILED)
}
