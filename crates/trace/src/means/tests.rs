//! Which computations are taken for the same, and that the work of a rank is kept.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::{Form, Trace};

/// The trace of one rank among two, and what it computes with means in the place of amounts.
struct Case {
    trace: Trace,
    means: Means,
}

impl Case {
    fn of(lines: &[String]) -> Self {
        Self::within(MOST_PLACES, lines)
    }

    fn within(most: usize, lines: &[String]) -> Self {
        let file = tempfile::NamedTempFile::new().unwrap();
        let text: String = lines.iter().map(|line| format!("0 {line}\n")).collect();
        std::fs::write(file.path(), format!("0 init\n{text}1 init\n")).unwrap();
        let trace = Trace::open_as(file.path(), Form::TimeIndependent).unwrap();
        let means = Means::within(most, trace.cursor(0)).unwrap();
        Self { trace, means }
    }

    fn amounts(&self) -> (Vec<f64>, Vec<f64>) {
        let evened = self.trace.cursor(0).evened(self.means.clone());
        (amounts(self.trace.cursor(0)), amounts(evened))
    }
}

fn amounts(mut cursor: Cursor) -> Vec<f64> {
    let mut all = Vec::new();
    while let Some(action) = cursor.next().unwrap() {
        if let Action::Compute(amount) = action {
            all.push(amount);
        }
    }
    all
}

#[track_caller]
fn check(lines: &[&str], expected: &[f64]) {
    let lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
    assert_eq!(Case::of(&lines).amounts().1, expected);
}

#[test]
fn actions_before_a_computation_tell_where_it_is() {
    // After messages to different ranks, and after different tags and sizes.
    check(&["send 1 0 8", "compute 1", "send 1 5 8", "compute 5"], &[1.0, 5.0]);
    check(&["recv 1 0 8", "compute 1", "recv 1 0 9", "compute 5"], &[1.0, 5.0]);
    check(&["bcast 8 0", "compute 1", "bcast 8 1", "compute 5"], &[1.0, 5.0]);
    // Four barriers and more are the same.
    let before = ["barrier"; 4];
    let rest = ["compute 1", "barrier", "compute 3", "barrier", "compute 8"];
    check(&[&before[..], &rest[..]].concat(), &[4.0, 4.0, 4.0]);
}

#[test]
fn what_is_a_matter_of_time_tells_nothing() {
    let turn = |sleeps: usize, waits: [&str; 2], work: &'static str| {
        let begun = ["irecv 1 0 8", "irecv 1 1 8"].map(str::to_owned);
        let polls = vec!["test 1 0 0".to_owned(); sleeps];
        let waits = waits.map(|tag| format!("wait 1 0 {tag}"));
        [&begun[..], &polls, &waits, &[format!("compute {work}")]].concat()
    };
    let turns = [turn(0, ["0", "1"], "7"), turn(2, ["0", "1"], "1"), turn(5, ["1", "0"], "3")];
    let found = Case::of(&turns.concat()).amounts().1;
    assert_eq!(found, [7.0, 2.0, 2.0]);
    // Flops of a reduction are an amount of computation.
    let reductions = ["allreduce 8 5", "allreduce 8 6", "allreduce 8 7", "allreduce 8 8"];
    let work = ["compute 1", "allreduce 8 9", "compute 3"];
    check(&[&reductions[..], &work].concat(), &[2.0, 2.0]);
}

#[test]
fn parts_of_the_program_tell_where_it_is() {
    let part = |name: &str, work: u32| {
        [format!("region {name}"), format!("compute {work}"), format!("leave {name}")]
    };
    let turns = [part("a", 1), part("b", 10), part("a", 3), part("b", 20)].concat();
    assert_eq!(Case::of(&turns).amounts().1, [2.0, 15.0, 2.0, 15.0]);
    // What happens in a part does not depend on what was before it.
    let before = |line: &str, work: u32| [&[line.to_owned()][..], &part("a", work)].concat();
    let turns = [before("barrier", 1), before("bcast 8 0", 3)].concat();
    assert_eq!(Case::of(&turns).amounts().1, [2.0, 2.0]);
    // Ends that have no beginning are passed over.
    check(&["leave a", "region a", "leave b", "compute 1", "leave a", "leave a"], &[1.0]);
}

