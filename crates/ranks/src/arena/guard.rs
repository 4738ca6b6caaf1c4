//! What stands below a stack: markers, protected pages, or a word to check.

use std::io;
use std::ptr;
use std::sync::OnceLock;

use crate::error::RanksError;
use crate::mappings;
use crate::settings::GuardChoice;

/// Marks pages as forbidden in the page table, without a mapping (Linux 6.13 and later).
const MADV_GUARD_INSTALL: libc::c_int = 102;

/// Value of the words at the low end of an unguarded stack. Not a likely number or address.
const CANARY: u64 = 0x5eed_ca11_0dd5_7acc;

/// How many words are checked: an array that overruns the stack seldom skips them all.
const WORDS: usize = 4;

/// What stands below one stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Guard {
    /// Markers in the page table: no mapping, and sure.
    Marker,
    /// Pages without access: sure, at two mappings for each stack.
    Pages,
    /// Nothing; the lowest words of the stack are checked at each switch.
    Canary,
}

impl Guard {
    /// Puts this guard on `size` bytes from `low`.
    pub(crate) fn install(self, low: usize, size: usize) -> Result<(), RanksError> {
        let low = low as *mut libc::c_void;
        let result = match self {
            // SAFETY: the range is the low part of a slot of our reservation, not in use yet.
            Guard::Marker => unsafe { libc::madvise(low, size, MADV_GUARD_INSTALL) },
            // SAFETY: as above.
            Guard::Pages => unsafe { libc::mprotect(low, size, libc::PROT_NONE) },
            Guard::Canary => 0,
        };
        if result == 0 { Ok(()) } else { Err(RanksError::Guard(io::Error::last_os_error())) }
    }
}

/// The guard of each of `count` stacks, leaving `others` mappings free; the last entry holds for
/// all that follow.
pub(crate) fn plan(
    choice: GuardChoice,
    count: u32,
    others: usize,
) -> Result<Vec<Guard>, RanksError> {
    let needed = 2 * count as usize;
    match choice {
        GuardChoice::Canary => Ok(vec![Guard::Canary]),
        GuardChoice::Sure | GuardChoice::CanaryAccepted if has_markers() => Ok(vec![Guard::Marker]),
        GuardChoice::Sure | GuardChoice::Pages => {
            mappings::check("guarded stacks and images", needed + others)?;
            Ok(vec![Guard::Pages])
        }
        GuardChoice::CanaryAccepted => {
            let free = mappings::free().saturating_sub(others);
            let guarded = (free / 2).min(count as usize);
            let mut guards = vec![Guard::Pages; guarded];
            guards.push(Guard::Canary);
            Ok(guards)
        }
    }
}

/// Whether the kernel knows guard markers, found out once by asking for one.
fn has_markers() -> bool {
    static KNOWN: OnceLock<bool> = OnceLock::new();
    *KNOWN.get_or_init(|| {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        let access = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: a fresh page is mapped, marked and unmapped; nothing else is touched.
        unsafe {
            let page = libc::mmap(ptr::null_mut(), super::PAGE, access, flags, -1, 0);
            if page == libc::MAP_FAILED {
                return false;
            }
            let known = libc::madvise(page, super::PAGE, MADV_GUARD_INSTALL) == 0;
            libc::munmap(page, super::PAGE);
            known
        }
    })
}

/// Writes the words that [`canary_lives`] checks.
pub(crate) fn write_canary(limit: usize) {
    for word in 0..WORDS {
        // SAFETY: the lowest words of a stack that no rank runs on.
        unsafe { (limit as *mut u64).add(word).write(CANARY) };
    }
}

/// Whether nobody has written over the lowest words of the stack that starts at `limit`.
pub(crate) fn canary_lives(limit: usize) -> bool {
    // SAFETY: the words belong to the reservation, which outlives its stacks.
    (0..WORDS).all(|word| unsafe { (limit as *const u64).add(word).read_volatile() } == CANARY)
}
