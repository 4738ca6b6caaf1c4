//! Small traces whose differences can be told by eye.

use std::cell::RefCell;
use std::rc::Rc;

use super::super::{Cast, Collective, Event, Letter, Mark, Taken, Writer};
use super::told::Keeper;
use super::*;

const NAMES: [&str; 6] =
    ["computing", "MPI_Send", "MPI_Recv", "MPI_Barrier", "MPI_Test", "MPI_Bcast"];
const WISHES: Wishes = Wishes { most: 10, lag: None, clocks: None };

/// What a call moves: nothing, so many bytes to or from rank 1 with tag 5, or a collective.
#[derive(Clone, Copy)]
enum Moves {
    Nothing,
    Bytes(u64),
    All,
}
use Moves::{All, Bytes, Nothing};

/// A trace with these calls of each rank: state, begin, end and what moves.
fn told(ranks: &[&[(u32, f64, f64, Moves)]]) -> Told {
    let cast = Cast { places: vec![0; ranks.len()], ..Cast::default() };
    let shared = Rc::new(RefCell::new(Told::new(&cast)));
    let mut keeper: Box<dyn Writer> = Box::new(Keeper::new(shared.clone(), &cast));
    for (state, name) in NAMES.iter().enumerate() {
        keeper.write(0.0, &Event::Names { state: state as u32, name, place: None });
    }
    let mut last: f64 = 0.0;
    for (rank, calls) in ranks.iter().enumerate() {
        let rank = rank as u32;
        for &(state, since, end, moves) in *calls {
            keeper.write(since, &Event::Enters { rank, state });
            if let Bytes(bytes) = moves {
                let letter = Letter { from: rank, to: 1, tag: 5, bytes, ..Letter::default() };
                let taken = Taken::Receive { serial: None, from: 1, comm: 0, tag: 5, bytes };
                match NAMES[state as usize] {
                    "MPI_Recv" => keeper.write(end, &Event::Takes { rank, request: None, taken }),
                    _ => keeper.write(since, &Event::Sends(&letter)),
                }
            }
            let all = Collective { comm: 0, root: None, bytes: 8, gathered: 0, algorithm: "" };
            let collective = matches!(moves, All).then_some(all);
            keeper.write(end, &Event::Leaves { rank, state, since, waited: 0.0, collective });
            last = last.max(end);
        }
    }
    keeper.finish(last).unwrap();
    shared.take()
}

fn between(first: &[(u32, f64, f64, Moves)], second: &[(u32, f64, f64, Moves)]) -> Difference {
    Difference::of(&told(&[first]), &told(&[second]), WISHES)
}

#[test]
fn a_trace_does_not_differ_from_itself() {
    let one = [(0, 0.0, 1.0, Nothing), (1, 1.0, 2.0, Bytes(8)), (3, 2.0, 3.0, All)];
    let found = between(&one, &one);
    assert_eq!((found.paired, found.alone), (2, [0, 0]));
    assert!(found.partings.is_empty() && found.shifts.is_empty() && found.is_none());
}

#[test]
fn slower_calls_and_computations_are_told_apart() {
    let found = between(
        &[
            (0, 0.0, 1.0, Nothing),
            (1, 1.0, 2.0, Bytes(8)),
            (0, 2.0, 3.0, Nothing),
            (2, 3.0, 4.0, Bytes(8)),
        ],
        &[
            (0, 0.0, 1.0, Nothing),
            (1, 1.0, 2.5, Bytes(8)),
            (0, 2.5, 5.5, Nothing),
            (2, 5.5, 6.5, Bytes(8)),
        ],
    );
    let shifts: Vec<_> = found.shifts.iter().map(|one| (one.nth, one.before, one.within)).collect();
    assert_eq!(shifts, [(2, 2.0, 0.0), (1, 0.0, 0.5)]);
    assert_eq!(found.states["computing"], [(2, 2.0), (2, 4.0)]);
    let each = &found.each[0];
    assert_eq!((each.computing, each.calls, each.lag), ([2.0, 4.0], [2.0, 2.5], 2.5));
    // A hundredth of four seconds.
    let beyond = found.beyond.unwrap();
    assert_eq!((beyond.nth, beyond.lag, beyond.ends), (1, 0.5, [2.0, 2.5]));
}

#[test]
fn calls_that_one_has_alone_are_told_by_name() {
    let found = between(
        &[
            (1, 0.0, 1.0, Bytes(8)),
            (2, 1.0, 2.0, Bytes(8)),
            (1, 2.0, 3.0, Bytes(8)),
            (3, 3.0, 4.0, All),
        ],
        &[
            (1, 0.0, 1.0, Bytes(8)),
            (3, 1.0, 1.5, All),
            (2, 1.5, 2.0, Bytes(8)),
            (1, 2.0, 3.0, Bytes(8)),
            (3, 3.0, 4.0, All),
        ],
    );
    assert_eq!((found.paired, found.alone), (4, [0, 1]));
    assert_eq!(found.alone_by[&("MPI_Barrier".to_owned(), false)], [0, 1]);
    assert_eq!(found.partings[0].nth, 2);
    let [first, second] = &found.partings[0].calls;
    assert_eq!(first.as_ref().unwrap().0, "MPI_Recv from 1, 8 bytes, tag 5");
    assert_eq!(second.as_ref().unwrap().0, "MPI_Barrier, 8 bytes");
}

