//! `--trace`: traces with dates, as the tools that read them see them.

mod compare;
mod page;
mod pairs;
mod perfetto;
mod speeds;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::{foretell, json, printed, refused};

/// A skeleton with messages, collectives and a machine that tells its power.
const RUN: &str = "app ring -n 24 -p taurus --energy 5 2048";
/// Messages of the ring itself.
const MESSAGES: usize = 24 * 2 * 5;

/// Writes a trace in a fresh folder.
fn traced(line: &str, name: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    printed(&format!("{line} --trace {}", path.display()));
    (folder, path)
}

/// Runs a tool on a trace; nothing, and a word about it, if the tool is not installed.
fn read_by(tool: &str, path: &Path) -> Option<Output> {
    read_by_with(tool, "--", path)
}

/// The same with an option.
fn read_by_with(tool: &str, option: &str, path: &Path) -> Option<Output> {
    match Command::new(tool).arg(option).arg(path).output() {
        Ok(output) => Some(output),
        Err(_) => {
            eprintln!("skipped: {tool} is not installed");
            None
        }
    }
}

/// The lines of a tool that must have nothing to complain about.
fn lines_of(output: Output) -> Vec<String> {
    let (out, err) = (String::from_utf8(output.stdout), String::from_utf8(output.stderr));
    assert!(output.status.success(), "{err:?}");
    assert_eq!(err.unwrap(), "");
    out.unwrap().lines().map(str::to_owned).collect()
}

fn count(lines: &[String], what: &str) -> usize {
    lines.iter().filter(|line| line.contains(what)).count()
}

#[test]
fn otf2_print_reads_every_event_without_a_warning() {
    let (_folder, path) = traced(RUN, "a.otf2");
    let Some(output) = read_by("otf2-print", &path) else { return };
    let lines = lines_of(output);
    assert_eq!(count(&lines, "MPI_ISEND "), MESSAGES);
    assert_eq!(count(&lines, "MPI_IRECV "), MESSAGES);
    assert_eq!(count(&lines, "MPI_ISEND_COMPLETE"), MESSAGES);
    assert_eq!(count(&lines, "MPI_IRECV_REQUEST"), MESSAGES);
    assert_eq!(count(&lines, "ENTER "), count(&lines, "LEAVE "));
    assert_eq!(count(&lines, "Operation: BARRIER"), 2 * 24);
    assert!(count(&lines, "METRIC ") > 2, "{lines:?}");
    assert_eq!(count(&lines, "WARNING") + count(&lines, "ERROR") + count(&lines, "UNKNOWN"), 0);
}

#[test]
fn otf2_print_reads_events_of_several_chunks_and_of_many_ranks() {
    let (_folder, path) = traced("app ring -n 2 -p star-64 30000 64", "a.otf2");
    let (_other, many) = traced("app ring -n 300 -p dragonfly-1024 2 64", "b.otf2");
    let Some(output) = read_by("otf2-print", &path) else { return };
    assert!(fs::metadata(path.with_extension("").join("0.evt")).unwrap().len() > 2 << 20);
    assert_eq!(count(&lines_of(output), "MPI_IRECV "), 120_000);
    let output = read_by("otf2-print", &many).unwrap();
    assert_eq!(count(&lines_of(output), "MPI_IRECV "), 300 * 2 * 2);
}

#[test]
fn sub_communicators_are_told_with_their_own_ranks() {
    let (_folder, path) = traced("app hpl -N 500 --nb 50 -P 2 -Q 2 -p star-64", "a.otf2");
    let Some(output) = read_by("otf2-print", &path) else { return };
    let lines = lines_of(output);
    let sent: Vec<&String> = lines.iter().filter(|line| line.contains("MPI_SEND ")).collect();
    // Number 1 is a copy of that of all ranks; the others are rows and columns of two.
    let is_in = |line: &&&String| {
        line.contains("Communicator: \"communicator ") && !line.contains("\"communicator 1\"")
    };
    assert!(sent.iter().any(|line| is_in(&line)), "{sent:?}");
    for line in sent.iter().filter(is_in) {
        assert!(line.contains("Receiver: 0 ") || line.contains("Receiver: 1 "), "{line}");
    }
}

#[test]
fn pj_dump_reads_every_state_and_link() {
    let (_folder, path) = traced(RUN, "a.paje");
    let Some(output) = read_by("pj_dump", &path) else { return };
    let lines = lines_of(output);
    assert_eq!(count(&lines, "Link, "), MESSAGES);
    assert_eq!(count(&lines, ", MPI_Isend"), MESSAGES);
    assert_eq!(count(&lines, ", MPI_Barrier"), 2 * 24);
    assert_eq!(lines.iter().filter(|line| line.starts_with("Container, node-")).count(), 0);
    assert!(count(&lines, "Variable, ") > 2, "{lines:?}");
}

