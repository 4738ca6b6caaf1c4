//! What the library knows of the rank that runs.

use std::cell::{Cell, OnceCell, RefCell};
use std::ptr;
use std::rc::Rc;
use std::sync::atomic::{AtomicPtr, Ordering};

use foretell_mpi::Comm;

use crate::abi::*;
use crate::ahead::{self, Owed};
use crate::attribute::Predefined;
use crate::comm::CommObject;
use crate::errhandler::HandlerSlot;
use crate::error_string::Added;
use crate::failure::Failure;
use crate::file::Datareps;
use crate::meter;
use crate::objects::{no_such, objects};

/// A rank of the program, from its first instruction to its last.
///
/// What every call touches comes first, in one cache line: with many ranks each line is a miss.
#[repr(C, align(64))]
pub(crate) struct RankContext {
    /// `MPI_COMM_WORLD`: the ranks of the job, as this one holds them.
    pub(crate) world: Rc<CommObject>,
    /// The call the rank is in or made last, and from where.
    pub(crate) call: Cell<&'static str>,
    pub(crate) caller: Cell<usize>,
    pub(crate) phase: Cell<Phase>,
    /// Whether the thread that calls is the one that started MPI.
    pub(crate) is_main_thread: Cell<bool>,
    /// How many calls it is in: more than one while we call the program from a call.
    pub(crate) nesting: Cell<u8>,
    /// Whether it computes ahead of its turn, and owes the rest of its last call.
    pub(crate) is_ahead: Cell<bool>,
    /// How many sessions are open.
    pub(crate) sessions: Cell<u32>,
    /// How often in a row it has read the clock.
    pub(crate) readings: Cell<u32>,
    pub(crate) thread_level: Cell<i32>,
    /// When the program's own code began to run, on the clock that measures it.
    pub(crate) since: Cell<f64>,
    /// All ranks. Requests are waited for here, whatever communicator they belong to.
    pub(crate) comm: Comm,
    /// What it owes while it computes ahead of its turn.
    pub(crate) owed_ahead: Owed,
    itself: OnceCell<Rc<CommObject>>,
    /// Where its last call stood, for factors of regions.
    pub(crate) site: Cell<u32>,
    /// Measured time that was too short to count by itself.
    pub(crate) owed: Cell<f64>,
    /// The buffer of `MPI_Buffer_attach`.
    pub(crate) buffer: Cell<(usize, i64)>,
    /// The handler of errors of files that are not open: that of `MPI_FILE_NULL`.
    pub(crate) file_errhandler: HandlerSlot,
    /// Data representations of the program.
    pub(crate) datareps: Datareps,
    /// Error classes and codes of the program; most have none.
    pub(crate) errors: RefCell<Option<Box<Added>>>,
    /// Values of predefined attributes, which programs get pointers to.
    pub(crate) predefined: OnceCell<Box<Predefined>>,
    /// Which of several programs it runs.
    pub(crate) program: u32,
    /// Where the program has Fortran's variables whose addresses mean something; 0 if not known.
    pub(crate) sentinels: Cell<usize>,
}

const _: () = assert!(std::mem::offset_of!(RankContext, comm) <= 64);

/// How far a rank has come in its use of MPI.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    Before,
    Running,
    Finalized,
}

/// The rank that runs; null while none does.
static CURRENT: AtomicPtr<RankContext> = AtomicPtr::new(ptr::null_mut());

impl RankContext {
    pub(crate) fn new(comm: Comm, program: u32) -> Self {
        Self {
            world: Rc::new(CommObject::new(comm.clone())),
            comm,
            itself: OnceCell::new(),
            phase: Cell::new(Phase::Before),
            call: Cell::new(""),
            caller: Cell::new(0),
            since: Cell::new(0.0),
            site: Cell::new(0),
            owed: Cell::new(0.0),
            readings: Cell::new(0),
            buffer: Cell::new((0, 0)),
            thread_level: Cell::new(MPI_THREAD_SINGLE),
            is_main_thread: Cell::new(true),
            nesting: Cell::new(0),
            is_ahead: Cell::new(false),
            owed_ahead: Owed::nothing(),
            sessions: Cell::new(0),
            file_errhandler: HandlerSlot::new(MPI_ERRORS_RETURN),
            datareps: Datareps::default(),
            errors: RefCell::default(),
            predefined: OnceCell::new(),
            program,
            sentinels: Cell::new(0),
        }
    }

