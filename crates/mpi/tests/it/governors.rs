//! Pstates that governors and caps choose: beside SimGrid, beside closed forms, and no effect on
//! when a run ends or deadlocks.

use foretell_mpi::{
    Comm, Failure, Mapping, PowerModel, PstateControl, Pstates, Report, Result, Simulation,
};
use foretell_platform::{GovernorChoice, HostId, Platform, simgrid_xml, toml_format};
use proptest::prelude::*;

use crate::support::ended;

const MACHINE: &str = include_str!("../../../../tests/reference/energy/governor.xml");
const FIGURES: &str = include_str!("../../../../tests/reference/energy/governors.csv");

fn asked(governor: &str) -> PstateControl {
    let asked = Some(governor.parse().expect("the governor reads"));
    let governors = GovernorChoice { asked, ..GovernorChoice::default() };
    PstateControl { governors, ..PstateControl::default() }
}

fn governed(platform: Platform, hosts: Vec<HostId>, control: &PstateControl) -> Simulation {
    let power = PowerModel::new(&platform, None).expect("nodes have power");
    let pstates = Pstates::new(&platform, &hosts, control).expect("pstates can be chosen");
    Simulation::new(platform)
        .ranks(hosts.len() as u32)
        .mapping(Mapping::Explicit(hosts))
        .power(power)
        .pstates(pstates)
}

fn run<F>(platform: Platform, hosts: Vec<HostId>, control: &PstateControl, main: F) -> Report
where
    F: AsyncFn(Comm) -> Result<()> + 'static,
{
    ended(governed(platform, hosts, control).run(main))
}

fn joules(report: &Report) -> f64 {
    report.energy.as_ref().expect("energy was asked for").joules
}

fn changes(report: &Report) -> u64 {
    report.pstates.as_ref().expect("pstates were chosen").changes
}

/// Computes and sleeps as `tests/reference/energy/governor.cpp` does.
async fn steps(steps: String, comm: Comm) -> Result<()> {
    for step in steps.split(' ') {
        let amount: f64 = step[1..].parse().expect("a step is a letter and an amount");
        match &step[..1] {
            "x" => comm.compute(amount).await,
            _ => comm.sleep(amount).await,
        }
    }
    Ok(())
}

#[test]
fn governors_choose_what_simgrid_says() {
    for line in FIGURES.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let [governor, period, pstate, work, seconds, energy] = fields[..] else {
            panic!("{line}")
        };
        let text =
            MACHINE.replace("GOV", governor).replace("RATE", period).replace("PSTATE", pstate);
        let platform = simgrid_xml::read(&text, None).expect("the reference machine reads");
        let governors = GovernorChoice { reads_plugin: true, ..GovernorChoice::default() };
        let control = PstateControl { governors, ..PstateControl::default() };
        let work = work.to_owned();
        let main = async move |comm| steps(work.clone(), comm).await;
        let report = run(platform, vec![HostId(0)], &control, main);
        let close = |ours: f64, theirs: &str| {
            let theirs: f64 = theirs.parse().unwrap();
            (ours - theirs).abs() <= 1e-6 * theirs
        };
        assert!(close(report.seconds, seconds), "{line}: {} s", report.seconds);
        assert!(close(joules(&report), energy), "{line}: {} J", joules(&report));
    }
}

/// Nodes of two cores with four pstates; polling draws as `polling` says.
fn machine(polling: &str) -> Platform {
    let text = format!(
        "name = 'm'\n[nodes]\ncount = 3\ncores = 2\nspeed = ['4Gf', '3Gf', '2Gf', '1Gf']\n\
         [nodes.power]\nidle = [50, 48, 46, 44]\nstatic = [60, 55, 50, 45]\n\
         all_cores = [160, 120, 90, 65]\n{polling}\n\
         [network]\nbandwidth = '1GBps'\nlatency = '1us'\n"
    );
    toml_format::read(&text).expect("the machine of the test reads")
}

const POLLING: &str = "polling = [140, 110, 80, 60]";

#[test]
fn ondemand_goes_by_the_busiest_core() {
    // A second at half load: of 4 and 1 Gf, the closest to 2.5 Gf is 2 or 3; the slower is taken.
    let report = run(machine(""), vec![HostId(0)], &asked("ondemand:period=1s"), async |comm| {
        comm.compute(2e9).await;
        comm.sleep(0.5).await;
        assert_eq!(comm.pstate(), 2);
        comm.sleep(0.25).await;
        Ok(())
    });
    assert_eq!(changes(&report), 1);
    // Two ranks at half load each, one after the other, are no full load.
    let report = run(machine(""), vec![HostId(0); 2], &asked("ondemand:period=1s"), async |comm| {
        comm.sleep(0.5 * f64::from(comm.rank())).await;
        comm.compute(2e9).await;
        comm.sleep(0.75).await;
        Ok(())
    });
    assert_eq!(changes(&report), 1, "{:?}", report.pstates);
}

