//! What is written is read again as it was, as far as there are records for it.

use std::path::Path;

use proptest::prelude::*;

use super::*;
use crate::writer::TextWriter;

/// A trace of these lines, by rank.
fn trace(folder: &Path, ranks: &[Vec<String>]) -> Trace {
    let place = folder.join("text");
    let mut writer = TextWriter::create(&place, ranks.len() as u32).unwrap();
    for (rank, lines) in (0..).zip(ranks) {
        for line in lines {
            writer.add(rank, &Action::parse(line.as_bytes(), ranks.len() as u32).unwrap()).unwrap();
        }
    }
    writer.finish().unwrap();
    Trace::open(&place).unwrap()
}

fn lines(trace: &Trace, rank: u32) -> Vec<String> {
    let (mut cursor, mut lines) = (trace.cursor(rank), Vec::new());
    while let Some(action) = cursor.next().unwrap() {
        lines.push(action.to_string());
    }
    lines
}

/// What is read of it once it has been written, and what is told to be lost.
fn again(ranks: &[Vec<String>], speed: f64) -> (Vec<Vec<String>>, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.dim");
    let told = write_dimemas(&trace(folder.path(), ranks), &path, speed).unwrap();
    assert_eq!(told.bytes, std::fs::metadata(&path).unwrap().len());
    let read = Trace::open(&path).unwrap();
    assert_eq!(read.left_out(), [""; 0]);
    ((0..read.ranks()).map(|rank| lines(&read, rank)).collect(), told.lost)
}

fn owned<const N: usize>(lines: [&str; N]) -> Vec<String> {
    lines.map(str::to_owned).to_vec()
}

/// Two ranks with these lines between their beginnings and ends, and what becomes of the first.
#[track_caller]
fn check(first: &[&str], second: &[&str], expected: &[&str], lost: &[&str]) {
    let whole = |lines: &[&str]| -> Vec<String> {
        ["init"].iter().chain(lines).chain(&["finalize"]).map(|line| (*line).to_owned()).collect()
    };
    let (found, told) = again(&[whole(first), whole(second)], 1e9);
    assert_eq!(found[0], whole(expected));
    assert_eq!(told, lost);
}

/// Lines that come back as they were.
#[track_caller]
fn same(first: &[&str], second: &[&str]) {
    check(first, second, first, &[]);
}

#[test]
fn messages_and_requests_come_back() {
    same(&["send 1 7 4096 6", "Ssend 1 7 10 6"], &["recv 0 7 4096 6", "recv 0 7 10 6"]);
    same(&["irecv 1 7 8 6", "recv 1 -444 8 6", "wait 1 0 7"], &["isend 0 7 8 6"]);
    same(&["isend 1 7 8 6", "ISsend 1 7 8 6"], &[]);
}

#[test]
fn seconds_are_those_of_the_speed() {
    check(&["compute 2e9", "sleep 0.25"], &[], &["compute 2", "compute 0.25"], &[]);
    let (found, _) = again(&[owned(["init", "compute 3"])], 1.0);
    assert_eq!(found[0], ["init", "compute 3", "finalize"]);
}

#[test]
fn counts_are_told_in_bytes() {
    let (found, _) = again(&[owned(["init 1", "bcast 10 0"])], 1.0);
    assert_eq!(found[0], ["init", "bcast 80 0 6", "finalize"]);
}

#[test]
fn waits_are_for_the_receives_that_they_name() {
    let begun = ["irecv 1 7 8 6", "irecv 1 7 16 6", "irecv 1 9 32 6", "isend 1 7 8 6"];
    let after = |waits: &[&'static str], expected: &[&'static str], lost: &[&str]| {
        let first = [&begun, waits].concat();
        check(&first, &[], &[&begun[..], expected].concat(), lost);
    };
    after(&["waitall 4"], &["wait 1 0 7", "wait 1 0 7", "wait 1 0 9"], &["1 waits for sends"]);
    after(&["wait 1 0 9", "waitAny 3"], &["wait 1 0 9", "wait 1 0 7"], &[]);
    after(&["test 1 0 7"], &[], &["1 tests"]);
    // A wait whose request is unknown returns at once.
    after(&["wait 1 0 8"], &[], &[]);
}

