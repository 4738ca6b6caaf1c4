//! Times that can be worked out by hand.

use foretell_mpi::{Comm, Mapping, Report, Result, Simulation};
use foretell_platform::{
    FactorRole, HostId, HostOverheads, LogGps, MessageTables, ModelKind, Overheads, Platform,
    PlatformSpec, ProfileKind, ProfileSpec, Steps, ZoneContent,
};

use crate::support::{BANDWIDTH, LATENCY, SPEED, ended, machine, plain_star};

/// Latency of a route of the star.
const ROUTE: f64 = 2.0 * LATENCY;

fn simulate<F>(platform: Platform, ranks: u32, main: F) -> Report
where
    F: AsyncFn(Comm) -> Result<()> + 'static,
{
    ended(Simulation::new(platform).ranks(ranks).run(main))
}

fn check(actual: f64, expected: f64) {
    // Dates within the timing precision count as one.
    assert!((actual - expected).abs() < 2e-9, "{actual} is not {expected}");
}

/// A star with factors and overheads that differ by size and call.
fn calibrated() -> Platform {
    machine(plain_star(2), |network| {
        network.envelope = 16;
        network.tables.bandwidth_factor = Steps(vec![(0, 0.5), (1000, 0.8)]);
        network.tables.latency_factor = Steps(vec![(0, 3.0), (1000, 7.0)]);
        network.tables.send = Overheads(vec![(0, 1e-5, 1e-9)]);
        network.tables.isend = Overheads(vec![(0, 2e-5, 1e-9)]);
        network.tables.receive = Overheads(vec![(0, 4e-5, 2e-9)]);
        network.tables.eager_limit = 500;
        network.tables.rendezvous_limit = 10_000;
    })
}

fn transfer(bytes: f64) -> f64 {
    let (latency, bandwidth) = if bytes + 16.0 > 1000.0 { (7.0, 0.8) } else { (3.0, 0.5) };
    latency * ROUTE + (bytes + 16.0) / (bandwidth * BANDWIDTH)
}

/// Seconds of one ping-pong whose receives are posted before.
fn ping_pong(bytes: u64) -> f64 {
    simulate(calibrated(), 2, async move |comm| {
        let other = 1 - comm.rank() as i32;
        if comm.rank() == 0 {
            comm.send(bytes, other, 0).await?;
            return comm.recv(other, 0).await.map(drop);
        }
        comm.recv(other, 0).await?;
        comm.send(bytes, other, 0).await
    })
    .seconds
}

#[test]
fn short_ping_pongs_pay_both_overheads() {
    // 400 bytes are eager, 5000 detached: the receive is there first, so they cost alike.
    for bytes in [400.0, 5000.0] {
        let overheads = 1e-5 + bytes * 1e-9 + 4e-5 + bytes * 2e-9;
        check(ping_pong(bytes as u64), 2.0 * (overheads + transfer(bytes)));
    }
}

/// Seconds until `messages` of a node with a bandwidth factor of 0.3 are at as many others.
fn out_of_one_node(messages: u32, role: FactorRole) -> f64 {
    let platform = machine(plain_star(1 + messages), |network| {
        network.factor_role = role;
        network.tables.bandwidth_factor = Steps(vec![(0, 0.3)]);
        network.cross_traffic = 0.0;
    });
    let report = simulate(platform, 1 + messages, async move |comm| {
        if comm.rank() > 0 {
            return comm.recv(0, 0).await.map(drop);
        }
        let mut sends = Vec::new();
        for to in 1..=messages {
            sends.push(comm.isend(1_000_000, to as i32, 0).await?);
        }
        comm.wait_all(&mut sends).await.map(drop)
    });
    report.seconds - ROUTE
}

