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
        reserve(SIZE).map(Self)
    }
}

/// Reserves a stack with a page below it that cannot be touched; gives one past its highest address.
fn reserve(size: usize) -> Option<NonZeroUsize> {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    let access = libc::PROT_READ | libc::PROT_WRITE;
    // SAFETY: new memory wherever the kernel likes, of which the lowest page is closed.
    unsafe {
        let start = libc::mmap(ptr::null_mut(), PAGE + size, access, flags, -1, 0);
        if start == libc::MAP_FAILED || libc::mprotect(start, PAGE, libc::PROT_NONE) != 0 {
            return None;
        }
        NonZeroUsize::new(start.addr() + PAGE + size)
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

/// Room for work that goes deeper than calls of MPI do, such as reading debug information.
const DEEP: usize = 4 << 20;

/// A stack for such work.
#[derive(Debug, Clone, Copy)]
struct Deep(NonZeroUsize);

impl Deep {
    /// Its lowest address, where the closed page is.
    fn start(self) -> usize {
        self.0.get() - DEEP - PAGE
    }
}

// SAFETY: the memory is mapped until the work is done, is large enough, and has a guard page below.
unsafe impl Stack for Deep {
    fn base(&self) -> StackPointer {
        self.0
    }

    fn limit(&self) -> StackPointer {
        NonZeroUsize::new(self.start()).unwrap_or(self.0)
    }
}

/// Runs `f`, which must not suspend the rank, on a large stack of its own, which is gone afterwards:
/// for what happens seldom and may need more than the rank has. Without memory it runs here.
pub fn work_deeply<R>(f: impl FnOnce() -> R) -> R {
    let Some(deep) = reserve(DEEP).map(Deep) else { return f() };
    let result = corosensei::on_stack(deep, f);
    // SAFETY: mapped by `reserve`, and nobody is on it any more.
    unsafe { libc::munmap(ptr::with_exposed_provenance_mut(deep.start()), PAGE + DEEP) };
    result
}
