//! The functions that make, set, get and call error handlers.

use std::ffi::c_int;

use super::slot::{release, retain};
use super::{Errhandler, HandlerObject, HandlerSlot, handle};
use crate::abi::*;
use crate::call::mpi;
use crate::check as checker;
use crate::failure::{Failure, Outcome, bad};
use crate::file;
use crate::objects::{no_such, objects};
use crate::pointer::Out;
use crate::rank::RankContext;
use crate::session;

/// What a handler is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sort {
    Comm,
    Session,
    Win,
    File,
}

impl Errhandler {
    fn sort(self) -> Sort {
        match self {
            Errhandler::Comm(_) => Sort::Comm,
            Errhandler::Session(_) => Sort::Session,
            Errhandler::Win(_) => Sort::Win,
            Errhandler::File(_) => Sort::File,
        }
    }
}

/// Whether a handler may be set on objects of a sort.
pub(crate) fn check(handle: MPI_Errhandler, sort: Sort) -> Outcome {
    if let MPI_ERRORS_ARE_FATAL | MPI_ERRORS_ABORT | MPI_ERRORS_RETURN = handle {
        return Ok(());
    }
    let found = objects().errhandlers.borrow().get(handle).map(|object| object.handler.sort());
    match found {
        Some(found) if found == sort => Ok(()),
        Some(found) => {
            bad(MPI_ERR_ERRHANDLER, format!("an error handler for {found:?}, not for {sort:?}"))
        }
        None => Err(no_such(MPI_ERR_ERRHANDLER, "error handler", handle)),
    }
}

/// Sets a handler on an object.
pub(crate) fn set(slot: &HandlerSlot, handle: MPI_Errhandler, sort: Sort) -> Outcome {
    check(handle, sort)?;
    slot.set(handle);
    Ok(())
}

/// The handler of an object, which the program holds from now on too.
pub(crate) fn get(slot: &HandlerSlot) -> MPI_Errhandler {
    retain(slot.get());
    slot.get()
}

/// Keeps a function of the program as a handler.
fn create(handler: Errhandler, is_null: bool, result: Out<MPI_Errhandler>) -> Outcome {
    if is_null {
        return bad(MPI_ERR_ARG, "the function of the error handler is a null pointer");
    }
    result.given("errhandler")?.set(HandlerObject::keep(handler));
    Ok(())
}

/// Lets the handler of an object act on an error of the program's own.
pub(crate) fn call(here: &RankContext, slot: &HandlerSlot, object: Handle, code: c_int) -> Outcome {
    let text = crate::error_string::text(here, code).unwrap_or_else(|| "unknown error".into());
    let failure = Failure::new(code, format!("called by the program with code {code}: {text}"));
    handle(here, here.call.get(), slot.get(), object, &failure);
    Ok(())
}

/// Does something with the place where the handler of a file is set. That of `MPI_FILE_NULL` is for
/// errors of files that are not open, and what files start with.
fn with_file<R>(
    here: &RankContext,
    handle: MPI_File,
    act: impl FnOnce(&HandlerSlot) -> R,
) -> Result<R, Failure> {
    match handle {
        MPI_FILE_NULL => Ok(act(&here.file_errhandler)),
        _ => Ok(act(&file::lookup(handle)?.errhandler)),
    }
}

