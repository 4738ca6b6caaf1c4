//! Lines that are read, written and refused.

use proptest::prelude::*;

use super::*;

/// A line says the same as another, or as itself.
fn check(line: &str, expected: &str) {
    let action =
        Action::parse(line.as_bytes(), 3).unwrap_or_else(|mistake| panic!("{line}: {mistake}"));
    assert_eq!(action.to_string(), expected);
    assert_eq!(Action::parse(expected.as_bytes(), 3), Ok(action));
}

fn same(line: &str) {
    check(line, line);
}

fn mistake(line: &str) -> String {
    Action::parse(line.as_bytes(), 3).unwrap_err().to_string()
}

#[test]
fn every_action_reads_back_as_it_was_written() {
    for line in [
        "init",
        "finalize",
        "comm_size",
        "comm_split",
        "comm_dup",
        "comm_def 7 0:2:2",
        "comm_def 0 2:1:1 0:1:1",
        "inter_def 7 0:1:1 | 2:1:1 1:1:1",
        "within 7",
        "later 0",
        "await 0",
        "look 0",
        "passes 4 5 other",
        "file_open",
        "file_close",
        "file_meet",
        "file_read 0",
        "file_write 800",
        "file_read_all 1099511627776",
        "file_write_all 800",
        "region solve",
        "leave solve",
        "win_create 0",
        "win_free 0",
        "win_fence 1",
        "win_fence 1 last",
        "win_post 0",
        "win_post 0 0:2:2",
        "win_start 0 2:1:1 0:1:1",
        "win_complete 0",
        "win_wait 0",
        "win_lock 0 1 shared",
        "win_lock 0 2 exclusive unchecked",
        "win_unlock 0 2",
        "win_lock_all 0",
        "win_lock_all 0 unchecked",
        "win_unlock_all 0",
        "win_flush 0",
        "win_flush 0 1",
        "put 0 1 800",
        "get 0 1 800",
        "get 0 1 800 24",
        "accumulate 0 1 800",
        "accumulate 0 1 800 8",
        "barrier",
        "iteration_in",
        "location main.c 12",
        "compute 1500000000",
        "compute 0.5",
        "sleep 0.001",
        "send 1 10 80 0",
        "isend 1 10 80",
        "recv 2 0 1 6",
        "irecv -555 -444 -1",
        "Ssend 1 2 3 6",
        "ISsend 1 2 3 6",
        "bsend 1 2 3 6",
        "ibsend 1 2 3 6",
        "sendRecv 4 1 5 2 6 6",
        "wait 0 1 7",
        "test 0 1 7",
        "waitall 4",
        "bcast 5000 0 0",
        "bcast 5000 self 0",
        "reduce 12500 3 2 0",
        "reduce 0 0 nobody 6",
        "allreduce 10 0 0",
        "scan 4 1 0",
        "exscan 4 1 0",
        "reducescatter 1 2 3 0 0",
        "alltoall 512 512 0 0",
        "alltoallv 6 1 2 3 6 3 2 1 0 0",
        "gather 625 625 0 0 0",
        "gatherv 1 2 3 4 1 0 6",
        "gatherv 0 2 3 0 self 6 6",
        "scatter 625 625 2 0 0",
        "scatterv 2 3 4 1 2 0 6",
        "allgather 1024 1024 0 0",
        "allgatherv 1 2 3 4 0 0",
    ] {
        same(line);
    }
}

#[test]
fn what_is_left_out_has_its_usual_value() {
    check("init 1", "init 1");
    check("bcast 10", "bcast 10 0");
    check("reduce 10 2", "reduce 10 2 0");
    check("waitall", "waitall 0");
    check("gather 1 1", "gather 1 1 0");
    check("wait -1 2 -1", "wait -555 2 -444");
    check("send -666 1 1e3", "send -666 1 1000");
}

#[test]
fn displacements_of_an_allgatherv_are_passed_over() {
    check("allgatherv 1 2 3 4 0 0 7 8 9", "allgatherv 1 2 3 4 0 0");
    check("allgatherv 1 2 3 4 70 80 90", "allgatherv 1 2 3 4");
}

