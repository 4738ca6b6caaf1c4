//! Traces of other tools: replayed, they take as long as the runs that they were made of.

use serde_json::Value;

use crate::{file, json, printed, refused};

fn seconds(summary: &Value) -> f64 {
    summary["simulated_s"].as_f64().unwrap()
}

/// Runs a skeleton with a trace, replays that, and compares.
fn check(app: &str, name: &str) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    let run = json(&format!("app {app} -p star-64 --trace {}", path.display()));
    let again = json(&format!("replay {} -p star-64", path.display()));
    let error = (seconds(&again) / seconds(&run) - 1.0).abs();
    assert!(error < 1e-3, "{app}, {name}: {} s, replayed {} s", seconds(&run), seconds(&again));
}

#[test]
fn archives_of_ours_replay_in_the_same_time() {
    check("ring -n 8 20 4096", "a.otf2");
    check("lu-wave -n 16 4 4 8 60 2", "a.otf2");
    check("stencil3d -n 8", "a.otf2");
    check("lulesh -n 8 -s 6 -i 2", "a.otf2");
}

#[test]
fn paraver_traces_of_ours_replay_in_the_same_time() {
    check("ring -n 8 20 4096", "a.prv");
    check("lu-wave -n 16 4 4 8 60 2", "a.prv");
    check("stencil3d -n 8", "a.prv");
    check("lulesh -n 8 -s 6 -i 2", "a.prv");
}

/// Task 0 computes for two seconds and sends a mebibyte, eagerly.
const DIM: &str = "#DIMEMAS:\"a.dim\":0:2(1,1),1\nd:1:1:2:0:1\n1:0:0:2.0\n\
                   2:0:0:1:0:1048576:3:1:0\n1:1:0:0.5\n3:1:0:0:0:1048576:3:1:0\n";

/// Two nodes; the second computes twice as fast. A mebibyte takes 4 ms, the latency is 1 ms.
const CFG: &str = "#DIMEMAS_CONFIGURATION\n\
    \"environment information\" {\"two\", 0, \"\", 2, 250.0, 1, 1};;\n\
    \"node information\" {0, 0, \"\", 1, 1.0, 0.0, 0.0, 1, 1, 0, 1e-3, 1, 1, 0.0};;\n\
    \"node information\" {0, 1, \"\", 1, 2.0, 0.0, 0.0, 1, 1, 0, 1e-3, 1, 1, 0.0};;\n";

#[test]
fn dimemas_traces_run_on_dimemas_machines() {
    let (_folder, trace) = file("a.dim", DIM);
    let (_other, machine) = file("a.cfg", CFG);
    let line = format!("replay {} -p {}", trace.display(), machine.display());
    let found = seconds(&json(&line));
    assert!((found - 2.005).abs() < 1e-9, "{found}");
    // The tasks the other way round: the sender is on the fast node.
    let found = seconds(&json(&format!("{line} --map hosts:node-1,node-0")));
    assert!((found - 1.005).abs() < 1e-9, "{found}");
    let found = seconds(&json(&format!("{line} --link-bandwidth x2 --link-latency 0.5")));
    assert!((found - 2.0025).abs() < 1e-9, "{found}");
}

#[test]
fn collectives_on_dimemas_machines_take_what_its_formulas_say() {
    // After two seconds of the first task both add up a mebibyte.
    let text = "#DIMEMAS:\"a.dim\":0:2(1,1),1\nd:1:1:2:0:1\n1:0:0:2.0\n\
                10:0:0:11:1:0:0:1048576:1048576:1\n10:1:0:11:1:0:0:1048576:1048576:1\n";
    let (_folder, trace) = file("a.dim", text);
    let check = |communications: &str, expected: f64| {
        let (folder, machine) = file(
            "a.cfg",
            &format!("{CFG}\"configuration files\" {{\"\", \"\", \"comms.txt\", \"\"}};;\n"),
        );
        std::fs::write(folder.path().join("comms.txt"), communications).unwrap();
        let line = format!("replay {} -p {}", trace.display(), machine.display());
        let found = seconds(&json(&line));
        assert!((found - expected).abs() < 1e-9, "{found} with {communications:?}");
    };
    // The environment says constant: a step in and one out, each of 1 ms and 4 ms.
    check("", 2.010);
    check("11 LIN MAX 0 MAX 0\n", 2.005);
    check("Machine globalop: 0 11 0 MAX CTE 2MAX\n", 2.009);
    check("11 0 MAX 0 MAX 0\n", 2.0);
    let (folder, machine) = file(
        "a.cfg",
        &format!("{CFG}\"configuration files\" {{\"\", \"\", \"comms.txt\", \"\"}};;\n"),
    );
    std::fs::write(folder.path().join("comms.txt"), "11 SQR MAX 0 MAX 0\n").unwrap();
    let told = refused(&format!("replay {} -p {}", trace.display(), machine.display()), 2);
    assert!(told.contains("comms.txt:1: `SQR` is no model"), "{told}");
}

