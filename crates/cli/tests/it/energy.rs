//! Energy, as users ask for it and are told.

use crate::{foretell, json, printed, refused};

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

/// A cluster with all that can be said of power.
const CLUSTER: &str = "name = 'c'\n[nodes]\ncount = 4\ncores = 2\nspeed = ['4Gf', '2Gf']\n\
    [nodes.power]\noff = 5\nidle = [50, 44]\nall_cores = [160, 90]\npolling = [140, 80]\n\
    boot = { time = '60s', power = 100 }\nshutdown = { time = '10s', power = 70 }\n\
    [network]\nbandwidth = '1GBps'\nlatency = '1us'\n\
    [network.power]\nidle = 2\nbusy = 7\nswitch = 40\nport = 3\n";

pub(crate) fn cluster(folder: &tempfile::TempDir) -> String {
    let file = folder.path().join("cluster.toml");
    std::fs::write(&file, CLUSTER).unwrap();
    file.display().to_string()
}

#[test]
fn links_and_switches_are_part_of_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    let machine = cluster(&folder);
    let work = format!("app collective allreduce 1000000 5 -n 6 -p {machine}");
    let power = folder.path().join("power.csv");
    let found = json(&format!("{work} --power {}", power.display()));
    let (energy, seconds) = (&found["energy"], found["simulated_s"].as_f64().unwrap());
    let figure = |value: &serde_json::Value| value.as_f64().unwrap();
    let network = &energy["network"];
    let nodes: f64 =
        energy["per_node"].as_array().unwrap().iter().map(|node| figure(&node["joules"])).sum();
    let links: f64 =
        network["per_link"].as_array().unwrap().iter().map(|link| figure(&link["joules"])).sum();
    let whole = figure(&energy["joules"]);
    let parts = nodes + links + figure(&network["switches_j"]);
    assert!((parts - whole).abs() < 1e-9 * whole, "{energy}");
    // Three nodes at one switch: three ports of it, and the two links of the fourth are idle.
    assert_eq!(
        (figure(&network["ports"]), figure(&network["unused_links"])),
        (3.0, 2.0),
        "{energy}"
    );
    let switches = (40.0 + 9.0) * seconds;
    assert!((figure(&network["switches_j"]) - switches).abs() < 1e-9 * switches, "{energy}");
    let text = std::fs::read_to_string(power).unwrap();
    assert!(text.contains("\nlinks,0,") && text.contains("\nswitches,0,49"), "{text}");
    let out = printed(&format!("{work} --energy"));
    assert!(
        out.contains("of the network") && out.contains("1 switch with 3 ports in use"),
        "{out}"
    );
    let said = foretell(&format!("{work} --energy --cfg network/model:Constant"));
    assert!(said.err.contains("count as unused"), "{}", said.err);
}

#[test]
fn governors_and_caps_choose_pstates() {
    let folder = tempfile::tempdir().unwrap();
    let machine = cluster(&folder);
    let work = format!("app collective allreduce 1000000 5 -n 6 -p {machine}");
    let usual = json(&work);
    assert!(usual["pstates"].is_null());
    let phase = json(&format!("{work} --governor communication-phase --energy"));
    assert_eq!(phase["pstates"]["changes"], 3, "{}", phase["pstates"]);
    let plugin = format!("{work} --cfg plugin:host_dvfs --cfg plugin/dvfs/governor:powersave");
    assert_eq!(json(&plugin)["pstates"]["seconds"][0], 0.0);
    // When the first rank of a node has ended, the other may poll in the fastest pstate.
    let out = printed(&format!("{work} --power-cap 100W"));
    assert!(out.contains("6 changes; of the time 0.2 % in 0, 99.8 % in 1"), "{out}");
    let out = printed(&format!("{work} --cluster-power-cap 300"));
    assert!(out.contains("100.0 % in 1"), "{out}");
}

#[test]
fn mistakes_about_pstates_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let machine = cluster(&folder);
    let work = format!("app ep 1 -n 2 -p {machine}");
    let told = |options: &str| refused(&format!("{work} {options}"), 2);
    assert!(told("--governor turbo").contains("there is no governor `turbo`"));
    assert!(told("--governor ondemand:period=0").contains("expected a time of 1us or more"));
    assert!(told("--governor powersave:slowest=2").contains("there are pstates 0 to 1"));
    assert!(told("--power-cap none").contains("expected watts above zero"));
    let cap = told("--power-cap 30");
    assert!(cap.contains("cannot be held") && cap.contains("draws 44 W when idle"), "{cap}");
    let unknown = refused("app ep 1 -n 2 -p star-64 --power-cap 100", 2);
    assert!(unknown.contains("needs the power of host"), "{unknown}");
    let boot = refused("app ep 1 -n 2 -p taurus --boot", 2);
    assert!(boot.contains("`boot` and `shutdown` in `[nodes.power]`"), "{boot}");
}

#[test]
fn unused_nodes_may_be_off_and_booting_is_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let machine = cluster(&folder);
    let work = format!("app ep 1 -n 3 -p {machine}");
    let found = |options: &str| {
        let found = json(&format!("{work} {options}"));
        (found["energy"].clone(), found["simulated_s"].as_f64().unwrap())
    };
    let close = |value: &serde_json::Value, expected: f64| {
        (value.as_f64().unwrap() - expected).abs() < 1e-9 * expected
    };
    let (idle, seconds) = found("--energy");
    assert!(close(&idle["unused_j"], 2.0 * 50.0 * seconds), "{idle}");
    let (off, _) = found("--unused-nodes off");
    assert!(close(&off["unused_j"], 2.0 * 5.0 * seconds), "{off}");
    let (boot, _) = found("--boot");
    assert_eq!(boot["joules"], idle["joules"]);
    let switching = &boot["switching"];
    assert!(close(&switching["boot_j"], 12_000.0) && close(&switching["boot_s"], 60.0), "{boot}");
    assert!(close(&switching["shutdown_j"], 1_400.0), "{boot}");
}
