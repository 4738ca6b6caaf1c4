//! From each format with dates to each other: what is kept comes back, and what is lost is told.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::energy::cluster;
use crate::{foretell, printed};

/// Four ranks that do a little of everything.
const ACTIONS: &str = "\
0 init\n1 init\n2 init\n3 init\n\
0 comm_def 1 0:2:2\n2 comm_def 1 0:2:2\n\
0 location main.c 10\n0 compute 2e6\n\
0 isend 1 5 1000 6\n0 isend 1 6 200000 6\n0 location main.c 20\n0 compute 1e6\n\
0 wait 0 1 5\n0 wait 0 1 6\n0 send 2 4 50 6\n0 recv 1 7 100 6\n0 sleep 0.001\n\
1 compute 1e6\n1 irecv 0 5 1000 6\n1 irecv 0 6 200000 6\n1 compute 9e7\n1 wait 0 1 6\n\
1 wait 0 1 5\n1 send 0 7 100 6\n\
2 compute 3e8\n2 recv 0 4 50 6\n2 recv 3 9 1000000 6\n3 send 2 9 1000000 6\n\
0 bcast 5000 1 6\n1 bcast 5000 1 6\n2 bcast 5000 1 6\n3 bcast 5000 1 6\n\
0 within 1\n0 allreduce 100 0 0\n2 within 1\n2 allreduce 100 0 0\n\
0 gather 64 64 2 6 6\n1 gather 64 64 2 6 6\n2 gather 64 64 2 6 6\n3 gather 64 64 2 6 6\n\
0 allgatherv 8 8 16 24 32 6 6\n1 allgatherv 16 8 16 24 32 6 6\n\
2 allgatherv 24 8 16 24 32 6 6\n3 allgatherv 32 8 16 24 32 6 6\n";

/// A table that has everything: what such actions cannot tell is put into the text of one.
fn table(folder: &tempfile::TempDir) -> String {
    let (machine, path) = (cluster(folder), folder.path().join("a.csv"));
    let trace = folder.path().join("a.ti");
    fs::write(&trace, ACTIONS).unwrap();
    let line = format!("replay {} -p {machine} --energy --power-cap 100W", trace.display());
    printed(&format!("{line} --trace {}", path.display()));
    let said = |kind: &str, fields: &[&str], name: &str| {
        format!("{kind},0,{},,{name}{}", fields[2], ",".repeat(16))
    };
    let (mut rows, mut solves) = (Vec::new(), false);
    for row in fs::read_to_string(&path).unwrap().lines() {
        let mut fields: Vec<&str> = row.split(',').collect();
        match (fields[0], fields[1], fields[4]) {
            ("message", ..) if fields[7] == "4" => fields[6] = "1",
            ("call", "0", "MPI_Isend") if !solves => {
                rows.push(said("region", &fields, "solve"));
                rows.push(said("mark", &fields, "converged"));
                solves = true;
            }
            ("call", "0", "MPI_Bcast") => rows.push(said("leave", &fields, "solve")),
            _ => {}
        }
        rows.push(fields.join(","));
    }
    fs::write(&path, rows.join("\n") + "\n").unwrap();
    path.display().to_string()
}

/// Converts, and gives what was said to be lost, without numbers.
fn convert(from: &str, to: &Path) -> Vec<String> {
    let said = foretell(&format!("trace convert {from} {}", to.display()));
    assert_eq!(said.code, 0, "{}", said.err);
    let Some((_, lost)) = said.err.trim().split_once("what is not told: ") else {
        assert_eq!(said.err, "");
        return Vec::new();
    };
    let what = |one: &str| one.split_once(' ').unwrap().1.to_owned();
    // Some have commas of their own.
    let mut lost = lost.to_owned();
    for whole in [ARGUMENTS, LABELS, ALL_WAYS] {
        lost = lost.replace(whole, &whole.replace(", ", "; "));
    }
    lost.split(", ").map(what).map(|one| one.replace("; ", ", ")).collect()
}

const WAITS: &str = "waits of calls";
const ARGUMENTS: &str = "communicators, roots and sizes of collective calls";
const ALGORITHMS: &str = "algorithms of collective calls";
const PARTS: &str = "messages that collective calls are made of";
const WAYS: &str = "dates at which messages left and came";
const ALL_WAYS: &str = "dates at which messages were asked for, left and came";
const ENDS: &str = "dates at which messages were sent or met their receives";
const PROTOCOLS: &str = "protocols of messages";
const COMMUNICATORS: &str = "communicators of messages";
const LABELS: &str = "sizes, tags and communicators of messages";
const LINES: &str = "lines of the source";
const MARKS: &str = "marks and parts of the program";
const NODES: &str = "powers and speeds of single nodes";

