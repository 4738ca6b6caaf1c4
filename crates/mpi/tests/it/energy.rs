//! What nodes draw: beside SimGrid, and parts that add up to wholes.

use foretell_mpi::{Comm, EnergyReport, Mapping, Mark, PowerModel, RankEnergy, Result, Simulation};
use foretell_platform::{HostId, Platform, simgrid_xml, toml_format};
use proptest::prelude::*;

use crate::support::ended;

const MACHINE: &str = include_str!("../../../../tests/reference/energy/machine.xml");
const FIGURES: &str = include_str!("../../../../tests/reference/energy/simgrid.csv");

fn machine_of_reference() -> Platform {
    simgrid_xml::read(MACHINE, None).expect("the reference machine reads")
}

fn machine(nodes: &str) -> Platform {
    let text = format!(
        "name = 'm'\n[nodes]\ncount = 3\n{nodes}\n\
         [network]\ntopology = 'star'\nbandwidth = '1GBps'\nlatency = '1us'\n"
    );
    toml_format::read(&text).expect("the machine of the test reads")
}

pub(crate) fn metered<F>(platform: Platform, hosts: Vec<HostId>, main: F) -> (f64, EnergyReport)
where
    F: AsyncFn(Comm) -> Result<()> + 'static,
{
    let power = PowerModel::new(&platform, None).expect("nodes have power");
    let simulation = Simulation::new(platform)
        .ranks(hosts.len() as u32)
        .mapping(Mapping::Explicit(hosts))
        .power(power);
    let report = ended(simulation.run(main));
    (report.seconds, *report.energy.expect("energy was asked for"))
}

/// What `tests/reference/energy/work.c` does.
pub(crate) async fn work(comm: Comm) -> Result<()> {
    let (rank, size) = (comm.rank() as i32, comm.size() as i32);
    for _ in 0..2 {
        comm.compute(f64::from(rank + 1) * 1e9).await;
        let (to, from) = ((rank + 1) % size, (rank + size - 1) % size);
        comm.sendrecv(1_000_000_u64, to, 0, from, 0).await?;
    }
    Ok(())
}

#[test]
fn nodes_draw_what_simgrid_says() {
    for line in FIGURES.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let platform = machine_of_reference();
        let names: Vec<String> = platform.hosts().map(|host| platform.host_name(host)).collect();
        let host =
            |name: &str| HostId(names.iter().position(|known| known == name).unwrap() as u32);
        let hosts = fields[0].split(' ').map(host).collect();
        let (seconds, found) = metered(platform, hosts, work);
        let close = |ours: f64, theirs: f64| (ours - theirs).abs() <= 1e-6 * theirs;
        assert!(close(seconds, fields[1].parse().unwrap()), "{line}: {seconds} s");
        let mut unused = 0.0;
        for (name, figure) in names.iter().zip(&fields[2..]) {
            let Ok(theirs) = figure.parse::<f64>() else { continue };
            match found.nodes.iter().find(|node| node.host == host(name)) {
                Some(node) => assert!(close(node.joules, theirs), "{line}: {name} {}", node.joules),
                None => unused += theirs,
            }
        }
        if !fields.contains(&"-") {
            assert!(close(found.unused_joules, unused), "{line}: {}", found.unused_joules);
        }
    }
}

#[test]
fn power_follows_the_pstate_and_the_class_of_work() {
    let nodes = "cores = 4\nspeed = ['1Gf', '0.5Gf']\npstate = 1\n[nodes.power]\nidle = 90\n\
                 one_core = [130, 110]\nall_cores = [220, 170]\n\
                 workloads.ep = { one_core = 100, all_cores = [200, 160] }";
    let power = |workload| {
        let power = PowerModel::new(&machine(nodes), workload).unwrap();
        let simulation = Simulation::new(machine(nodes)).ranks(2).power(power);
        let report = ended(simulation.run(async |comm| {
            comm.compute(1e9).await;
            Ok(())
        }));
        report.energy.unwrap().mean_watts
    };
    // Two of four cores, on the line through one core and all cores.
    assert!((power(None) - (110.0 + 60.0 / 3.0)).abs() < 1e-9);
    assert!((power(Some("ep")) - (100.0 + 60.0 / 3.0)).abs() < 1e-9);
}

/// Two cores of which one adds 30 W while it computes and 20 W while it polls.
const POLLING: &str = "cores = 2\nspeed = '1Gf'\n[nodes.power]\nidle = 50\nstatic = 40\n\
                       all_cores = 100\npolling = 80";

