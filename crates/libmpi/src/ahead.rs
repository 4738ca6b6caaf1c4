//! Ranks that go on computing before what they wait for is due, on other cores of this computer.
//!
//! A rank that waits may go on when nothing can change any more what it waits for. Its call then
//! returns early, and what is left of the call is a [`Debt`]: paid when the rank's turn comes, before
//! the next thing that the rank does with others. The simulation sees the same in the same order.
//!
//! It is worth while only where the program computes for long before its next call, which the place
//! of the call tells from its past (`sites`).

mod debt;
mod put_off;
mod sites;

use std::cell::RefCell;
use std::ptr;
use std::rc::Rc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, Ordering};
use std::task::{Context, Poll, Waker};

use foretell_launch::{Computation, Launch};
use foretell_mpi::{Comm, Request};

use crate::failure::Outcome;
use crate::rank::RankContext;
use crate::report;

pub(crate) use debt::{Debt, Owed, Rest};
pub(crate) use sites::{call_begins, call_ends};

/// With more ranks nobody goes ahead: systems do not allow them images of their own anyway.
const MOST_RANKS: u32 = 65_536;

/// Whether ranks may go ahead.
static IS_ON: AtomicBool = AtomicBool::new(false);

/// Whether there are ranks for which all is known.
static HAS_NEWS: AtomicBool = AtomicBool::new(false);

/// All ranks by their numbers, null for those that do not live.
static RANKS: OnceLock<Box<[AtomicPtr<RankContext>]>> = OnceLock::new();

/// Sends of less are over at once; zero while that is not known.
static LIMIT: AtomicU64 = AtomicU64::new(0);

thread_local! {
    /// Ranks for which all is known, in the order in which it came to be.
    static KNOWN: RefCell<Vec<u32>> = const { RefCell::new(Vec::new()) };
}

/// Does what the launch says about cores, unless something else that it says needs one rank after
/// the other.
pub(crate) fn set_up(launch: &Launch) {
    let cores = launch.cores.map_or_else(available, |cores| cores as usize);
    let is_possible = launch.computation == Computation::Off
        && !launch.check
        && !launch.wait_for_debugger
        && (2..=MOST_RANKS).contains(&launch.ranks());
    if cores > 1 && is_possible {
        foretell_ranks::prepare_ahead(launch.ranks(), cores);
        foretell_ranks::settle_with(settle);
        foretell_ranks::put_off_with(put_off::NAMES, put_off::put_off);
        put_off::set_up();
        sites::set_up(launch.ranks());
        let nobody = || AtomicPtr::new(ptr::null_mut());
        RANKS.get_or_init(|| (0..launch.ranks()).map(|_| nobody()).collect());
        IS_ON.store(true, Ordering::Relaxed);
    }
}

/// The cores that this process may use.
fn available() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Whether ranks may go ahead.
#[inline]
pub(crate) fn is_on() -> bool {
    IS_ON.load(Ordering::Relaxed)
}

/// Lets no rank go ahead from now on: something begins through which ranks reach the memory of
/// others at any time, or that measures them.
pub(crate) fn forbid() {
    IS_ON.store(false, Ordering::Relaxed);
}

/// A rank begins to live; its context stays where it is until it is told to be gone. Where one
/// cannot go ahead no other can: they run the same programs.
pub(crate) fn lives(here: &RankContext, goes_ahead: bool) {
    note(here, here);
    if !goes_ahead {
        forbid();
    }
}

/// A rank is gone. If the run ends while a worker still runs it, what it may look at stays.
pub(crate) fn is_gone(here: &Rc<RankContext>) {
    note(here, ptr::null());
    if foretell_ranks::is_away(here.number()) {
        std::mem::forget(here.clone());
    }
}

fn note(here: &RankContext, context: *const RankContext) {
    if let Some(place) = RANKS.get().and_then(|ranks| ranks.get(here.number() as usize)) {
        place.store(context.cast_mut(), Ordering::Relaxed);
    }
}

/// A rank that lives.
fn context(rank: u32) -> Option<&'static RankContext> {
    let place = RANKS.get()?.get(rank as usize)?;
    // SAFETY: a rank that is gone was taken out of the list, and stays if somebody may look at it.
    unsafe { place.load(Ordering::Relaxed).as_ref() }
}

fn rank_count() -> i32 {
    RANKS.get().map_or(0, |ranks| ranks.len() as i32)
}

/// All is known that a rank waits for. The simulation may be asked nothing now.
pub(crate) fn is_known(rank: u32) {
    KNOWN.with_borrow_mut(|known| known.push(rank));
    HAS_NEWS.store(true, Ordering::Relaxed);
}

