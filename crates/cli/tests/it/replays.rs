//! `foretell replay`: what traces say is done, and what makes no sense is told with its place.

use std::path::PathBuf;

use crate::{example, file, foretell, json, printed, refused};

/// Two ranks that compute, talk and meet.
const TALK: &str = "\
0 init
1 init
0 compute 1e6
0 send 1 7 1000 6
1 recv 0 7 1000 6
1 isend 0 8 200000 6
1 wait 1 0 8
0 irecv 1 8 200000 6
0 waitall 1
0 allreduce 10 100 0
1 allreduce 10 100 0
0 finalize
1 finalize
";

fn trace(text: &str) -> (tempfile::TempDir, PathBuf) {
    file("trace.ti", text)
}

fn line(path: &std::path::Path) -> String {
    format!("replay {} -p star-64 --map block:1", path.display())
}

#[test]
fn a_merged_trace_is_replayed_with_as_many_ranks_as_it_has() {
    let (_folder, path) = trace(TALK);
    let out = printed(&line(&path));
    assert!(out.starts_with("replay: 2 ranks on 2 of 64 hosts of star-64"), "{out}");
    assert!(out.contains("simulated time"), "{out}");
}

#[test]
fn the_json_summary_tells_of_the_trace() {
    let (_folder, path) = trace(TALK);
    let summary = json(&line(&path));
    assert_eq!(summary["ranks"], 2);
    assert_eq!(summary["actions"], 13);
    assert_eq!(summary["provenance"]["skeleton"], "replay");
    assert_eq!(summary["provenance"]["trace"], path.display().to_string());
    assert!(summary["simulated_s"].as_f64().unwrap() > 1e-4, "{summary}");
}

#[test]
fn ranks_may_be_counted_but_not_changed() {
    let (_folder, path) = trace(TALK);
    printed(&format!("{} -np 2", line(&path)));
    let err = refused(&format!("{} -n 3", line(&path)), 2);
    assert!(err.contains("the trace has 2 ranks, not 3"), "{err}");
}

#[test]
fn a_list_of_files_gives_the_same_as_one_file() {
    let (_folder, path) = trace(TALK);
    let merged = json(&line(&path))["simulated_s"].as_f64();
    let folder = tempfile::tempdir().unwrap();
    for rank in ["0", "1"] {
        let own = TALK.lines().filter(|line| line.starts_with(rank));
        let text: String = own.map(|line| format!("{line}\n")).collect();
        std::fs::write(folder.path().join(format!("part{rank}")), text).unwrap();
    }
    // Not in the order of ranks, as SimGrid writes them.
    std::fs::write(folder.path().join("list"), "part1\npart0\n").unwrap();
    let split = json(&line(&folder.path().join("list")))["simulated_s"].as_f64();
    assert_eq!(split, merged);
}

#[test]
fn options_and_host_files_count_as_in_other_runs() {
    let (_folder, path) = trace(TALK);
    let platform = example("star-10g-64.xml");
    let line = format!("replay {} -platform {}", path.display(), platform.display());
    let apart = json(&line)["simulated_s"].as_f64().unwrap();
    let (_other, hosts) = file("hosts", "n0:2\n");
    let together = printed(&format!("{line} -hostfile {}", hosts.display()));
    assert!(together.contains("2 ranks on 1 of 64 hosts"), "{together}");
    let free = json(&format!("{line} --cfg=smpi/simulate-computation:no"));
    assert!(free["simulated_s"].as_f64().unwrap() < apart);
    let told = printed(&format!("{line} --coll allreduce=rdb --show-collectives"));
    assert!(told.contains("allreduce") && told.contains("rdb"), "{told}");
}

