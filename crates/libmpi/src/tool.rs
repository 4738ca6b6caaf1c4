//! The tool information interface: what tools may ask the library about itself. MPI 4.1
//! chapter 15.
//!
//! Its functions give error codes back and never call error handlers. They may be called before
//! `MPI_Init` and after `MPI_Finalize`, between `MPI_T_init_thread` and `MPI_T_finalize`.

mod category;
mod control;
mod event;
mod performance;
mod variables;

use std::ffi::{c_char, c_int};

use crate::abi::*;
use crate::call::mpi;
use crate::failure::{Failure, Outcome, bad};
use crate::handle::Table;
use crate::objects::objects;
use crate::pointer::Out;
use crate::rank::RankContext;

pub(crate) use performance::PvarHandle;

/// What tools hold of the library, on all ranks.
pub(crate) struct Tools {
    /// How often each rank has initialised the interface and not ended it; none for most.
    users: Vec<(u32, u32)>,
    /// Sessions of performance variables: the rank of each.
    sessions: Table<u32>,
    handles: Table<PvarHandle>,
}

impl Tools {
    pub(crate) const fn new() -> Self {
        Self { users: Vec::new(), sessions: Table::new(), handles: Table::new() }
    }

    fn uses(&mut self, rank: u32) -> &mut u32 {
        let at = self.users.iter().position(|(user, _)| *user == rank).unwrap_or_else(|| {
            self.users.push((rank, 0));
            self.users.len() - 1
        });
        &mut self.users[at].1
    }
}

mpi! {
    /// `MPI_T_init_thread`.
    early fn MPI_T_init_thread(required: c_int, provided: Out<c_int>) -> c_int on Tool(()), |here| {
        *objects().tools.borrow_mut().uses(here.number()) += 1;
        provided.set(required.clamp(MPI_THREAD_SINGLE, MPI_THREAD_SERIALIZED));
        Ok(())
    }

    /// `MPI_T_finalize`.
    early fn MPI_T_finalize() -> c_int on Tool(()), |here| {
        ensure_initialised(here)?;
        *objects().tools.borrow_mut().uses(here.number()) -= 1;
        Ok(())
    }
}

/// That the rank may use the interface.
fn ensure_initialised(here: &RankContext) -> Outcome {
    match *objects().tools.borrow_mut().uses(here.number()) {
        0 => bad(MPI_T_ERR_NOT_INITIALIZED, "MPI_T_init_thread was not called"),
        _ => Ok(()),
    }
}

/// The entry of a table, by the index a tool gave.
fn at<T>(table: &'static [T], index: c_int) -> Result<&'static T, Failure> {
    let found = usize::try_from(index).ok().and_then(|index| table.get(index));
    found.ok_or_else(|| {
        let count = table.len();
        Failure::new(MPI_T_ERR_INVALID_INDEX, format!("index {index} of {count} entries"))
    })
}

/// The index of the entry with a name.
fn find(mut names: impl Iterator<Item = &'static str>, name: &str) -> Result<c_int, Failure> {
    match names.position(|known| known == name) {
        Some(index) => Ok(index as c_int),
        None => bad(MPI_T_ERR_INVALID_NAME, format!("nothing is called {name:?}")),
    }
}

/// Hands a string over: cut to the room the tool has, and its whole length told.
fn give_text(text: &str, place: Out<c_char>, length: Out<c_int>) {
    if length.is_null() {
        return;
    }
    let room = length.get();
    if room > 0 {
        place.write_text(text, room as usize);
    }
    length.set(text.len() as c_int + 1);
}

/// Hands a list of indices over, as far as there is room.
fn give_indices(indices: &[usize], room: c_int, place: Out<c_int>) {
    for (to, index) in indices.iter().take(room.max(0) as usize).enumerate() {
        place.set_at(to, *index as c_int);
    }
}
