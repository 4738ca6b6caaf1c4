//! Sums over tiny runs that can be added up by hand.

use super::*;
use crate::timed::{Collective, Letter, Mark};

#[test]
fn sums_tell_who_computed_who_waited_and_who_was_late() {
    let cast = Cast { nodes: vec!["n".into()], places: vec![0, 0], ..Cast::default() };
    let mut tally = Tally::new(&cast);
    let leaves =
        |rank, state, since, waited| Event::Leaves { rank, state, since, waited, collective: None };
    let letter = Letter { from: 0, to: 1, bytes: 100, ..Letter::default() };
    let message = Message {
        letter,
        called: 4.0,
        sent: 4.0,
        departed: 4.0,
        posted: 1.0,
        arrived: 5.0,
        place: None,
    };
    for (date, event) in [
        (0.0, Event::Names { state: 0, name: "computing", place: None }),
        (0.0, Event::Names { state: 1, name: "MPI_Recv", place: None }),
        (4.0, leaves(0, 0, 0.0, 0.0)),
        (1.0, leaves(1, 0, 0.0, 0.0)),
        (5.0, Event::Delivers(&message)),
        (5.0, leaves(1, 1, 1.0, 3.5)),
    ] {
        tally.add(date, &event);
    }
    tally.end = 5.0;
    assert_eq!(tally.ranks[1].computing, 1.0);
    assert_eq!((tally.ranks[1].calls, tally.ranks[1].waited), (4.0, 3.5));
    assert_eq!(tally.pairs[&(0, 1)], Traffic { messages: 1, bytes: 100 });
    assert_eq!(tally.late_senders.worst, Some((3.0, 0, 1)));
    assert_eq!(tally.late_receivers.count, 0);
    let efficiency = tally.efficiency().unwrap();
    assert_eq!((efficiency.parallel, efficiency.load_balance), (0.5, 0.625));
    assert_eq!(efficiency.communication, 0.8);
}

fn of(ranks: usize) -> Tally {
    let mut tally = Tally::new(&Cast { places: vec![0; ranks], ..Cast::default() });
    for (state, name) in ["computing", "MPI_Allreduce"].into_iter().enumerate() {
        tally.add(0.0, &Event::Names { state: state as u32, name, place: None });
    }
    tally
}

#[test]
fn ranks_wait_in_collectives_for_the_last_that_comes() {
    let mut tally = of(3);
    tally.add(0.0, &Event::Forms { comm: 1, members: &[0, 2], first_side: 0 });
    let mut meet = |rank, comm, since: f64| {
        let args = Collective { comm, root: None, bytes: 8, gathered: 0, algorithm: "" };
        let (state, collective) = (1, Some(args));
        let leaves = Event::Leaves { rank, state, since, waited: 0.0, collective };
        tally.add(since + 1.0, &leaves);
    };
    // Rank 2 comes last, twice; on a communicator of two, rank 0 does.
    for (rank, since) in [(0, 1.0), (1, 2.0), (2, 4.0), (0, 5.0), (2, 8.0), (1, 6.0)] {
        meet(rank, 0, since);
    }
    meet(2, 1, 10.0);
    meet(0, 1, 10.5);
    // Of this one, a rank is not told.
    meet(2, 1, 12.0);
    let found = &tally.meetings["MPI_Allreduce"];
    assert_eq!((found.count, found.seconds), (3, 3.0 + 2.0 + 3.0 + 2.0 + 0.5));
    assert_eq!(found.last[&2], (2, 10.0));
    assert_eq!(found.last[&0], (1, 0.5));
}

#[test]
fn regions_have_their_share_of_stays_and_efficiencies_of_their_own() {
    let mut tally = of(2);
    let mark = |rank, mark| Event::Marks { rank, mark, name: "solve" };
    let leaves =
        |rank, state, since| Event::Leaves { rank, state, since, waited: 0.0, collective: None };
    for (date, event) in [
        // Rank 0 computes up to 4, from 1 on in the region; rank 1 is in it all the time.
        (0.0, mark(1, Mark::Begin)),
        (1.0, mark(0, Mark::Begin)),
        (1.0, leaves(1, 0, 0.0)),
        (4.0, leaves(0, 0, 0.0)),
        (5.0, mark(1, Mark::End)),
        (5.0, leaves(1, 1, 1.0)),
        // It ends within a computation of rank 0.
        (5.0, leaves(0, 1, 4.0)),
        (6.0, mark(0, Mark::End)),
        (8.0, leaves(0, 0, 5.0)),
    ] {
        tally.add(date, &event);
    }
    let solve = &tally.regions[0];
    let sums: Vec<_> =
        solve.ranks.iter().map(|rank| (rank.computing, rank.calls, rank.end)).collect();
    assert_eq!((solve.count, &sums[..]), (2, &[(4.0, 1.0, 5.0), (1.0, 4.0, 5.0)][..]));
    let found = solve.efficiency().unwrap();
    assert_eq!((found.load_balance, found.communication), (2.5 / 4.0, 0.8));
}

#[test]
fn a_run_without_a_network_tells_what_transfers_and_what_dependencies_cost() {
    let efficiency = Efficiency { parallel: 0.4, load_balance: 0.8, communication: 0.5 };
    let (transfer, serialization) = efficiency.parts(10.0, 8.0);
    assert_eq!((transfer, serialization), (0.8, 0.625));
}
