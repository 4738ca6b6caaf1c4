//! Records that go as soon as they can make the same trace as those that wait for the end.

use super::super::{Letter, Taken};
use super::*;

/// The trace of two ranks that talk for a while, and of some communicators.
fn written(comms: usize, settle: bool) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.prv");
    let nodes = vec!["a".into(), "b".into()];
    let cast = Cast { program: "p".into(), machine: "m".into(), nodes, places: vec![0, 1] };
    let mut writer = Box::new(Paraver::create(&path, cast).unwrap());
    writer.write(0.0, &Event::Names { state: 0, name: "MPI_Send" });
    writer.write(0.0, &Event::Names { state: 1, name: "MPI_Recv" });
    let mut since = [0.0, 0.0];
    for nth in 0..5000_u64 {
        let date = nth as f64 * 1e-6;
        let letter = Letter { serial: nth, from: 0, to: 1, bytes: nth, ..Letter::default() };
        let [sent, posted] = since;
        let message = Message { letter, called: sent, sent, departed: sent, posted, arrived: date };
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
                since[rank as usize] = date;
            }
        }
        if settle {
            writer.settle(since[0].min(since[1]));
        }
    }
    (1..=comms as u32)
        .for_each(|comm| writer.write(0.006, &Event::Forms { comm, members: &[1, 0] }));
    writer.finish(0.006).unwrap();
    std::fs::read_to_string(path).unwrap()
}

/// All but the comment.
fn records(text: &str) -> Vec<&str> {
    text.lines().filter(|line| !line.starts_with("# ")).collect()
}

#[test]
fn records_that_go_early_are_those_that_wait() {
    for comms in [0, 3, 200] {
        let (early, late) = (written(comms, true), written(comms, false));
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
fn records_are_in_the_order_of_their_dates() {
    let text = written(1, true);
    let date = |line: &&str| line.split(':').nth(5).unwrap().parse::<u64>().unwrap();
    let all = records(&text);
    let dates = all.iter().filter(|line| !line.starts_with(['#', 'c'])).map(date);
    let dates: Vec<u64> = dates.collect();
    assert!(dates.len() > 10_000 && dates.is_sorted());
}
