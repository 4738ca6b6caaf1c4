//! Sessions: MPI without a world of its own. MPI 4.1 section 11.3.
//!
//! Two sets of processes are known: `mpi://WORLD` and `mpi://SELF`.

use std::cell::Cell;
use std::ffi::{c_char, c_int};
use std::rc::Rc;

use foretell_mpi::Group;

use crate::abi::*;
use crate::call::mpi;
use crate::environment::{make_room_for_threads, provided_level};
use crate::errhandler::HandlerSlot;
use crate::errhandler::functions::{Sort, check};
use crate::failure::{Failure, bad};
use crate::info::{self, Info};
use crate::objects::{no_such, objects};
use crate::pointer::{In, Out};
use crate::rank::RankContext;

/// Names of the sets of processes.
const SETS: [&str; 2] = ["mpi://WORLD", "mpi://SELF"];

/// A session of one rank.
#[derive(Debug)]
pub(crate) struct SessionObject {
    pub(crate) errhandler: HandlerSlot,
    /// The buffer of `MPI_Session_attach_buffer`.
    pub(crate) buffer: Cell<(usize, i64)>,
    thread_level: c_int,
}

/// The session of a handle.
pub(crate) fn lookup(handle: MPI_Session) -> Result<Rc<SessionObject>, Failure> {
    let table = objects().sessions.borrow();
    table.get(handle).cloned().ok_or_else(|| no_such(MPI_ERR_SESSION, "session", handle))
}

/// Levels of thread support by the names they have in info objects.
const LEVELS: [(c_int, &str); 4] = [
    (MPI_THREAD_SINGLE, "MPI_THREAD_SINGLE"),
    (MPI_THREAD_FUNNELED, "MPI_THREAD_FUNNELED"),
    (MPI_THREAD_SERIALIZED, "MPI_THREAD_SERIALIZED"),
    (MPI_THREAD_MULTIPLE, "MPI_THREAD_MULTIPLE"),
];

/// The name of a level of thread support.
pub(crate) fn level_name(level: c_int) -> &'static str {
    LEVELS.iter().find(|(number, _)| *number == level).map_or("MPI_THREAD_SINGLE", |pair| pair.1)
}

/// The level of thread support that an info object asks for.
fn wanted_level(info: &Info) -> c_int {
    let wanted = info::find(info, "thread_level");
    let level = LEVELS.iter().find(|(_, name)| wanted == Some(*name));
    level.map_or(MPI_THREAD_SINGLE, |pair| pair.0)
}

/// The processes of a set; names are compared without regard to case.
fn members(here: &RankContext, name: &str) -> Result<Group, Failure> {
    let comm = &here.comm;
    match SETS.iter().position(|set| set.eq_ignore_ascii_case(name)) {
        Some(0) => Ok(comm.group().clone()),
        Some(_) => Ok(Group::Range { first: here.number(), stride: 1, count: 1 }),
        None => bad(
            MPI_ERR_ARG,
            format!(
                "there is no process set {name:?}; those known are {} and {}",
                SETS[0], SETS[1]
            ),
        ),
    }
}

mpi! {
    /// `MPI_Session_init`.
    early fn MPI_Session_init(
        info: MPI_Info, errhandler: MPI_Errhandler, session: Out<MPI_Session>,
    ) -> c_int, |here| {
        check(errhandler, Sort::Session)?;
        let wanted = info::optional(here, info)?;
        // Threads that may call already may do so here.
        let thread_level = provided_level(wanted_level(&wanted)).max(here.thread_level.get());
        let object = SessionObject {
            errhandler: HandlerSlot::new(errhandler),
            buffer: Cell::new((0, 0)),
            thread_level,
        };
        let session = session.given("session")?;
        session.set(objects().sessions.borrow_mut().insert(Rc::new(object)));
        here.sessions.set(here.sessions.get() + 1);
        drop(wanted);
        make_room_for_threads(thread_level);
        Ok(())
    }

    /// `MPI_Session_finalize`.
    early fn MPI_Session_finalize(session: Out<MPI_Session>) -> c_int, |here| {
        let handle = session.given("session")?.get();
        let removed = objects().sessions.borrow_mut().remove(handle);
        removed.ok_or_else(|| no_such(MPI_ERR_SESSION, "session", handle))?;
        here.sessions.set(here.sessions.get() - 1);
        session.set(MPI_SESSION_NULL);
        Ok(())
    }

    /// `MPI_Session_get_num_psets`.
    early fn MPI_Session_get_num_psets(session: MPI_Session, info: MPI_Info, npset_names: Out<c_int>)
        -> c_int on Session(session), |here| {
        lookup(session)?;
        info::optional(here, info)?;
        npset_names.given("npset_names")?.set(SETS.len() as c_int);
        Ok(())
    }

    /// `MPI_Session_get_nth_pset`: a length of 0 asks for the length.
    early fn MPI_Session_get_nth_pset(
        session: MPI_Session, info: MPI_Info, n: c_int, pset_len: Out<c_int>,
        pset_name: Out<c_char>,
    ) -> c_int on Session(session), |here| {
        lookup(session)?;
        info::optional(here, info)?;
        let Some(name) = usize::try_from(n).ok().and_then(|n| SETS.get(n)) else {
            return bad(MPI_ERR_ARG, format!("process set {n} of {}", SETS.len()));
        };
        let room = pset_len.given("pset_len")?.get();
        if room > 0 {
            pset_name.given("pset_name")?.write_text(name, room as usize);
        }
        pset_len.set(name.len() as c_int + 1);
        Ok(())
    }

    /// `MPI_Session_get_pset_info`.
    early fn MPI_Session_get_pset_info(
        session: MPI_Session, pset_name: In<c_char>, info: Out<MPI_Info>,
    ) -> c_int on Session(session), |here| {
        lookup(session)?;
        let size = members(here, &pset_name.given(1, "pset_name")?.text())?.size();
        info.given("info")?.set(info::keep(vec![("mpi_size".into(), size.to_string())]));
        Ok(())
    }

    /// `MPI_Session_get_info`.
    early fn MPI_Session_get_info(session: MPI_Session, info_used: Out<MPI_Info>) -> c_int
        on Session(session), |here| {
        let _ = here;
        let level = level_name(lookup(session)?.thread_level);
        let content = vec![("thread_level".into(), level.to_string())];
        info_used.given("info_used")?.set(info::keep(content));
        Ok(())
    }

    /// `MPI_Group_from_session_pset`.
    early fn MPI_Group_from_session_pset(
        session: MPI_Session, pset_name: In<c_char>, newgroup: Out<MPI_Group>,
    ) -> c_int on Session(session), |here| {
        lookup(session)?;
        let group = members(here, &pset_name.given(1, "pset_name")?.text())?;
        newgroup.given("newgroup")?.set(crate::group::keep(group));
        Ok(())
    }
}
