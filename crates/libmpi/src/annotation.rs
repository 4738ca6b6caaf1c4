//! Annotations: what a program says about its own computation. The names are SimGrid's, Dimemas's
//! and ours; the headers `smpi/smpi.h` and `foretell.h` declare them.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::{c_char, c_double, c_int};
use std::hash::{DefaultHasher, Hash, Hasher};

use foretell_mpi::{Comm, Mark};
use foretell_ranks::{Clock, Rule, Sample, Sampler, Site, block_on};

use crate::ahead;
use crate::alone;
use crate::meter;
use crate::pointer::In;
use crate::rank::RankContext;
use crate::report;
use crate::threads;

thread_local! {
    static SAMPLER: RefCell<Sampler> = RefCell::default();
    /// When each rank began the sample it is in.
    static BEGUN: RefCell<BTreeMap<u32, f64>> = RefCell::default();
}

/// Lets the rank do `flops` operations.
#[unsafe(no_mangle)]
extern "C" fn foretell_compute_flops(flops: c_double) {
    spend("foretell_compute_flops", |here| block_on(here.comm.compute(flops)));
}

/// Lets the rank compute for so long as measured on this computer.
#[unsafe(no_mangle)]
extern "C" fn foretell_compute_seconds(seconds: c_double) {
    spend("foretell_compute_seconds", |here| meter::compute_measured(here, seconds));
}

/// Lets simulated time pass without computing.
#[unsafe(no_mangle)]
extern "C" fn foretell_sleep(seconds: c_double) {
    spend("foretell_sleep", |here| block_on(here.comm.sleep(seconds)));
}

/// Marks this date in traces.
#[unsafe(no_mangle)]
extern "C" fn foretell_mark(name: In<c_char>) {
    spend("foretell_mark", |here| here.comm.mark(Mark::Here, &name.text()));
}

/// A part of the program begins, for traces. Parts may lie in each other.
#[unsafe(no_mangle)]
extern "C" fn foretell_region_begin(name: In<c_char>) {
    spend("foretell_region_begin", |here| here.comm.mark(Mark::Begin, &name.text()));
}

/// The part that began last ends.
#[unsafe(no_mangle)]
extern "C" fn foretell_region_end(name: In<c_char>) {
    spend("foretell_region_end", |here| here.comm.mark(Mark::End, &name.text()));
}

/// Puts the rank's node into one of its pstates.
#[unsafe(no_mangle)]
extern "C" fn foretell_set_pstate(pstate: c_int) {
    if alone::is_on_its_own() {
        return;
    }
    spend("foretell_set_pstate", |here| {
        let outcome = usize::try_from(pstate).map_err(|_| format!("there is no pstate {pstate}"));
        let outcome = outcome
            .and_then(|pstate| here.comm.set_pstate(pstate).map_err(|error| error.to_string()));
        if let Err(why) = outcome {
            report::fatal(&format!("{} in foretell_set_pstate: {why}", report::who()));
        }
    });
}

/// The pstate that the rank's node is in.
#[unsafe(no_mangle)]
extern "C" fn foretell_pstate() -> c_int {
    asked(|comm| comm.pstate(), 0)
}

/// How many pstates the rank's node has.
#[unsafe(no_mangle)]
extern "C" fn foretell_pstate_count() -> c_int {
    asked(Comm::pstates, 1)
}

/// What a rank's communicator tells, or what a program on its own finds.
fn asked(question: fn(&Comm) -> usize, alone: c_int) -> c_int {
    match RankContext::current() {
        Some(here) => question(&here.comm) as c_int,
        None => threads::elsewhere("a question about pstates", || asked(question, alone))
            .unwrap_or(alone),
    }
}

/// Whether the next execution of a sampled region shall run; if not, its mean is charged.
#[unsafe(no_mangle)]
extern "C" fn foretell_sample_begin(
    global: c_int,
    file: In<c_char>,
    line: c_int,
    tag: In<c_char>,
    iterations: c_int,
    threshold: c_double,
) -> c_int {
    let Some(here) = RankContext::current() else {
        let begin = || foretell_sample_begin(global, file, line, tag, iterations, threshold);
        return threads::elsewhere("a sampled region", begin).unwrap_or(1);
    };
    let site = site(here, global, file, line, tag);
    let precision = (threshold > 0.0).then_some(threshold);
    let count = if iterations > 0 { iterations as u32 } else { u32::MAX };
    let rule = Rule { count, precision };
    // What is measured shall not share the processor.
    ahead::forbid();
    match SAMPLER.with_borrow_mut(|sampler| sampler.next(site, rule)) {
        Sample::Measure => {
            // The measured stretch is charged when it ends; what came before it, now.
            here.enter("a sampled region", 0);
            BEGUN.with_borrow_mut(|begun| begun.insert(here.number(), Clock::Wall.read()));
            1
        }
        Sample::Replay(mean) => {
            spend("a sampled region", |here| meter::compute_measured(here, mean));
            0
        }
    }
}

/// The region has run: its duration is recorded and charged.
#[unsafe(no_mangle)]
extern "C" fn foretell_sample_end(global: c_int, file: In<c_char>, line: c_int, tag: In<c_char>) {
    let Some(here) = RankContext::current() else {
        threads::elsewhere("a sampled region", || foretell_sample_end(global, file, line, tag));
        return;
    };
    let since = BEGUN.with_borrow_mut(|begun| begun.remove(&here.number()));
    let Some(since) = since else { return };
    let seconds = (Clock::Wall.read() - since).max(0.0);
    let site = site(here, global, file, line, tag);
    SAMPLER.with_borrow_mut(|sampler| sampler.record(site, seconds));
    meter::compute_measured(here, seconds);
    here.leave();
}

/// Does something that takes simulated time; what the program computed before it counts first.
pub(crate) fn spend(call: &'static str, what: impl FnOnce(&'static RankContext)) {
    let Some(here) = RankContext::current() else {
        threads::elsewhere(call, || spend(call, what));
        return;
    };
    here.enter(call, 0);
    what(here);
    here.leave();
}

fn site(here: &RankContext, global: c_int, file: In<c_char>, line: c_int, tag: In<c_char>) -> Site {
    // Images of the program have the file's name at different addresses: its text counts.
    let mut hasher = DefaultHasher::new();
    (file.text(), line, tag.text()).hash(&mut hasher);
    Site { place: hasher.finish(), rank: (global == 0).then(|| here.number()) }
}
