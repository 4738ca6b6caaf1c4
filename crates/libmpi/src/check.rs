//! `foretell run --check`: does the program use MPI as the standard says?
//!
//! Calls tell the checker what they are about to do, if one is on: [`is_on`] is all that others
//! pay. It compares collectives (`ledger`), types of sends and receives (`types`), buffers of
//! operations under way (`overlap`), notes objects that are never freed (`leak`), and thinks a
//! second run through in which every send waits for its receive (`safety`). Nothing of that takes
//! simulated time.

mod checksum;
mod finding;
mod leak;
mod ledger;
mod operation;
mod overlap;
mod point_to_point;
mod rule;
mod safety;
mod site;
mod types;
mod watch;

pub(crate) use leak::Sort;
pub(crate) use ledger::{Described, Flow, Piece, Side};
pub(crate) use overlap::Claim;
pub(crate) use point_to_point::{Form, exchange, receive, send};
pub(crate) use safety::Need;
pub(crate) use watch::{
    Noted, collective, conclude, end, finished, follow, forget, freed, hold, leaks, name_call,
    waits, withdrawn,
};

use std::sync::atomic::{AtomicBool, Ordering};

use crate::abi::Handle;

static ON: AtomicBool = AtomicBool::new(false);

/// Whether the program is checked.
#[inline]
pub(crate) fn is_on() -> bool {
    ON.load(Ordering::Relaxed)
}

/// Checks the program from now on.
pub(crate) fn begin() {
    ON.store(true, Ordering::Relaxed);
}

/// Notes an object that the program has made, if a checker is on.
#[inline]
pub(crate) fn note(sort: Sort, handle: Handle) -> Handle {
    if is_on() {
        watch::made(sort, handle);
    }
    handle
}
