//! Where in the program an MPI call is made: return addresses, and their lines of source.

use std::ffi::{c_int, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use foretell_images::locate;
use foretell_ranks::Sources;

use super::file::Place;

/// Calls further up tell nothing more.
const DEEPEST: usize = 16;

/// Return addresses of the program's functions, latest call first, as the files have them.
pub(super) fn return_addresses() -> Vec<usize> {
    let mut addresses = Vec::with_capacity(DEEPEST);
    // SAFETY: the callback gets the list, and nothing else uses it meanwhile.
    unsafe { _Unwind_Backtrace(step, (&raw mut addresses).cast()) };
    addresses
}

extern "C" fn step(context: *mut c_void, addresses: *mut c_void) -> c_int {
    const GO_ON: c_int = 0;
    const STOP: c_int = 4;
    // SAFETY: `return_addresses` gave its list.
    let addresses = unsafe { &mut *addresses.cast::<Vec<usize>>() };
    // SAFETY: the unwinder gives its own context.
    let pc = unsafe { _Unwind_GetIP(context) };
    if locate(pc).is_some_and(|found| is_of_program(found.file)) {
        addresses.push(pc);
    }
    if addresses.len() < DEEPEST { GO_ON } else { STOP }
}

/// Our own frames and those of system libraries are no places of the program.
fn is_of_program(file: &Path) -> bool {
    let is_ours = file.file_name().is_some_and(|name| name.as_bytes().starts_with(b"libmpi"));
    !is_ours && !["/lib", "/usr/lib"].iter().any(|system| file.starts_with(system))
}

unsafe extern "C" {
    fn _Unwind_Backtrace(
        step: extern "C" fn(*mut c_void, *mut c_void) -> c_int,
        argument: *mut c_void,
    ) -> c_int;
    fn _Unwind_GetIP(context: *mut c_void) -> usize;
}

/// The lines of source that a return address belongs to: more than one where the compiler has
/// merged functions.
pub(super) fn lines(sources: &mut Sources, pc: usize) -> Vec<Place> {
    let Some(found) = locate(pc) else { return Vec::new() };
    // The call itself is before the address it returns to.
    let lines = sources.at(found.file, found.address - 1).into_iter();
    lines.filter_map(|line| line.place).map(|(file, line)| Place::new(&file, line)).collect()
}
