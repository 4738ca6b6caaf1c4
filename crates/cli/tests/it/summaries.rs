//! The JSON summary.

use serde_json::Value;

use crate::{example, file, foretell_words, json, printed};

/// Figures of the simulator itself, which no two runs share.
const TIMING: [&str; 4] = ["cpu_s", "total_cpu_s", "wall_s", "peak_rss_bytes"];

#[test]
fn json_has_every_figure() {
    let run = json("app stencil3d -n 27 -p torus-512 --map block:1 --seed 7 2 8 26");
    for field in [
        "sim_s",
        "simulated_s",
        "ranks",
        "messages",
        "bytes",
        "timed_messages",
        "dates",
        "links_used",
        "cpu_s",
        "total_cpu_s",
        "wall_s",
        "peak_rss_bytes",
    ] {
        assert!(run[field].as_f64().unwrap() > 0.0, "{field}: {}", run[field]);
    }
    assert!(!run["collectives"].as_array().unwrap().is_empty());
    assert!(run["sim_s"].as_f64() <= run["simulated_s"].as_f64());
    assert!(run["timed_messages"].as_u64() <= run["messages"].as_u64());
    let waiting = &run["times"]["waiting_s"];
    assert!(waiting["min"].as_f64() <= waiting["mean"].as_f64());
    assert!(waiting["mean"].as_f64() <= waiting["max"].as_f64());
    assert_eq!(run["per_rank"]["end_s"].as_array().unwrap().len(), 27);
}

#[test]
fn times_of_a_rank_add_up_to_its_end() {
    let run = json("app ep -n 8 -p star-64 --map cyclic 20");
    let all = &run["per_rank"];
    for rank in 0..8 {
        let time = |kind: &str| all[kind][rank].as_f64().unwrap();
        let sum = time("computing_s") + time("overhead_s") + time("waiting_s");
        assert!((sum - time("end_s")).abs() < 1e-9, "rank {rank}: {sum} s");
    }
    assert!(all["computing_s"][0].as_f64().unwrap() > 0.0);
}

#[test]
fn json_tells_where_its_figures_come_from() {
    let line = "app ring -n 4 -p star-64 --seed 7 --cfg smpi/barrier:ompi_bruck --map cyclic 3 10";
    let origin = json(line)["provenance"].clone();
    assert_eq!(origin["version"], env!("CARGO_PKG_VERSION"));
    assert!(origin["command"].as_str().unwrap().ends_with(&format!("{line} --json -")));
    assert_eq!(origin["skeleton"], "ring");
    assert_eq!(origin["platform"]["name"], "star-64");
    assert_eq!((&origin["seed"], &origin["mapping"]), (&Value::from(7), &Value::from("cyclic")));
    assert_eq!(origin["options"][0]["key"], "smpi/barrier");
    assert_eq!(origin["options"][0]["from"], "command-line");
    assert_eq!(origin["collectives"]["barrier"], "ompi_bruck");
}

#[test]
fn two_runs_differ_in_nothing_but_their_own_time() {
    let platform = example("graphene-144.xml");
    let line =
        format!("app flows -n 64 -p {} --map cyclic --json - 2 4 100000", platform.display());
    let figures = || {
        let kept = |line: &&str| !TIMING.iter().any(|name| line.contains(&format!("\"{name}\"")));
        printed(&line).lines().filter(kept).map(str::to_owned).collect::<Vec<_>>()
    };
    let first = figures();
    assert!(first.len() > 100);
    assert_eq!(first, figures());
}

#[test]
fn json_goes_to_a_file_beside_the_summary() {
    let (folder, path) = file("old.json", "old");
    let words = ["app", "init", "-n", "3", "-p", "star-64", "--json", path.to_str().unwrap()];
    let said = foretell_words(&words);
    assert!(said.out.contains("simulated time"), "{}", said.err);
    let run: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    assert_eq!(run["ranks"], 3);
    assert_eq!(folder.path().read_dir().unwrap().count(), 1);
}

#[test]
fn a_run_that_fails_leaves_the_old_file_alone() {
    let (folder, path) = file("old.json", "old");
    let words = ["app", "pingpong", "-n", "1", "-p", "star-64", "--json", path.to_str().unwrap()];
    assert_eq!(foretell_words(&words).code, 1);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "old");
    assert_eq!(folder.path().read_dir().unwrap().count(), 1);
}