#[test]
fn waiting_is_load_where_it_draws_power() {
    // Rank 1 waits for two seconds inside MPI, on a node of its own.
    let waits = |polling: &str, governor: &str| {
        let hosts = vec![HostId(0), HostId(1)];
        let report =
            run(machine(polling), hosts, &asked(governor), async |comm: Comm| match comm.rank() {
                0 => {
                    comm.compute(8e9).await;
                    comm.send(8_u64, 1, 0).await
                }
                _ => comm.recv(0, 0).await.map(drop),
            });
        changes(&report)
    };
    assert_eq!(waits("", "ondemand:period=0.5s"), 1);
    assert_eq!(waits(POLLING, "ondemand:period=0.5s"), 0);
    assert_eq!(waits(POLLING, "ondemand:period=0.5s,waiting=idle"), 1);
    assert_eq!(waits("", "ondemand:period=0.5s,waiting=busy"), 0);
}

#[test]
fn a_node_is_slow_while_its_ranks_communicate() {
    let main = async |comm: Comm| match comm.rank() {
        0 => {
            comm.compute(8e9).await;
            comm.send(8_u64, 1, 0).await?;
            comm.compute(4e9).await;
            Ok(())
        }
        _ => {
            comm.recv(0, 0).await?;
            comm.compute(4e9).await;
            Ok(())
        }
    };
    let hosts = || vec![HostId(0), HostId(1)];
    let report = run(machine(POLLING), hosts(), &asked("communication-phase"), main);
    // Computations run at full speed; node 1 waits for two seconds at 45 + 15 / 2 W.
    assert!((report.seconds - 3.0).abs() < 1e-3, "{}", report.seconds);
    let waiting = 2.0 * (45.0 + 7.5) + 110.0;
    let energy = report.energy.as_ref().unwrap();
    assert!((energy.nodes[1].joules - waiting).abs() < 0.01, "{energy:?}");
    // With a latency the second computation begins at 1 Gf for half a second: 0.5 of 4 Gflop.
    let late = asked("communication-phase:latency=0.5s");
    let report = run(machine(POLLING), hosts(), &late, main);
    assert!((report.seconds - (2.0 + 0.5 + 3.5 / 4.0)).abs() < 1e-3, "{}", report.seconds);
    // A wait that is shorter than `after` changes nothing.
    let patient = asked("communication-phase:after=2.5s");
    let report = run(machine(POLLING), hosts(), &patient, main);
    assert_eq!((report.seconds * 1e3).round(), 3e3);
    assert_eq!(changes(&report), 0);
}

#[test]
fn governors_keep_no_run_alive_and_hide_no_deadlock() {
    for governor in ["ondemand:period=1ms", "conservative:period=1ms", "communication-phase"] {
        let simulation = governed(machine(""), vec![HostId(0), HostId(1)], &asked(governor));
        let failure =
            simulation.run(async |comm: Comm| comm.recv(1 - comm.rank() as i32, 0).await.map(drop));
        assert!(matches!(failure, Err(Failure::Deadlock(_))), "{governor}: {failure:?}");
        let report = run(machine(""), vec![HostId(0)], &asked(governor), async |comm| {
            comm.sleep(0.0105).await;
            Ok(())
        });
        assert!((report.seconds - 0.0105).abs() < 1e-9, "{}", report.seconds);
    }
}

#[test]
fn programs_choose_until_a_governor_does() {
    let report =
        run(machine(""), vec![HostId(0)], &asked("conservative:period=1s"), async |comm| {
            comm.set_pstate(2)?;
            comm.compute(2e9).await;
            assert_eq!((comm.pstate(), comm.slowdown()), (1, 4.0 / 3.0));
            comm.compute(3e9).await;
            assert_eq!(comm.pstate(), 0);
            Ok(())
        });
    assert!((report.seconds - 2.0).abs() < 1e-9, "{}", report.seconds);
}

fn capped(watts: f64) -> PstateControl {
    PstateControl { node_cap: Some(watts), ..PstateControl::default() }
}

#[test]
fn a_node_is_as_fast_as_its_cap_allows() {
    // One core draws 110, 87.5, 70, 55 W; two draw 160, 120, 90, 65 W.
    let report = run(machine(""), vec![HostId(0); 2], &capped(100.0), async |comm: Comm| {
        if comm.rank() == 0 {
            comm.compute(3e9).await;
            return Ok(());
        }
        comm.compute(4.5e9).await;
        Ok(())
    });
    // Both at 2 Gf for 1.5 s, then rank 1 alone at 3 Gf for half a second.
    assert!((report.seconds - 2.0).abs() < 1e-9, "{}", report.seconds);
    assert!((joules(&report) - (1.5 * 90.0 + 0.5 * 87.5)).abs() < 1e-9, "{}", joules(&report));
    let chosen = report.pstates.unwrap();
    assert_eq!((chosen.over_cap, chosen.seconds[0], chosen.seconds[3]), (0.0, 0.0, 0.0));
}