#[test]
fn waiting_for_messages_is_polling_and_sleeping_is_not() {
    let hosts = vec![HostId(0), HostId(1)];
    let (seconds, found) = metered(machine(POLLING), hosts, async |comm| {
        if comm.rank() == 0 {
            comm.sleep(2.0).await;
            return comm.send(8_u64, 1, 0).await;
        }
        comm.recv(0, 0).await.map(drop)
    });
    assert!((seconds - 2.0).abs() < 1e-3);
    assert!((found.nodes[0].joules - 100.0).abs() < 0.1, "{found:?}");
    assert!((found.nodes[1].joules - 120.0).abs() < 0.1, "{found:?}");
    assert!((found.ranks[1].polling - 40.0).abs() < 0.1, "{found:?}");
}

#[test]
fn polling_goes_to_the_call_and_not_to_what_that_is_made_of() {
    let hosts = vec![HostId(0), HostId(1)];
    let (_, found) = metered(machine(POLLING), hosts, async |comm| {
        if comm.rank() == 0 {
            comm.compute(1e9).await;
            comm.send(8_u64, 1, 0).await?;
            comm.compute(2e9).await;
        } else {
            comm.recv(0, 0).await?;
        }
        comm.barrier().await
    });
    let joules = |name: &str| {
        found.calls.iter().find(|call| call.name == name).map_or(0.0, |call| call.joules)
    };
    // A core that polls adds 20 W: rank 1 waits for a second, then for two.
    assert!((joules("MPI_Recv") - 20.0).abs() < 0.1, "{found:?}");
    assert!((joules("MPI_Barrier") - 40.0).abs() < 0.1, "{found:?}");
    assert!(joules("MPI_Send") < 0.1 && joules("computing") == 0.0, "{found:?}");
}

#[test]
fn what_ranks_add_goes_to_the_innermost_region() {
    let hosts = vec![HostId(0), HostId(1)];
    let (_, found) = metered(machine(POLLING), hosts, async |comm| {
        comm.compute(1e9).await;
        comm.mark(Mark::Begin, "step");
        if comm.rank() == 0 {
            comm.mark(Mark::Begin, "solve");
            comm.compute(2e9).await;
            comm.mark(Mark::End, "solve");
        }
        comm.barrier().await?;
        comm.mark(Mark::End, "step");
        // One end too many ends nothing.
        comm.mark(Mark::End, "step");
        comm.compute(1e9).await;
        Ok(())
    });
    let told: Vec<_> = found
        .regions
        .iter()
        .map(|part| {
            let rounded = [part.computing, part.polling].map(|joules| (joules * 10.0).round());
            (part.name.as_deref(), part.count, rounded)
        })
        .collect();
    // A core that computes adds 30 W, one that polls 20 W. Both compute outside for two seconds,
    // rank 0 for two more while rank 1 waits.
    let expected = [
        (None, 0, [1200.0, 0.0]),
        (Some("step"), 2, [0.0, 400.0]),
        (Some("solve"), 1, [600.0, 0.0]),
    ];
    assert_eq!(told, expected, "{found:?}");
}

/// A step of a random program that all ranks go through.
#[derive(Debug, Clone)]
enum Step {
    Compute(f64),
    Spend(f64),
    Sleep(f64),
    Shift(u64),
    Barrier,
    /// A region begins, one of two.
    Enter(bool),
    /// The innermost region ends, if there is one.
    Leave,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        (1e5..1e9).prop_map(Step::Compute),
        (1e-6..0.1).prop_map(Step::Spend),
        (1e-6..0.1).prop_map(Step::Sleep),
        (0_u64..3_000_000).prop_map(Step::Shift),
        Just(Step::Barrier),
        any::<bool>().prop_map(Step::Enter),
        Just(Step::Leave),
    ]
}

