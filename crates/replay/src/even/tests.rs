//! Noisy traces that are made up, in which the time without noise is known.

use super::*;
use crate::factors::Factors;
use crate::synthetic::{SPEED, barriers, noise, replay_of, seconds};

const TURNS: u32 = 50;

/// Seconds of a trace as it is and without noise.
fn both(text: &str, form: Form) -> (f64, f64) {
    let replay = replay_of(text, form);
    let evened = replay.again(Factors::default()).without_noise();
    (seconds(replay), seconds(evened))
}

/// What the barriers of a trace take, when all ranks come to them at once.
fn waiting(ranks: u32) -> f64 {
    seconds(replay_of(&barriers(ranks, TURNS, |_, _| 0.0), Form::TimeIndependent))
}

#[track_caller]
fn close(found: f64, expected: f64) {
    assert!((found / expected - 1.0).abs() < 1e-9, "{found}, not {expected}");
}

/// With noise, each turn takes as long as the rank that has most to do; without, all turns take the
/// mean of the rank whose mean is largest.
#[test]
fn turns_take_the_mean_instead_of_the_slowest() {
    let work = |rank, turn| 1e6 * (1.0 + noise(rank, turn));
    let (found, evened) = both(&barriers(2, TURNS, work), Form::TimeIndependent);
    let slowest: f64 = (0..TURNS).map(|turn| work(0, turn).max(work(1, turn))).sum();
    let mean = |rank| (0..TURNS).map(|turn| work(rank, turn)).sum::<f64>();
    close(found, slowest / SPEED + waiting(2));
    close(evened, mean(0).max(mean(1)) / SPEED + waiting(2));
    assert!(evened < 0.95 * found);
}

#[test]
fn noise_on_even_work_is_taken_away_in_all_forms() {
    // What one turn has too much, the next has too little.
    let around = |rank: u32, turn: u32| {
        let sign = if (rank + turn).is_multiple_of(2) { 1.0 } else { -1.0 };
        sign * 0.5 * noise(rank, turn / 2)
    };
    let even = |rank: u32, _: u32| 1e6 * (1.0 + 0.1 * f64::from(rank));
    let noisy = |rank, turn| even(rank, turn) * (1.0 + around(rank, turn));
    let expected = seconds(replay_of(&barriers(4, TURNS, even), Form::TimeIndependent));
    for form in [Form::TimeIndependent, Form::Compact] {
        let (found, evened) = both(&barriers(4, TURNS, noisy), form);
        close(evened, expected);
        assert!(found > 1.1 * expected, "{found}");
    }
}

#[test]
fn a_trace_without_noise_stays_to_the_bit() {
    // Rank 1 has two things to do in each turn, and the ranks send to each other.
    let text = barriers(3, TURNS, |rank, _| 1e6 / f64::from(3 + rank));
    let text = text.replace("1 barrier\n", "1 bcast 8 0\n1 compute 7777.7\n1 barrier\n");
    let text = text.replace("0 barrier\n", "0 bcast 8 0\n0 barrier\n");
    let text = text.replace("2 barrier\n", "2 bcast 8 0\n2 barrier\n");
    for form in [Form::TimeIndependent, Form::Compact] {
        let (found, evened) = both(&text, form);
        assert_eq!(found.to_bits(), evened.to_bits());
    }
}

#[test]
fn what_became_of_computations_is_told() {
    let text = barriers(2, TURNS, |rank, turn| if rank == 0 { noise(rank, turn) } else { 1.0 });
    let replay = std::rc::Rc::new(replay_of(&text, Form::TimeIndependent).without_noise());
    (0..2).for_each(|rank| drop(replay.cursor(rank).unwrap()));
    let all = u64::from(TURNS);
    let found = replay.evened().unwrap();
    assert_eq!((found.computations, found.evened, found.beyond), (2 * all, all, 0));
    // Half of the numbers from 0 to 1, of which a third of the work is, and none of the rest.
    assert!((found.variation() - 0.288 / 1.5).abs() < 0.02, "{found:?}");
    assert_eq!(replay.again(Factors::default()).evened(), Some(Evened::default()));
}

#[test]
fn mistakes_of_a_trace_are_found_before() {
    let replay = replay_of("0 init\n0 compute 1\n0 comptue 1\n", Form::TimeIndependent);
    let replay = std::rc::Rc::new(replay.without_noise());
    assert!(replay.cursor(0).unwrap_err().to_string().contains("comptue"));
}
