//! Records of Dimemas become actions, and what makes no sense is told with its line.

use proptest::prelude::*;

use crate::layout::Trace;
use crate::{Form, Problem};

fn opened(text: &str) -> Result<Trace, Problem> {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), text).unwrap();
    Trace::open_as(file.path(), Form::Dimemas)
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

const HEADER: &str = "#DIMEMAS:\"a:b.dim\":1,000000000000200:3(1,1,1),2\n\
                      d:1:1:3:0:1:2\n\
                      d:1:2:2:2:0\n";

#[test]
fn bursts_messages_and_events_become_actions() {
    let text = format!(
        "{HEADER}1:0:0:0.500000000\n20:0:0:60000019:5\n2:0:0:1:0:4096:7:1:0\n\
         20:0:0:50000001:1\n20:0:0:60000019:0\n2:0:0:1:-1:10:8:1:3\n\
         3:1:0:0:4096:7:1:1\n3:1:0:0:4096:7:1:2\n3:1:0:-1:-1:10:8:1:0\n1:1:1:9\n0:2:0\n\
         s:0:100\n"
    );
    let trace = opened(&text).unwrap();
    assert_eq!(trace.ranks(), 3);
    assert!(trace.is_in_seconds());
    assert_eq!(
        lines(&trace, 0),
        [
            "init",
            "compute 0.5",
            "region 60000019:5",
            "send 1 7 4096 6",
            "leave 60000019:5",
            "ISsend 1 8 10 6",
            "finalize"
        ]
    );
    assert_eq!(
        lines(&trace, 1),
        ["init", "irecv 0 7 4096 6", "wait 0 1 7", "recv -555 8 10 6", "finalize"]
    );
    assert_eq!(lines(&trace, 2), ["init", "finalize"]);
    assert_eq!(trace.left_out(), ["1 records of further threads"]);
}

#[test]
fn collectives_run_on_their_communicators() {
    let text = format!(
        "{HEADER}10:0:0:11:1:0:0:80:80:1\n10:0:0:1:2:2:0:9:0:1\n10:0:0:3:1:1:0:10:0:1\n\
         10:1:0:11:1:0:0:80:80:1\n10:1:0:3:1:1:0:20:60:1\n\
         10:2:0:11:1:0:0:80:80:1\n10:2:0:1:2:2:0:0:9:1\n10:2:0:3:1:1:0:30:0:1\n\
         10:2:0:17:2:2:0:5:5:0\n10:2:0:17:2:2:0:5:5:2\n"
    );
    let trace = opened(&text).unwrap();
    assert_eq!(
        lines(&trace, 0),
        [
            "init",
            "allreduce 10 0 0",
            "comm_def 2 2:1:1 0:1:1",
            "within 2",
            "bcast 9 0 6",
            "passes 10 0",
            "gatherv 10 10 20 30 1 6 6",
            "finalize"
        ]
    );
    assert!(lines(&trace, 2).contains(&"gatherv 30 10 20 30 1 6 6".to_owned()));
    assert_eq!(trace.left_out(), ["1 MPI_Bcast that not all took part in"]);
}

#[test]
fn roots_are_tasks_or_flags() {
    let roots = |of: [i64; 3]| {
        let record = |(task, root): (usize, &i64)| format!("10:{task}:0:1:1:{root}:0:9:0:1\n");
        let records: String = of.iter().enumerate().map(record).collect();
        lines(&opened(&format!("{HEADER}{records}")).unwrap(), 0)[1].clone()
    };
    assert_eq!(roots([0, 0, 0]), "bcast 9 0 6");
    assert_eq!(roots([1, 1, 1]), "bcast 9 1 6");
    assert_eq!(roots([2, 2, 2]), "bcast 9 2 6");
    // Dimemas 5.5 writes whether a task is the root itself.
    assert_eq!(roots([0, 0, 1]), "bcast 9 2 6");
    assert_eq!(roots([1, 0, 0]), "bcast 9 0 6");
}

#[test]
fn what_is_passed_is_told_where_the_action_does_not() {
    let records = |operation, sent, received, mode| {
        let record = |task| format!("10:{task}:0:{operation}:1:0:0:{sent}:{received}:{mode}\n");
        let records: String = (0..3).map(record).collect();
        lines(&opened(&format!("{HEADER}{records}")).unwrap(), 0)[1..].to_vec()
    };
    assert_eq!(records(11, 8, 8, 1), ["allreduce 1 0 0", "finalize"]);
    assert_eq!(records(11, 8, 4, 1), ["passes 8 4", "allreduce 1 0 0", "finalize"]);
    assert_eq!(records(11, 8, 8, 0), ["later 0", "allreduce 1 0 0", "finalize"]);
    assert_eq!(records(11, 8, 8, 2), ["await 0", "finalize"]);
    let blocks = records(13, 12, 4, 1);
    assert_eq!(blocks[0], "passes 12 4 other");
}

#[test]
fn mistakes_are_told_with_their_lines() {
    let check = |text: &str, line: u64, words: &str| {
        let problem = opened(text).unwrap_err().to_string();
        assert!(problem.contains(&format!(":{line}: ")), "{problem}");
        assert!(problem.contains(words), "{problem}");
    };
    check("#PARAVER\n", 1, "#DIMEMAS");
    check("#DIMEMAS:\"a\":0:99999999999(1),0\n", 1, "99999999999 tasks");
    check("#DIMEMAS:\"a\":0:6666666(1),0\n", 1, "too short for 6666666 tasks");
    check(&format!("{HEADER}1:3:0:1.0\n"), 4, "the task is to be below 3, not 3");
    check(&format!("{HEADER}\n1:0:0:fast\n"), 5, "`fast`");
    check(&format!("{HEADER}2:0:0:1:10:0:1\n"), 4, "kind of the send");
    check(&format!("{HEADER}10:0:0:40:1:0:0:0:0:1\n"), 4, "no collective operation 40");
    check(&format!("{HEADER}10:0:0:1:1:0:0:0:0:4\n"), 4, "no collective of mode 4");
    check(&format!("{HEADER}10:0:0:1:1:0:0:0\n"), 4, "a number of bytes is missing");
    check(&format!("{HEADER}10:0:0:1:9:0:0:0:0:1\n"), 4, "there are: 1, 2");
    check("#DIMEMAS:\"a\":0:2(1,1),0\nd:1:1:99999999:0\n", 2, "99999999 tasks are expected");
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(text in "[0-9:sd#.\n-]{0,200}") {
        let _ = opened(&format!("#DIMEMAS:\"a\":0:2(1,1),1\nd:1:1:2:0:1\n{text}"));
        let _ = opened(&text);
    }
}
