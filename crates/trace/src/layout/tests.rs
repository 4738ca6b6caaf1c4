//! Traces in files: merged, split, damaged.

use proptest::prelude::*;

use super::*;

/// Writes files into a new folder.
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

/// All actions of each rank.
fn actions(trace: &Trace) -> Result<Vec<Vec<String>>, Problem> {
    let all = |rank| {
        let (mut cursor, mut actions) = (trace.cursor(rank), Vec::new());
        while let Some(action) = cursor.next()? {
            actions.push(action.to_string());
        }
        Ok(actions)
    };
    (0..trace.ranks()).map(all).collect()
}

fn merged(text: &str) -> Result<Vec<Vec<String>>, Problem> {
    let folder = folder(&[("t.ti", text)]);
    actions(&Trace::open(&folder.path().join("t.ti"))?)
}

#[test]
fn ranks_of_one_file_may_take_turns() {
    let text = "# a comment\n0 init\n1 init\n\n0 send 1 0 5\n1 recv 0 0 5\n1 finalize\n0 finalize";
    let expected = [["init", "send 1 0 5", "finalize"], ["init", "recv 0 0 5", "finalize"]];
    assert_eq!(merged(text).unwrap(), expected);
}

#[test]
fn lines_are_whole_wherever_windows_end() {
    // Long runs stay in place, short ones are gathered; every rank has both.
    let mut text = String::new();
    let mut expected = vec![Vec::new(); 3];
    for nth in 0..9000_u32 {
        let rank = if nth % 4000 < 2000 { nth % 3 } else { nth / 2000 % 3 };
        text += &format!("{rank} compute {nth}\n");
        expected[rank as usize].push(format!("compute {nth}"));
    }
    assert!(merged(&text).unwrap() == expected);
}

#[test]
fn files_of_a_list_are_found_beside_it_and_know_their_ranks() {
    let files = [("list", "b\na\n"), ("a", "0 init\n"), ("b", "1 init\n1 barrier\n")];
    let folder = folder(&files);
    let trace = Trace::open(&folder.path().join("list")).unwrap();
    assert_eq!(actions(&trace).unwrap(), [vec!["init"], vec!["init", "barrier"]]);
}

#[test]
fn there_may_be_more_files_than_can_be_open() {
    let names: Vec<String> = (0..600).map(|rank| format!("r{rank}\n")).collect();
    let folder = folder(&[("list", &names.concat())]);
    for rank in 0..600 {
        let lines = format!("{rank} compute {rank}\n").repeat(300);
        fs::write(folder.path().join(format!("r{rank}")), lines).unwrap();
    }
    let trace = Trace::open(&folder.path().join("list")).unwrap();
    let mut cursors: Vec<Cursor> = (0..600).map(|rank| trace.cursor(rank)).collect();
    for _ in 0..300 {
        for (rank, cursor) in cursors.iter_mut().enumerate() {
            assert_eq!(cursor.next().unwrap(), Some(crate::Action::Compute(rank as f64)));
        }
    }
    assert!(cursors.iter_mut().all(|cursor| cursor.next().unwrap().is_none()));
}

fn check_problem(files: &[(&str, &str)], expected: &str) {
    let folder = folder(files);
    let outcome = Trace::open(&folder.path().join(files[0].0)).and_then(|trace| actions(&trace));
    let told = outcome.unwrap_err().to_string();
    let place = format!("{}/", folder.path().display());
    assert_eq!(told.replace(&place, ""), expected);
}

#[test]
fn problems_tell_file_and_line() {
    let usage = "a line is: rank send to tag count [datatype]";
    check_problem(
        &[("t", "0 init\n1 init\n# no\n1 send\n0 finalize\n")],
        &format!("t:4: expected a rank here; {usage}"),
    );
    check_problem(
        &[("l", "a\n"), ("a", "0 init\n\n0 send 7 0 1\n")],
        &format!("a:3: expected one of 1 ranks, not 7; {usage}"),
    );
    check_problem(
        &[("l", "a\n"), ("a", "0 init\n1 init\n")],
        "a:2: expected an action of rank 0, whose file this is, not of `1`",
    );
    check_problem(&[("t", "0 init\n2 init\n")], "t: there are actions of rank 2, but none of 1");
    check_problem(&[("t", "0 init\nx init\n")], "t:2: expected the number of a rank, not `x`");
    check_problem(
        &[("l", "a\nb\n"), ("a", "0 init"), ("b", "0 init")],
        "l:2: b is of rank 0, and so is a",
    );
    check_problem(&[("l", "a\n"), ("a", "3 init")], "l:1: a is of rank 3, but there are 1 files");
    check_problem(
        &[("l", "a\n# no\nnone\n"), ("a", "0 init")],
        "l:3: `none` is no line of a trace, such as `0 init`, and no file that can be read: No such \
         file or directory (os error 2)",
    );
    check_problem(
        &[("t", "\u{1b}[2J\n")],
        "t:1: `\u{fffd}[2J` is no line of a trace, such as `0 init`, and no file that can be read: \
         No such file or directory (os error 2)",
    );
    check_problem(
        &[("t", "\n#\n")],
        "t: there is nothing in it; a trace has a line for each action",
    );
}

