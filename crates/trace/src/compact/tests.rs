//! Compact traces tell what the traces they were made of tell; damaged ones are refused.

use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;

use super::compact;
use crate::{Problem, Trace};

/// All actions of each rank.
fn actions(path: &Path) -> Result<Vec<Vec<String>>, Problem> {
    let trace = Trace::open(path)?;
    let all = |rank| {
        let (mut cursor, mut actions) = (trace.cursor(rank), Vec::new());
        while let Some(action) = cursor.next()? {
            actions.push(action.to_string());
        }
        Ok(actions)
    };
    (0..trace.ranks()).map(all).collect()
}

/// Writes a merged trace, and its compact form beside it.
fn both(folder: &Path, text: &str) -> (PathBuf, PathBuf, u64) {
    let (plain, small) = (folder.join("plain.txt"), folder.join("small.fti"));
    fs::write(&plain, text).unwrap();
    let size = compact(&Trace::open(&plain).unwrap(), &small).unwrap();
    (plain, small, size)
}

/// A ring that goes round so often, with work that `flops` gives.
fn ring(ranks: u32, turns: u32, flops: impl Fn(u32, u32) -> f64) -> String {
    let mut text = String::new();
    for rank in 0..ranks {
        let (next, last) = ((rank + 1) % ranks, (rank + ranks - 1) % ranks);
        text += &format!("{rank} init\n");
        for turn in 0..turns {
            text += &format!("{rank} irecv {last} 3 100 0\n{rank} isend {next} 3 100 0\n");
            text += &format!("{rank} wait {last} {rank} 3\n{rank} wait {rank} {next} 3\n");
            text += &format!("{rank} compute {}\n{rank} allreduce 1 0 0\n", flops(rank, turn));
        }
        text += &format!("{rank} finalize\n");
    }
    text
}

#[test]
fn what_repeats_and_what_ranks_share_takes_no_room() {
    let folder = tempfile::tempdir().unwrap();
    let text = ring(64, 1000, |_, _| 1e6);
    let (plain, small, size) = both(folder.path(), &text);
    assert_eq!(actions(&small).unwrap(), actions(&plain).unwrap());
    assert_eq!(size, fs::metadata(&small).unwrap().len());
    assert!(size < 250, "{size} bytes of {}", text.len());
}

#[test]
fn a_compact_file_has_the_rights_of_a_new_file_and_replaces_an_old_one() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("small.fti"), "old").unwrap();
    let (plain, small, _) = both(folder.path(), "0 init\n0 finalize\n");
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
    assert_eq!(mode(&small), mode(&plain));
    assert_eq!(actions(&small).unwrap(), [["init", "finalize"]]);
    let told = compact(&Trace::open(&plain).unwrap(), folder.path()).unwrap_err().to_string();
    assert!(told.contains("is a directory"), "{told}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn amounts_that_are_never_the_same_leave_the_loops_alone() {
    let folder = tempfile::tempdir().unwrap();
    let text = ring(4, 500, |rank, turn| f64::from(rank * 1000 + turn) * 1.25);
    let (plain, small, size) = both(folder.path(), &text);
    assert_eq!(actions(&small).unwrap(), actions(&plain).unwrap());
    assert!(size < 4 * 500 * 5, "{size} bytes");
}

#[test]
fn a_compact_trace_may_be_made_compact_again() {
    let folder = tempfile::tempdir().unwrap();
    let (_, small, _) = both(folder.path(), &ring(8, 100, |_, turn| f64::from(turn)));
    let again = folder.path().join("again.fti");
    compact(&Trace::open(&small).unwrap(), &again).unwrap();
    assert_eq!(fs::read(&small).unwrap(), fs::read(&again).unwrap());
}

