//! Options by SimGrid's names.

use crate::{file, foretell, json, refused};

#[test]
fn an_option_of_the_network_changes_the_result() {
    let seconds = |option: &str| {
        let line = format!("app pingpong -p graphene --map cyclic {option} 10 1000");
        json(&line)["sim_s"].as_f64().unwrap()
    };
    let usual = seconds("");
    assert!(seconds("--cfg network/latency-factor:10") > 2.0 * usual);
    assert!(seconds("--cfg=smpi/os:0:1e-3:0") > 0.01);
}

#[test]
fn computation_can_be_left_out() {
    let line =
        |value: &str| format!("app ep -n 2 -p star-64 --cfg smpi/simulate-computation:{value} 20");
    let computing = |value: &str| json(&line(value))["times"]["computing_s"]["max"].as_f64();
    assert!(computing("yes") > Some(0.0));
    assert_eq!(computing("no"), Some(0.0));
    assert!(refused(&line("perhaps"), 2).contains("`perhaps` is neither yes nor no"));
}

#[test]
fn an_algorithm_changes_the_messages_of_a_collective() {
    let messages = |algorithm: &str| {
        let option = format!("--cfg smpi/allreduce:{algorithm}");
        json(&format!("app collective -n 16 -p star-64 {option} allreduce 8000 1"))["timed_messages"]
            .as_u64()
    };
    assert_ne!(messages("rdb"), messages("lr"));
}

#[test]
fn an_unknown_algorithm_is_answered_with_those_there_are() {
    let err = refused("app init -n 2 -p star-64 --cfg smpi/alltoall:bruk", 2);
    assert!(err.contains("option smpi/alltoall") && err.contains("pair, ring"), "{err}");
}

#[test]
fn every_bad_option_is_told() {
    let err = refused(
        "app init -n 2 -p star-64 --cfg smpi/os --cfg smpi/init:x --cfg network/model:y",
        2,
    );
    assert_eq!(err.matches("error: ").count(), 3, "{err}");
    assert!(err.contains("--cfg key:value") && err.contains("SMPI, LV08"), "{err}");
}

#[test]
fn what_has_no_effect_is_told_but_does_not_stop_the_run() {
    let said = foretell(
        "app init -n 2 -p star-64 --quiet --cfg contexts/factory:raw --cfg contexts/factory:raw \
         --cfg smpi/asnyc-small-thresh:1",
    );
    assert_eq!(said.code, 0);
    assert_eq!(said.err.matches("contexts/factory has no effect").count(), 1, "{}", said.err);
    assert!(said.err.contains("did you mean smpi/async-small-thresh?"), "{}", said.err);
}

#[test]
fn the_command_line_wins_over_the_platform() {
    let (_folder, path) = file(
        "a.toml",
        "[nodes]\ncount = 2\nspeed = '1Gf'\n[network]\nbandwidth = '1GBps'\nlatency = '1us'\n\
         [options]\n'smpi/barrier' = 'ompi_bruck'\n'smpi/init' = '2s'\n'smpi/cpu-threshold' = '1'\n",
    );
    let line = format!("app init -n 2 -p {}", path.display());
    let of_file = json(&line);
    assert!(of_file["simulated_s"].as_f64().unwrap() > 2.0);
    assert_eq!(of_file["provenance"]["collectives"]["barrier"], "ompi_bruck");
    assert_eq!(of_file["provenance"]["options"][0]["from"], "platform");
    let both = format!("{line} --cfg smpi/init:0 --cfg smpi/barrier:ompi_basic_linear");
    let ours = json(&both);
    assert!(ours["simulated_s"].as_f64().unwrap() < 1.0);
    assert_eq!(ours["provenance"]["collectives"]["barrier"], "ompi_basic_linear");
    assert!(foretell(&line).err.contains("smpi/cpu-threshold has no effect"));
}

#[test]
fn rules_of_a_file_choose_collectives_and_one_choice_wins_over_them() {
    let (_folder, path) = file(
        "rules.toml",
        "[[allreduce]]\nbytes = '..1k'\nalgorithm = 'lr'\n[[allreduce]]\nalgorithm = 'rab_rdb'\n",
    );
    let line = "app collective -n 16 -p star-64 --map block:1 allreduce 4096 3";
    let by_rules = format!("{line} --collectives {}", path.display());
    let same = json(&format!("{line} --coll allreduce=rab_rdb"));
    assert_eq!(json(&by_rules)["sim_s"], same["sim_s"]);
    let other = json(&format!("{by_rules} --coll allreduce=rdb"));
    assert_eq!(other["provenance"]["collectives"]["allreduce"], "rdb");
    assert_ne!(other["sim_s"], same["sim_s"]);
    std::fs::write(&path, "[[allreduce]]\nalgorithm = 'x'\n[[fence]]\nalgorithm = 'y'\n").unwrap();
    let said = foretell(&by_rules);
    assert_eq!(said.code, 2);
    assert!(said.err.contains("no algorithm 'x'") && said.err.contains("`fence`"), "{}", said.err);
}

#[test]
fn a_choice_takes_parameters_and_names_of_libraries() {
    let line = "app collective -n 16 -p star-64 --map block:1 bcast 65536 3 --coll bcast=";
    let time = |choice: &str| json(&format!("{line}{choice}"))["sim_s"].clone();
    assert_ne!(time("knomial_tree:radix=2"), time("knomial_tree:radix=8"));
    assert_ne!(time("knomial_tree:segment=4k"), time("knomial_tree"));
    assert_eq!(time("ompi_knomial:radix=8"), time("knomial_tree:radix=8"));
    let said = foretell(&format!("{line}knomial_tree:width=3"));
    assert_eq!(said.code, 2);
    assert!(said.err.contains("`width=3` of knomial_tree is no parameter"), "{}", said.err);
    let said = foretell("collectives list allreduce").out;
    assert!(said.lines().any(|line| line.starts_with("lr ") && line.contains("mpich_tsp_ring")));
}

#[test]
fn a_choice_is_explained() {
    let said = foretell("collectives explain allreduce -n 96 --bytes 65536 --as openmpi");
    let expected = "rdb\nopenmpi-5: rule 2 of allreduce: always; as openmpi-4.1\n\
                    openmpi-4.1: rule 32 of allreduce: ranks ..128, bytes ..262144\n";
    assert_eq!(said.out, expected);
    assert!(foretell("collectives list").out.contains("mvapich2_two_level"));
    assert!(foretell("collectives rules mpich-4").out.starts_with("about = "));
    assert_eq!(foretell("collectives explain fence -n 2 --as openmpi").code, 2);
}
