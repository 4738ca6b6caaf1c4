//! What links and switches draw: beside SimGrid, beside closed forms, and parts that add up.

use foretell_mpi::{Comm, EnergyReport, Mapping, NetworkEnergy, PowerModel, Simulation};
use foretell_platform::{HostId, Platform, simgrid_xml, toml_format};
use proptest::prelude::*;

use crate::energy::{metered, work};
use crate::support::ended;

const MACHINE: &str = include_str!("../../../../tests/reference/energy/links.xml");
const FIGURES: &str = include_str!("../../../../tests/reference/energy/links.csv");

fn close(ours: f64, theirs: f64, tolerance: f64) -> bool {
    (ours - theirs).abs() <= tolerance * theirs.abs().max(1e-30)
}

fn joules_of(found: &NetworkEnergy, platform: &Platform, name: &str) -> Option<f64> {
    let link = platform.find_link(name).expect("the link is there");
    found.links.iter().find(|energy| energy.link == link).map(|energy| energy.joules)
}

#[test]
fn links_draw_what_simgrid_says() {
    let names: Vec<&str> = FIGURES.lines().next().unwrap().split(',').skip(2).collect();
    for line in FIGURES.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let platform = simgrid_xml::read(MACHINE, None).expect("the reference machine reads");
        let hosts = fields[0].split(' ').map(|name| platform.find_host(name).unwrap()).collect();
        let again = simgrid_xml::read(MACHINE, None).expect("the reference machine reads");
        let (seconds, found) = metered(platform, hosts, work);
        assert!(close(seconds, fields[1].parse().unwrap(), 1e-6), "{line}: {seconds} s");
        let found = found.network.expect("links have power");
        let mut unused = 0.0;
        for (name, figure) in names.iter().zip(&fields[2..]) {
            let Ok(theirs) = figure.parse::<f64>() else { continue };
            match joules_of(&found, &again, name) {
                Some(ours) => assert!(close(ours, theirs, 1e-6), "{line}: {name} {ours}"),
                None => unused += theirs,
            }
        }
        assert!(close(found.unused_joules, unused, 1e-6), "{line}: {}", found.unused_joules);
    }
}

/// Four nodes at a switch; messages reach 0.8 of the bandwidth, and nothing but their bytes moves.
fn machine(more: &str) -> Platform {
    let text = format!(
        "name = 'm'\n[nodes]\ncount = 4\ncores = 2\nspeed = '1Gf'\n\
         power = {{ idle = 50, all_cores = 90, polling = 70 }}\n\
         [network]\nbandwidth = '1GBps'\nlatency = '1us'\n{more}\n\
         [network.power]\nidle = 2\nbusy = 7\nswitch = 40\nport = 3\n\
         [network.model]\ncross_traffic = false\nenvelope = 0\n\
         [messages]\nbandwidth_factor = [[0, 0.8]]\nlatency_factor = [[0, 1]]\n"
    );
    toml_format::read(&text).unwrap_or_else(|mistakes| panic!("{mistakes:?}"))
}

#[test]
fn a_link_draws_by_what_it_carries_and_a_switch_all_the_time() {
    let (seconds, found) = metered(machine(""), vec![HostId(0), HostId(1)], async |comm: Comm| {
        comm.compute(1e9).await;
        match comm.rank() {
            0 => comm.send(500_000_000_u64, 1, 0).await,
            _ => comm.recv(0, 0).await.map(drop),
        }
    });
    let network = found.network.as_ref().expect("links have power");
    // Half a gigabyte at 0.8 GB/s keeps a link of 1 GB/s that is 5 W more than idle busy.
    let link = 2.0 * seconds + 5.0 * 0.625;
    assert_eq!((network.links.len(), network.switches, network.ports), (2, 1, 2));
    for energy in &network.links {
        assert!(close(energy.joules, link, 1e-12), "{energy:?}");
        assert!(close(energy.seconds_of_use, 0.625, 1e-12), "{energy:?}");
    }
    assert!(close(network.switches_joules, (40.0 + 6.0) * seconds, 1e-12), "{network:?}");
    // The way back of both cables, and both ways of the other two.
    assert_eq!(network.unused_links, 6);
    assert!(close(network.unused_joules, 12.0 * seconds, 1e-12), "{network:?}");
    let nodes: f64 = found.nodes.iter().map(|node| node.joules).sum();
    assert!(close(found.joules, nodes + network.joules(), 1e-12), "{found:?}");
    assert!(close(found.mean_watts * seconds, found.joules, 1e-12), "{found:?}");
}