async fn program(steps: Vec<Step>, comm: Comm) -> Result<()> {
    let (rank, size) = (comm.rank() as i32, comm.size() as i32);
    for step in steps {
        // Ranks differ, and some skip what concerns nobody else.
        match step {
            Step::Compute(flops) => comm.compute(flops * f64::from(rank % 5)).await,
            Step::Spend(seconds) => comm.spend(seconds * f64::from(rank % 3)).await,
            Step::Sleep(seconds) if rank % 3 == 1 => comm.sleep(seconds).await,
            Step::Sleep(_) => {}
            Step::Shift(bytes) => {
                let (to, from) = ((rank + 1) % size, (rank + size - 1) % size);
                comm.sendrecv(bytes, to, 0, from, 0).await?;
            }
            Step::Barrier => comm.barrier().await?,
            Step::Enter(inner) => comm.mark(Mark::Begin, if inner { "inner" } else { "outer" }),
            Step::Leave => comm.mark(Mark::End, ""),
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn parts_of_the_energy_add_up_to_the_whole(
        steps in prop::collection::vec(step(), 1..12),
        ranks in 1_u32..12,
        polls in any::<bool>(),
    ) {
        let polling = if polls { "polling = 80" } else { "" };
        let nodes = format!(
            "cores = 2\nspeed = '1Gf'\n[nodes.power]\nidle = 50\none_core = 71.3\n\
             all_cores = 100.7\n{polling}"
        );
        let hosts: Vec<HostId> = (0..ranks).map(|rank| HostId(rank % 2)).collect();
        let placed = hosts.clone();
        let (seconds, found) =
            metered(machine(&nodes), hosts, async move |comm| program(steps.clone(), comm).await);
        let close = |a: f64, b: f64| (a - b).abs() <= 1e-9 * a.abs().max(1e-30);
        prop_assert!(close(found.joules, found.nodes.iter().map(|node| node.joules).sum()));
        prop_assert!(close(found.joules, found.mean_watts * seconds));
        for node in &found.nodes {
            let here = placed.iter().zip(&found.ranks).filter(|(host, _)| **host == node.host);
            let of_ranks: f64 = here.map(|(_, rank)| RankEnergy::joules(rank)).sum();
            prop_assert!(close(node.joules, node.own_joules + of_ranks));
        }
        let own: f64 = found.nodes.iter().map(|node| node.own_joules).sum();
        let computing: f64 = found.ranks.iter().map(|rank| rank.computing).sum();
        let in_calls: f64 = found.calls.iter().map(|call| call.joules).sum();
        prop_assert!(close(found.joules, own + computing + in_calls));
        let in_regions: f64 = found.regions.iter().map(|part| part.computing + part.polling).sum();
        prop_assert!(found.regions.is_empty() || close(found.joules, own + in_regions));
        prop_assert!(found.peak_watts >= found.mean_watts * (1.0 - 1e-9));
    }
}

/// Two cores; half the speed in the second pstate, for less than half of the power.
const TWO_PSTATES: &str = "cores = 2\nspeed = ['2Gf', '1Gf']\n[nodes.power]\nidle = [50, 40]\n\
                           static = [60, 45]\nall_cores = [160, 85]";

#[test]
fn speed_and_power_follow_a_pstate_that_the_program_changes() {
    let (seconds, found) = metered(machine(TWO_PSTATES), vec![HostId(0)], async |comm| {
        assert_eq!((comm.pstates(), comm.pstate()), (2, 0));
        comm.compute(2e9).await;
        comm.set_pstate(1)?;
        assert_eq!((comm.pstate(), comm.slowdown()), (1, 2.0));
        comm.compute(2e9).await;
        comm.sleep(1.0).await;
        comm.set_pstate(0)?;
        comm.sleep(1.0).await;
        Ok(())
    });
    // A second at 2 Gf, two at 1 Gf, one idle in each.
    assert!((seconds - 5.0).abs() < 1e-9, "{seconds}");
    let joules = 1.0 * (60.0 + 50.0) + 2.0 * (45.0 + 20.0) + 40.0 + 50.0;
    assert!((found.nodes[0].joules - joules).abs() < 1e-9, "{found:?}");
    assert!((found.ranks[0].computing - (50.0 + 40.0)).abs() < 1e-9, "{found:?}");
}

#[test]
fn a_change_of_pstate_holds_for_all_that_the_node_does() {
    let (seconds, found) = metered(machine(TWO_PSTATES), vec![HostId(0); 2], async |comm| {
        if comm.rank() == 0 {
            comm.compute(2e9).await;
            return comm.set_pstate(1);
        }
        // One second at 2 Gf, then two at 1 Gf.
        comm.compute(4e9).await;
        Ok(())
    });
    assert!((seconds - 3.0).abs() < 1e-9, "{seconds}");
    assert!((found.nodes[0].joules - (160.0 + 2.0 * 65.0)).abs() < 1e-9, "{found:?}");
}

#[test]
fn kernels_take_longer_in_a_slower_pstate() {
    let main = async |comm: Comm| {
        let dgemm = comm.kernel_named("dgemm").unwrap();
        let fast = comm.kernel_time(dgemm, [100.0, 100.0, 100.0]);
        comm.set_pstate(1)?;
        assert_eq!(comm.kernel_time(dgemm, [100.0, 100.0, 100.0]), 2.0 * fast);
        comm.set_pstate(0)?;
        assert_eq!(comm.kernel_time(dgemm, [100.0, 100.0, 100.0]), fast);
        let told = comm.set_pstate(2).unwrap_err().to_string();
        assert!(told.contains("the node has 2 pstates"), "{told}");
        Ok(())
    };
    ended(Simulation::new(machine(TWO_PSTATES)).ranks(1).run(main));
}
