//! Attributes that `MPI_COMM_WORLD` and its descendants always have. MPI 4.1 section 9.1.2.

use std::cell::Cell;
use std::ffi::c_int;

use crate::abi::*;
use crate::error_string;
use crate::rank::RankContext;

/// The greatest tag of a message.
const LARGEST_TAG: c_int = c_int::MAX;

/// The values of one rank. Programs get pointers to them, so they stay where they are.
#[derive(Debug)]
pub(crate) struct Predefined {
    tag_ub: c_int,
    io: c_int,
    host: c_int,
    wtime_is_global: c_int,
    appnum: c_int,
    universe_size: c_int,
    last_used_code: Cell<c_int>,
}

impl Predefined {
    fn new(here: &RankContext) -> Self {
        Self {
            tag_ub: LARGEST_TAG,
            // Every rank can do ordinary input and output.
            io: MPI_ANY_SOURCE,
            host: MPI_PROC_NULL,
            // All ranks read one clock: that of the simulation.
            wtime_is_global: 1,
            appnum: here.program as c_int,
            universe_size: here.comm.size() as c_int,
            last_used_code: Cell::new(error_string::last_used_code(here)),
        }
    }

    /// Where the value of a key lies.
    fn address(&self, key: c_int) -> Option<usize> {
        let value: *const c_int = match key {
            MPI_TAG_UB => &self.tag_ub,
            MPI_IO => &self.io,
            MPI_HOST => &self.host,
            MPI_WTIME_IS_GLOBAL => &self.wtime_is_global,
            MPI_APPNUM => &self.appnum,
            MPI_UNIVERSE_SIZE => &self.universe_size,
            MPI_LASTUSEDCODE => self.last_used_code.as_ptr(),
            _ => return None,
        };
        Some(value as usize)
    }
}

/// The address of the value of a predefined key, if it is one.
pub(super) fn address(here: &RankContext, key: c_int) -> Option<usize> {
    if !(MPI_TAG_UB..=MPI_UNIVERSE_SIZE).contains(&key) {
        return None;
    }
    here.predefined.get_or_init(|| Box::new(Predefined::new(here))).address(key)
}

/// Tells who watches `MPI_LASTUSEDCODE` of its new value.
pub(crate) fn note_last_code(here: &RankContext, code: c_int) {
    if let Some(predefined) = here.predefined.get() {
        predefined.last_used_code.set(code);
    }
}
