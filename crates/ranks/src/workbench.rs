//! A stack on which the short work of all ranks is done.
//!
//! A call of MPI goes through many functions, and their frames would lie on the stack of the rank
//! that calls: memory that nobody has touched since that rank's last turn, far from the processor
//! when there are thousands of ranks. On a stack that all ranks share it is in the cache.
//!
//! Nothing may suspend a rank while it works here, since the next one would write over its frames.

use std::num::NonZeroUsize;
use std::ptr;

use corosensei::stack::{Stack, StackPointer};

use crate::arena::PAGE;
use crate::context;

/// Room for the deepest work.
const SIZE: usize = 256 << 10;

/// The stack: one past its highest address. It is never given back.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Workbench(NonZeroUsize);

impl Workbench {
    /// Reserves a stack with a page below it that cannot be touched; none if there is no memory.
    pub(crate) fn new() -> Option<Self> {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        let access = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: new memory wherever the kernel likes, of which the lowest page is closed.
        unsafe {
            let start = libc::mmap(ptr::null_mut(), PAGE + SIZE, access, flags, -1, 0);
            if start == libc::MAP_FAILED || libc::mprotect(start, PAGE, libc::PROT_NONE) != 0 {
                return None;
            }
            NonZeroUsize::new(start.addr() + PAGE + SIZE).map(Self)
        }
    }
}

// SAFETY: the memory is mapped for good, is large enough, and has a guard page below.
unsafe impl Stack for Workbench {
    #[inline]
    fn base(&self) -> StackPointer {
        self.0
    }

    fn limit(&self) -> StackPointer {
        NonZeroUsize::new(self.0.get() - SIZE - PAGE).unwrap_or(self.0)
    }
}

/// Runs `f`, which must not suspend the rank, on the shared stack; or here, where there is none,
/// and for what is called from there.
#[inline]
pub fn work<R>(f: impl FnOnce() -> R) -> R {
    let Some(workbench) = context::with(|context| context.workbench.take()) else { return f() };
    let result = corosensei::on_stack(workbench, f);
    context::with(|context| context.workbench.set(Some(workbench)));
    result
}
