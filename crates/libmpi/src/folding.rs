//! Folded memory: allocations of many ranks that share physical memory, for data whose values do
//! not matter.

use std::cell::RefCell;
use std::ffi::{c_char, c_int, c_void};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use foretell_ranks::{Folded, FoldedError};

use crate::ahead;
use crate::pointer::In;
use crate::report;
use crate::threads;

/// Whether the program has any: most have none.
static IN_USE: AtomicBool = AtomicBool::new(false);

thread_local! {
    static FOLDED: RefCell<State> = RefCell::default();
}

#[derive(Default)]
struct State {
    folded: Folded,
    is_off: bool,
}

/// Does what the launch says about such allocations.
pub(crate) fn set_up(memory: &foretell_launch::Memory) {
    FOLDED.with_borrow_mut(|state| {
        state.is_off = !memory.shared;
        if let Some(block) = memory.block_size {
            state.folded = Folded::new(block as usize);
        }
    });
}

/// Whether a buffer is folded: then there is nothing to copy, only a size to send.
#[inline]
pub(crate) fn is_folded(address: usize, bytes: u64) -> bool {
    IN_USE.load(Ordering::Relaxed) && looks_folded(address, bytes)
}

#[cold]
fn looks_folded(address: usize, bytes: u64) -> bool {
    FOLDED.with(|state| state.borrow().folded.is_folded(address, bytes as usize))
}

/// One block for all ranks that allocate as much at the same place of the program.
#[unsafe(no_mangle)]
extern "C" fn foretell_shared_malloc(size: usize, file: In<c_char>, line: c_int) -> *mut c_void {
    let mut hasher = DefaultHasher::new();
    (file.text(), line).hash(&mut hasher);
    allocate(size, |folded| folded.shared_malloc(size, hasher.finish()))
}

/// A block of which the given parts are folded: pairs of where one starts and where it ends.
#[unsafe(no_mangle)]
extern "C" fn foretell_partial_shared_malloc(
    size: usize,
    offsets: In<usize>,
    parts: c_int,
) -> *mut c_void {
    let offsets = offsets.slice(2 * parts.max(0) as usize);
    let shared: Vec<Range<usize>> = offsets.chunks_exact(2).map(|pair| pair[0]..pair[1]).collect();
    allocate(size, |folded| folded.partial_shared_malloc(size, &shared))
}

/// Frees what the two above, or `malloc`, gave.
#[unsafe(no_mangle)]
extern "C" fn foretell_shared_free(address: *mut c_void) {
    let free = || FOLDED.with_borrow_mut(|state| state.folded.free(address));
    if threads::on_behalf("foretell_shared_free", free) != Some(true) {
        // SAFETY: not ours, so the C library's, as `allocate` gives it when folding is off.
        unsafe { libc::free(address) }
    }
}

fn allocate(
    size: usize,
    fold: impl FnOnce(&mut Folded) -> Result<*mut c_void, FoldedError>,
) -> *mut c_void {
    let allocated = threads::on_behalf("foretell_shared_malloc", || allocate_here(size, fold));
    // SAFETY: an ordinary allocation, for the program to free.
    allocated.unwrap_or_else(|| unsafe { libc::malloc(size) })
}

fn allocate_here(
    size: usize,
    fold: impl FnOnce(&mut Folded) -> Result<*mut c_void, FoldedError>,
) -> *mut c_void {
    FOLDED.with_borrow_mut(|state| {
        if state.is_off {
            // SAFETY: an ordinary allocation, for the program to free.
            return unsafe { libc::malloc(size) };
        }
        // Ranks write over what others have there: one after the other, it is at least the same.
        ahead::forbid();
        IN_USE.store(true, Ordering::Relaxed);
        match fold(&mut state.folded) {
            Ok(address) => address,
            Err(error) => report::fatal(&format!("{}: {error}", report::who())),
        }
    })
}
