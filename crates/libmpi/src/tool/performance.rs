//! Performance variables and their sessions. MPI 4.1 section 15.3.7.

use std::ffi::{c_char, c_int, c_void};

use super::variables::{PERFORMANCES, Performance, Value};
use super::{Tools, at, ensure_initialised, find, give_text};
use crate::abi::*;
use crate::call::mpi;
use crate::failure::{Failure, Outcome, bad};
use crate::objects::objects;
use crate::pointer::{In, Out};
use crate::rank::RankContext;

/// A tool's hold of a variable.
pub(crate) struct PvarHandle {
    session: MPI_T_pvar_session,
    variable: &'static Performance,
    /// What the variable was when the tool last reset it.
    base: Value,
}

/// A handle of a session.
fn held(
    tools: &mut Tools,
    session: MPI_T_pvar_session,
    handle: MPI_T_pvar_handle,
) -> Result<&mut PvarHandle, Failure> {
    if tools.sessions.get(session).is_none() {
        return bad(MPI_T_ERR_INVALID_SESSION, "no session of performance variables");
    }
    match tools.handles.get_mut(handle) {
        Some(held) if held.session == session => Ok(held),
        _ => bad(MPI_T_ERR_INVALID_HANDLE, "no handle of a performance variable of this session"),
    }
}

/// Reads a variable, and lets it begin anew if that is wanted.
fn read(
    here: &RankContext,
    session: MPI_T_pvar_session,
    handle: MPI_T_pvar_handle,
    buf: Out<c_void>,
    resets: bool,
) -> Outcome {
    ensure_initialised(here)?;
    let tools = &mut *objects().tools.borrow_mut();
    let held = held(tools, session, handle)?;
    let now = (held.variable.read)(here);
    now.since(&held.base).write(buf.address());
    if resets {
        held.base = now;
    }
    Ok(())
}

/// A change that the variables here never allow: told for one handle, ignored for all.
fn refuse(
    here: &RankContext,
    session: MPI_T_pvar_session,
    handle: MPI_T_pvar_handle,
    code: c_int,
    text: &'static str,
) -> Outcome {
    ensure_initialised(here)?;
    if handle == MPI_T_PVAR_ALL_HANDLES {
        return Ok(());
    }
    held(&mut objects().tools.borrow_mut(), session, handle)?;
    bad(code, text)
}

