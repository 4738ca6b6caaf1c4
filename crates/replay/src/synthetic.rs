//! Traces made up for tests, and what their replay takes.

use std::rc::Rc;

use foretell_mpi::Simulation;
use foretell_trace::{Form, Trace, compact};

use crate::rank::Replay;

/// The speed of a core of the machine, in flops a second.
pub(crate) const SPEED: f64 = 1e10;
/// Barriers before the first computation: from then on the last actions are always the same.
pub(crate) const BEFORE: usize = 4;

/// Ranks that compute, and wait for each other in a barrier, so many times.
pub(crate) fn barriers(ranks: u32, turns: u32, work: impl Fn(u32, u32) -> f64) -> String {
    let mut text = String::new();
    for rank in 0..ranks {
        text += &format!("{rank} init\n");
        text += &format!("{rank} barrier\n").repeat(BEFORE);
        for turn in 0..turns {
            text += &format!("{rank} compute {}\n{rank} barrier\n", work(rank, turn));
        }
    }
    text
}

/// Numbers from 0 to 1 that follow no pattern.
pub(crate) fn noise(rank: u32, turn: u32) -> f64 {
    let mixed = (u64::from(rank) << 32 | u64::from(turn)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (mixed >> 11) as f64 / (1_u64 << 53) as f64
}

/// A trace in a file of this form.
pub(crate) fn replay_of(text: &str, form: Form) -> Replay {
    let folder = tempfile::tempdir().unwrap();
    let mut path = folder.path().join("trace.txt");
    std::fs::write(&path, text).unwrap();
    if form == Form::Compact {
        let plain = Trace::open_as(&path, Form::TimeIndependent).unwrap();
        path = folder.path().join("trace.fti");
        compact(&plain, &path).unwrap();
    }
    Replay::new(Trace::open_as(&path, form).unwrap())
}

/// What a replay takes on a machine with a core for each rank.
pub(crate) fn seconds(replay: Replay) -> f64 {
    let platform = foretell_platform::Platform::named("star-64").unwrap();
    let (ranks, replay) = (replay.ranks(), Rc::new(replay));
    Simulation::new(platform).ranks(ranks).run(move |world| replay.main(world)).unwrap().seconds
}