#[test]
fn each_pair_of_formats_loses_what_it_says_and_no_more() {
    let folder = tempfile::tempdir().unwrap();
    let table = table(&folder);
    let place = |name: &str| folder.path().join(name);
    let check = |from: &str, ending: &str, expected: &[&str]| {
        let to = place(&format!("to.{ending}"));
        assert_eq!(convert(from, &to), expected, "{from} to {ending}");
    };
    check(&table, "csv", &[]);
    check(&table, "html", &[ARGUMENTS, ALGORITHMS, PARTS, PROTOCOLS, MARKS, NODES]);
    check(&table, "prv", &[WAITS, PARTS, ENDS, PROTOCOLS, COMMUNICATORS]);
    check(&table, "otf2", &[WAITS, ALGORITHMS, PARTS, WAYS, PROTOCOLS]);
    let paje = [WAITS, ARGUMENTS, ALGORITHMS, PARTS, ALL_WAYS, PROTOCOLS, LABELS, LINES];
    check(&table, "paje", &paje);
    check(&table, "perfetto", &[PARTS, WAYS, PROTOCOLS]);
    let archive = place("b.otf2");
    convert(&table, &archive);
    let archive = archive.display().to_string();
    check(&archive, "csv", &[]);
    check(&archive, "html", &[ARGUMENTS, MARKS, NODES]);
    check(&archive, "prv", &[COMMUNICATORS]);
    check(&archive, "otf2", &[]);
    check(&archive, "paje", &[ARGUMENTS, ALL_WAYS, LABELS, LINES]);
    check(&archive, "perfetto", &[]);
    let paraver = place("c.prv");
    convert(&table, &paraver);
    let paraver = paraver.display().to_string();
    check(&paraver, "csv", &[]);
    check(&paraver, "html", &[ARGUMENTS, ALGORITHMS, MARKS, NODES]);
    check(&paraver, "prv", &[]);
    check(&paraver, "otf2", &[ALGORITHMS, WAYS]);
    check(&paraver, "paje", &[ARGUMENTS, ALGORITHMS, ALL_WAYS, LABELS, LINES]);
    check(&paraver, "perfetto", &[WAYS]);
}

/// Rows of a table by their kinds; stays in calls only, since what lies between them is computing,
/// and messages of the program.
fn rows(path: &str) -> BTreeMap<String, Vec<Vec<String>>> {
    let mut all: BTreeMap<String, Vec<Vec<String>>> = BTreeMap::new();
    for row in fs::read_to_string(path).unwrap().lines().skip(1) {
        let fields: Vec<String> = row.split(',').map(str::to_owned).collect();
        let is_told = match &*fields[0] {
            "call" => fields[4] != "computing",
            "message" => fields[4] == "point-to-point",
            _ => true,
        };
        if is_told {
            all.entry(fields[0].clone()).or_default().push(fields);
        }
    }
    for rows in all.values_mut() {
        rows.sort_by(|a, b| {
            let key = |row: &[String]| (row[1].clone(), row[5].clone(), row[7].clone());
            let date = |row: &[String]| row[2].parse::<f64>().unwrap_or(0.0);
            key(a).cmp(&key(b)).then(date(a).total_cmp(&date(b)))
        });
    }
    all
}

/// Compares columns of two tables; numbers may differ by so much.
fn compare(kind: &str, columns: &[usize], before: &[Vec<String>], after: &[Vec<String>], by: f64) {
    assert_eq!(before.len(), after.len(), "{kind}: {before:?} {after:?}");
    for (one, other) in before.iter().zip(after) {
        for column in columns {
            let [one_text, other_text] = [one, other].map(|row| &row[*column]);
            let same = match (one_text.parse::<f64>(), other_text.parse::<f64>()) {
                (Ok(one), Ok(other)) => (one - other).abs() <= by,
                _ => one_text == other_text,
            };
            assert!(same, "{kind}, column {column}: {one:?} {other:?}");
        }
    }
}

/// There and back: `calls` and `messages` are columns that come back whole.
fn check_back(name: &str, calls: &[usize], messages: &[usize], (by, watts): (f64, f64)) {
    let folder = tempfile::tempdir().unwrap();
    let (table, there) = (table(&folder), folder.path().join(name));
    let back = folder.path().join("back.csv");
    convert(&table, &there);
    convert(&there.display().to_string(), &back);
    let (before, after) = (rows(&table), rows(&back.display().to_string()));
    for kind in ["program", "machine", "node", "rank", "comm"] {
        compare(kind, &(0..21).collect::<Vec<_>>(), &before[kind], &after[kind], 0.0);
    }
    compare("call", calls, &before["call"], &after["call"], by);
    compare("message", messages, &before["message"], &after["message"], by);
    compare("power", &[1, 2], &before["power"], &after["power"], by);
    compare("power", &[16], &before["power"], &after["power"], watts);
    for kind in ["speed", "mark", "region", "leave"] {
        compare(kind, &[1, 2, 4, 19], &before[kind], &after[kind], by);
    }
    let end = |rows: &BTreeMap<String, Vec<Vec<String>>>| vec![rows["end"][0].clone()];
    compare("end", &[1, 2], &end(&before), &end(&after), by);
}