#[test]
fn a_line_of_the_source_tells_where_it_is() {
    let turn = |line: u32, size: u32, work: u32| {
        [format!("location a.c {line}"), format!("send 1 0 {size}"), format!("compute {work}")]
    };
    let turns = [turn(1, 8, 1), turn(2, 8, 10), turn(1, 9, 3), turn(2, 9, 20)].concat();
    assert_eq!(Case::of(&turns).amounts().1, [2.0, 15.0, 2.0, 15.0]);
    // One that is told once is not that of all that follows.
    let told = ["location a.c 1", "send 1 0 8", "compute 1", "send 1 5 8", "compute 3"];
    check(&told, &[1.0, 3.0]);
}

#[test]
fn places_beyond_the_most_keep_what_they_compute() {
    let turn = |tag: u32, work: u32| [format!("send 1 {tag} 8"), format!("compute {work}")];
    let lines: Vec<String> = (0..20).flat_map(|at| turn(at % 4, at)).collect();
    let case = Case::within(3, &lines);
    let (before, after) = case.amounts();
    assert_eq!((case.means.computations, case.means.beyond), (20, 17));
    assert_eq!(before, after);
    let case = Case::within(6, &lines);
    let (before, after) = case.amounts();
    assert_eq!((case.means.evened, case.means.beyond), (13, 4));
    assert_ne!(before, after);
    assert!((before.iter().sum::<f64>() - after.iter().sum::<f64>()).abs() < 1e-9);
}

/// Lines of a rank, few of them different, so that places come again.
fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => (0.0..1e9).prop_map(|work: f64| format!("compute {work}")),
        1 => (0..3_u32).prop_map(|line| format!("location a.c {line}")),
        1 => (0..3_u32).prop_map(|name| format!("region r{name}")),
        1 => (0..3_u32).prop_map(|name| format!("leave r{name}")),
        4 => (0..2_u32).prop_map(|tag| format!("send 1 {tag} 8")),
        2 => (0..2_u32).prop_map(|tag| format!("wait 0 1 {tag}")),
        2 => Just("barrier".to_owned()),
        1 => Just("test 0 1 0".to_owned()),
    ]
}

proptest! {
    #[test]
    fn the_work_of_a_rank_is_kept(lines in proptest::collection::vec(line(), 0..400)) {
        let case = Case::of(&lines);
        let (before, after) = case.amounts();
        prop_assert_eq!(before.len(), after.len());
        let (before, after): (f64, f64) = (before.iter().sum(), after.iter().sum());
        prop_assert!((before - after).abs() <= 1e-12 * before, "{} {}", before, after);
    }

    #[test]
    fn work_that_does_not_vary_stays_to_the_bit(
        lines in proptest::collection::vec(line(), 0..400),
        works in proptest::collection::vec(0.1..1e9_f64, 1..5),
    ) {
        // Each place has an amount of its own.
        let noisy = Case::of(&lines);
        let mut whereabouts = Whereabouts::default();
        let mut known = BTreeMap::new();
        let mut cursor = noisy.trace.cursor(0);
        let mut same = Vec::new();
        while let Some(action) = cursor.next().unwrap() {
            same.push(match whereabouts.pass(&action) {
                Some(place) => {
                    let next = works[known.len() % works.len()];
                    format!("compute {}", known.entry(place).or_insert(next))
                }
                None => action.to_string(),
            });
        }
        let (before, after) = Case::of(&same[1..]).amounts();
        prop_assert_eq!(before, after);
    }
}
