//! What GCC's OpenMP library keeps for the thread on which ranks take turns.
//!
//! It keeps a team and a pool of threads there. A rank that waits in a parallel region, as a
//! master that calls MPI does, must not leave its team to the next rank: each has its own. The
//! lock of `critical` without a name is one for the process, and becomes one for each rank.

use std::ffi::{CStr, c_int, c_void};
use std::mem;
use std::ptr;
use std::slice;
use std::sync::Arc;

use crate::context;
use crate::threads::{self, Threads};

/// Thread-locals of a library, on the thread that asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct State {
    pub(crate) address: usize,
    /// What a rank finds there at first.
    pub(crate) content: Vec<u8>,
}

/// The state of the library, if it is loaded. To be asked for before the first rank runs.
pub(crate) fn state() -> Option<State> {
    let mut found = None;
    // SAFETY: the callback gets a pointer to `found`, which outlives the call.
    unsafe { libc::dl_iterate_phdr(Some(note), (&raw mut found).cast()) };
    found
}

/// Notes the thread-locals of an object if it is the library.
unsafe extern "C" fn note(info: *mut libc::dl_phdr_info, _: usize, found: *mut c_void) -> c_int {
    // SAFETY: the loader describes an object that is loaded; see `state`.
    let (info, found) = unsafe { (&*info, &mut *found.cast::<Option<State>>()) };
    if info.dlpi_name.is_null() || info.dlpi_tls_data.is_null() {
        return 0;
    }
    // SAFETY: the name of an object that is loaded.
    let name = unsafe { CStr::from_ptr(info.dlpi_name) }.to_bytes();
    if !name.windows(10).any(|part| part == b"/libgomp.s") {
        return 0;
    }
    // SAFETY: the headers of an object that is loaded.
    let headers = unsafe { slice::from_raw_parts(info.dlpi_phdr, info.dlpi_phnum as usize) };
    let Some(block) = headers.iter().find(|header| header.p_type == libc::PT_TLS) else { return 0 };
    let place = info.dlpi_tls_data.cast::<u8>();
    // SAFETY: the block of thread-locals of this thread, as long as the object says.
    let content = unsafe { slice::from_raw_parts(place, block.p_memsz as usize) }.to_vec();
    *found = Some(State { address: place.addr(), content });
    1
}

type Critical = unsafe extern "C" fn(*mut *mut c_void);

/// `GOMP_critical_start`: begins what one thread of the rank does at a time.
pub(crate) extern "C" fn begin_critical() {
    with_lock(c"GOMP_critical_name_start");
}

/// `GOMP_critical_end`.
pub(crate) extern "C" fn end_critical() {
    with_lock(c"GOMP_critical_name_end");
}

/// Lets the library use the lock of the rank, by its function for locks with names.
fn with_lock(function: &CStr) {
    // SAFETY: a look-up by name in what is loaded.
    let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, function.as_ptr()) };
    let Some(threads) = threads_here().filter(|_| !found.is_null()) else { return };
    // SAFETY: the library's function has this type; the lock outlives the rank's threads.
    unsafe {
        let function: Critical = mem::transmute(found);
        function(ptr::from_ref(&threads.critical).cast_mut().cast());
    }
}

fn threads_here() -> Option<Arc<Threads>> {
    let own = threads::own().map(|thread| thread.threads().clone());
    own.or_else(|| context::with_body(|body| body.life.threads(body).clone()))
}