#[test]
fn an_archive_tells_a_table_again_what_its_column_in_the_guide_promises() {
    // The rank, dates, the call, communicator, bytes, root, line; of messages the ends, the
    // communicator, tag, bytes, and when they were called and sent.
    check_back("b.otf2", &[1, 2, 3, 4, 6, 8, 14, 20], &[1, 2, 5, 6, 7, 8, 9], (1.5e-12, 0.0));
}

#[test]
fn a_paraver_trace_tells_a_table_again_what_its_column_in_the_guide_promises() {
    // Roots are told at roots alone; algorithms are told. Messages have four dates.
    let calls = [1, 2, 3, 4, 6, 8, 15, 20];
    check_back("b.prv", &calls, &[1, 2, 5, 7, 8, 10, 11, 12], (1.5e-9, 5.1e-4));
}

#[test]
fn lines_of_archives_are_told_and_can_be_made_faster() {
    let folder = tempfile::tempdir().unwrap();
    let actions = "0 init\n0 compute 1e9\n0 location a.c 7\n0 barrier\n0 compute 2e9\n\
                   0 location a.c 9\n0 barrier\n0 compute 4e9\n0 finalize\n";
    let trace = folder.path().join("a.ti");
    fs::write(&trace, actions).unwrap();
    let seconds = |line: &str| crate::json(line)["simulated_s"].as_f64().unwrap();
    for name in ["a.otf2", "a.prv"] {
        let path = folder.path().join(name);
        let (from, to) = (trace.display(), path.display());
        let whole = seconds(&format!("replay {from} -p star-64 --trace {to}"));
        let line = format!("replay {to} -p star-64");
        assert!((seconds(&line) / whole - 1.0).abs() < 1e-6, "{name}");
        // What is computed before a call counts for its line; what no call ends, for none.
        let fast = seconds(&format!("{line} --speedup a.c:9=2"));
        assert!((fast / whole - 6.0 / 7.0).abs() < 1e-6, "{name}: {fast} of {whole}");
        let fast = seconds(&format!("{line} --speedup a.c:7=2"));
        assert!((fast / whole - 6.5 / 7.0).abs() < 1e-6, "{name}: {fast} of {whole}");
        let told = printed(&format!("trace summary {to}"));
        assert!(told.contains("a.c:9"), "{told}");
    }
}

#[test]
fn archives_wait_for_the_requests_that_the_run_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name).display().to_string();
    let mut actions = "0 init\n1 init\n".to_owned();
    for size in [200_000, 3_000_000, 70_000] {
        actions += &format!("0 isend 1 7 {size} 6\n1 irecv 0 7 {size} 6\n");
    }
    // The last first.
    for older in [2, 1] {
        for rank in [0, 1] {
            actions += &format!("#@ {rank} younger {older}\n{rank} wait 0 1 7\n");
            actions += &format!("{rank} compute 1e6\n");
        }
    }
    actions += "0 wait 0 1 7\n1 wait 0 1 7\n0 finalize\n1 finalize\n";
    fs::write(place("a.txt"), actions).unwrap();
    let traces = format!("--trace {} --trace-ti {}", place("a.otf2"), place("a.ti"));
    let seconds = |line: &str| crate::json(line)["simulated_s"].as_f64().unwrap();
    let ran = seconds(&format!("replay {} -p star-64 --map block:1 {traces}", place("a.txt")));
    let again = seconds(&format!("replay {} -p star-64 --map block:1", place("a.otf2")));
    assert!((again / ran - 1.0).abs() < 1e-6, "{ran} {again}");
    foretell(&format!("trace convert {} {}", place("a.otf2"), place("b.ti")));
    for rank in [0, 1] {
        let waits = |name: &str| -> Vec<String> {
            let text = fs::read_to_string(place(&format!("{name}/rank-{rank}.txt"))).unwrap();
            let words = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
            let lines = words.map(|words| words.join(" "));
            lines.filter(|line| line.contains("wait") || line.contains("younger")).collect()
        };
        assert_eq!(waits("a.ti"), waits("b.ti"));
        assert_eq!(waits("b.ti").len(), 5);
    }
}