/// Lets those go ahead for which all is known; the simulation is at rest meanwhile.
#[inline]
pub(crate) fn launch_known() {
    if HAS_NEWS.load(Ordering::Relaxed) {
        launch_all();
    }
}

#[cold]
fn launch_all() {
    HAS_NEWS.store(false, Ordering::Relaxed);
    for rank in KNOWN.take() {
        let Some(here) = context(rank) else { continue };
        let owed = &here.owed_ahead;
        if !owed.is_awaiting.get() {
            continue;
        }
        let (comm, request) = owed.awaited.get();
        // SAFETY: both are on the stack of the rank, which waits; see `watch`.
        if let (Some(comm), Some(request)) = unsafe { (comm.as_ref(), request.as_ref()) } {
            owed.foreseen.set(Some(comm.foreseen(request)));
        }
        owed.date.set(here.comm.now());
        foretell_ranks::launch(rank);
    }
}

/// Whether it is worth while to let the rank go ahead from the call that it is in.
#[inline]
pub(crate) fn is_worth(here: &RankContext) -> bool {
    is_on() && sites::may_be_worth() && sites::is_worth(here)
}

/// Asks for word when an operation is known, for which the rank suspends itself next. Where the
/// call would not be worth it nothing happens, and the answer is false.
#[inline]
pub(crate) fn watch(here: &RankContext, comm: &Comm, request: &Request) -> bool {
    if !is_worth(here) {
        return false;
    }
    here.owed_ahead.awaited.set((comm, request));
    prepare(here);
    here.comm.ask_for_outlook();
    here.comm.waits_only_for([request]);
    true
}

/// The rank may go ahead when it suspends itself next.
fn prepare(here: &RankContext) {
    if !here.owed_ahead.is_prepared.replace(true) {
        here.owed_ahead.may_put_off.set(put_off::may_put_off(here));
        LIMIT.store(here.comm.least_rendezvous_limit(), Ordering::Relaxed);
    }
    here.owed_ahead.is_awaiting.set(true);
}

/// What has become of a rank that suspended itself after it asked for word: whether it has gone
/// ahead.
#[inline(never)]
pub(crate) fn has_gone_ahead(here: &RankContext) -> bool {
    here.owed_ahead.is_awaiting.set(false);
    foretell_ranks::is_ahead()
}

/// Runs what a call has to do, on the stack of the rank: to the end, or until the rank goes ahead
/// and owes the rest.
pub(crate) fn to_the_end(here: &RankContext, rest: Rest<Outcome>) -> Outcome {
    match drive(here, rest) {
        Ok(outcome) => outcome,
        Err(rest) => {
            here.owe(Debt::Rest(rest));
            Ok(())
        }
    }
}

/// `MPI_Wtime`, where it is worth to go ahead: all ranks that asked for the date at the same time
/// learn it when the first of them has its turn.
pub(crate) fn wtime(here: &RankContext) -> f64 {
    let comm = here.comm.clone();
    match drive(here, Box::pin(async move { comm.wtime().await })) {
        Ok(date) => date,
        Err(rest) => {
            let told = here.owed_ahead.date.get();
            here.owe(Debt::Date { rest, told });
            told
        }
    }
}

/// Runs a future on the stack of the rank to its end, or until the rank goes ahead: then it is
/// given back.
fn drive<T>(here: &RankContext, mut rest: Rest<T>) -> Result<T, Rest<T>> {
    here.comm.ask_for_outlook();
    here.owed_ahead.awaited.set((ptr::null(), ptr::null()));
    loop {
        let mut task = Context::from_waker(Waker::noop());
        if let Poll::Ready(result) = rest.as_mut().poll(&mut task) {
            here.comm.forget_outlook();
            return Ok(result);
        }
        prepare(here);
        foretell_ranks::suspend();
        if has_gone_ahead(here) {
            return Err(rest);
        }
    }
}

/// The turn of a rank that was ahead has come: it does what it owes.
fn settle() {
    let Some(here) = RankContext::peek() else { return };
    here.is_ahead.set(false);
    sites::note_stretch(here);
    if let Some(debt) = here.owed_ahead.take()
        && let Err(failure) = debt.pay(here)
    {
        report::fatal(&format!(
            "{}: {} failed after it was foreseen to succeed: {}; please report this bug of \
             foretell, and use --cores 1 meanwhile",
            report::who(),
            here.call.get(),
            failure.text
        ));
    }
    here.owed_ahead.calls.carry_out();
}