#[test]
fn a_bad_line_is_told_with_file_and_number() {
    let (_folder, path) = trace("0 init\n# a remark\n0 sendd 1 2 3\n");
    let err = refused(&line(&path), 2);
    assert!(err.contains(&format!("{}:3: there is no action `sendd`", path.display())), "{err}");
    let (_folder, path) = trace("0 init\n1 init\n0 send 1 2\n1 recv 0 2 4\n");
    let err = refused(&line(&path), 2);
    assert!(err.contains(":3:") && err.contains("a line is: rank send to tag count"), "{err}");
    let (_folder, path) = trace("0 init\n0 send 9 2 1\n");
    let err = refused(&line(&path), 2);
    assert!(err.contains(":2:") && err.contains('9'), "{err}");
}

#[test]
fn what_a_trace_does_not_tell_is_refused() {
    let (_folder, path) = trace("0 init\n0 Startall\n");
    let err = refused(&line(&path), 2);
    assert!(err.contains(":2:") && err.contains("does not tell what it is for"), "{err}");
}

#[test]
fn traces_that_are_not_there_or_empty_are_named() {
    let err = refused("replay no/such.ti -p star-64", 2);
    assert!(err.contains("no/such.ti"), "{err}");
    let (_folder, path) = trace("\n# nothing\n");
    let err = refused(&line(&path), 2);
    assert!(err.contains("there is nothing in it"), "{err}");
    let (_folder, path) = trace("0 init\n2 init\n");
    let err = refused(&line(&path), 2);
    assert!(err.contains("none of 1"), "{err}");
    let (_folder, path) = trace(TALK);
    let err = refused(&format!("replay {}", path.display()), 2);
    assert!(err.contains("which machine?"), "{err}");
}

#[test]
fn ranks_that_wait_for_ever_are_reported() {
    let (_folder, path) = trace("0 init\n1 init\n0 recv 1 5 8\n1 recv 0 6 8\n");
    let err = refused(&line(&path), 3);
    assert!(err.contains("deadlock"), "{err}");
    assert!(err.contains("trace.ti:3 waits for a message from rank 1, tag 5"), "{err}");
    assert!(err.contains("trace.ti:4 waits for a message from rank 0"), "{err}");
}

/// Captures a run and replays it; the simulated seconds of both.
fn there_and_back(app: &str) -> [f64; 2] {
    let folder = tempfile::tempdir().unwrap();
    let trace = folder.path().join("trace.ti");
    let seconds = |line: &str| json(line)["simulated_s"].as_f64().unwrap();
    let machine = "-p star-64 --map block:1";
    let captured = seconds(&format!("app {app} {machine} --trace-ti {}", trace.display()));
    [captured, seconds(&format!("replay {} {machine}", trace.display()))]
}

#[test]
fn what_was_captured_is_replayed_in_the_same_time() {
    for app in [
        "ring -n 16 10 100000",
        "lu-wave -n 16 4 4 8 60 2",
        "stencil3d -n 27 3 16 26 1000000",
        "master-worker -n 8 50 64 0",
        "collective -n 13 alltoall 1000 2",
        "lulesh -n 8 -s 8 -i 3",
        "nas-lu -n 8 --class S --iterations 5",
        "nas-cg -n 8 --class S",
        "nas-ep -n 8 --class S",
    ] {
        let [captured, replayed] = there_and_back(app);
        assert!((captured - replayed).abs() <= 1e-9 * captured, "{app}: {captured} {replayed}");
    }
}

#[test]
fn a_replay_can_be_captured_again() {
    let (folder, path) = trace(TALK);
    let again = folder.path().join("again");
    let first = json(&format!("{} --trace-ti {}", line(&path), again.display()));
    let second = json(&line(&again));
    assert_eq!(first["simulated_s"], second["simulated_s"]);
    let text = std::fs::read_to_string(again.join("rank-0.txt")).unwrap();
    assert!(text.starts_with("0 init\n0 compute 1000000\n0 send 1 7 1000 6\n"), "{text}");
    assert!(text.ends_with("0 finalize\n"), "{text}");
}

#[test]
fn a_trace_that_cannot_be_written_is_told() {
    let (_folder, path) = file("in-the-way", "");
    let line = format!("app ring -n 2 -p star-64 --trace-ti {}/trace", path.display());
    let err = refused(&line, 2);
    assert!(err.contains("cannot write") && err.contains("in-the-way"), "{err}");
    assert!(!err.contains(".foretell-"), "{err}");
}