#[test]
fn a_cap_goes_no_lower_than_the_slowest_pstate() {
    let report = run(machine(""), vec![HostId(0); 2], &capped(60.0), async |comm| {
        comm.compute(1e9).await;
        Ok(())
    });
    assert!((report.seconds - 1.0).abs() < 1e-9 && (joules(&report) - 65.0).abs() < 1e-9);
    assert!((report.pstates.unwrap().over_cap - 1.0).abs() < 1e-9);
    let refused = |control: &PstateControl, hosts: &[HostId]| {
        Pstates::new(&machine(""), hosts, control).unwrap_err().to_string()
    };
    let told = refused(&capped(43.0), &[HostId(1)]);
    assert!(
        told.contains("host m-1 draws 44 W") || told.contains("host node-1 draws 44 W"),
        "{told}"
    );
    let all = PstateControl { cluster_cap: Some(100.0), ..PstateControl::default() };
    let told = refused(&all, &[HostId(0), HostId(1), HostId(2)]);
    assert!(told.contains("the 3 nodes that ranks run on draw 132 W"), "{told}");
}

#[test]
fn a_cap_on_all_nodes_slows_all() {
    let control = PstateControl { cluster_cap: Some(250.0), ..PstateControl::default() };
    let hosts = vec![HostId(0), HostId(1), HostId(2)];
    let report = run(machine(""), hosts, &control, async |comm: Comm| {
        match comm.rank() {
            0 => comm.compute(2e9).await,
            _ => comm.compute(5e9).await,
        }
        Ok(())
    });
    // Three nodes with one busy core each draw 3 x 70 W at 2 Gf, and would draw 262.5 W at 3 Gf;
    // two of them with one idle draw 2 x 87.5 + 48 W at 3 Gf, and 270 W at 4 Gf.
    assert!((report.seconds - 2.0).abs() < 1e-9, "{}", report.seconds);
    assert!((joules(&report) - (210.0 + 223.0)).abs() < 1e-9, "{}", joules(&report));
}

/// A step of a random program.
#[derive(Debug, Clone)]
enum Step {
    Compute(f64),
    Sleep(f64),
    Shift(u64),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        (1e6..3e9).prop_map(Step::Compute),
        (1e-3..0.5).prop_map(Step::Sleep),
        (1_u64..3_000_000).prop_map(Step::Shift),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn caps_hold_and_parts_add_up(
        steps in prop::collection::vec(step(), 1..10),
        ranks in 1_u32..6,
        cap in 66.0..170.0,
        governor in prop::sample::select(vec![
            "performance", "powersave", "ondemand:period=50ms", "conservative:period=50ms",
            "communication-phase:after=1ms,latency=1ms",
        ]),
        polls in any::<bool>(),
    ) {
        let platform = machine(if polls { POLLING } else { "" });
        let hosts: Vec<HostId> = (0..ranks).map(|rank| HostId(rank % 3)).collect();
        let control = PstateControl { node_cap: Some(cap), ..asked(governor) };
        let main = async move |comm: Comm| {
            let (rank, size) = (comm.rank() as i32, comm.size() as i32);
            for step in steps.clone() {
                match step {
                    Step::Compute(flops) => comm.compute(flops * f64::from(1 + rank % 3)).await,
                    Step::Sleep(seconds) => comm.sleep(seconds).await,
                    Step::Shift(bytes) => {
                        let (to, from) = ((rank + 1) % size, (rank + size - 1) % size);
                        comm.sendrecv(bytes, to, 0, from, 0).await?;
                    }
                }
            }
            Ok(())
        };
        let report = run(platform, hosts, &control, main);
        let (energy, chosen) = (report.energy.unwrap(), report.pstates.unwrap());
        let nodes = energy.nodes.len() as f64;
        // The slowest pstate never draws more than 65 W.
        prop_assert_eq!(chosen.over_cap, 0.0);
        prop_assert!(energy.peak_watts <= cap * nodes * (1.0 + 1e-9));
        let close = |a: f64, b: f64| (a - b).abs() <= 1e-9 * a.abs().max(1e-30);
        prop_assert!(close(chosen.seconds.iter().sum(), nodes * report.seconds));
        let own: f64 = energy.nodes.iter().map(|node| node.own_joules).sum();
        let of_ranks: f64 = energy.ranks.iter().map(|rank| rank.computing + rank.polling).sum();
        prop_assert!(close(energy.joules, own + of_ranks));
    }
}
