//! Places in the source of the program, for messages.

use std::cell::{Cell, RefCell};
use std::path::Path;

use foretell_mpi::Deadlock;
use foretell_ranks::{Line, Sources};

/// How many places of a deadlock are looked up: it lists no more ranks.
const MOST: usize = 32;

thread_local! {
    static SOURCES: RefCell<Sources> = RefCell::default();
    /// Where ranks were that never came to their end: rank, and return address of the call.
    static LEFT: RefCell<Vec<(u32, usize)>> = const { RefCell::new(Vec::new()) };
    static ABORTED: Cell<usize> = const { Cell::new(0) };
}

/// `file:line` of the call that returns to an address; none without debug information.
pub(crate) fn of(return_address: usize) -> Option<String> {
    SOURCES.with_borrow_mut(|sources| sources.call_before(return_address))
}

/// `file:line` of the call that returns to an address of a file.
pub(crate) fn in_file(file: &Path, return_address: usize) -> Option<String> {
    let (file, line) = line_in_file(file, return_address)?.place?;
    Some(format!("{file}:{line}"))
}

/// The line of the call that returns to an address of a file.
pub(crate) fn line_in_file(file: &Path, return_address: usize) -> Option<Line> {
    // The call itself is before the address it returns to.
    let before = return_address.checked_sub(1)?;
    SOURCES.with_borrow_mut(|sources| sources.at(file, before)).into_iter().next()
}

/// Notes where a rank was when the run was over before it.
pub(crate) fn note_left(rank: u32, return_address: usize) {
    // At the end of the thread there is nobody left to tell.
    let _ = LEFT.try_with(|left| left.borrow_mut().push((rank, return_address)));
}

/// Notes where `MPI_Abort` was called.
pub(crate) fn note_abort(return_address: usize) {
    ABORTED.set(return_address);
}

/// Where `MPI_Abort` was called, as a line of its own.
pub(crate) fn of_abort() -> String {
    of(ABORTED.get()).map_or_else(String::new, |place| format!("\n  called at {place}"))
}

/// A deadlock with the places of the calls that wait.
pub(crate) fn located(deadlock: &Deadlock) -> Deadlock {
    let mut deadlock = deadlock.clone();
    let left = LEFT.take();
    // Of several threads it is not known which of them was there.
    let alone = deadlock.blocked.iter_mut().filter(|blocked| blocked.thread.is_none());
    for blocked in alone.take(MOST) {
        let found = left.iter().find(|(rank, _)| *rank == blocked.rank);
        if let Some(place) = found.and_then(|(_, at)| of(*at)) {
            blocked.call += &format!(" at {place}");
        }
    }
    deadlock
}