#[test]
fn the_share_that_is_used_is_that_of_the_bandwidth_of_the_moment() {
    // At 1 GB/s for half a second, then at half of that; a second of pause on the way.
    let platform = machine(
        "[[profile]]\nlink = 'm_link_0_UP'\nbandwidth = [['0.5s', '500MBps']]\n\
         [[profile]]\nlink = 'm_link_1_DOWN'\nstate = [['0.75s', 'off'], ['1.75s', 'on']]",
    );
    let names = machine("");
    let (seconds, found) =
        metered(platform, vec![HostId(0), HostId(1)], async |comm: Comm| match comm.rank() {
            0 => comm.send(800_000_000_u64, 1, 0).await,
            _ => comm.recv(0, 0).await.map(drop),
        });
    let network = found.network.expect("links have power");
    // 0.4 GB at full use, then 0.4 GB at 0.4 GB/s: the link is in full use all the time but for
    // the pause and the microseconds before.
    assert!(close(seconds, 2.5, 1e-5), "{seconds}");
    let up = joules_of(&network, &names, "m_link_0_UP").unwrap();
    assert!(close(up, 2.0 * seconds + 5.0 * (seconds - 1.0 - 2e-6), 1e-9), "{up}");
    // The other link stays as it is while it carries: used in full, then by half.
    let down = joules_of(&network, &names, "m_link_1_DOWN").unwrap();
    assert!(close(down, 2.0 * seconds + 5.0 * 1.0, 1e-9), "{down}");
}

/// A step of a random program.
#[derive(Debug, Clone)]
enum Step {
    Compute(f64),
    Shift(u64, i32),
    Gather(u64),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        (1e5..1e9).prop_map(Step::Compute),
        (1_u64..3_000_000, 1..4).prop_map(|(bytes, by)| Step::Shift(bytes, by)),
        (1_u64..500_000).prop_map(Step::Gather),
    ]
}

async fn program(steps: Vec<Step>, comm: Comm) -> foretell_mpi::Result<()> {
    let (rank, size) = (comm.rank() as i32, comm.size() as i32);
    for step in steps {
        match step {
            Step::Compute(flops) => comm.compute(flops * f64::from(rank % 3)).await,
            Step::Shift(bytes, by) => {
                let (to, from) = ((rank + by) % size, (rank + size - by % size) % size);
                comm.sendrecv(bytes, to, 0, from, 0).await?;
            }
            // By rank: from anybody, it might take one of the next gather for one of this.
            Step::Gather(_) if rank == 0 => {
                for from in 1..size {
                    comm.recv(from, 1).await?;
                }
            }
            Step::Gather(bytes) => comm.send(bytes, 0, 1).await?,
        }
    }
    Ok(())
}

/// What the program sends from each rank, other than to itself or a rank on the same node.
fn sent(steps: &[Step], ranks: i32) -> f64 {
    let on_way = |from: i32, to: i32| from % 4 != to % 4;
    let step = |step: &Step| match step {
        Step::Compute(_) => 0.0,
        Step::Shift(bytes, by) => {
            let count = (0..ranks).filter(|rank| on_way(*rank, (rank + by) % ranks)).count();
            *bytes as f64 * count as f64
        }
        Step::Gather(bytes) => {
            *bytes as f64 * (1..ranks).filter(|rank| on_way(*rank, 0)).count() as f64
        }
    };
    steps.iter().map(step).sum()
}

fn run(steps: Vec<Step>, ranks: u32, more: &str) -> (f64, EnergyReport) {
    let platform = machine(more);
    let power = PowerModel::new(&platform, None).expect("nodes have power").keep_series();
    let hosts = (0..ranks).map(|rank| HostId(rank % 4)).collect();
    let simulation =
        Simulation::new(platform).ranks(ranks).mapping(Mapping::Explicit(hosts)).power(power);
    let report = ended(simulation.run(async move |comm| program(steps.clone(), comm).await));
    (report.seconds, *report.energy.expect("energy was asked for"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn links_draw_by_their_bytes_and_parts_add_up(
        steps in prop::collection::vec(step(), 1..10),
        ranks in 2_u32..12,
        fat in any::<bool>(),
    ) {
        let sharing = if fat { "sharing = 'fatpipe'" } else { "" };
        let bytes = sent(&steps, ranks as i32);
        let (seconds, found) = run(steps, ranks, sharing);
        let network = found.network.as_ref().expect("links have power");
        // Each message crosses two links at 0.8 of their bandwidth.
        let in_use: f64 = network.links.iter().map(|link| link.seconds_of_use).sum();
        prop_assert!(close(in_use, 2.0 * bytes / 0.8e9, 1e-9), "{in_use} {bytes}");
        let of_links: f64 = network.links.iter().map(|link| link.joules).sum();
        let count = network.links.len() as f64;
        prop_assert!(close(of_links, 2.0 * count * seconds + 5.0 * in_use, 1e-9));
        prop_assert!(close(network.links_joules, of_links, 1e-9));
        let nodes: f64 = found.nodes.iter().map(|node| node.joules).sum();
        let own: f64 = found.nodes.iter().map(|node| node.own_joules).sum();
        let of_ranks: f64 = found.ranks.iter().map(|rank| rank.computing + rank.polling).sum();
        prop_assert!(close(found.joules, nodes + network.joules(), 1e-9));
        prop_assert!(close(found.joules, own + of_ranks + network.joules(), 1e-9));
        // The power over time holds the same energy.
        let (links, switches) = network.series.as_ref().expect("it was asked for");
        for (series, joules) in
            [(links, network.links_joules), (switches, network.switches_joules)]
        {
            let mut changes: Vec<_> = series.changes().collect();
            changes.push((seconds, 0.0));
            let held: f64 =
                changes.windows(2).map(|pair| (pair[1].0 - pair[0].0) * pair[0].1).sum();
            prop_assert!(close(held, joules, 1e-9), "{held} J of {joules} J");
        }
    }
}
