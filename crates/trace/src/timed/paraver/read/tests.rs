//! Records of Paraver become actions, and what makes no sense is told with its line.

use proptest::prelude::*;

use crate::timed::{self, Cast, Event, Writer};
use crate::{Form, Problem, Trace};

mod extrae;

fn opened(text: &str) -> Result<Trace, Problem> {
    let file = tempfile::Builder::new().suffix(".prv").tempfile().unwrap();
    std::fs::write(file.path(), text).unwrap();
    Trace::open_as(file.path(), Form::Paraver)
}

/// The lines of a rank.
fn lines(trace: &Trace, rank: u32) -> Vec<String> {
    let mut cursor = trace.cursor(rank);
    let mut lines = Vec::new();
    while let Some(action) = cursor.next().unwrap() {
        lines.push(action.to_string());
    }
    lines
}

/// The same without what is computed in between.
fn calls(trace: &Trace, rank: u32) -> Vec<String> {
    lines(trace, rank).into_iter().filter(|line| !line.starts_with("compute")).collect()
}

const HEADER: &str = "#Paraver (01/01/70 at 00:00):9000:1(2):1:2(1:1,1:1),2\n\
                      c:1:1:2:1:2\nc:1:2:1:2\n";

#[test]
fn calls_and_messages_become_actions() {
    // Rank 0 asks early, computes, and waits for what rank 1 sends meanwhile.
    let trace = opened(&format!(
        "{HEADER}1:1:1:1:1:0:1000:1\n1:2:1:2:1:0:2000:1\n\
         2:1:1:1:1:1000:50000001:4\n2:1:1:1:1:1000:50000001:0\n\
         2:2:1:2:1:2000:50000001:3\n\
         3:2:1:2:1:2000:2010:1:1:1:1:1000:2500:800:7\n2:2:1:2:1:2020:50000001:0\n\
         2:1:1:1:1:2400:50000001:6\n2:1:1:1:1:2600:50000001:0\n\
         2:2:1:2:1:3000:50000001:5\n2:2:1:2:1:3000:50000001:0\n\
         2:1:1:1:1:4000:50000002:7:50100001:64:50100002:64:50100003:0:50100004:1\n\
         2:2:1:2:1:4000:50000002:7:50100001:64:50100002:64:50100003:1:50100004:1\n\
         2:1:1:1:1:4100:50000002:0\n2:2:1:2:1:4100:50000002:0\n\
         2:2:1:2:1:5000:50000002:8:50100004:2\n2:2:1:2:1:5000:50000002:0\n"
    ))
    .unwrap();
    let words = |seconds: f64| format!("compute {seconds}");
    assert_eq!(
        lines(&trace, 0),
        [
            "init".to_owned(),
            words(1000.0 * 1e-6),
            "irecv 1 7 800 6".into(),
            words(2400.0 * 1e-6 - 1000.0 * 1e-6),
            "wait 1 0 7".into(),
            words(4000.0 * 1e-6 - 2600.0 * 1e-6),
            "bcast 64 1 6".into(),
            words(9000.0 * 1e-6 - 4100.0 * 1e-6),
            "finalize".into(),
        ]
    );
    assert_eq!(
        calls(&trace, 1),
        [
            "init",
            "isend 0 7 800 6",
            "wait 1 0 7",
            "bcast 64 1 6",
            "comm_def 1 1:1:1",
            "within 1",
            "barrier",
            "finalize"
        ]
    );
    assert!(trace.left_out().is_empty(), "{:?}", trace.left_out());
}

#[test]
fn blocking_calls_and_parts_of_the_program_are_told() {
    let trace = opened(&format!(
        "{HEADER}2:1:1:1:1:0:60000019:3\n2:1:1:1:1:100:50000001:1\n\
         3:1:1:1:1:100:110:2:1:2:1:50:120:8:1\n2:2:1:2:1:50:50000001:2\n"
    ));
    assert!(trace.unwrap_err().to_string().contains(":7: records are to be in the order"));
    let trace = opened(&format!(
        "{HEADER}2:1:1:1:1:0:60000019:3\n2:2:1:2:1:50:50000001:2\n2:1:1:1:1:100:50000001:1\n\
         3:1:1:1:1:100:110:2:1:2:1:50:120:8:1\n2:1:1:1:1:110:50000001:0:60000019:0\n\
         2:2:1:2:1:130:50000001:0\n"
    ))
    .unwrap();
    let first = lines(&trace, 0);
    assert_eq!(first[1], "region 60000019:3");
    assert_eq!((&*first[3], &*first[4]), ("send 1 1 8 6", "leave 60000019:3"));
    assert!(lines(&trace, 1).contains(&"recv 0 1 8 6".to_owned()));
}