#[test]
fn a_replay_may_be_traced_over_its_own_trace() {
    let folder = tempfile::tempdir().unwrap();
    let name = |file: &str| folder.path().join(file).display().to_string();
    for trace in [name("ring"), name("ring.fti")] {
        printed(&format!("app ring -n 8 -p star-64 --trace-ti {trace} 200 4096"));
        let before = json(&line(trace.as_ref()))["simulated_s"].as_f64();
        printed(&format!("{} --trace-ti {trace}", line(trace.as_ref())));
        assert_eq!(json(&line(trace.as_ref()))["simulated_s"].as_f64(), before);
        printed(&format!("trace convert {trace} {}", name("ring.fti")));
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn a_replay_that_is_stuck_leaves_its_trace_and_says_so() {
    let (folder, path) = trace("0 init\n1 init\n0 compute 5\n0 recv 1 0 10 6\n1 finalize\n");
    let again = folder.path().join("again.fti");
    let err = refused(&format!("{} --trace-ti {}", line(&path), again.display()), 3);
    assert!(err.contains("the time-independent trace ends where the run failed"), "{err}");
    let err = refused(&line(&again), 3);
    assert!(err.contains("rank 0 in MPI_Recv at `recv 1 0 0 6` waits for"), "{err}");
    let err = refused(&format!("{} --trace-ti {}", line(&path.join("no")), again.display()), 2);
    assert!(err.contains("cannot use"), "{err}");
}

#[test]
fn a_speed_of_recorded_seconds_where_there_are_none_is_told_to_change_nothing() {
    let (_folder, path) = trace(TALK);
    let said = foretell(&format!("{} --recorded-speed 10Gf", line(&path)));
    assert!(said.err.contains("--recorded-speed changes nothing"), "{}", said.err);
}

#[test]
fn compact_traces_are_written_converted_and_replayed_alike() {
    let folder = tempfile::tempdir().unwrap();
    let name = |file: &str| folder.path().join(file).display().to_string();
    let (text, small) = (name("ring"), name("ring.fti"));
    let app = "app ring -n 8 -p star-64 --map block:1";
    for trace in [&text, &small] {
        printed(&format!("{app} --trace-ti {trace} 200 4096"));
    }
    let (again, back) = (name("again.fti"), name("back"));
    let told = printed(&format!("trace convert {text} {again}"));
    let size = std::fs::metadata(&again).unwrap().len();
    assert_eq!(told, format!("{again}: 8 ranks, {size} bytes\n"));
    assert_eq!(std::fs::read(&small).unwrap(), std::fs::read(&again).unwrap());
    printed(&format!("trace convert {small} {back}"));
    // Sizes that were written in afterwards have more blanks behind them.
    let rank = |folder: &str| -> Vec<String> {
        let text = std::fs::read_to_string(format!("{folder}/rank-5.txt")).unwrap();
        text.split_ascii_whitespace().map(str::to_owned).collect()
    };
    assert!(rank(&text) == rank(&back));
    let simulated = |trace: &str| json(&line(trace.as_ref()))["simulated_s"].as_f64().unwrap();
    assert_eq!(simulated(&text), simulated(&small));
    // Nothing but what was asked for is left.
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 4);
}

#[test]
fn a_conversion_does_not_write_over_a_folder_or_leave_half_a_trace() {
    let (folder, path) = trace("0 init\n0 send 5 0 1\n");
    let to = folder.path().join("new");
    let convert = format!("trace convert {} {}", path.display(), to.display());
    let err = refused(&convert, 2);
    assert!(err.contains("trace.ti:2: expected one of 1 ranks, not 5"), "{err}");
    assert!(!to.exists());
    std::fs::create_dir(&to).unwrap();
    let err = refused(&convert, 2);
    assert!(err.contains("is there already; name a new folder"), "{err}");
}

#[test]
fn collectives_run_on_their_communicators() {
    // Four ranks in two pairs: what one pair reduces takes nobody else.
    let pair = |rank: u32| {
        let id = 7 + rank % 2;
        format!(
            "{rank} init\n{rank} comm_def {id} {}:2:2\n{rank} within {id}\n{rank} allreduce 1 0 0\n{rank} finalize\n",
            rank % 2
        )
    };
    let (_folder, path) = trace(&(0..4).map(pair).collect::<String>());
    let pairs = json(&line(&path));
    let (_folder, path) =
        trace("0 init\n0 allreduce 1 0 0\n0 finalize\n1 init\n1 allreduce 1 0 0\n1 finalize\n");
    let one = json(&line(&path));
    assert_eq!(pairs["simulated_s"], one["simulated_s"]);
    assert_eq!(pairs["messages"].as_u64().unwrap(), 2 * one["messages"].as_u64().unwrap());
}

#[test]
fn communicators_that_are_not_known_are_told() {
    let (_folder, path) = trace("0 init\n0 within 3\n0 barrier\n");
    let err = refused(&line(&path), 2);
    assert!(err.contains("trace.ti:2: there is no communicator 3; a comm_def"), "{err}");
    let (_folder, path) = trace("0 init\n0 comm_def 3 1:1:1\n1 init\n");
    let err = refused(&line(&path), 2);
    assert!(
        err.contains("trace.ti:2: the rank defines communicator 3 without being in it"),
        "{err}"
    );
    for (sides, told) in [
        ("1:1:1 | 2:1:1", "the rank defines communicator 3 without being on a side of it"),
        ("0:2:1 | 1:2:1", "the rank defines communicator 3 without being on a side of it, or with"),
        ("0:1:1", "expected the ranks of two sides with a | between, not `0:1:1`"),
    ] {
        let (_folder, path) = trace(&format!("0 init\n0 inter_def 3 {sides}\n1 init\n2 init\n"));
        let err = refused(&line(&path), 2);
        assert!(err.contains(&format!("trace.ti:2: {told}")), "{err}");
    }
}

#[test]
fn roots_that_a_communicator_does_not_have_are_told() {
    let refuse = |begins: &str, call: &str, told: &str| {
        let (_folder, path) = trace(&format!("0 init\n{begins}0 {call}\n1 init\n2 init\n"));
        let err = refused(&line(&path), 2);
        assert!(err.contains(told), "{err}");
    };
    let sides = "0 inter_def 3 0:1:1 | 1:2:1\n0 within 3\n";
    refuse(sides, "bcast 8 2", "trace.ti:4: there is no root 2 among 2 ranks");
    refuse("0 comm_def 1 0:1:1\n0 within 1\n", "bcast 8 1", "trace.ti:4: there is no root 1");
    let one_side = "trace.ti:2: the root is `nobody`, and the communicator has one side only";
    refuse("", "reduce 8 0 nobody", one_side);
    refuse("0 later 1\n", "gather 8 8 self", "trace.ti:3: the root is `self`");
}

#[test]
fn a_system_that_allows_few_open_files_does_no_harm() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let run = |files: u32, line: &str| {
        let program = env!("CARGO_BIN_EXE_foretell");
        let script = format!("ulimit -n {files}; exec {program} {line} --quiet");
        let out = std::process::Command::new("sh").args(["-c", &script]).output().unwrap();
        assert!(out.status.success(), "{line}: {}", String::from_utf8_lossy(&out.stderr));
    };
    let ring = "app ring -n 60 -p star-64";
    run(1024, &format!("{ring} --trace-ti {} 3 100", at("many.ti")));
    run(30, &format!("replay {} -p star-64 --trace {}", at("many.ti"), at("few.otf2")));
    run(30, &format!("replay {} -p star-64", at("few.otf2")));
    run(1024, &format!("replay {} -p star-64 --trace {}", at("many.ti"), at("many.otf2")));
    for nth in 0..60 {
        let events = |trace: &str| std::fs::read(at(&format!("{trace}/{nth}.evt"))).unwrap();
        assert_eq!(events("few"), events("many"), "rank {nth}");
    }
}