#[test]
fn perfetto_has_slices_arrows_and_counters() {
    let (_folder, path) = traced(RUN, "a.perfetto");
    let trace = perfetto::read(&fs::read(path).unwrap());
    let (waits, sends) = (trace.slices("MPI_Waitall"), trace.slices("MPI_Isend"));
    assert_eq!((waits.len(), sends.len()), (24 * 5, MESSAGES));
    assert_eq!(trace.open(), 0, "each slice ends");
    assert_eq!(trace.flows.len(), MESSAGES);
    for (flow, ends) in &trace.flows {
        let [from, to] = ends[..] else { panic!("flow {flow} has {} ends", ends.len()) };
        assert!(from.1 <= to.1 && from.0 != to.0, "{ends:?}");
    }
    assert_eq!(trace.counters.len(), 2, "two nodes have ranks");
    assert!(trace.counters.values().flatten().all(|(_, watts)| *watts > 50.0));
}

#[test]
fn paraver_has_records_of_all_kinds_in_the_order_of_their_dates() {
    let (_folder, path) = traced(RUN, "a.prv");
    let text = fs::read_to_string(&path).unwrap();
    let mut lines = text.lines();
    let header = lines.next().unwrap();
    assert!(header.starts_with("#Paraver (") && header.contains("_ns:2(12,12):1:24(1:1,"));
    assert_eq!(lines.next().unwrap().split(':').count(), 4 + 24);
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    let mut before = 0;
    for line in lines {
        let fields: Vec<u64> = line.split(':').map(|field| field.parse().unwrap()).collect();
        match fields[0] {
            1 => assert!(fields.len() == 8 && fields[6] > fields[5], "{line}"),
            2 => assert!(fields.len() >= 8 && fields.len().is_multiple_of(2), "{line}"),
            3 => assert!(fields.len() == 15 && fields[6] <= fields[12], "{line}"),
            _ => panic!("{line}"),
        }
        assert!(fields[5] >= before, "{line}");
        before = fields[5];
        *kinds.entry(&line[..1]).or_default() += 1;
    }
    assert_eq!(kinds["3"], MESSAGES);
    let labels = fs::read_to_string(path.with_extension("pcf")).unwrap();
    for part in ["50000001", "MPI_Waitall", "STATES_COLOR", "Power of the node", "1      default"] {
        assert!(labels.contains(part), "{part} is missing: {labels}");
    }
    let row = fs::read_to_string(path.with_extension("row")).unwrap();
    assert!(row.contains("LEVEL THREAD SIZE 24\nrank 0\n"), "{row}");
}

#[test]
fn the_table_has_all_dates_of_a_message_in_order() {
    let (_folder, path) = traced("app pingpong -p graphene 3 1000000", "a.csv");
    let text = fs::read_to_string(path).unwrap();
    let mut messages = 0;
    for line in text.lines().filter(|line| line.contains(",point-to-point,")) {
        let fields: Vec<&str> = line.split(',').collect();
        let date = |at: usize| fields[at].parse::<f64>().unwrap();
        assert!(date(2) <= date(9) && date(9) <= date(10) && date(10) < date(12), "{line}");
        assert!(date(11) <= date(3) && date(12) <= date(3), "{line}");
        assert_eq!(fields[8], "1000000");
        messages += 1;
    }
    assert_eq!(messages, 2 * 3);
}

#[test]
fn a_trace_is_the_same_each_time_and_the_run_is_the_same_without() {
    let line = "app lu-wave -n 16 -p star-64 4 4 4 5 2";
    let plain = json(line)["simulated_s"].as_f64().unwrap();
    for name in ["a.prv", "a.otf2", "a.paje", "a.perfetto", "a.csv"] {
        let ((_one, first), (_two, second)) = (traced(line, name), traced(line, name));
        assert_eq!(fs::read(&first).unwrap(), fs::read(&second).unwrap(), "{name}");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        let traced = json(&format!("{line} --trace {}", path.display()));
        assert_eq!(traced["simulated_s"].as_f64().unwrap(), plain, "{name}");
    }
}

#[test]
fn the_format_may_be_told_apart_from_the_name() {
    let (_folder, path) = traced("app ring -n 4 -p star-64 1 8 --trace-format csv", "a.txt");
    assert!(fs::read_to_string(path).unwrap().starts_with("kind,rank,begin"));
}

#[test]
fn what_cannot_be_written_is_told_before_the_run_and_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| {
        format!("app ring -n 4 -p star-64 1 8 --trace {}", folder.path().join(name).display())
    };
    let told = refused(&at("a.txt"), 2);
    assert!(told.contains("does not tell its format") && told.contains(".otf2"), "{told}");
    let told = refused(&at("no/a.prv"), 2);
    assert!(told.contains("cannot write") && told.contains("no/a.prv"), "{told}");
    fs::create_dir(folder.path().join("a")).unwrap();
    fs::write(folder.path().join("a/mine.txt"), "mine").unwrap();
    let told = refused(&at("a.otf2"), 2);
    assert!(told.contains("choose another name"), "{told}");
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().path()).collect();
    assert_eq!(left, [folder.path().join("a")]);
}

