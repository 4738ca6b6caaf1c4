//! Loads, and what balanced ranks take, against what can be said in closed form.

use super::*;
use crate::synthetic::{SPEED, barriers, replay_of, seconds};
use foretell_trace::Form;

const TURNS: u32 = 20;

/// Ranks with as many millions of flops in each turn as are told, and what they take.
fn found(millions: &'static [f64], change: impl FnOnce(&Replay) -> Factors) -> f64 {
    let text = barriers(millions.len() as u32, TURNS, |rank, _| 1e6 * millions[rank as usize]);
    let replay = replay_of(&text, Form::TimeIndependent);
    let factors = change(&replay);
    seconds(replay.with_factors(factors))
}

fn balanced(replay: &Replay) -> Factors {
    replay.loads().unwrap().balanced(replay.factors())
}

#[track_caller]
fn check(found: f64, turn: f64, ranks: &'static [f64]) {
    let zeros: &[f64] = match ranks.len() {
        2 => &[0.0; 2],
        _ => &[0.0; 4],
    };
    let text = barriers(zeros.len() as u32, TURNS, |_, _| 0.0);
    let waiting = seconds(replay_of(&text, Form::TimeIndependent));
    let expected = f64::from(TURNS) * turn + waiting;
    assert!((found / expected - 1.0).abs() < 1e-9, "{found}, not {expected}");
}

/// A turn takes what the rank with most to do takes; balanced, what the mean takes.
#[test]
fn balanced_ranks_compute_the_mean() {
    let ranks = &[1.0, 2.0, 3.0, 6.0];
    check(found(ranks, |replay| replay.factors().clone()), 6e6 / SPEED, ranks);
    check(found(ranks, balanced), 3e6 / SPEED, ranks);
    // Ranks with nothing to do are left out: there is nothing that could take longer.
    let ranks = &[0.0, 2.0, 4.0, 6.0];
    check(found(ranks, balanced), 4e6 / SPEED, ranks);
    // Only the rank that has most.
    let slowest = |replay: &Replay| {
        let loads = replay.loads().unwrap();
        loads.at_mean(replay.factors(), loads.above(1.5))
    };
    let ranks = &[1.0, 2.0, 3.0, 6.0];
    check(found(ranks, slowest), 3e6 / SPEED, ranks);
}

#[test]
fn loads_count_speed_ups() {
    let text = barriers(2, 1, |_, _| 8.0) + "0 region a\n0 compute 6\n0 leave a\n0 compute 1\n";
    let mut factors = Factors { all: 2.0, ..Factors::default() };
    factors.ranks.insert(1, 4.0);
    factors.parts.insert("a".into(), 3.0);
    let replay = replay_of(&text, Form::TimeIndependent).with_factors(factors);
    let loads = replay.loads().unwrap();
    assert_eq!(loads, Loads(vec![5.5, 1.0]));
    assert_eq!((loads.mean(), loads.most(), loads.idle()), (3.25, Some((0, 5.5)), 0));
    let even = replay.again(loads.balanced(replay.factors())).loads().unwrap();
    assert!(even.0.iter().all(|load| (load / 3.25 - 1.0).abs() < 1e-12), "{even:?}");
}

#[test]
fn a_balanced_trace_stays_to_the_bit() {
    for ranks in [&[0.3, 0.3][..], &[0.7; 7], &[0.0; 3], &[1e300; 5]] {
        let loads = Loads(ranks.to_vec());
        assert_eq!(loads.balanced(&Factors::default()), Factors::default());
    }
    assert_eq!((Loads(vec![0.0; 3]).most(), Loads(vec![0.0; 3]).mean()), (None, 0.0));
    let ranks = &[3.0, 3.0];
    check(found(ranks, balanced), 3e6 / SPEED, ranks);
}

#[test]
fn schedules_are_balanced_too() {
    let text = "num_ranks 2\nrank 0 {\nl1: calc 1000000\n}\nrank 1 {\nl1: calc 3000000\n}\n";
    let replay = replay_of(text, Form::Goal);
    replay.record_speed(SPEED);
    let factors = balanced(&replay);
    assert!((seconds(replay.with_factors(factors)) - 0.002).abs() < 1e-12);
}