#[test]
fn mappings_of_dimemas_machines_count() {
    let (_folder, trace) = file("a.dim", DIM);
    let mapped = format!("{CFG}\"mapping information\" {{\"a.dim\", 2, [2] {{1, 0}}}};;\n");
    let (_other, machine) = file("a.cfg", &mapped);
    let found = seconds(&json(&format!("replay {} -p {}", trace.display(), machine.display())));
    assert!((found - 1.005).abs() < 1e-9, "{found}");
}

#[test]
fn recorded_seconds_are_what_the_user_says() {
    let (_folder, trace) = file("a.dim", "#DIMEMAS:\"a\":0:1(1),0\n1:0:0:2.0\n");
    let line = format!("replay {} -p star-64", trace.display());
    assert!((seconds(&json(&line)) - 2.0).abs() < 1e-9);
    let slow = seconds(&json(&format!("{line} --recorded-speed 1Gf")));
    let fast = seconds(&json(&format!("{line} --recorded-speed 2Gf")));
    assert!((fast / slow - 2.0).abs() < 1e-9, "{slow} {fast}");
}

#[test]
fn schedules_are_replayed_as_graphs() {
    // Rank 0 gets two messages, and answers whichever comes first: in the order of its lines it
    // would wait for ever.
    let text = "num_ranks 3\nrank 0 {\na: recv 8b from 1 tag 1\nb: recv 8b from 2 tag 1\n\
                c: send 8b to 1 tag 2\nc requires b\n}\n\
                rank 1 {\na: recv 8b from 0 tag 2\nb: send 8b to 0 tag 1\nb requires a\n}\n\
                rank 2 {\na: calc 1000000\nb: send 8b to 0 tag 1\nb requires a\n}\n";
    let (_folder, path) = file("a.goal", text);
    let found = json(&format!("replay {} -p star-64 --map block:1", path.display()));
    let time = seconds(&found);
    assert!(time > 1e-3 && time < 1.1e-3, "{time}");
    assert_eq!(found["actions"], 7);
}

#[test]
fn formats_can_be_named_and_mistakes_are_told() {
    let (_folder, path) = file("a.dim", DIM);
    let line = format!("replay {} -p star-64", path.display());
    printed(&format!("{line} --format dimemas"));
    let told = refused(&format!("{line} --format goal"), 2);
    assert!(told.contains("a.dim:1: expected num_ranks"), "{told}");
    let told = refused(&format!("{line} --format tau"), 2);
    assert!(told.contains("there is no format `tau`"), "{told}");
    let (_folder, path) = file("a.dim", "#DIMEMAS:\"a\":0:1(1),0\n1:0:0:fast\n");
    let told = refused(&format!("replay {} -p star-64", path.display()), 2);
    assert!(told.contains("a.dim:2: a duration is expected, not `fast`"), "{told}");
}

#[test]
fn parts_of_a_program_can_be_made_faster() {
    let text = "#DIMEMAS:\"a\":0:1(1),0\n1:0:0:1.0\n20:0:0:7:3\n1:0:0:4.0\n20:0:0:7:0\n";
    let (_folder, path) = file("a.dim", text);
    let line = format!("replay {} -p star-64", path.display());
    let time = |more: &str| seconds(&json(&format!("{line} {more}")));
    assert!((time("") - 5.0).abs() < 1e-9);
    assert!((time("--speedup 7:3=2") - 3.0).abs() < 1e-9);
    assert!((time("--speedup rank:0=5") - 1.0).abs() < 1e-9);
    assert!((time("--speedup 0.5") - 10.0).abs() < 1e-9);
    let told = refused(&format!("{line} --speedup fast"), 2);
    assert!(told.contains("--speedup solve=2"), "{told}");
    let table = json(&format!("{line} --what-if"));
    let names: Vec<&str> = table["what_if"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["name"].as_str().unwrap())
        .collect();
    assert_eq!(names[..2], ["processors x2", "7:3 x2"]);
    assert!(printed(&format!("{line} --what-if")).contains("40.0 %"));
}