mpi! {
    /// `MPI_Comm_create_errhandler`.
    early fn MPI_Comm_create_errhandler(
        function: MPI_Comm_errhandler_function, errhandler: Out<MPI_Errhandler>,
    ) -> c_int, |here| {
        let _ = here;
        create(Errhandler::Comm(function), function.is_none(), errhandler)
    }

    /// `MPI_Comm_set_errhandler`.
    local fn MPI_Comm_set_errhandler(comm: MPI_Comm, errhandler: MPI_Errhandler) -> c_int
        on Comm(comm), |here| {
        set(&here.comm(comm)?.errhandler, errhandler, Sort::Comm)
    }

    /// `MPI_Comm_get_errhandler`.
    local fn MPI_Comm_get_errhandler(comm: MPI_Comm, errhandler: Out<MPI_Errhandler>) -> c_int
        on Comm(comm), |here| {
        let comm = here.comm(comm)?;
        errhandler.given("errhandler")?.set(get(&comm.errhandler));
        Ok(())
    }

    /// `MPI_Comm_call_errhandler`.
    local fn MPI_Comm_call_errhandler(comm: MPI_Comm, errorcode: c_int) -> c_int
        on Comm(comm), |here| {
        here.call.set("MPI_Comm_call_errhandler");
        let found = here.comm(comm)?;
        call(here, &found.errhandler, comm, errorcode)
    }

    /// `MPI_Session_create_errhandler`.
    early fn MPI_Session_create_errhandler(
        function: MPI_Session_errhandler_function, errhandler: Out<MPI_Errhandler>,
    ) -> c_int, |here| {
        let _ = here;
        create(Errhandler::Session(function), function.is_none(), errhandler)
    }

    /// `MPI_Session_set_errhandler`.
    early fn MPI_Session_set_errhandler(session: MPI_Session, errhandler: MPI_Errhandler) -> c_int
        on Session(session), |here| {
        let _ = here;
        set(&session::lookup(session)?.errhandler, errhandler, Sort::Session)
    }

    /// `MPI_Session_get_errhandler`.
    early fn MPI_Session_get_errhandler(session: MPI_Session, errhandler: Out<MPI_Errhandler>)
        -> c_int on Session(session), |here| {
        let _ = here;
        errhandler.given("errhandler")?.set(get(&session::lookup(session)?.errhandler));
        Ok(())
    }

    /// `MPI_Session_call_errhandler`.
    early fn MPI_Session_call_errhandler(session: MPI_Session, errorcode: c_int) -> c_int
        on Session(session), |here| {
        here.call.set("MPI_Session_call_errhandler");
        let found = session::lookup(session)?;
        call(here, &found.errhandler, session, errorcode)
    }

    /// `MPI_Win_create_errhandler`.
    early fn MPI_Win_create_errhandler(
        function: MPI_Win_errhandler_function, errhandler: Out<MPI_Errhandler>,
    ) -> c_int, |here| {
        let _ = here;
        create(Errhandler::Win(function), function.is_none(), errhandler)
    }

    /// `MPI_File_create_errhandler`.
    early fn MPI_File_create_errhandler(
        function: MPI_File_errhandler_function, errhandler: Out<MPI_Errhandler>,
    ) -> c_int, |here| {
        let _ = here;
        create(Errhandler::File(function), function.is_none(), errhandler)
    }

    /// `MPI_File_set_errhandler`.
    early fn MPI_File_set_errhandler(file: MPI_File, errhandler: MPI_Errhandler) -> c_int
        on File(file), |here| {
        with_file(here, file, |slot| set(slot, errhandler, Sort::File))?
    }

    /// `MPI_File_get_errhandler`.
    early fn MPI_File_get_errhandler(file: MPI_File, errhandler: Out<MPI_Errhandler>) -> c_int
        on File(file), |here| {
        let errhandler = errhandler.given("errhandler")?;
        errhandler.set(with_file(here, file, get)?);
        Ok(())
    }

    /// `MPI_File_call_errhandler`.
    early fn MPI_File_call_errhandler(fh: MPI_File, errorcode: c_int) -> c_int
        on File(fh), |here| {
        here.call.set("MPI_File_call_errhandler");
        let slot = with_file(here, fh, HandlerSlot::clone)?;
        call(here, &slot, fh, errorcode)
    }

    /// `MPI_Errhandler_free`: the handler stays where it is set.
    early fn MPI_Errhandler_free(errhandler: Out<MPI_Errhandler>) -> c_int, |here| {
        let handle = errhandler.given("errhandler")?.get();
        let is_predefined =
            matches!(handle, MPI_ERRORS_ARE_FATAL | MPI_ERRORS_ABORT | MPI_ERRORS_RETURN);
        if !is_predefined && !release(handle) {
            return Err(no_such(MPI_ERR_ERRHANDLER, "error handler", handle));
        }
        if checker::is_on() {
            checker::forget(here, checker::Sort::Errhandler, handle);
        }
        errhandler.set(MPI_ERRHANDLER_NULL);
        Ok(())
    }

    /// `MPI_Errhandler_create`, the old name of `MPI_Comm_create_errhandler`.
    early fn MPI_Errhandler_create(
        function: MPI_Handler_function, errhandler: Out<MPI_Errhandler>,
    ) -> c_int, |here| {
        let _ = here;
        create(Errhandler::Comm(function), function.is_none(), errhandler)
    }

    /// `MPI_Errhandler_set`, the old name of `MPI_Comm_set_errhandler`.
    local fn MPI_Errhandler_set(comm: MPI_Comm, errhandler: MPI_Errhandler) -> c_int
        on Comm(comm), |here| {
        set(&here.comm(comm)?.errhandler, errhandler, Sort::Comm)
    }

    /// `MPI_Errhandler_get`, the old name of `MPI_Comm_get_errhandler`.
    local fn MPI_Errhandler_get(comm: MPI_Comm, errhandler: Out<MPI_Errhandler>) -> c_int
        on Comm(comm), |here| {
        let comm = here.comm(comm)?;
        errhandler.given("errhandler")?.set(get(&comm.errhandler));
        Ok(())
    }
}