#[test]
fn sends_are_paired_by_what_they_send_and_not_by_their_place() {
    // The second lacks the first send; those that follow are of other sizes.
    let sends = |sizes: &[u64]| -> Vec<(u32, f64, f64, Moves)> {
        let one = |(at, size): (usize, &u64)| (1, at as f64, at as f64 + 1.0, Bytes(*size));
        sizes.iter().enumerate().map(one).collect()
    };
    let found = between(&sends(&[10, 20, 30, 40]), &sends(&[20, 30, 40]));
    assert_eq!((found.paired, found.alone, found.changed.len()), (3, [1, 0], 0));
    assert_eq!(found.partings[0].nth, 1);
}

#[test]
fn calls_to_nobody_that_one_has_alone_are_told_as_such() {
    let found = between(
        &[
            (1, 0.0, 0.0, Nothing),
            (2, 0.0, 0.0, Nothing),
            (1, 0.0, 1.0, Bytes(8)),
            (2, 1.0, 2.0, Bytes(8)),
        ],
        &[(1, 0.0, 1.0, Bytes(8)), (2, 1.0, 2.0, Bytes(8))],
    );
    assert_eq!((found.paired, found.alone), (2, [2, 0]));
    assert_eq!(found.alone_by[&("MPI_Send".to_owned(), true)], [1, 0]);
    assert_eq!(found.alone_by[&("MPI_Recv".to_owned(), true)], [1, 0]);
    assert!(found.shifts.is_empty());
}

#[test]
fn another_size_of_the_problem_pairs_calls_by_name_and_tells_what_changed() {
    let run = |bytes| -> Vec<(u32, f64, f64, Moves)> {
        (0..20).map(|at| (1 + at % 2, f64::from(at), f64::from(at) + 1.0, Bytes(bytes))).collect()
    };
    let found = between(&run(100), &run(200));
    assert_eq!((found.paired, found.alone), (20, [0, 0]));
    assert_eq!(found.changed[&("MPI_Send".to_owned(), "size".to_owned())], 10);
    assert_eq!(found.partings[0].nth, 1);
}

#[test]
fn calls_of_one_instant_may_be_in_any_order() {
    let order = |sizes: [u64; 3], end: f64| -> Vec<(u32, f64, f64, Moves)> {
        let mut calls = sizes.map(|size| (1, 1.0, 1.0, Bytes(size))).to_vec();
        calls.push((3, 1.0, end, All));
        calls
    };
    let found = between(&order([10, 20, 30], 2.0), &order([30, 10, 20], 2.0));
    assert_eq!((found.paired, found.alone, found.changed.len()), (4, [0, 0], 0));
    assert!(found.is_none());
}

#[test]
fn looks_in_a_row_are_one_call() {
    let looks = |count: u32, end: f64| -> Vec<(u32, f64, f64, Moves)> {
        let step = end / f64::from(count);
        (0..count).map(|at| (4, f64::from(at) * step, f64::from(at + 1) * step, Nothing)).collect()
    };
    let found = between(&looks(1000, 4.0), &looks(2, 4.0));
    assert_eq!((found.paired, found.alone), (1, [0, 0]));
}

#[test]
fn clocks_that_differ_are_aligned_by_the_first_collective() {
    let run = |off: f64| {
        [
            (0, off, off + 1.0, Nothing),
            (3, off + 1.0, off + 2.0, All),
            (1, off + 2.0, off + 3.0, Bytes(8)),
        ]
    };
    let (one, other) = (told(&[&run(0.0), &run(100.0)]), told(&[&run(0.0), &run(0.0)]));
    let told_apart = Difference::of(&one, &other, WISHES);
    assert_eq!(told_apart.shifts[0].rank, 1);
    let wishes = Wishes { clocks: Some(Clocks::Collective), ..WISHES };
    let aligned = Difference::of(&one, &other, wishes);
    assert_eq!(aligned.clocks, Clocks::Collective);
    assert!(aligned.shifts.iter().all(|shift| shift.before == 0.0 && shift.within == 0.0));
    // A message that came before it was sent asks for that.
    let early = Told { too_early: 1, ..one };
    assert_eq!(Difference::of(&early, &other, WISHES).clocks, Clocks::Collective);
}

#[test]
fn regions_of_both_are_told_with_their_calls() {
    let cast = Cast { places: vec![0], ..Cast::default() };
    let run = |end: f64| {
        let shared = Rc::new(RefCell::new(Told::new(&cast)));
        let mut keeper: Box<dyn Writer> = Box::new(Keeper::new(shared.clone(), &cast));
        keeper.write(0.0, &Event::Names { state: 0, name: "MPI_Barrier", place: None });
        keeper.write(0.5, &Event::Marks { rank: 0, mark: Mark::Begin, name: "solve" });
        keeper.write(1.0, &Event::Enters { rank: 0, state: 0 });
        let (rank, state, since) = (0, 0, 1.0);
        let leaves = Event::Leaves { rank, state, since, waited: 0.0, collective: None };
        keeper.write(2.0, &leaves);
        keeper.write(end, &Event::Marks { rank: 0, mark: Mark::End, name: "solve" });
        keeper.finish(end).unwrap();
        shared.take()
    };
    let found = Difference::of(&run(3.0), &run(5.0), WISHES);
    assert_eq!(found.regions["solve"], [(1, 2.5, 1.0), (1, 4.5, 1.0)]);
}