#[test]
fn a_run_that_is_stuck_leaves_a_whole_trace_up_to_there() {
    let (folder, stuck) =
        crate::file("stuck.ti", "0 init\n1 init\n0 compute 1e6\n0 recv 1 0 8 6\n");
    let path = folder.path().join("a.otf2");
    let line = format!("replay {} -p star-64 --trace {}", stuck.display(), path.display());
    assert_eq!(foretell(&line).code, 3);
    let Some(output) = read_by("otf2-print", &path) else { return };
    let lines = lines_of(output);
    assert_eq!(count(&lines, "Region: \"MPI_Recv\""), 2, "{lines:?}");
}

#[test]
fn locations_of_a_replayed_trace_are_the_places_of_its_calls() {
    let actions = "0 init\n1 init\n0 location main.c 12\n0 send 1 0 8 6\n0 location main.c 20\n\
                   0 barrier\n1 recv 0 0 8 6\n1 barrier\n";
    let (folder, trace) = crate::file("places.ti", actions);
    let path = folder.path().join("a.csv");
    printed(&format!("replay {} -p star-64 --trace {}", trace.display(), path.display()));
    let text = fs::read_to_string(&path).unwrap();
    let is = |call: &str, place: &str| {
        let of = |row: &&str| row.contains(call) && row.ends_with(place);
        text.lines().filter(of).count()
    };
    assert_eq!(
        (is(",MPI_Send,", ",main.c:12"), is(",MPI_Barrier,", ",main.c:20")),
        (1, 1),
        "{text}"
    );
    assert_eq!((is(",MPI_Barrier,", ",,"), is("main.c", "")), (1, 2), "{text}");
    let told = printed(&format!("trace summary {}", path.display()));
    assert!(told.contains("time by call in the source") && told.contains("main.c:20"), "{told}");
    let other = path.with_extension("perfetto");
    printed(&format!("replay {} -p star-64 --trace {}", trace.display(), other.display()));
    let stands = perfetto::read(&fs::read(other).unwrap()).stands;
    assert_eq!(stands["MPI_Send"], ["main.c:12"]);
    assert_eq!(stands["MPI_Barrier"], ["main.c:20"]);
    let page = path.with_extension("html");
    printed(&format!("trace view {} -o {}", path.display(), page.display()));
    assert!(fs::read_to_string(page).unwrap().contains("\"MPI_Send\",\"send\",\"main.c:12\"]"));
}

#[test]
fn a_summary_tells_where_the_time_went() {
    let line = "app hpl -N 800 --nb 50 -P 4 -Q 4 -p star-64 --map block:1";
    let (_folder, path) = traced(line, "a.csv");
    let told = printed(&format!("trace summary {}", path.display()));
    for part in ["hpl: 16 ranks on 16 nodes of star-64", "load balance", "MPI_Recv", "late senders"]
    {
        assert!(told.contains(part), "{part} is missing: {told}");
    }
    let text = printed(&format!("trace summary {} --json", path.display()));
    let sums: serde_json::Value = serde_json::from_str(&text).unwrap();
    let run = json(line);
    let figure = |value: &serde_json::Value| value.as_f64().unwrap();
    let close = |a: f64, b: f64| assert!((a - b).abs() <= 1e-6 * b.abs() + 1e-9, "{a} and {b}");
    close(figure(&sums["simulated_s"]), figure(&run["simulated_s"]));
    let ranks = sums["ranks"].as_array().unwrap();
    let mean = |name: &str| ranks.iter().map(|rank| figure(&rank[name])).sum::<f64>() / 16.0;
    close(mean("computing_s"), figure(&run["times"]["computing_s"]["mean"]));
    close(mean("waiting_s"), figure(&run["times"]["waiting_s"]["mean"]));
    let all = |name: &str| {
        let pairs = sums["pairs"].as_array().unwrap().iter();
        pairs.map(|pair| pair[name].as_u64().unwrap()).sum::<u64>()
    };
    assert_eq!(all("messages"), run["messages"].as_u64().unwrap());
    assert!(sums["late_senders"]["messages"].as_u64().unwrap() > 0, "{text}");
}

#[test]
fn what_is_no_table_cannot_be_summed_up() {
    let (_folder, path) = traced("app ring -n 2 -p star-64 1 8", "a.paje");
    let told = refused(&format!("trace summary {}", path.display()), 2);
    assert!(told.contains("`paje`") && told.contains("FILE.csv"), "{told}");
    let (_folder, path) = crate::file("a.csv", "kind\n");
    let told = refused(&format!("trace view {}", path.display()), 2);
    assert!(told.contains("a.csv:1: this is not a trace"), "{told}");
}

#[test]
fn who_asks_for_the_dates_of_a_trace_without_is_told_how_to_make_some() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name).display().to_string();
    for name in ["a.fti", "a.ti"] {
        let capture = format!("app ring -n 2 -p star-64 --trace-ti {} 1 8", place(name));
        assert_eq!(crate::foretell(&capture).code, 0);
        let trace = place(name);
        for command in ["summary", "view", "critical-path", "diff"] {
            let second = if command == "diff" { &trace[..] } else { "" };
            let told = refused(&format!("trace {command} {trace} {second}"), 2);
            assert!(told.contains("no trace with dates") && told.contains("--trace"), "{told}");
        }
    }
}