#[test]
fn what_is_written_reads_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = crate::TextWriter::create(folder.path(), 2).unwrap();
    for nth in 0..5000_u32 {
        writer.add(nth % 2, &crate::Action::Compute(nth.into())).unwrap();
    }
    writer.finish().unwrap();
    let trace = Trace::open(folder.path()).unwrap();
    let all = actions(&trace).unwrap();
    assert_eq!((all[0].len(), all[1].len()), (2500, 2500));
    assert_eq!((all[0][2499].as_str(), all[1][0].as_str()), ("compute 4998", "compute 1"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_file_makes_it_panic(text in "([0-3x] (send|init|wait|compute)( -?[0-9]{1,3}){0,4}[ #]?\n?|.{0,9}){0,12}") {
        let _ = merged(&text);
    }
}

#[test]
fn hints_are_actions_of_the_rank_that_they_name_and_other_comments_are_none() {
    let text = "#@ 1 region early\n0 init\n1 init\n#@ 1 region solve\n1 compute 5\n#@ 1 region\n\
                #@ 7 region x\n0 compute 6\n#@ 1 leave solve\n#@ 0 leave y\n1 region old\n";
    let expected = [
        vec!["init", "compute 6", "leave y"],
        vec!["init", "region solve", "compute 5", "leave solve", "region old"],
    ];
    assert_eq!(merged(text).unwrap(), expected);
    let files =
        [("list", "a\nb\n"), ("a", "0 init\n#@ 1 region b\n#@ 0 region a\n"), ("b", "1 init\n")];
    let folder = folder(&files);
    let trace = Trace::open(&folder.path().join("list")).unwrap();
    assert_eq!(actions(&trace).unwrap(), [vec!["init", "region a"], vec!["init"]]);
    let problem = merged("0 init\n#@ 0 region a\n0 compute 1\n0 bad\n").unwrap_err().to_string();
    assert!(problem.contains("t.ti:4: there is no action `bad`"), "{problem}");
}

#[test]
fn text_in_which_no_line_would_be_found_is_told_as_such() {
    let check = |text: &[u8], reason: &str| {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("t"), text).unwrap();
        let told = Trace::open(&folder.path().join("t")).unwrap_err().to_string();
        assert!(told.contains("/t: ") && told.contains(reason), "{told}");
    };
    check(b"\xef\xbb\xbf0 init\n", "byte order mark");
    check(b"\xff\xfe0\0 \0", "UTF-16");
    check(b"0 init\r0 finalize\r", "carriage returns");
    check(b"\x7fELF\0\0\n", "no text");
    assert_eq!(merged("0 init\r\n0 finalize\r\n").unwrap(), [["init", "finalize"]]);
}

#[test]
fn a_folder_without_its_list_and_a_pipe_are_told_as_such() {
    let folder = tempfile::tempdir().unwrap();
    let told = Trace::open(folder.path()).unwrap_err().to_string();
    assert!(told.contains("there is no index.txt in this folder"), "{told}");
    let (reader, writer) = std::io::pipe().unwrap();
    drop(writer);
    let fd = std::os::fd::AsRawFd::as_raw_fd(&reader);
    let told = Trace::open(format!("/dev/fd/{fd}").as_ref()).unwrap_err().to_string();
    assert!(told.contains("this is a pipe"), "{told}");
}

#[test]
fn where_a_rank_was_left_is_known_by_its_line() {
    let text = "0 init\n1 init\n# no\n1 compute 5\n0 compute 6\n1 finalize\n0 finalize\n";
    let folder = folder(&[
        ("t", text),
        ("list", "a\nb\n"),
        ("a", "0 init\n\n0 compute 6\n0 finalize\n"),
        ("b", "1 init\n1 compute 5\n1 finalize\n"),
    ]);
    let place = |trace: &Trace| -> Vec<String> {
        let mut one = trace.cursor(0);
        assert!(one.next().unwrap().is_some() && one.next().unwrap().is_some());
        let mut other = trace.cursor(1);
        while other.next().unwrap().is_some() {}
        drop((one, other));
        let above = format!("{}/", folder.path().display());
        let places = trace.places_left(&[0, 1]);
        assert!(places.iter().all(|(rank, _)| *rank == 0));
        places.into_iter().map(|(_, place)| place.replace(&above, "")).collect()
    };
    let merged = Trace::open(&folder.path().join("t")).unwrap();
    assert_eq!(place(&merged), ["t:5"]);
    assert_eq!(place(&Trace::open(&folder.path().join("list")).unwrap()), ["a:3"]);
    let small = folder.path().join("t.fti");
    crate::compact(&merged, &small).unwrap();
    assert_eq!(place(&Trace::open(&small).unwrap()), ["`compute 6`"]);
}
