//! How long programs compute after a call, by the place of the call.
//!
//! Real clocks decide here where something runs, never what comes of it.

use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, Ordering};

use foretell_ranks::ticks;

use super::{is_on, launch_known};
use crate::rank::RankContext;

/// A stretch is worth to be run elsewhere from so many ticks on: some two microseconds, a few times
/// what it takes to hand it over.
const WORTH: u32 = 6_000;

/// At most one of so many calls is looked at, where long stretches are seen, and where none are; at
/// first all are.
const SOMETIMES: u32 = 7;
const SELDOM: u32 = 61;

/// How many short stretches it takes to forget a long one, and how many are remembered at most.
const LONG: u32 = 16;
const MOST: u32 = 64;

/// How many short stretches there may be at first until nobody expects long ones: so many of each
/// rank, up to a limit.
const FIRST: u32 = 64;
const MOST_FIRST: u32 = 4096;

/// How many places are remembered: of each rank some, up to a limit.
const EACH: usize = 64;
const PLACES: usize = 1 << 16;

/// A place of the program where a rank calls. What comes after it may differ between ranks: those
/// at an edge have no neighbour to wait for.
#[derive(Clone, Copy, Default)]
struct Site {
    caller: usize,
    rank: u32,
    /// The mean of late, in ticks.
    mean: u32,
}

thread_local! {
    static SITES: RefCell<Box<[Site]>> = RefCell::default();
    /// When the computation began that is looked at, and after which call.
    static BEGUN: Cell<(u64, usize)> = const { Cell::new((0, 0)) };
    static LOOKS: Cell<u32> = const { Cell::new(0) };
}

/// The rank whose computation is being looked at; null mostly.
static WATCHED: AtomicPtr<RankContext> = AtomicPtr::new(std::ptr::null_mut());

/// Whether there were long stretches of late, as a score: most programs that only communicate have
/// none, and nothing more is looked up then.
static SCORE: AtomicU32 = AtomicU32::new(0);

/// Whether stretches of any length go ahead.
static IS_ALWAYS: AtomicBool = AtomicBool::new(false);

/// Calls until the next is looked at.
static CALLS: AtomicU32 = AtomicU32::new(1);

/// Makes room for the places of so many ranks. For tests, every place can be said to be worth it.
pub(super) fn set_up(ranks: u32) {
    let asked = std::env::var_os("FORETELL_AHEAD");
    IS_ALWAYS.store(asked.is_some_and(|asked| asked == "always"), Ordering::Relaxed);
    SCORE.store(FIRST.saturating_mul(ranks).min(MOST_FIRST), Ordering::Relaxed);
    let places = (EACH * ranks as usize).next_power_of_two().min(PLACES);
    SITES.set(vec![Site::default(); places].into());
}

fn with_site<R>((caller, rank): (usize, u32), f: impl FnOnce(&mut Site) -> R) -> R {
    // Any mixing will do: places of calls differ in their low bits, and images lie in rows.
    let mixed = (caller + rank as usize).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    SITES.with_borrow_mut(|sites| {
        let at = mixed & (sites.len() - 1);
        f(&mut sites[at])
    })
}

fn learn((caller, rank): (usize, u32), ticks: u64) {
    let ticks = u32::try_from(ticks).unwrap_or(u32::MAX);
    let score = SCORE.load(Ordering::Relaxed);
    let score = match ticks >= WORTH {
        true => score.max((score + LONG).min(MOST)),
        false => score.saturating_sub(1),
    };
    SCORE.store(score, Ordering::Relaxed);
    with_site((caller, rank), |site| {
        *site = match site.caller == caller && site.rank == rank {
            true => Site { mean: site.mean - site.mean / 4 + ticks / 4, ..*site },
            false => Site { caller, rank, mean: ticks },
        };
    });
}

/// Whether it is worth to look at the place of a call.
#[inline]
pub(super) fn may_be_worth() -> bool {
    SCORE.load(Ordering::Relaxed) > 0 || IS_ALWAYS.load(Ordering::Relaxed)
}

/// Whether the program computes for long after the call that a rank is in. Only calls of its own
/// count, not those that it makes while we call it.
///
/// A place where nobody has called yet is tried: to hand a rank over once in vain costs less than
/// to find out while all others wait.
#[inline(never)]
pub(super) fn is_worth(here: &RankContext) -> bool {
    let key = (here.caller.get(), here.number());
    let is_long = |site: &mut Site| match site.caller {
        0 => true,
        _ => (site.caller, site.rank) == key && site.mean >= WORTH,
    };
    here.nesting.get() == 1
        && (IS_ALWAYS.load(Ordering::Relaxed) || with_site(key, is_long))
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
    if is_on() && !here.is_ahead.get() {
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
    let most = if SCORE.load(Ordering::Relaxed) > 0 { SOMETIMES } else { SELDOM };
    CALLS.store((looks / 1024).clamp(1, most), Ordering::Relaxed);
    WATCHED.store(std::ptr::from_ref(here).cast_mut(), Ordering::Relaxed);
    BEGUN.set((ticks(), here.caller.get()));
}

#[cold]
fn end_look(here: &RankContext) {
    let watched = WATCHED.swap(std::ptr::null_mut(), Ordering::Relaxed);
    // Another rank calls when the one that was looked at has ended.
    if std::ptr::eq(watched, here) {
        let (begun, caller) = BEGUN.get();
        learn((caller, here.number()), ticks().wrapping_sub(begun));
    }
}

/// A rank is back that was ahead since its last call.
pub(super) fn note_stretch(here: &RankContext) {
    match foretell_ranks::last_stretch(here.number()) {
        0 => {}
        ticks => learn((here.caller.get(), here.number()), ticks),
    }
}