#[test]
fn a_younger_request_has_its_own_size() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.ti");
    let text = "0 init\n0 irecv 1 7 8 6\n0 irecv 1 7 16 6\n#@ 0 younger 1\n0 wait 1 0 7\n\
                0 wait 1 0 7\n0 finalize\n1 init\n1 finalize\n";
    std::fs::write(&path, text).unwrap();
    let dim = folder.path().join("a.dim");
    write_dimemas(&Trace::open(&path).unwrap(), &dim, 1.0).unwrap();
    let text = std::fs::read_to_string(&dim).unwrap();
    let waits: Vec<&str> = text.lines().filter(|line| line.ends_with(":2")).collect();
    assert_eq!(waits, ["3:0:0:1:-1:16:7:1:2", "3:0:0:1:-1:8:7:1:2"]);
}

#[test]
fn an_exchange_is_a_receive_beside_a_send() {
    check(
        &["sendRecv 10 1 20 1 6 6"],
        &["sendRecv 20 0 10 0 6 6"],
        &["irecv 1 0 20 6", "send 1 0 10 6", "wait 1 0 0"],
        &[],
    );
}

#[test]
fn collectives_come_back() {
    for line in ["barrier", "bcast 9 1 6", "reduce 10 0 1 0", "allreduce 10 0 0", "scan 10 0 0"] {
        same(&[line], &[line]);
    }
    // What was passed is told beside operations that do not say it.
    let passing = |passed: &str, first: &str, second: &str| {
        check(&[first], &[second], &[passed, first], &[]);
    };
    for line in ["allgather 8 8 6 6", "alltoall 8 8 6 6", "gather 8 8 1 6 6", "scatter 8 8 1 6 6"] {
        passing("passes 8 8", line, line);
    }
    // Blocks of both ranks are told by both.
    passing("passes 8 32", "allgatherv 8 8 24 6 6", "allgatherv 24 8 24 6 6");
    passing("passes 8 0", "gatherv 8 8 24 1 6 6", "gatherv 24 8 24 1 6 6");
    passing("passes 0 8", "scatterv 8 24 8 1 6 6", "scatterv 8 24 24 1 6 6");
    passing("passes 32 8", "reducescatter 8 24 0 6", "reducescatter 8 24 0 6");
    check(
        &["exscan 10 0 0"],
        &["exscan 10 0 0"],
        &["scan 10 0 0"],
        &["2 MPI_Exscan, told as MPI_Scan"],
    );
    let (lists, sums) = ("alltoallv 0 8 24 0 8 24 6 6", "alltoallv 32 16 16 32 16 16 6 6");
    check(
        &[lists],
        &[lists],
        &["passes 32 32", sums],
        &["2 lists of MPI_Alltoallv, told as their sums"],
    );
}

#[test]
fn what_a_reduction_computes_follows_it() {
    let line = "allreduce 10 1e9 0";
    check(&[line], &[line], &["allreduce 10 0 0", "compute 1"], &[]);
}

#[test]
fn collectives_keep_their_communicators_and_roots() {
    let ranks = [
        owned(["init", "comm_def 7 2:1:1 0:1:1", "within 7", "bcast 9 0 6", "finalize"]),
        owned(["init", "barrier", "finalize"]),
        owned(["init", "comm_def 7 2:1:1 0:1:1", "within 7", "bcast 9 0 6", "finalize"]),
    ];
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.dim");
    write_dimemas(&trace(folder.path(), &ranks), &path, 1.0).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    for record in ["d:1:1:3:0:1:2", "d:1:2:2:2:0", "10:0:0:1:2:0:0:0:9:1", "10:2:0:1:2:1:0:9:0:1"] {
        assert!(text.lines().any(|line| line == record), "{record}: {text}");
    }
}

#[test]
fn operations_under_way_are_waited_for_in_the_order_they_began() {
    let in_order = ["later 0", "allreduce 10 0 0", "later 1", "barrier", "await 0", "await 1"];
    same(&in_order, &in_order);
    let turned = ["later 0", "allreduce 10 0 0", "later 1", "barrier", "await 1", "await 0"];
    check(
        &turned,
        &turned,
        &in_order,
        &["2 times that a younger collective is waited for, told as the oldest"],
    );
}

