//! Records that go as soon as they can make the same trace as those that wait for the end.

use super::super::{Letter, Taken};
use super::*;

/// How a run is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// As it happens, so that records go early.
    Live,
    /// The same, but all wait for the end.
    Held,
    /// Stays and messages when they are over.
    Over,
}

/// The trace of two ranks that talk for a while, and of some communicators.
fn written(comms: usize, way: Way) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.prv");
    let nodes = vec!["a".into(), "b".into()];
    let cast = Cast { program: "p".into(), machine: "m".into(), nodes, places: vec![0, 1] };
    let mut writer = Box::new(Paraver::create(&path, cast).unwrap());
    if way == Way::Live {
        writer.go_live();
    }
    writer.write(0.0, &Event::Names { state: 0, name: "MPI_Send", place: None });
    writer.write(0.0, &Event::Names { state: 1, name: "MPI_Recv", place: None });
    let is_over = way == Way::Over;
    let enter = |writer: &mut Paraver, date: f64, rank: u32| {
        if !is_over {
            writer.write(date, &Event::Enters { rank, state: rank });
        }
    };
    (0..2).for_each(|rank| enter(&mut writer, 0.0, rank));
    let mut since = [0.0, 0.0];
    for nth in 0..5000_u64 {
        let date = nth as f64 * 1e-6;
        let letter = Letter { serial: nth, from: 0, to: 1, bytes: nth, ..Letter::default() };
        let [sent, posted] = since;
        let place = if is_over { None } else { writer.keep_place(sent, 0) };
        let message =
            Message { letter, called: sent, sent, departed: sent, posted, arrived: date, place };
        writer.write(date, &Event::Delivers(&message));
        let taken = Taken::receive(&letter);
        writer.write(date, &Event::Takes { rank: 1, request: None, taken });
        // The sender stays for long now and then, which holds all others back.
        for (rank, stays) in [(0, nth % 700 < 600), (1, false)] {
            if !stays {
                let stay = since[rank as usize];
                let leaves =
                    Event::Leaves { rank, state: rank, since: stay, waited: 0.0, collective: None };
                writer.write(date, &leaves);
                enter(&mut writer, date, rank);
                since[rank as usize] = date;
            }
        }
    }
    for rank in 0..2 {
        let stay = since[rank as usize];
        let leaves =
            Event::Leaves { rank, state: rank, since: stay, waited: 0.0, collective: None };
        writer.write(0.0055, &leaves);
        writer.write(0.0055, &Event::Ends { rank });
    }
    (1..=comms as u32).for_each(|comm| {
        writer.write(0.006, &Event::Forms { comm, members: &[1, 0], first_side: 0 })
    });
    writer.finish(0.006).unwrap();
    std::fs::read_to_string(path).unwrap()
}

/// Types and values of events, each by itself, and all other records, in one order for all.
fn taken_apart(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    for line in records(text) {
        let fields: Vec<&str> = line.split(':').collect();
        match line.starts_with("2:") {
            true => all.extend(
                fields[6..]
                    .chunks(2)
                    .map(|pair| format!("{}:{}", fields[..6].join(":"), pair.join(":"))),
            ),
            false => all.push(line.to_owned()),
        }
    }
    all.sort();
    all
}

/// All but the comment.
fn records(text: &str) -> Vec<&str> {
    text.lines().filter(|line| !line.starts_with("# ")).collect()
}

#[test]
fn records_that_go_early_are_those_that_wait() {
    for comms in [0, 3, 200] {
        let (early, late) = (written(comms, Way::Live), written(comms, Way::Held));
        assert!(records(&early) == records(&late), "with {comms} communicators");
        assert!(early.starts_with("#Paraver"), "{}", &early[..100]);
        assert_eq!(early.lines().filter(|line| line.starts_with("c:")).count(), comms + 1);
        // What is left of the room for the header is a comment; with many there is none.
        assert_eq!(
            early.lines().filter(|line| line.starts_with("# ")).count(),
            (comms < 200).into()
        );
        assert!(!late.contains("\n#"), "nothing was left free");
    }
}

#[test]
fn what_is_told_when_it_is_over_makes_the_same_trace() {
    let (live, over) = (written(1, Way::Live), written(1, Way::Over));
    assert!(taken_apart(&live) == taken_apart(&over));
}

#[test]
fn records_are_in_the_order_of_their_dates() {
    for way in [Way::Live, Way::Held, Way::Over] {
        let text = written(1, way);
        let date = |line: &&str| line.split(':').nth(5).unwrap().parse::<u64>().unwrap();
        let all = records(&text);
        let dates = all.iter().filter(|line| !line.starts_with(['#', 'c'])).map(date);
        let dates: Vec<u64> = dates.collect();
        assert!(dates.len() > 10_000 && dates.is_sorted(), "{way:?}");
    }
}
