//! What a rank is while it lives: little that is read at each switch, and the rest.

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use corosensei::Yielder;

use crate::ahead::Seat;
use crate::arena::Bounds;
use crate::arguments::PrivateArguments;
use crate::c_state::CState;
use crate::handlers::Handlers;
use crate::interposed::environment::Changes;
use crate::interposed::keys::Values;
use crate::interposed::random::RandomState;
use crate::interposed::signals::Dispositions;
use crate::loaded::Loaded;
use crate::regions::Regions;
use crate::threads::Threads;

/// One rank. Never moves: the thread's context and the rank's own stack point to it.
///
/// What a switch reads is first and fits a cache line: with many ranks each line is a miss.
#[repr(C, align(64))]
pub(crate) struct Body {
    /// The way back to the scheduler; null before the rank begins and for a rank that runs on the
    /// main stack.
    pub(crate) yielder: Cell<*const Yielder<(), ()>>,
    pub(crate) c_state: CState,
    /// An address on its stack near where it suspended itself.
    pub(crate) resting: Cell<usize>,
    /// Bytes above that address that hold what it waits with.
    pub(crate) held: Cell<u16>,
    pub(crate) number: u32,
    /// Whether the rank has ended; its stack is never resumed again.
    pub(crate) has_ended: Cell<bool>,
    /// Whether it was let go ahead of its turn, and has not been taken back.
    pub(crate) is_launched: Cell<bool>,
    /// Whether the rank is to go on in a thread of its own.
    pub(crate) wants_thread: Cell<bool>,
    /// Whether there are regions to exchange.
    pub(crate) has_regions: bool,
    /// Whether the stack must be checked, because nothing guards it.
    pub(crate) has_canary: bool,
    pub(crate) bounds: Bounds,
    pub(crate) regions: Regions,
    /// Where it goes ahead from; none for those that never do.
    pub(crate) seat: Option<&'static Seat>,
    pub(crate) life: Life,
}

impl Body {
    /// A rank that has not begun.
    pub(crate) fn new(number: u32, bounds: Bounds, regions: Regions, entry: Entry) -> Self {
        Self {
            yielder: Cell::new(std::ptr::null()),
            c_state: CState::new(),
            resting: Cell::new(0),
            held: Cell::new(0),
            number,
            has_ended: Cell::new(false),
            is_launched: Cell::new(false),
            wants_thread: Cell::new(false),
            seat: None,
            has_regions: !regions.is_empty(),
            has_canary: bounds.has_canary,
            bounds,
            regions,
            life: Life {
                entry,
                has_destructed: Cell::new(false),
                frame: Cell::new(0),
                ending: Cell::new((0, How::Returned)),
                handlers: RefCell::default(),
                random: RefCell::default(),
                strtok: Cell::new(std::ptr::null_mut()),
                values: RefCell::default(),
                has_used_getopt: Cell::new(false),
                environment: RefCell::default(),
                signals: Dispositions::default(),
                threads: OnceCell::new(),
            },
        }
    }
}

/// The part of a rank that no switch reads.
pub(crate) struct Life {
    pub(crate) entry: Entry,
    /// Whether the program's destructors have begun to run.
    pub(crate) has_destructed: Cell<bool>,
    /// Address of the oldest frame of the rank: where a backtrace ends.
    pub(crate) frame: Cell<usize>,
    pub(crate) ending: Cell<(i32, How)>,
    pub(crate) handlers: RefCell<Handlers>,
    pub(crate) random: RefCell<Option<Box<RandomState>>>,
    /// Where `strtok` goes on.
    pub(crate) strtok: Cell<*mut libc::c_char>,
    pub(crate) has_used_getopt: Cell<bool>,
    /// What it has changed in its environment; most change nothing.
    pub(crate) environment: RefCell<Option<Box<Changes>>>,
    pub(crate) signals: Dispositions,
    /// Thread-specific values of the main thread.
    pub(crate) values: RefCell<Values>,
    /// The threads it has made, once it has made some.
    pub(crate) threads: OnceCell<Arc<Threads>>,
}

impl Life {
    /// The threads of the rank.
    pub(crate) fn threads(&self, body: &Body) -> &Arc<Threads> {
        self.threads.get_or_init(|| Threads::of(body))
    }
}

/// What a rank runs.
pub(crate) enum Entry {
    /// A program that runs on the main stack, started by others.
    Nothing,
    /// A Rust function that returns the exit code; none once it has begun.
    Function(Cell<Option<Box<dyn FnOnce() -> i32>>>),
    /// A program in memory.
    Program(Rc<dyn Loaded>, PrivateArguments),
}

/// How a rank came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// `main` returned.
    Returned,
    /// The rank called `exit` or one of its kin.
    Exited,
}

#[cfg(test)]
mod tests {
    use std::mem::offset_of;

    use super::*;

    #[test]
    fn a_switch_reads_one_cache_line_of_the_body() {
        assert!(offset_of!(Body, bounds) <= 64);
        assert_eq!(align_of::<Body>(), 64);
    }
}