#[test]
fn calls_that_follow_each_other_at_once_take_their_own_messages() {
    // The first receive ends when the second begins, whose message was sent first and is there.
    // So it is with the two that do not block: what the second asked for comes first.
    let trace = opened(&format!(
        "{HEADER}2:1:1:1:1:50:50000001:1:50000001:0\n3:1:1:1:1:50:50:2:1:2:1:200:60:8:1\n\
         2:2:1:2:1:100:50000001:2\n\
         2:1:1:1:1:150:50000001:1:50000001:0\n3:1:1:1:1:150:150:2:1:2:1:100:200:8:2\n\
         2:2:1:2:1:200:50000001:0:50000001:2:50000001:0\n\
         2:2:1:2:1:300:50000001:4\n\
         2:1:1:1:1:305:50000001:1:50000001:0\n3:1:1:1:1:305:305:2:1:2:1:310:320:8:3\n\
         2:2:1:2:1:310:50000001:0:50000001:4:50000001:0\n\
         2:2:1:2:1:350:50000001:5\n2:2:1:2:1:400:50000001:0\n\
         2:1:1:1:1:450:50000001:1:50000001:0\n3:1:1:1:1:450:450:2:1:2:1:300:500:8:4\n\
         2:2:1:2:1:450:50000001:5\n2:2:1:2:1:500:50000001:0\n"
    ))
    .unwrap();
    assert!(trace.left_out().is_empty(), "{:?}", trace.left_out());
    assert_eq!(
        calls(&trace, 1),
        [
            "init",
            "recv 0 2 8 6",
            "recv 0 1 8 6",
            "irecv 0 4 8 6",
            "irecv 0 3 8 6",
            "wait 0 1 3",
            "wait 0 1 4",
            "finalize"
        ]
    );
}

#[test]
fn what_only_old_tools_write_is_passed_over() {
    let trace = opened(&format!(
        "{HEADER}c:1:9:1:-1\n2:1:1:1:1:5:50000002:8:50100004:9\n\
         4:1:1:1:1:5:5:1:2:0\n2:1:1:1:1:6:50000002:0\n"
    ))
    .unwrap();
    let told = [
        "1 collectives of communicators that are not defined",
        "1 lines between calls of a collective",
        "1 MPI_Barrier",
    ];
    assert_eq!(trace.left_out(), told);
}

#[test]
fn mistakes_are_told_with_their_lines() {
    let check = |text: &str, line: u64, words: &str| {
        let problem = opened(text).unwrap_err().to_string();
        assert!(problem.contains(&format!(":{line}: ")) && problem.contains(words), "{problem}");
    };
    check("nothing\n", 1, "#Paraver");
    check(&format!("{HEADER}2:1:1:3:1:0:1:1\n"), 4, "no task 3 among 2");
    check(&format!("{HEADER}2:1:1:1:1:0:1\n"), 4, "pairs");
    check(&format!("{HEADER}7:1:1:1:1:0:1:2\n"), 4, "no record of kind 7");
    check(&format!("{HEADER}c:1:3:900000000:1\n"), 4, "900000000 tasks");
    check(&format!("{HEADER}3:1:1:1:1:0\n"), 4, "missing");
    check(&format!("{HEADER}c:1:3:1:0\n"), 4, "tasks are counted from 1");
}

#[test]
fn communicators_of_another_application_are_passed_over() {
    // Extrae tells those of a second application as those of the first.
    let trace = opened(&format!("{HEADER}c:1:3:3:1:2:3\n2:1:1:1:1:5:50000002:8\n")).unwrap();
    assert_eq!(trace.left_out()[0], "1 communicators of tasks that there are not");
}

/// Takes everything.
struct Nowhere;

impl Writer for Nowhere {
    fn write(&mut self, _: f64, _: &Event<'_>) {}

    fn finish(self: Box<Self>, _: f64) -> Result<(), Problem> {
        Ok(())
    }
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(text in "((1|2|3|c):(1:1:[12]:1:[0-9]{1,2}:)?(5000000[123]:[0-9]{1,3}:?|60000019:[0-3]|[0-9:]{0,30})\n){0,12}") {
        let text = format!("{HEADER}{text}");
        let _ = opened(&text);
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        let _ = timed::read(file.path(), |_: &Cast| Ok(Box::new(Nowhere)));
    }
}