    /// The rank that runs on this thread; the program's own threads are nobody.
    #[inline]
    pub(crate) fn current() -> Option<&'static RankContext> {
        // SAFETY: set by `run`, to a context that outlives the time its rank runs; what the caller
        // does with it happens on the stack of that rank.
        match unsafe { CURRENT.load(Ordering::Relaxed).as_ref() } {
            None => crate::alone::begin(),
            here if foretell_ranks::is_own_thread() => here,
            _ => None,
        }
    }

    /// The rank that runs, for reports from signal handlers.
    pub(crate) fn peek() -> Option<&'static RankContext> {
        // SAFETY: as in `current`.
        unsafe { CURRENT.load(Ordering::Relaxed).as_ref() }
    }

    /// Lets `f` run as this rank, whoever else runs now.
    #[inline]
    pub(crate) fn run<R>(&self, f: impl FnOnce() -> R) -> R {
        let before = CURRENT.load(Ordering::Relaxed);
        CURRENT.store(ptr::from_ref(self).cast_mut(), Ordering::Relaxed);
        let result = f();
        CURRENT.store(before, Ordering::Relaxed);
        result
    }

    /// Makes this the rank that runs until further notice: for a program on its own.
    pub(crate) fn stay(&'static self) {
        CURRENT.store(ptr::from_ref(self).cast_mut(), Ordering::Relaxed);
    }

    /// The rank in the world.
    pub(crate) fn number(&self) -> u32 {
        self.comm.world_number()
    }

    /// The call begins: what the program computed before it takes its simulated time.
    #[inline]
    pub(crate) fn enter(&self, call: &'static str, caller: usize) {
        ahead::call_begins(self);
        meter::begin_call(self, call, || caller);
        self.note_call(call, caller);
    }

    /// Notes which call begins, and from where.
    #[inline]
    pub(crate) fn note_call(&self, call: &'static str, caller: usize) {
        self.call.set(call);
        self.caller.set(caller);
        self.readings.set(0);
    }

    /// The call ends: from now on the program computes.
    #[inline]
    pub(crate) fn leave(&self) {
        if meter::is_on() {
            meter::restart(self);
        }
        ahead::call_ends(self);
    }

    /// Runs what we do for the program, which may be called from there.
    #[inline]
    pub(crate) fn inside<R>(&self, f: impl FnOnce() -> R) -> R {
        self.nesting.set(self.nesting.get().wrapping_add(1));
        let result = f();
        self.nesting.set(self.nesting.get().wrapping_sub(1));
        result
    }

    /// The communicator of a handle.
    #[inline]
    pub(crate) fn comm(&self, handle: MPI_Comm) -> Result<Rc<CommObject>, Failure> {
        match handle {
            MPI_COMM_WORLD => Ok(self.world.clone()),
            MPI_COMM_SELF => Ok(self.itself().clone()),
            _ => {
                let table = objects().comms.borrow();
                let found = table.get(handle).cloned();
                found.ok_or_else(|| no_such(MPI_ERR_COMM, "communicator", handle))
            }
        }
    }

    /// `MPI_COMM_SELF`.
    pub(crate) fn itself(&self) -> &Rc<CommObject> {
        self.itself.get_or_init(|| Rc::new(CommObject::new(self.comm.alone())))
    }

    /// `MPI_COMM_SELF`, if it was ever used.
    pub(crate) fn itself_if_used(&self) -> Option<&Rc<CommObject>> {
        self.itself.get()
    }
}