#[test]
fn factors_that_are_limits_leave_the_rest_of_a_link_to_others() {
    let alone = 1e6 / (0.3 * BANDWIDTH);
    check(out_of_one_node(1, FactorRole::Efficiency), alone);
    check(out_of_one_node(1, FactorRole::Limit), alone);
    // Three limited messages fit beside each other, and ten fill the link.
    check(out_of_one_node(3, FactorRole::Limit), alone);
    check(out_of_one_node(10, FactorRole::Limit), 1e7 / BANDWIDTH);
    // With efficiencies they share what the link makes of itself.
    check(out_of_one_node(3, FactorRole::Efficiency), 3.0 * alone);
}

#[test]
fn rendezvous_ping_pongs_pay_none() {
    check(ping_pong(20_000), 2.0 * transfer(20_000.0));
}

/// When sender and receiver are done, if the receive comes a second late.
fn late_receive<F>(send: F) -> (f64, f64)
where
    F: AsyncFn(&Comm) -> Result<()> + 'static,
{
    let report = simulate(calibrated(), 2, async move |comm| {
        if comm.rank() == 0 {
            return send(&comm).await;
        }
        comm.sleep(1.0).await;
        comm.recv(0, 0).await.map(drop)
    });
    (report.ranks[0].end, report.ranks[1].end)
}

#[test]
fn an_eager_message_is_there_before_its_receive() {
    let (sent, received) = late_receive(async |comm| comm.send(400, 1, 0).await);
    check(sent, 1e-5 + 400e-9);
    check(received, 1.0 + 4e-5 + 800e-9);
}

#[test]
fn a_detached_message_leaves_with_its_receive() {
    let (sent, received) = late_receive(async |comm| comm.send(5000, 1, 0).await);
    check(sent, 1e-5 + 5000e-9);
    check(received, 1.0 + transfer(5000.0) + 4e-5 + 10_000e-9);
}

#[test]
fn a_rendezvous_keeps_both_until_the_end() {
    let (sent, received) = late_receive(async |comm| comm.send(20_000, 1, 0).await);
    check(sent, 1.0 + transfer(20_000.0));
    check(received, 1.0 + transfer(20_000.0));
}

#[test]
fn non_blocking_sends_have_their_own_overhead() {
    let (sent, _) = late_receive(async |comm| comm.isend(400, 1, 0).await.map(drop));
    check(sent, 2e-5 + 400e-9);
}

#[test]
fn overheads_are_told_apart_from_waiting() {
    let report = simulate(calibrated(), 2, async |comm| match comm.rank() {
        0 => comm.send(400, 1, 0).await,
        _ => comm.recv(0, 0).await.map(drop),
    });
    check(report.ranks[0].overhead, 1e-5 + 400e-9);
    check(report.ranks[1].overhead, 4e-5 + 800e-9);
    check(report.ranks[1].waiting, 1e-5 + 400e-9 + transfer(400.0));
}

/// Rank 0 gets `bytes` from each of the others at once.
fn fan_in(platform: Platform, ranks: u32, bytes: u64) -> f64 {
    simulate(platform, ranks, async move |comm| {
        if comm.rank() > 0 {
            return comm.send(bytes, 0, 0).await;
        }
        let requests: Result<Vec<_>> = (1..comm.size()).map(|r| comm.irecv(r as i32, 0)).collect();
        comm.wait_all(&mut requests?).await
    })
    .seconds
}

#[test]
fn flows_into_one_link_share_it() {
    let star = || machine(plain_star(4), |_| ());
    check(fan_in(star(), 2, 1_000_000), ROUTE + 1e-3);
    check(fan_in(star(), 3, 1_000_000), ROUTE + 2e-3);
    check(fan_in(star(), 4, 1_000_000), ROUTE + 3e-3);
}

#[test]
fn acknowledgements_take_a_share_on_the_way_back() {
    let platform = machine(plain_star(2), |network| network.cross_traffic = 0.05);
    let report = simulate(platform, 2, async |comm| {
        let other = 1 - comm.rank() as i32;
        comm.sendrecv(1_000_000, other, 0, other, 0).await.map(drop)
    });
    check(report.seconds, ROUTE + 1.05e-3);
}

