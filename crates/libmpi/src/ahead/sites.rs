//! How long programs compute after a call, by the place of the call.
//!
//! Real clocks decide here where something runs, never what comes of it.

use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering};

use foretell_ranks::ticks;

use super::{is_on, launch_known};
use crate::rank::RankContext;

/// A stretch is worth to be run elsewhere from so many ticks on: some two microseconds, a few times
/// what it takes to hand it over.
const WORTH: u32 = 6_000;

/// At most one of so many calls is looked at; at first nearly all are.
const SELDOM: u32 = 31;

/// How many places are remembered.
const PLACES: usize = 256;

/// A place of the program that calls.
#[derive(Clone, Copy)]
struct Site {
    caller: usize,
    /// The mean of late, in ticks.
    mean: u32,
}

thread_local! {
    static SITES: RefCell<[Site; PLACES]> =
        const { RefCell::new([Site { caller: 0, mean: 0 }; PLACES]) };
    /// When the computation began that is looked at, and after which call.
    static BEGUN: Cell<(u64, usize)> = const { Cell::new((0, 0)) };
    static LOOKS: Cell<u32> = const { Cell::new(0) };
}

/// The rank whose computation is being looked at; null mostly.
static WATCHED: AtomicPtr<RankContext> = AtomicPtr::new(std::ptr::null_mut());

/// Calls until the next is looked at.
static CALLS: AtomicU32 = AtomicU32::new(1);

fn with_site<R>(caller: usize, f: impl FnOnce(&mut Site) -> R) -> R {
    // Any mixing will do: places of calls differ in their low bits.
    let at = caller.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    SITES.with_borrow_mut(|sites| f(&mut sites[at % PLACES]))
}

fn learn(caller: usize, ticks: u64) {
    let ticks = u32::try_from(ticks).unwrap_or(u32::MAX);
    with_site(caller, |site| {
        *site = match site.caller == caller {
            true => Site { mean: site.mean - site.mean / 4 + ticks / 4, ..*site },
            false => Site { caller, mean: ticks },
        };
    });
}

/// Whether the program computes for long after the call that a rank is in. Only calls of its own
/// count, not those that it makes while we call it.
#[inline(never)]
pub(super) fn is_worth(here: &RankContext) -> bool {
    let caller = here.caller.get();
    here.nesting.get() == 1
        && with_site(caller, |site| site.caller == caller && site.mean >= WORTH)
        && foretell_ranks::may_launch(here.number())
}

/// A call begins.
#[inline]
pub(crate) fn call_begins(here: &RankContext) {
    if !WATCHED.load(Ordering::Relaxed).is_null() {
        end_look(here);
    }
}

/// A call ends; the rank may be ahead already.
#[inline]
pub(crate) fn call_ends(here: &RankContext) {
    if is_on() && !here.owed_ahead.is_any() {
        launch_known();
        let calls = CALLS.load(Ordering::Relaxed) - 1;
        CALLS.store(calls, Ordering::Relaxed);
        if calls == 0 {
            begin_look(here);
        }
    }
}

#[cold]
fn begin_look(here: &RankContext) {
    let looks = LOOKS.get().saturating_add(1);
    LOOKS.set(looks);
    CALLS.store((looks / 64).clamp(1, SELDOM), Ordering::Relaxed);
    WATCHED.store(std::ptr::from_ref(here).cast_mut(), Ordering::Relaxed);
    BEGUN.set((ticks(), here.caller.get()));
}

#[cold]
fn end_look(here: &RankContext) {
    let watched = WATCHED.swap(std::ptr::null_mut(), Ordering::Relaxed);
    // Another rank calls when the one that was looked at has ended.
    if std::ptr::eq(watched, here) {
        let (begun, caller) = BEGUN.get();
        learn(caller, ticks().wrapping_sub(begun));
    }
}

/// A rank is back that was ahead since its last call.
pub(super) fn note_stretch(here: &RankContext) {
    match foretell_ranks::last_stretch(here.number()) {
        0 => {}
        ticks => learn(here.caller.get(), ticks),
    }
}
