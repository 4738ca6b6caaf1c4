//! Energy, as users ask for it and are told.

use crate::{json, printed, refused};

#[test]
fn the_energy_of_a_skeleton_is_told_and_adds_up() {
    let out = printed("app collective allreduce 100000 20 -n 24 -p taurus --energy");
    for part in ["energy  ", "in MPI", "on average", "energy in MPI", "without ranks"] {
        assert!(out.contains(part), "{part} is missing: {out}");
    }
    let energy = &json("app hpl -N 1000 --nb 64 -P 4 -Q 6 -p taurus --energy")["energy"];
    let figure = |name: &str| energy[name].as_f64().unwrap();
    let calls = energy["per_call"].as_array().unwrap();
    let in_calls: f64 = calls.iter().map(|call| call["joules"].as_f64().unwrap()).sum();
    let whole = figure("joules");
    let parts = figure("nodes_own_j") + figure("computing_j") + in_calls;
    assert!((parts - whole).abs() < 1e-9 * whole, "{energy}");
    assert!((figure("polling_j") - in_calls).abs() < 1e-9 * whole, "{energy}");
    assert!(figure("computing_j") > 0.0 && figure("unused_nodes") == 14.0, "{energy}");
}

#[test]
fn power_over_time_holds_the_energy() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("power.csv");
    let line = format!("app ep -n 12 -p taurus --power {} 24", file.display());
    let joules = json(&line)["energy"]["joules"].as_f64().unwrap();
    let text = std::fs::read_to_string(file).unwrap();
    assert!(text.starts_with("node,date_s,watts\ntaurus-1,0,"), "{text}");
    let steps: Vec<(f64, f64)> = text
        .lines()
        .skip(1)
        .map(|line| {
            let fields: Vec<&str> = line.split(',').collect();
            (fields[1].parse().unwrap(), fields[2].parse().unwrap())
        })
        .collect();
    let held: f64 = steps.windows(2).map(|pair| (pair[1].0 - pair[0].0) * pair[0].1).sum();
    assert!((held - joules).abs() < 1e-9 * joules, "{held} J and {joules} J: {text}");
}

#[test]
fn a_machine_that_says_nothing_of_power_cannot_tell_energy() {
    let told = refused("app ep 1 -n 2 -p star-64 --energy", 2);
    assert!(told.contains("says nothing of power") && told.contains("[nodes.power]"), "{told}");
    let told = refused("app ep 1 -n 2 -p taurus --workload nas-lu", 2);
    assert!(told.contains("no power for the work `nas-lu`"), "{told}");
}