#[test]
fn the_window_bounds_a_flow() {
    let platform = machine(plain_star(2), |network| network.tcp_gamma = 400.0);
    // 400 bytes for each round trip of twice 2 us.
    check(fan_in(platform, 2, 1_000_000), ROUTE + 1e6 / (400.0 / (2.0 * ROUTE)));
}

#[test]
fn a_limiter_is_shared_by_both_directions() {
    let mut spec = plain_star(3);
    if let ZoneContent::Cluster(cluster) = &mut spec.root.content {
        cluster.limiter = Some(BANDWIDTH);
    }
    let report = simulate(machine(spec, |_| ()), 3, async |comm| match comm.rank() {
        0 => comm.sendrecv(1_000_000, 1, 0, 2, 0).await.map(drop),
        1 => comm.recv(0, 0).await.map(drop),
        _ => comm.send(1_000_000, 0, 0).await,
    });
    check(report.seconds, ROUTE + 2e-3);
}

fn loggps() -> Platform {
    machine(plain_star(2), |network| {
        network.model = ModelKind::LogGps;
        network.loggps = LogGps {
            latency: 1e-5,
            overhead: 1e-6,
            gap: 5e-6,
            gap_per_byte: 1e-9,
            overhead_per_byte: 1e-10,
            rendezvous: 100_000,
        };
    })
}

#[test]
fn loggps_adds_overheads_latency_and_gap() {
    let report = simulate(loggps(), 2, async |comm| match comm.rank() {
        0 => comm.send(10_000, 1, 0).await,
        _ => comm.recv(0, 0).await.map(drop),
    });
    let overhead = 1e-6 + 1e-6;
    check(report.ranks[0].end, overhead);
    check(report.ranks[1].end, overhead + 1e-5 + 1e-5 + overhead);
}

#[test]
fn loggps_keeps_messages_of_a_node_apart() {
    let report = simulate(loggps(), 2, async |comm| {
        if comm.rank() == 0 {
            comm.send(10_000, 1, 0).await?;
            return comm.send(10_000, 1, 0).await;
        }
        let mut requests = [comm.irecv(0, 0)?, comm.irecv(0, 0)?];
        comm.wait_all(&mut requests).await
    });
    // The second leaves a gap and its predecessor's bytes later, and is received at once.
    let (overhead, wire, gap) = (2e-6, 1e-5, 5e-6);
    check(report.ranks[1].end, overhead + gap + wire + 1e-5 + wire + overhead);
}

#[test]
fn the_constant_model_knows_one_figure() {
    for bytes in [0, 5_000_000] {
        let platform = machine(plain_star(2), |network| {
            network.model = ModelKind::Constant;
            network.constant_latency = 0.25;
        });
        check(fan_in(platform, 2, bytes), 0.25);
    }
}

fn shared_node(cores: u32, ranks: u32) -> f64 {
    let mut spec = plain_star(1);
    if let ZoneContent::Cluster(cluster) = &mut spec.root.content {
        cluster.node.cores = cores;
    }
    let mapping = Mapping::Explicit(vec![HostId(0)]);
    let simulation = Simulation::new(machine(spec, |_| ())).ranks(ranks).mapping(mapping);
    ended(simulation.run(async |comm| {
        comm.compute(SPEED).await;
        Ok(())
    }))
    .seconds
}

#[test]
fn ranks_share_cores_once_there_are_too_many() {
    check(shared_node(2, 1), 1.0);
    check(shared_node(2, 2), 1.0);
    check(shared_node(2, 3), 1.5);
    check(shared_node(1, 5), 5.0);
}

#[test]
fn a_computation_can_run_beside_others() {
    let report = simulate(machine(plain_star(1), |_| ()), 1, async |comm| {
        let beside = comm.start_compute(SPEED);
        comm.compute(SPEED).await;
        comm.wait(beside).await.map(drop)
    });
    check(report.seconds, 2.0);
}

fn with_profile(kind: ProfileKind, element: &str, events: &[(f64, f64)]) -> PlatformSpec {
    let mut spec = plain_star(2);
    let (element, events) = (element.into(), events.to_vec());
    spec.profiles.push(ProfileSpec { kind, element, events, repeat_after: None });
    spec
}

