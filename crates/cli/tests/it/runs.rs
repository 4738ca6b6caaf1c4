//! Every skeleton runs.

use crate::{example, json, printed};

#[test]
fn every_skeleton_runs_and_has_its_figures_in_the_summary() {
    for skeleton in [
        "pingpong 10 100",
        "ring 10 100",
        "stencil3d 2 4 6 1000",
        "lu-wave 2 2 3 4 1",
        "ep 10",
        "collective alltoall 64 2",
        "master-worker 20 64 2",
        "flows 1 2 1000",
        "init",
    ] {
        let out = printed(&format!("app {skeleton} -n 4 -p star-64"));
        let name = skeleton.split(' ').next().unwrap();
        assert!(
            out.starts_with(&format!("{name}: 4 ranks on 1 of 64 hosts of star-64\n")),
            "{out}"
        );
        for figure in [
            "simulated time",
            "timed section",
            "messages",
            "computing",
            "overhead",
            "waiting",
            "simulator",
            "of CPU",
            "of wall time",
            "messages/s",
        ] {
            assert!(out.contains(figure), "{figure} is missing: {out}");
        }
    }
}

#[test]
fn every_collective_runs() {
    for operation in [
        "barrier",
        "bcast",
        "reduce",
        "allreduce",
        "gather",
        "scatter",
        "allgather",
        "alltoall",
        "alltoallv",
        "reduce_scatter",
    ] {
        let run = json(&format!("app collective -n 5 -p star-64 --map cyclic {operation} 100 2"));
        assert!(run["sim_s"].as_f64().unwrap() > 0.0, "{operation}");
    }
}

#[test]
fn a_pingpong_takes_two_ranks_if_not_told() {
    assert_eq!(json("app pingpong -p graphene 10 1000")["ranks"], 2);
}

#[test]
fn files_of_simgrid_are_machines_too() {
    let platform = example("star-10g-64.xml");
    let run = json(&format!("app ring -np 8 -p {} 5 100", platform.display()));
    assert_eq!(run["ranks"], 8);
    // Rank 0 looks at the count: others may already be at what follows.
    assert!(run["timed_messages"].as_u64().unwrap() >= 8 * 5 * 2);
}

#[test]
fn the_summary_calls_a_machine_as_the_user_does() {
    let platform = example("star-10g-64.xml");
    let out = printed(&format!("app init -n 64 -p {}", platform.display()));
    assert!(out.starts_with("init: 64 ranks on 64 hosts of star-10g-64.xml\n"), "{out}");
}

#[test]
fn quiet_runs_say_nothing() {
    assert_eq!(printed("app ring -n 4 -p star-64 --quiet 2"), "");
}