#[test]
fn traces_are_converted_and_what_is_lost_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name).display().to_string();
    let run = json(&format!("app stencil3d -n 8 -p star-64 --trace {}", place("a.otf2")));
    for name in ["b.prv", "b.csv", "b.html", "b.paje", "b.perfetto"] {
        printed(&format!("trace convert {} {}", place("a.otf2"), place(name)));
        assert!(folder.path().join(name).exists(), "{name}");
    }
    let again = json(&format!("replay {} -p star-64", place("b.prv")));
    assert!((seconds(&again) / seconds(&run) - 1.0).abs() < 1e-3);
    let said = crate::foretell(&format!("trace convert {} {}", place("a.otf2"), place("c.fti")));
    assert!(said.err.contains("--recorded-speed"), "{}", said.err);
    printed(&format!("replay {} -p star-64", place("c.fti")));
    let told = refused(&format!("trace convert {} {}", place("c.fti"), place("d.prv")), 2);
    assert!(told.contains("has no dates"), "{told}");
}

#[test]
fn traces_for_dimemas_replay_in_the_time_of_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name).display().to_string();
    for app in [
        "ring -n 8 -p star-64 ARGS 20 4096",
        "stencil3d -n 8 -p star-64 ARGS 3 128 6 100000",
        "collective -n 8 -p star-64 ARGS allgather 5 1000",
        "lulesh -n 8 -p star-64 ARGS -s 6 -i 2",
    ] {
        let capture = format!("--trace-ti {} --trace {}", place("a.fti"), place("a.otf2"));
        let ran = json(&format!("app {}", app.replace("ARGS", &capture)));
        for from in ["a.fti", "a.otf2"] {
            let speed = "--recorded-speed 10Gf";
            printed(&format!("trace convert {} {} {speed}", place(from), place("b.dim")));
            let again = json(&format!("replay {} -p star-64 {speed}", place("b.dim")));
            let error = (seconds(&again) / seconds(&ran) - 1.0).abs();
            assert!(error < 1e-3, "{app}, {from}: {} s, {} s", seconds(&ran), seconds(&again));
        }
    }
    let said = crate::foretell(&format!("trace convert {} {}", place("a.fti"), place("c.dim")));
    assert!(said.err.contains("1e9 flops are taken for a second"), "{}", said.err);
}

#[test]
fn formats_that_are_only_read_are_not_written_under_their_names() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name).display().to_string();
    json(&format!("app ring -n 2 -p star-64 --trace-ti {} 1 8", place("a.fti")));
    for (name, reason) in [
        ("b.goal", "only read"),
        ("b.meta", "only read"),
        ("b.txt", "a folder with a file for each rank"),
        ("b.prv.gz", "gzip"),
    ] {
        let told = refused(&format!("trace convert {} {}", place("a.fti"), place(name)), 2);
        assert!(told.contains(reason), "{told}");
        assert!(!folder.path().join(name).exists(), "{name}");
    }
}

#[test]
fn tables_become_what_the_run_would_have_written() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name).display().to_string();
    let sorted = |name: &str| {
        let text = std::fs::read_to_string(place(name)).unwrap();
        let mut lines: Vec<String> = text.lines().map(|line| line.trim().to_owned()).collect();
        lines.retain(|line| line != "#");
        lines.sort();
        lines
    };
    for app in [
        "ring -n 8 -p star-64 ARGS 20 4096",
        "lu-wave -n 16 -p star-64 ARGS 4 4 8 60 2",
        "stencil3d -n 8 -p star-64 ARGS 3 128 6 100000",
        "master-worker -n 6 -p star-64 ARGS 50 64 0",
        "lulesh -n 8 -p star-64 ARGS -s 6 -i 2",
    ] {
        let run = |options: &str| json(&format!("app {}", app.replace("ARGS", options)));
        let ran = run(&format!("--trace {}", place("a.csv")));
        for ending in ["prv", "paje"] {
            run(&format!("--trace {}", place(&format!("a.{ending}"))));
            printed(&format!("trace convert {} {}", place("a.csv"), place(&format!("b.{ending}"))));
            let (direct, made) = (sorted(&format!("a.{ending}")), sorted(&format!("b.{ending}")));
            assert!(direct == made, "{app}: .{ending} differs");
        }
        printed(&format!("trace convert {} {}", place("a.csv"), place("b.otf2")));
        for name in ["b.otf2", "a.csv"] {
            let again = json(&format!("replay {} -p star-64", place(name)));
            let error = (seconds(&again) / seconds(&ran) - 1.0).abs();
            assert!(error < 1e-3, "{app}, {name}: {} s, {} s", seconds(&ran), seconds(&again));
        }
    }
}