#[test]
fn a_bandwidth_that_changes_on_the_way() {
    let spec = with_profile(ProfileKind::LinkBandwidth, "c_link_1_UP", &[(1.0, BANDWIDTH / 2.0)]);
    let moved = (1.0 - ROUTE) * BANDWIDTH;
    let left = 2e9 - moved;
    check(fan_in(machine(spec, |_| ()), 2, 2_000_000_000), 1.0 + left / (BANDWIDTH / 2.0));
}

#[test]
fn a_link_that_is_down_holds_messages_until_it_is_up() {
    let events = [(0.5, 0.0), (2.5, 1.0)];
    let spec = with_profile(ProfileKind::LinkState, "c_link_0_DOWN", &events);
    check(fan_in(machine(spec, |_| ()), 2, 1_000_000_000), ROUTE + 1.0 + 2.0);
}

#[test]
fn a_latency_counts_for_messages_that_start_later() {
    let spec = with_profile(ProfileKind::LinkLatency, "c_link_0_UP", &[(0.5, 0.1)]);
    let report = simulate(machine(spec, |_| ()), 2, async |comm| {
        let other = 1 - comm.rank() as i32;
        comm.sleep(1.0).await;
        if comm.rank() == 0 {
            return comm.send(1000, other, 0).await;
        }
        comm.recv(other, 0).await.map(drop)
    });
    check(report.seconds, 1.0 + 0.1 + LATENCY + 1e-6);
}

#[test]
fn a_host_that_slows_down_computes_longer() {
    let spec = with_profile(ProfileKind::HostSpeed, "n0", &[(1.0, 0.25)]);
    let report = simulate(machine(spec, |_| ()), 1, async |comm| {
        comm.compute(2.0 * SPEED).await;
        Ok(())
    });
    check(report.seconds, 5.0);
}

/// Two nodes of one group and one of another, two ranks on the first node; each scope has tables
/// of its own, and one host an overhead of its own.
fn scoped() -> Platform {
    let mut spec = plain_star(3);
    if let ZoneContent::Cluster(cluster) = &mut spec.root.content {
        cluster.group_size = Some(2);
    }
    machine(spec, |network| {
        network.loopback.latency = LATENCY;
        network.loopback.bandwidth = BANDWIDTH;
        let scope = |factor: f64| {
            let latency_factor = Steps(vec![(0, factor)]);
            Some(Box::new(MessageTables { latency_factor, ..network.tables.clone() }))
        };
        network.scoped = [scope(10.0), scope(20.0), scope(40.0)];
        network.per_host = vec![HostOverheads {
            hosts: 2..3,
            send: Some(Overheads(vec![(0, 5e-3, 0.0)])),
            ..HostOverheads::default()
        }];
    })
}

/// Seconds of a message of 1000 bytes between two of four ranks on hosts 0, 0, 1 and 2.
fn scoped_message(from: u32, to: u32) -> f64 {
    let hosts = [0, 0, 1, 2].map(HostId).to_vec();
    let simulation = Simulation::new(scoped()).ranks(4).mapping(Mapping::Explicit(hosts));
    ended(simulation.run(async move |comm| {
        if comm.rank() == from {
            comm.send(1000, to as i32, 0).await
        } else if comm.rank() == to {
            comm.recv(from as i32, 0).await.map(drop)
        } else {
            Ok(())
        }
    }))
    .seconds
}

#[test]
fn each_scope_has_its_own_tables() {
    let moving = 1000.0 / BANDWIDTH;
    check(scoped_message(0, 1), 10.0 * LATENCY + moving);
    check(scoped_message(0, 2), 20.0 * ROUTE + moving);
    check(scoped_message(0, 3), 40.0 * ROUTE + moving);
}

#[test]
fn a_host_may_have_overheads_of_its_own() {
    check(scoped_message(3, 0), 5e-3 + 40.0 * ROUTE + 1000.0 / BANDWIDTH);
}
