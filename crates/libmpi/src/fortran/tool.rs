//! Tools written in C that replace `MPI_` functions see calls from Fortran too: an entry point
//! calls the function that the program has under the C name, if that is not ours. MPI 4.1
//! section 15.2.
//!
//! Those of the table do so, and `MPI_INIT` and `MPI_INIT_THREAD`; others that are written by hand
//! (attributes and their kin) do not.

use std::ffi::CStr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Whether the last call went to a twin (`PMPI_…`), which is past all tools.
pub(crate) static BY_TWIN: AtomicBool = AtomicBool::new(false);

/// Nobody has looked yet.
const UNKNOWN: usize = 0;
/// The function is our own.
const OURS: usize = 1;
/// Each program, and each image of it, has to be asked.
const ASK: usize = 2;

/// The C function behind an entry point of Fortran.
pub(crate) struct Target {
    /// Its name, with a zero at the end.
    name: &'static str,
    state: AtomicUsize,
}

impl Target {
    pub(crate) const fn new(name: &'static str) -> Self {
        Self { name, state: AtomicUsize::new(UNKNOWN) }
    }

    /// The function that a tool has put in the place of ours, for the rank that runs.
    #[inline]
    pub(crate) fn replaced(&self) -> Option<usize> {
        if self.state.load(Ordering::Relaxed) == OURS { None } else { self.look_up() }
    }

    #[cold]
    fn look_up(&self) -> Option<usize> {
        if BY_TWIN.load(Ordering::Relaxed) {
            return None;
        }
        let name = CStr::from_bytes_with_nul(self.name.as_bytes()).ok()?;
        let found = foretell_ranks::symbol(name).filter(|found| !is_ours(*found));
        // Of several programs one may bring a tool and the others none.
        let state = if found.is_some() || has_several_programs() { ASK } else { OURS };
        self.state.store(state, Ordering::Relaxed);
        found
    }
}

/// Whether the program of the rank that runs has a function of its own in the place of ours.
pub(crate) fn is_replaced(name: &CStr) -> bool {
    foretell_ranks::symbol(name).is_some_and(|found| !is_ours(found))
}

/// Whether an address lies in this library.
fn is_ours(address: usize) -> bool {
    let base = |address: usize| {
        // SAFETY: asks the loader which object an address belongs to, and fills a plain structure.
        unsafe {
            let mut info: libc::Dl_info = std::mem::zeroed();
            (libc::dladdr(address as *const _, &mut info) != 0).then_some(info.dli_fbase as usize)
        }
    };
    base(address).is_some_and(|found| Some(found) == base(is_ours as *const () as usize))
}

/// Whether the launch has more than one program.
fn has_several_programs() -> bool {
    crate::run::program_count() > 1
}
