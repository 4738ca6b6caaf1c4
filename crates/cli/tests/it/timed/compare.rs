//! `foretell trace diff` and `summary` of runs and of replays of their traces.

use std::path::Path;

use serde_json::Value;

use super::traced;
use crate::{file, printed, refused};

/// A wavefront, whose ranks at the edges send to nobody and receive from nobody.
const WAVE: &str = "app lu-wave -n 16 -p star-64 4 4 8 60 2";

/// The figures of a command that looks at traces.
fn json(line: &str) -> Value {
    serde_json::from_str(&printed(&format!("{line} --json"))).unwrap()
}

fn difference(first: &Path, second: &Path) -> Value {
    json(&format!("trace diff {} {}", first.display(), second.display()))
}

#[test]
fn formats_of_one_run_do_not_differ_but_for_their_grain() {
    let (_one, table) = traced(WAVE, "a.csv");
    for name in ["a.otf2", "a.prv"] {
        let (_other, trace) = traced(WAVE, name);
        let found = difference(&table, &trace);
        assert_eq!(found["alone"], serde_json::json!([0, 0]), "{name}: {found}");
        assert_eq!(found["changed"], serde_json::json!([]), "{name}: {found}");
        assert_eq!(found["paired"], 2448, "{name}");
        // Paraver's dates are whole nanoseconds.
        let ends: Vec<f64> =
            found["ends_s"].as_array().unwrap().iter().map(|end| end.as_f64().unwrap()).collect();
        assert!((ends[0] - ends[1]).abs() < 1e-9, "{name}: {ends:?}");
    }
    let same = printed(&format!("trace diff {0} {0}", table.display()));
    assert!(same.contains("none: the same calls at the same dates"), "{same}");
}

#[test]
fn a_replay_differs_from_its_run_by_calls_to_nobody_alone() {
    for name in ["a.csv", "a.otf2", "a.prv", "a.ti"] {
        let (_folder, run) = traced(WAVE, "a.csv");
        let (_own, trace) = match name {
            "a.ti" => {
                let folder = tempfile::tempdir().unwrap();
                let path = folder.path().join(name);
                printed(&format!("{WAVE} --trace-ti {}", path.display()));
                (folder, path)
            }
            _ => traced(WAVE, name),
        };
        let line = format!("replay {} -p star-64", trace.display());
        let (_again, again) = traced(&line, "b.csv");
        let found = difference(&run, &again);
        assert_eq!(found["alone"], serde_json::json!([576, 0]), "{name}: {found}");
        assert_eq!(found["changed"], serde_json::json!([]), "{name}: {found}");
        assert_eq!(found["partings"], serde_json::json!([]), "{name}: {found}");
        let to_nobody = found["alone_by"].as_array().unwrap().iter();
        assert!(to_nobody.clone().all(|row| row["to_nobody"] == true), "{name}: {found}");
        assert_eq!(to_nobody.map(|row| row["counts"][0].as_u64().unwrap()).sum::<u64>(), 576);
    }
}

#[test]
fn regions_of_a_run_and_of_its_replay_are_held_against_each_other() {
    let text = "0 init\n0 region solve\n0 compute 1e6\n0 leave solve\n0 compute 1e6\n";
    let (_one, slow) = file("slow.ti", text);
    let (_other, fast) = file("fast.ti", &text.replacen("1e6", "5e5", 1));
    let replay = |path: &Path| traced(&format!("replay {} -p star-64", path.display()), "a.csv");
    let ((_a, first), (_b, second)) = (replay(&slow), replay(&fast));
    let found = difference(&first, &second);
    let solve = &found["regions"]["solve"];
    assert!((solve["ratio"].as_f64().unwrap() - 0.5).abs() < 1e-9, "{found}");
    assert_eq!(solve["counts"], serde_json::json!([1, 1]));
}

#[test]
fn a_threshold_names_the_first_call_beyond_it() {
    let (_one, run) = traced(WAVE, "a.csv");
    let (_other, slower) = traced(&WAVE.replace("star-64", "graphene"), "b.csv");
    let line = format!("trace diff {} {}", run.display(), slower.display());
    let found = json(&format!("{line} --lag 100us"));
    let behind = found["beyond"]["behind_s"].as_f64().unwrap();
    assert!(behind > 100e-6, "{found}");
    let first = json(&format!("{line} --lag 50us"));
    let date = |found: &Value| found["beyond"]["ends_s"][0].as_f64().unwrap();
    assert!(date(&first) < date(&found));
    assert_eq!(json(&format!("{line} --lag 1s"))["beyond"], Value::Null);
    assert_eq!(json(&format!("{line} --align collective"))["clocks"], "collective");
}

#[test]
fn a_summary_tells_what_transfers_cost_if_it_is_given_the_run_without_a_network() {
    let (_one, run) = traced("app lulesh -n 8 -p taurus --map block:1 -s 8 -i 3", "a.csv");
    let replay = |more: &str| {
        traced(&format!("replay {} -p taurus --map block:1{more}", run.display()), "b.csv")
    };
    let (_other, ideal) = replay(" --link-latency 1e-9 --link-bandwidth 1e9");
    let line = format!("trace summary {} --ideal {}", run.display(), ideal.display());
    let found = &json(&line)["efficiency"];
    let part = |name: &str| found[name].as_f64().unwrap();
    assert!(part("transfer") < 1.0 && part("serialization") < 1.0 + 1e-6, "{found}");
    assert!((part("transfer") * part("serialization") / part("communication") - 1.0).abs() < 1e-9);
    assert!(printed(&line).contains("    serialization"));
    // The other way round it cannot be.
    let wrong = format!("trace summary {} --ideal {}", ideal.display(), run.display());
    assert!(refused(&wrong, 2).contains("is not the run on a network that costs nothing"));
}

#[test]
fn a_summary_tells_who_came_last_and_how_even_regions_are() {
    let life = |rank: u32| {
        let work = 1e6 * f64::from(1 + rank);
        format!(
            "{rank} init\n{rank} region solve\n{rank} compute {work}\n{rank} barrier\n{rank} leave solve\n"
        )
    };
    let (_trace, actions) = file("parts.ti", &(0..4).map(life).collect::<String>());
    let (_folder, run) = traced(&format!("replay {} -p star-64", actions.display()), "a.csv");
    let found = json(&format!("trace summary {}", run.display()));
    let (meeting, solve) = (&found["meetings"][0], &found["regions"][0]);
    let last = &meeting["last"][0];
    assert_eq!((&last["rank"], &last["times"]), (&3.into(), &1.into()), "{meeting}");
    // Three, two and one million flops, at 1e10 a second.
    assert!((meeting["seconds"].as_f64().unwrap() - 6e-4).abs() < 1e-7, "{meeting}");
    let balance = solve["efficiency"]["load_balance"].as_f64().unwrap();
    assert!((balance - 2.5 / 4.0).abs() < 1e-6, "{solve}");
    let text = printed(&format!("trace summary {}", run.display()));
    assert!(text.contains("rank 3: last 1 time") && text.contains("solve"), "{text}");
}