#[test]
fn the_critical_path_and_differences_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name).display().to_string();
    for (machine, name) in [("star-64", "a.csv"), ("star-64", "a.otf2"), ("graphene", "b.csv")] {
        printed(&format!("app lu-wave -n 16 -p {machine} --trace {} 4 4 8 60 2", place(name)));
    }
    for name in ["a.csv", "a.otf2"] {
        let text = printed(&format!("trace critical-path --json {}", place(name)));
        let path: Value = serde_json::from_str(&text).unwrap();
        let (whole, along) = (seconds(&path), path["path_s"].as_f64().unwrap());
        // The path goes back to the beginning, so it is as long as the run.
        assert!(
            along > 0.95 * whole && along <= whole * (1.0 + 1e-9),
            "{name}: {along} of {whole}"
        );
    }
    let text = printed(&format!("trace critical-path {}", place("a.csv")));
    assert!(text.contains("messages on their way"), "{text}");
    let same = printed(&format!("trace diff {} {}", place("a.csv"), place("a.csv")));
    assert!(same.contains("0 of the first, 0 of the second"), "{same}");
    let other = printed(&format!("trace diff {} {}", place("a.csv"), place("b.csv")));
    assert!(other.contains("falls behind most"), "{other}");
}

/// Rank 0 of two sends ten messages of a megabyte.
fn stream() -> String {
    (0..10).map(|_| "0 send 1 0 1000000 6\n1 recv 0 0 1000000 6\n").collect()
}

#[test]
fn jobs_share_the_machine_and_have_times_of_their_own() {
    let (_folder, first) = file("a.ti", &stream());
    let (_other, second) = file("b.ti", &stream());
    let (a, b) = (first.display(), second.display());
    let alone = seconds(&json(&format!("replay {a} -p star-64 --map block:1")));
    let times = |more: &str| -> Vec<f64> {
        let found = json(&format!("replay {a} -p star-64 --map block:1 --job {b}{more}"));
        let jobs = found["jobs"].as_array().unwrap();
        jobs.iter().map(|job| job["seconds"].as_f64().unwrap()).collect()
    };
    // On hosts of its own, a job does not notice the other.
    let apart = times("");
    assert!(apart.iter().all(|time| (time / alone - 1.0).abs() < 1e-6), "{apart:?} {alone}");
    // On the same hosts they share the links.
    let shared = times(",hosts=node-0:node-1");
    assert!(shared.iter().all(|time| time / alone > 1.5), "{shared:?} {alone}");
    // One after the other, they do not meet.
    let late = times(&format!(",start={},hosts=node-0:node-1", 2.0 * alone));
    assert!(late.iter().all(|time| (time / alone - 1.0).abs() < 1e-6), "{late:?} {alone}");
    let text = printed(&format!("replay {a} -p star-64 --job {b},start=0.25"));
    assert!(text.contains("job 2"), "{text}");
    let told = refused(&format!("replay {a} -p star-64 --job {b},soon"), 2);
    assert!(told.contains("start=0.5"), "{told}");
}

#[test]
fn a_file_lists_jobs_as_simgrid_does() {
    let (_folder, trace) = file("a.ti", &stream());
    let a = trace.display();
    let alone = seconds(&json(&format!("replay {a} -p star-64 --map block:1")));
    let list = trace.with_file_name("jobs");
    let times = |text: &str| -> Vec<(f64, f64)> {
        std::fs::write(&list, text).unwrap();
        let line = format!("replay --job-list {} -p star-64 --map block:1", list.display());
        let found = json(&line);
        let of = |job: &serde_json::Value, what: &str| job[what].as_f64().unwrap();
        let jobs = found["jobs"].as_array().unwrap();
        jobs.iter().map(|job| (of(job, "start_s"), of(job, "seconds"))).collect()
    };
    let near = |time: f64, other: f64| (time - other).abs() < 1e-6 * other;
    // The second job computes first, and meets nobody.
    let delayed = times("1 a.ti 2 0\n2 a.ti 2 1e9\n");
    assert!(
        delayed[1].0 > 0.0 && delayed.iter().all(|(_, time)| near(*time, alone)),
        "{delayed:?}"
    );
    // Both on the same hosts at once, then one after the other.
    let shared = times("Two jobs on the same hosts\na a.ti 2 0 0,1\nb a.ti 2 0 0,1\n");
    assert!(shared.iter().all(|(_, time)| *time > 1.5 * alone), "{shared:?} {alone}");
    let apart = times("a a.ti 2 0 0,1\nb a.ti 2 1 0,1\n");
    assert!(near(apart[1].0, 1.0) && near(apart[1].1, alone), "{apart:?} {alone}");
    let refusal = |text: &str| {
        std::fs::write(&list, text).unwrap();
        refused(&format!("replay --job-list {} -p star-64", list.display()), 2)
    };
    let told = refusal("a a.ti 3 0\n");
    assert!(told.contains("a (a.ti) is to have 3 ranks, and its trace has 2"), "{told}");
    let told = refusal("a a.ti 2 0 0,64\n");
    assert!(told.contains("no host 64 among 64"), "{told}");
    let told = refused(&format!("replay {a} --job-list {} -p star-64", list.display()), 2);
    assert!(told.contains("cannot be used with"), "{told}");
}