mpi! {
    /// `MPI_T_pvar_get_num`.
    early fn MPI_T_pvar_get_num(num: Out<c_int>) -> c_int on Tool(()), |here| {
        ensure_initialised(here)?;
        num.set(PERFORMANCES.len() as c_int);
        Ok(())
    }

    /// `MPI_T_pvar_get_index`.
    early fn MPI_T_pvar_get_index(
        name: In<c_char>, class: c_int, index: Out<c_int>,
    ) -> c_int on Tool(()), |here| {
        ensure_initialised(here)?;
        let found = find(PERFORMANCES.iter().map(|variable| variable.name), &name.text())?;
        if at(PERFORMANCES, found)?.class != class {
            return bad(MPI_T_ERR_INVALID_NAME, "the variable of this name is of another class");
        }
        index.set(found);
        Ok(())
    }

    /// `MPI_T_pvar_get_info`.
    early fn MPI_T_pvar_get_info(
        index: c_int, name: Out<c_char>, name_len: Out<c_int>, verbosity: Out<c_int>,
        class: Out<c_int>, datatype: Out<MPI_Datatype>, enumtype: Out<MPI_T_enum>,
        desc: Out<c_char>, desc_len: Out<c_int>, bind: Out<c_int>, readonly: Out<c_int>,
        continuous: Out<c_int>, atomic: Out<c_int>,
    ) -> c_int on Tool(()), |here| {
        ensure_initialised(here)?;
        let variable = at(PERFORMANCES, index)?;
        give_text(variable.name, name, name_len);
        give_text(variable.description, desc, desc_len);
        verbosity.set(MPI_T_VERBOSITY_USER_BASIC);
        class.set(variable.class);
        datatype.set(variable.datatype);
        enumtype.set(MPI_T_ENUM_NULL);
        bind.set(MPI_T_BIND_NO_OBJECT);
        readonly.set(0);
        continuous.set(1);
        atomic.set(1);
        Ok(())
    }

    /// `MPI_T_pvar_session_create`.
    early fn MPI_T_pvar_session_create(
        session: Out<MPI_T_pvar_session>,
    ) -> c_int on Tool(()), |here| {
        ensure_initialised(here)?;
        session.set(objects().tools.borrow_mut().sessions.insert(here.number()));
        Ok(())
    }

    /// `MPI_T_pvar_session_free`.
    early fn MPI_T_pvar_session_free(
        session: Out<MPI_T_pvar_session>,
    ) -> c_int on Tool(()), |here| {
        ensure_initialised(here)?;
        if objects().tools.borrow_mut().sessions.remove(session.get()).is_none() {
            return bad(MPI_T_ERR_INVALID_SESSION, "no session of performance variables");
        }
        session.set(MPI_T_PVAR_SESSION_NULL);
        Ok(())
    }

    /// `MPI_T_pvar_handle_alloc`.
    early fn MPI_T_pvar_handle_alloc(
        session: MPI_T_pvar_session, index: c_int, object: usize, handle: Out<MPI_T_pvar_handle>,
        count: Out<c_int>,
    ) -> c_int on Tool(()), |here| {
        let _ = object;
        ensure_initialised(here)?;
        let variable = at(PERFORMANCES, index)?;
        let tools = &mut *objects().tools.borrow_mut();
        if tools.sessions.get(session).is_none() {
            return bad(MPI_T_ERR_INVALID_SESSION, "no session of performance variables");
        }
        let base = (variable.read)(here);
        handle.set(tools.handles.insert(PvarHandle { session, variable, base }));
        count.set(1);
        Ok(())
    }

    /// `MPI_T_pvar_handle_free`.
    early fn MPI_T_pvar_handle_free(
        session: MPI_T_pvar_session, handle: Out<MPI_T_pvar_handle>,
    ) -> c_int on Tool(()), |here| {
        ensure_initialised(here)?;
        let tools = &mut *objects().tools.borrow_mut();
        held(tools, session, handle.get())?;
        drop(tools.handles.remove(handle.get()));
        handle.set(MPI_T_PVAR_HANDLE_NULL);
        Ok(())
    }

    /// `MPI_T_pvar_start`.
    early fn MPI_T_pvar_start(
        session: MPI_T_pvar_session, handle: MPI_T_pvar_handle,
    ) -> c_int on Tool(()), |here| {
        let why = "the variable runs all the time and is not started";
        refuse(here, session, handle, MPI_T_ERR_PVAR_NO_STARTSTOP, why)
    }

    /// `MPI_T_pvar_stop`.
    early fn MPI_T_pvar_stop(
        session: MPI_T_pvar_session, handle: MPI_T_pvar_handle,
    ) -> c_int on Tool(()), |here| {
        let why = "the variable runs all the time and cannot be stopped";
        refuse(here, session, handle, MPI_T_ERR_PVAR_NO_STARTSTOP, why)
    }

    /// `MPI_T_pvar_write`.
    early fn MPI_T_pvar_write(
        session: MPI_T_pvar_session, handle: MPI_T_pvar_handle, buf: In<c_void>,
    ) -> c_int on Tool(()), |here| {
        let _ = buf;
        let why = "what the simulation counts cannot be written";
        refuse(here, session, handle, MPI_T_ERR_PVAR_NO_WRITE, why)
    }

    /// `MPI_T_pvar_read`.
    early fn MPI_T_pvar_read(
        session: MPI_T_pvar_session, handle: MPI_T_pvar_handle, buf: Out<c_void>,
    ) -> c_int on Tool(()), |here| {
        read(here, session, handle, buf, false)
    }

    /// `MPI_T_pvar_readreset`.
    early fn MPI_T_pvar_readreset(
        session: MPI_T_pvar_session, handle: MPI_T_pvar_handle, buf: Out<c_void>,
    ) -> c_int on Tool(()), |here| {
        read(here, session, handle, buf, true)
    }

    /// `MPI_T_pvar_reset`.
    early fn MPI_T_pvar_reset(
        session: MPI_T_pvar_session, handle: MPI_T_pvar_handle,
    ) -> c_int on Tool(()), |here| {
        ensure_initialised(here)?;
        let tools = &mut *objects().tools.borrow_mut();
        if handle == MPI_T_PVAR_ALL_HANDLES {
            tools.handles.each_mut(|held| {
                if held.session == session {
                    held.base = (held.variable.read)(here);
                }
            });
            return Ok(());
        }
        let held = held(tools, session, handle)?;
        held.base = (held.variable.read)(here);
        Ok(())
    }
}
