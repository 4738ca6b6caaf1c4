//! What this thread runs now.

use std::cell::Cell;
use std::ptr;

use crate::body::Body;
use crate::c_state::{CState, Places};
use crate::threads::Thread;
use crate::workbench::Workbench;

/// The state of one thread. Without destructor and built at compile time, so that reading it is
/// an addition to the thread pointer.
pub(crate) struct Context {
    /// The rank that runs, null for none.
    pub(crate) current: Cell<*const Body>,
    /// The rank whose thread-locals are in place, null for none.
    pub(crate) regions_of: Cell<*const Body>,
    /// Where the C library keeps what must be exchanged.
    pub(crate) places: Places,
    /// The scheduler's own floating-point controls.
    pub(crate) scheduler: CState,
    /// Whether the rank that runs is ahead of its turn.
    pub(crate) is_ahead: Cell<bool>,
    /// Whether ranks run on this thread.
    pub(crate) is_own: Cell<bool>,
    /// The rank that made this thread, if a rank did.
    pub(crate) made_by: Cell<Option<u32>>,
    /// Which thread of a rank this is, null for none.
    pub(crate) thread: Cell<*const Thread>,
    /// A stack that ranks share for short work, unless it is in use.
    pub(crate) workbench: Cell<Option<Workbench>>,
}

thread_local! {
    static CONTEXT: Context = const {
        Context {
            current: Cell::new(ptr::null()),
            regions_of: Cell::new(ptr::null()),
            places: Places::unknown(),
            scheduler: CState::new(),
            is_ahead: Cell::new(false),
            is_own: Cell::new(false),
            made_by: Cell::new(None),
            thread: Cell::new(ptr::null()),
            workbench: Cell::new(None),
        }
    };
}

/// Runs `f` with the state of this thread.
#[inline]
pub(crate) fn with<R>(f: impl FnOnce(&Context) -> R) -> R {
    CONTEXT.with(f)
}

/// Makes this thread one on which ranks run.
pub(crate) fn adopt_thread() {
    with(|context| {
        if !context.is_own.replace(true) {
            context.workbench.set(Workbench::new());
        }
        context.places.look_up();
    });
}

/// Runs `f` with the rank that runs on this thread, if one does.
#[inline]
pub(crate) fn with_body<R>(f: impl FnOnce(&Body) -> R) -> Option<R> {
    let body = with(|context| context.current.get());
    // SAFETY: `current` is set for as long as the rank runs, and its `Rank` holds the body.
    (!body.is_null()).then(|| f(unsafe { &*body }))
}

/// The number of the rank that runs now; none in the scheduler, and on threads that the program
/// made itself.
#[inline]
pub fn current() -> Option<u32> {
    with_body(|body| body.number)
}

/// Whether ranks run on this thread: false on threads that the program made itself.
#[inline]
pub fn is_own_thread() -> bool {
    with(|context| context.is_own.get())
}

/// The rank that made this thread with `pthread_create`; none on the ranks' own thread.
pub fn made_by() -> Option<u32> {
    with(|context| context.made_by.get())
}
