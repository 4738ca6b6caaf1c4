//! Replays of Dimemas' traces on its machines, held against what Dimemas 5.5.0 says of the same
//! inputs.

use std::rc::Rc;

use foretell_mpi::{Mapping, Simulation};
use foretell_platform::dimemas_cfg;
use foretell_trace::{Form, Trace};

use crate::Replay;

/// Simulated seconds of four tasks. A message of a mebibyte takes 4 ms between nodes of one
/// processor and one link each way, the latency is 1 ms, and collectives are constant.
fn seconds(buses: u32, per_node: u32, records: &[String]) -> f64 {
    seconds_of(buses, per_node, records, |replay| replay)
}

/// The same of a replay with a change.
fn seconds_of(
    buses: u32,
    per_node: u32,
    records: &[String],
    change: impl FnOnce(Replay) -> Replay,
) -> f64 {
    let machine = format!(
        "{}\n\"environment information\" {{\"\", 0, \"\", 4, 250.0, {buses}, 1}};;\n\
         \"multi node information\" \
         {{0, 4, \"\", 1, 1.0, 0.0, 0.0, 0, 0, 0, 1e-3, 1, 1, 0.0}};;\n",
        dimemas_cfg::BEGINNING
    );
    let platform = dimemas_cfg::read(&machine, None).unwrap();
    let file = tempfile::Builder::new().suffix(".dim").tempfile().unwrap();
    let text = records.concat();
    let text = format!("#DIMEMAS:\"a\":0:4(1,1,1,1),1\nd:1:1:4:0:1:2:3\n{text}");
    std::fs::write(file.path(), text).unwrap();
    let replay = change(Replay::new(Trace::open_as(file.path(), Form::Dimemas).unwrap()));
    replay.record_speed(dimemas_cfg::REFERENCE);
    let replay = Rc::new(replay);
    let simulation = Simulation::new(platform).ranks(4).mapping(Mapping::Block(per_node));
    simulation.run(async move |comm| replay.main(comm).await).unwrap().seconds
}

#[track_caller]
fn check(found: f64, milliseconds: f64) {
    assert!((found * 1e3 - milliseconds).abs() < 1e-6, "{found} s, not {milliseconds} ms");
}

fn compute(task: u32, seconds: f64) -> String {
    format!("1:{task}:0:{seconds}\n")
}

/// Task 0 sends a mebibyte to another task; the kind is 1 for a synchronous send.
fn send(to: u32, kind: u32) -> String {
    format!("2:0:0:{to}:-1:1048576:7:1:{kind}\n")
}

/// A task receives it: 0 at once, 1 begins to, 2 waits for that.
fn receive(task: u32, kind: u32) -> String {
    format!("3:{task}:0:0:-1:1048576:7:1:{kind}\n")
}

#[test]
fn a_receive_costs_the_latency_even_if_the_message_is_there() {
    check(seconds(0, 1, &[send(1, 0), receive(1, 0)]), 5.0);
    check(seconds(0, 1, &[send(1, 0), compute(1, 0.1), receive(1, 0)]), 101.0);
    let waits = [send(1, 0), receive(1, 1), compute(1, 0.1), receive(1, 2)];
    check(seconds(0, 1, &waits), 101.0);
}

#[test]
fn a_synchronous_sender_goes_on_when_its_receiver_is_there() {
    let records = [send(1, 1), compute(0, 0.01), compute(1, 0.1), receive(1, 0)];
    check(seconds(0, 1, &records), 111.0);
}

/// The same records for all tasks: `operation`, what is said of the root, bytes and mode.
fn collective(of: impl Fn(u32) -> String) -> Vec<String> {
    (0..4).map(of).collect()
}

#[test]
fn a_reduction_to_one_rank_has_a_message_of_each_other_rank() {
    let records = collective(|task| {
        let begins = compute(task, 0.01 * f64::from(task));
        format!("{begins}10:{task}:0:10:1:2:0:1048576:1048576:3\n")
    });
    check(seconds(0, 1, &records), 35.0);
}

#[test]
fn the_root_that_flags_itself_tells_the_sizes() {
    let records = collective(|task| match task {
        2 => "10:2:0:1:1:1:0:2097152:0:1\n".to_owned(),
        _ => format!("10:{task}:0:1:1:0:0:0:1048576:1\n"),
    });
    check(seconds(0, 1, &records), 10.0);
}

#[test]
fn ranks_go_on_before_a_collective_that_does_not_block() {
    let records = collective(|task| {
        let call = |mode| format!("10:{task}:0:11:1:0:0:1048576:1048576:{mode}\n");
        format!("{}{}{}", call(0), compute(task, 0.002), call(2))
    });
    check(seconds(0, 1, &records), 11.0);
}

#[test]
fn ranks_that_share_a_processor_run_until_they_wait() {
    let records = [compute(0, 0.01), compute(1, 0.01), send(2, 0), receive(2, 0)];
    check(seconds(0, 2, &records), 21.0);
}

#[test]
fn a_collective_waits_for_messages_that_have_buses() {
    let barrier = |task| format!("{}10:{task}:0:11:1:0:0:0:0:1\n", compute(task, 0.001));
    let records = [send(1, 2), barrier(0), barrier(1), receive(1, 0), barrier(2), barrier(3)];
    check(seconds(2, 1, &records), 8.0);
}

/// Each barrier takes a constant of its own, so what computation takes is added to it.
#[test]
fn ranks_that_pay_for_receives_compute_without_noise_too() {
    let turns = |work: fn(u32, u32) -> f64| {
        let turn = move |at: u32| {
            move |task| {
                let barrier = format!("10:{task}:0:11:1:0:0:0:0:1\n");
                let before = if at == 0 { barrier.repeat(4) } else { String::new() };
                format!("{before}{}{barrier}", compute(task, work(task, at)))
            }
        };
        (0..3).flat_map(|at| collective(turn(at))).collect::<Vec<String>>()
    };
    // In turn one rank takes 10 ms, the others 1 ms; the mean is 4 ms for ranks 0 to 2.
    let noisy = turns(|task, at| if task == at { 0.010 } else { 0.001 });
    let even = turns(|task, _| if task < 3 { 0.004 } else { 0.001 });
    let barriers = seconds(0, 1, &turns(|_, _| 0.0)) * 1e3;
    check(seconds(0, 1, &noisy), 30.0 + barriers);
    check(seconds(0, 1, &even), 12.0 + barriers);
    check(seconds_of(0, 1, &noisy, Replay::without_noise), 12.0 + barriers);
    // On two nodes of one processor each, ranks that share one take turns.
    let shared = seconds(0, 2, &even);
    check(seconds_of(0, 2, &noisy, Replay::without_noise), shared * 1e3);
}