#[test]
fn a_mistake_says_what_was_expected() {
    assert_eq!(
        mistake("send 1 10"),
        "expected a count here; a line is: rank send to tag count [datatype]"
    );
    assert!(mistake("recv 3 1 1").starts_with("expected one of 3 ranks, not 3"));
    assert!(mistake("recv 0 -7 1").starts_with("expected a tag from 0"));
    assert!(mistake("recv 0 7 1 60").starts_with("expected the number of a datatype"));
    assert!(mistake("compute fast").starts_with("expected an amount of 0 or more, not `fast`"));
    assert!(mistake("reducescatter 1 2").starts_with("expected 3 counts here, there are 2"));
    assert_eq!(mistake("sned 1"), "there is no action `sned`");
    assert!(mistake("Startall").starts_with("`Startall` cannot be replayed"));
    assert!(mistake("Win_fence").starts_with("`Win_fence` cannot be replayed"));
    assert_eq!(
        mistake("win_fence 0 first"),
        "expected last or nothing, not `first`; a line is: rank win_fence window [last]"
    );
    assert_eq!(
        mistake("file_write_all"),
        "expected a number of bytes here; a line is: rank file_write_all bytes"
    );
    assert!(mistake("file_read -1").starts_with("expected a count from 0 to 2^40, not -1"));
    assert!(mistake("put 0 3 8").starts_with("expected one of 3 ranks, not 3"));
    assert_eq!(mistake(" "), "expected an action here");
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(line in ".*", ranks in 0..5_u32) {
        let _ = Action::parse(line.as_bytes(), ranks);
    }

    #[test]
    fn nearly_right_lines_read_back_or_are_refused(
        line in "(send|recv|irecv|wait|bcast|reduce|gatherv|scatterv|alltoallv|allgatherv|location|sendRecv|reducescatter|look|put|get|accumulate|win_lock|win_post|win_flush|comm_def|inter_def|file_read|file_write_all)( (-?[0-9]{1,20}|self|nobody|[0-2]:[0-2]:[0-2]|\\||[0-9]e[0-9]{1,3}|x|-1|-555)){0,12}",
    ) {
        if let Ok(action) = Action::parse(line.as_bytes(), 3) {
            let text = action.to_string();
            let again = Action::parse(text.as_bytes(), 3).expect("what was written can be read");
            prop_assert_eq!(again.to_string(), text);
        }
    }
}

#[test]
fn communicators_have_ranks_of_the_world() {
    let action = Action::parse(b"comm_def 4 2:1:0  0:2:1 ", 3).unwrap();
    let Action::Define { id: 4, members } = action else { panic!("{action:?}") };
    assert_eq!(members.iter().collect::<Vec<_>>(), [2, 0, 1]);
    for (line, told) in [
        ("comm_def 4", "expected the ranks of the communicator here"),
        ("comm_def 4 0:2:3", "expected first:count:stride of 3 ranks, not `0:2:3`"),
        ("comm_def 4 0:0:1", "expected first:count:stride of 3 ranks, not `0:0:1`"),
        ("comm_def 4 1", "expected first:count:stride of 3 ranks, not `1`"),
        ("comm_def 4 0:4294967295:0", "expected at most 3 ranks, there are 4294967295"),
        ("inter_def 4 0:2:1", "expected the ranks of two sides with a | between, not `0:2:1`"),
        ("inter_def 4 0:2:1 |", "expected the ranks of the communicator here"),
        ("inter_def 4 0:2:1 | 2:2:1", "expected first:count:stride of 3 ranks, not `2:2:1`"),
        ("inter_def 4 0:1:1 | 1:1:1 | 2:1:1", "expected first:count:stride of 3 ranks, not `|`"),
        ("bcast 5 somebody", "expected a rank, self or nobody, not `somebody`"),
        ("bcast 5 3", "expected one of 3 ranks, not 3"),
        ("within -1", "expected a number from 0 to 2147483647, not -1"),
    ] {
        assert!(mistake(line).starts_with(told), "{line}: {}", mistake(line));
    }
}
