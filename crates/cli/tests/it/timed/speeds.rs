//! How fast nodes are, as readers of traces see it.

use std::fs;

use super::{count, lines_of, perfetto, read_by, read_by_with, traced};
use crate::browser::opened;
use crate::energy::cluster;
use crate::printed;

/// Three nodes that must run at 2 Gflop/s until the first of their two ranks has ended, then at 4.
fn run(folder: &tempfile::TempDir) -> String {
    let machine = cluster(folder);
    format!("app collective allreduce 1000000 5 -n 6 -p {machine} --power-cap 100W")
}

#[test]
fn otf2_print_reads_speeds_and_pstates_without_a_warning() {
    let machine = tempfile::tempdir().unwrap();
    for (options, metered) in [("", 0), (" --energy", 1)] {
        let (_folder, path) = traced(&(run(&machine) + options), "a.otf2");
        let Some(output) = read_by("otf2-print", &path) else { return };
        let lines = lines_of(output);
        let told = |what: &str| count(&lines, what);
        assert_eq!(told("(\"speed\" <"), 6, "{lines:?}");
        let defined = lines_of(read_by_with("otf2-print", "-G", &path).unwrap());
        assert_eq!(count(&defined, "Mode: ABSOLUTE_NEXT"), 2 + metered, "{defined:?}");
        assert_eq!(count(&defined, "INVALID"), 0, "{defined:?}");
        assert_eq!(told("4e+09") + told("4000000000"), 3, "{lines:?}");
        assert!(metered * told("(\"power\" <") >= metered * 3, "{lines:?}");
        assert_eq!(told("WARNING") + told("ERROR") + told("UNKNOWN"), 0, "{lines:?}");
    }
}

#[test]
fn pj_dump_reads_speeds_and_pstates_as_variables() {
    let machine = tempfile::tempdir().unwrap();
    let (_folder, path) = traced(&run(&machine), "a.paje");
    let Some(output) = read_by("pj_dump", &path) else { return };
    let lines = lines_of(output);
    let variable = |kind: &str, value: &str| {
        let is_it = |line: &&String| {
            line.starts_with("Variable, ") && line.contains(kind) && line.ends_with(value)
        };
        lines.iter().filter(is_it).count()
    };
    assert_eq!(variable("speed of a core", " 4000000000.000000"), 3, "{lines:?}");
    assert_eq!(variable("speed of a core", " 2000000000.000000"), 3, "{lines:?}");
    assert_eq!(variable("pstate", " 1.000000"), 3, "{lines:?}");
}

#[test]
fn perfetto_has_counters_of_speeds_and_pstates() {
    let machine = tempfile::tempdir().unwrap();
    let (_folder, path) = traced(&run(&machine), "a.perfetto");
    let trace = perfetto::read(&fs::read(path).unwrap());
    let values = |what: &str| -> Vec<Vec<f64>> {
        let counters = trace.counters.iter().filter(|(track, _)| trace.names_of[track] == what);
        counters.map(|(_, steps)| steps.iter().map(|(_, value)| *value).collect()).collect()
    };
    assert_eq!(values("speed of a core"), vec![[2e9, 4e9]; 3]);
    assert_eq!(values("pstate"), vec![[1.0, 0.0]; 3]);
}

#[test]
fn paraver_has_events_of_speeds_and_their_labels() {
    let machine = tempfile::tempdir().unwrap();
    let (_folder, path) = traced(&run(&machine), "a.prv");
    let text = fs::read_to_string(&path).unwrap();
    assert_eq!(text.matches(":93000004:4000000000:93000005:0").count(), 3, "{text}");
    assert_eq!(text.matches(":93000004:2000000000:93000005:1").count(), 3, "{text}");
    let labels = fs::read_to_string(path.with_extension("pcf")).unwrap();
    assert!(labels.contains("93000004    Speed of a core of the node in flop/s"), "{labels}");
}

#[test]
fn tables_with_speeds_are_read() {
    let machine = tempfile::tempdir().unwrap();
    let (folder, path) = traced(&run(&machine), "a.csv");
    let text = fs::read_to_string(&path).unwrap();
    let rows: Vec<&str> = text.lines().filter(|line| line.starts_with("speed,")).collect();
    assert_eq!(rows.len(), 6, "{rows:?}");
    assert!(rows[..3].iter().all(|row| row.ends_with(",2000000000,")), "{rows:?}");
    assert!(rows[3..].iter().all(|row| row.ends_with(",4000000000,")), "{rows:?}");
    assert!(printed(&format!("trace summary {}", path.display())).contains("6 ranks on 3 nodes"));
    let page = folder.path().join("b.html");
    printed(&format!("trace view {} -o {}", path.display(), page.display()));
    let text = fs::read_to_string(&page).unwrap();
    assert!(text.contains("\"speed\":[[0,2.000],["), "{text}");
}

#[test]
fn the_page_has_a_track_of_the_speed() {
    let machine = tempfile::tempdir().unwrap();
    let (_folder, page) = traced(&run(&machine), "a.html");
    let Some(seen) = opened(&page, "", "") else { return };
    assert_eq!(seen.complaints, [""; 0]);
    assert!(seen.dom.contains("id=\"speed\"") && !seen.dom.contains("id=\"power\""));
}

#[test]
fn what_has_one_speed_says_nothing_of_it() {
    let (_folder, path) = traced("app ring -n 4 -p star-64 1 8", "a.csv");
    assert!(!fs::read_to_string(path).unwrap().contains("\nspeed,"));
}

#[test]
fn what_profiles_of_the_machine_make_of_a_node_is_told() {
    let machine = "[nodes]\ncount = 2\nspeed = '1Gf'\n[network]\nbandwidth = '1GBps'\n\
                   latency = '1us'\n[[profile]]\nnode = 'node-1'\nspeed = [['1ms', 0.25]]\n";
    let (_machine, machine) = crate::file("m.toml", machine);
    let (_trace, actions) = crate::file("a.ti", "0 init\n1 init\n1 compute 2e6\n");
    let line = format!("replay {} -p {} --map block:1", actions.display(), machine.display());
    let (_folder, path) = traced(&line, "a.csv");
    let text = fs::read_to_string(path).unwrap();
    let rows: Vec<&str> = text.lines().filter(|line| line.starts_with("speed,")).collect();
    assert_eq!(rows.len(), 2, "{text}");
    assert!(rows[0].starts_with("speed,1,0,,0,") && rows[0].ends_with(",1000000000,"), "{rows:?}");
    assert!(
        rows[1].starts_with("speed,1,0.001,,0,") && rows[1].ends_with(",250000000,"),
        "{rows:?}"
    );
}