#[test]
fn lists_roots_and_wildcards_stay_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let lines = [
        "init 1",
        "alltoallv 3 1 2 0 3 2 1 0 6 6",
        "bcast 5 2 1",
        "recv -555 -444 8 6",
        "sendRecv 5 -666 6 1 0 0",
        "location main.c 12",
        "reducescatter 1 2 3 0 6",
        "sleep 0.5",
        "comm_dup",
        "finalize",
    ];
    let text: String =
        (0..3).flat_map(|rank| lines.map(|line| format!("{rank} {line}\n"))).collect();
    let (plain, small, _) = both(folder.path(), &text);
    assert_eq!(actions(&small).unwrap(), actions(&plain).unwrap());
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let (_, small, _) = both(folder.path(), "0 init\n0 send 0 0 5\n0 finalize\n");
    let whole = fs::read(&small).unwrap();
    let told = |bytes: &[u8]| {
        fs::write(&small, bytes).unwrap();
        let text = actions(&small).unwrap_err().to_string();
        text.replace(&small.display().to_string(), "t.fti")
    };
    let cut = told(&whole[..whole.len() - 3]);
    assert!(cut.starts_with("t.fti: the file ends before its tables"), "{cut}");
    assert!(told(&[&whole[..], b"x"].concat()).starts_with("t.fti: the file has"));
    let mut unknown = whole.clone();
    let at = whole.windows(4).position(|bytes| bytes == b"send").unwrap();
    unknown[at] = b'x';
    assert_eq!(told(&unknown), format!("t.fti: at byte {at}: there is no action `xend`"));
}

#[test]
fn nothing_is_left_of_a_trace_that_cannot_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let (plain, small) = (folder.path().join("plain.txt"), folder.path().join("small.fti"));
    fs::write(&plain, "0 init\n0 send 7 0 5\n").unwrap();
    let problem = compact(&Trace::open(&plain).unwrap(), &small).unwrap_err();
    assert!(problem.to_string().contains("plain.txt:2: expected one of 1 ranks, not 7"));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

/// Lines of rank after rank, some of them again and again.
fn lines() -> impl Strategy<Value = Vec<Vec<(Vec<u8>, usize)>>> {
    let turn = (prop::collection::vec(0u8..9, 1..6), 1usize..20);
    prop::collection::vec(prop::collection::vec(turn, 0..8), 4)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn any_trace_comes_back(ranks in lines()) {
        let folder = tempfile::tempdir().unwrap();
        let mut text = String::new();
        for (rank, turns) in ranks.iter().enumerate() {
            text += &format!("{rank} init\n");
            for (nth, kind) in turns.iter().flat_map(|(turn, times)| turn.repeat(*times)).enumerate() {
                text += &match kind {
                    0 => format!("{rank} compute {}\n", nth as f64 / 3.0),
                    1 => format!("{rank} sleep {}\n", nth % 5),
                    2 => format!("{rank} send {} 1 {kind}\n", (rank + 1) % 4),
                    3 => format!("{rank} irecv {} 1 {kind}\n", (rank + 3) % 4),
                    4 => format!("{rank} wait {} {rank} 1\n", (rank + 3) % 4),
                    5 => format!("{rank} send {} 1 {kind}\n", nth % 4),
                    _ => format!("{rank} barrier\n"),
                };
            }
        }
        let (plain, small, _) = both(folder.path(), &text);
        prop_assert_eq!(actions(&small).unwrap(), actions(&plain).unwrap());
    }

    /// A file with some bytes changed or cut off gives a trace or a mistake, and ends.
    #[test]
    fn damaged_files_are_read_or_refused(
        changes in prop::collection::vec((0usize..400, any::<u8>()), 1..6),
        cut in 0usize..400,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let (_, small, _) = both(folder.path(), &ring(3, 70, |_, turn| f64::from(turn)));
        let mut bytes = fs::read(&small).unwrap();
        for (at, byte) in changes {
            let length = bytes.len();
            bytes[at % length] = byte;
        }
        bytes.truncate(bytes.len().max(cut) - cut % 3);
        fs::write(&small, bytes).unwrap();
        if let Ok(trace) = Trace::open(&small) {
            for rank in 0..trace.ranks().min(8) {
                let mut cursor = trace.cursor(rank);
                for _ in 0..10_000 {
                    match cursor.next() {
                        Ok(Some(_)) => {}
                        _ => break,
                    }
                }
            }
        }
    }
}