#[test]
fn parts_keep_their_names_beside_the_trace() {
    let parts =
        ["region solve", "compute 1e9", "leave solve", "region write_all", "leave write_all"];
    let expected =
        ["region solve", "compute 1", "leave solve", "region write_all", "leave write_all"];
    check(&parts, &[], &expected, &[]);
    // A part within another one interrupts it.
    check(
        &["region a", "region b", "compute 1e9", "leave b", "leave a"],
        &[],
        &["region a", "leave a", "region b", "compute 1", "leave b", "region a", "leave a"],
        &[],
    );
}

#[test]
fn what_there_are_no_records_for_is_told() {
    check(
        &[
            "location a.c 5",
            "recv 1 7 -1 6",
            "win_create 0",
            "bsend 1 7 8 6",
            "recv -555 7 8 6",
            "file_write 800",
            "inter_def 8 0:1:1 | 1:1:1",
            "within 8",
            "bcast 8 self 6",
        ],
        &[],
        &["recv 1 7 0 6", "send 1 7 8 6", "recv -555 7 8 6"],
        &[
            "1 collectives of two groups",
            "1 file_write",
            "1 places in the source",
            "1 receives of any sender, with which Dimemas 5.5 stops",
            "1 sizes of receives after probes",
            "1 times that a send is buffered",
            "1 win_create",
        ],
    );
}

#[test]
fn a_table_says_where_tasks_begin() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.dim");
    let ranks = [owned(["init", "compute 5"]), owned(["init"]), owned(["init", "compute 7"])];
    write_dimemas(&trace(folder.path(), &ranks), &path, 1.0).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    let table = text.split([',', ':']).nth(3).unwrap().parse::<usize>().unwrap();
    let starts: Vec<usize> = text[table..]
        .lines()
        .map(|line| line.rsplit(':').next().unwrap().parse().unwrap())
        .collect();
    let records: Vec<&str> =
        starts.iter().map(|start| text[*start..].lines().next().unwrap()).collect();
    assert_eq!(records, ["1:0:0:0", "1:1:0:0", "1:2:0:0"]);
}

#[test]
fn nothing_is_left_behind_if_the_trace_is_broken() {
    let folder = tempfile::tempdir().unwrap();
    let (text, dim) = (folder.path().join("a.ti"), folder.path().join("a.dim"));
    std::fs::write(&text, "0 init\n0 send 9 0 1\n").unwrap();
    let told = Trace::open(&text).and_then(|trace| write_dimemas(&trace, &dim, 1.0));
    assert!(told.unwrap_err().to_string().contains("a.ti"));
    assert!(!dim.exists());
}

/// A line that the format has a record for.
fn any_line() -> impl Strategy<Value = String> {
    let message = (0..3_u32, 0..4_u32, 0..5_000_u64);
    prop_oneof![
        (1..1_000_000_u32).prop_map(|flops| format!("compute {flops}")),
        message.clone().prop_map(|(to, tag, size)| format!("send {to} {tag} {size} 6")),
        message.clone().prop_map(|(to, tag, size)| format!("isend {to} {tag} {size} 6")),
        message.clone().prop_map(|(from, tag, size)| format!("recv {from} {tag} {size} 6")),
        message.prop_map(|(from, tag, size)| format!("irecv {from} {tag} {size} 6")),
    ]
}

proptest! {
    #[test]
    fn messages_and_bursts_come_back_whatever_they_are(
        lines in prop::collection::vec(prop::collection::vec(any_line(), 0..30), 3)
    ) {
        let whole = |lines: &Vec<String>| -> Vec<String> {
            let ends = ["init".to_owned()].into_iter().chain(lines.clone());
            ends.chain(["finalize".to_owned()]).collect()
        };
        let ranks: Vec<Vec<String>> = lines.iter().map(whole).collect();
        let (found, lost) = again(&ranks, 1.0);
        prop_assert_eq!(found, ranks);
        prop_assert!(lost.is_empty());
    }
}
