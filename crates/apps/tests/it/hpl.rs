//! HPL as a skeleton against HPL itself.
//!
//! `tests/hpl/real.csv` has the figures of HPL 2.3, compiled by `foretell-mpicc` and run by
//! `foretell run --map cyclic --computation off -p star-64`: messages and bytes that each rank sent
//! between the two readings of its clock, and the time it reports. With the same pivots and free
//! computation the skeleton must send the same, and take the same time.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Parser;
use foretell_apps::{Hpl, Section, Solved};
use foretell_mpi::{Computation, ComputeKernels, Mapping, RankKernels, Simulation};
use foretell_platform::{HostId, Platform};

#[derive(Parser)]
struct Line {
    #[command(flatten)]
    hpl: Hpl,
}

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/hpl").join(name)
}

/// Runs a configuration on one rank per host of a star.
fn solved(line: &str, seed: u64, computation: Computation) -> Solved {
    solved_with(line, seed, computation, None)
}

/// The same with models of kernels.
fn solved_with(
    line: &str,
    seed: u64,
    computation: Computation,
    kernels: Option<&ComputeKernels>,
) -> Solved {
    let words = std::iter::once("hpl").chain(line.split_whitespace());
    let mut hpl = Line::try_parse_from(words).unwrap().hpl;
    hpl.prepare(seed).unwrap();
    let section = Section::new(|| 0.0);
    let shared = section.clone();
    let platform = Platform::named("star-64").unwrap();
    let hosts: Vec<HostId> = (0..hpl.ranks() as u32).map(HostId).collect();
    let kernels =
        kernels.map(|models| RankKernels::new(models, &platform, &hosts, None, seed).unwrap());
    let mut simulation = Simulation::new(platform);
    if let Some(kernels) = kernels {
        simulation = simulation.kernels(kernels);
    }
    simulation
        .ranks(hpl.ranks() as u32)
        .mapping(Mapping::Cyclic)
        .computation(computation)
        .run(async move |world| hpl.main(world, &shared).await)
        .unwrap();
    section.solved().remove(0)
}

/// A row of the figures.
struct Real {
    line: String,
    variant: String,
    seconds: f64,
    messages: Vec<u64>,
    bytes: Vec<u64>,
}

fn row(line: &str) -> Real {
    let fields: Vec<&str> = line.split(',').collect();
    let pick = |names: &[&'static str], at: usize| names[fields[at].parse::<usize>().unwrap()];
    let factorisations = ["left", "crout", "right"];
    let list = |at: usize| fields[at].split(' ').map(|word| word.parse().unwrap()).collect();
    let even = if fields[12] == "0" { "--no-equilibration" } else { "" };
    Real {
        line: format!(
            "-N {} --nb {} -P {} -Q {} --pfact {} --rfact {} --nbmin {} --ndiv {} --bcast {} \
             --depth {} --swap {} --swap-threshold {} {even} --pivots {}",
            fields[0],
            fields[1],
            fields[2],
            fields[3],
            pick(&factorisations, 4),
            pick(&factorisations, 5),
            fields[6],
            fields[7],
            pick(&["1ring", "1ringM", "2ring", "2ringM", "long", "longM"], 8),
            fields[9],
            pick(&["binary-exchange", "long", "mix"], 10),
            fields[11],
            file("pivots.txt").display()
        ),
        variant: fields[13].to_owned(),
        seconds: fields[14].parse().unwrap(),
        messages: list(15),
        bytes: list(16),
    }
}

#[test]
fn every_rank_sends_what_a_rank_of_hpl_sends_and_takes_as_long() {
    let text = fs::read_to_string(file("real.csv")).unwrap();
    for line in text.lines().filter(|line| !line.starts_with('#')).skip(1) {
        let real = row(line);
        let found = solved(&real.line, 0, Computation::Free);
        assert_eq!(found.configuration.variant(), real.variant);
        let messages: Vec<u64> = found.sent.iter().map(|sent| sent.messages).collect();
        let bytes: Vec<u64> = found.sent.iter().map(|sent| sent.bytes).collect();
        assert_eq!(messages, real.messages, "{}", real.line);
        assert_eq!(bytes, real.bytes, "{}", real.line);
        let away = found.seconds / real.seconds - 1.0;
        assert!(away.abs() < 1e-3, "{}: {} for {}", real.line, found.seconds, real.seconds);
    }
}

#[test]
fn a_copy_of_each_panel_delays_its_broadcast() {
    let free = ["dgemm", "dtrsm", "dtrsv", "dgemv", "dger", "daxpy", "dscal", "idamax"];
    let free = free.map(|kernel| format!("[{kernel}]\nmean = 0\n")).concat();
    let models = format!("{free}[dlacpy]\nmean = {{ mn = 1e-3 }}");
    let models = ComputeKernels::from_toml(&models).unwrap();
    let time = |more: &str| {
        let line = format!("-N 160 --nb 32 -P 1 -Q 2 --depth 0 {more}");
        solved_with(&line, 1, Computation::Simulated, Some(&models)).seconds
    };
    // Five panels of 32 columns, with 128, 96, 64, 32 and no rows below their top.
    let expected = 1e-3 * 32.0 * f64::from(128 + 96 + 64 + 32);
    let found = time("--copy-l") - time("");
    assert!((found / expected - 1.0).abs() < 1e-3, "{found} {expected}");
}

#[test]
fn random_pivots_move_about_as_much_as_real_ones() {
    let grid = "-N 600 --nb 32 -P 4 -Q 4 --bcast 2ring";
    let bytes = |line: &str| {
        let sent = solved(line, 1, Computation::Free).sent;
        sent.iter().map(|sent| sent.bytes).sum::<u64>() as f64
    };
    let real = bytes(&format!("{grid} --pivots {}", file("pivots.txt").display()));
    assert!((bytes(grid) / real - 1.0).abs() < 0.01);
    assert!(bytes(&format!("{grid} --pivots diagonal")) < 0.95 * real);
}

#[test]
fn the_seed_alone_decides() {
    let time = |seed| solved("-N 500 --nb 32 -P 2 -Q 3", seed, Computation::Simulated).seconds;
    assert_eq!(time(1), time(1));
    assert_ne!(time(1), time(2));
}

#[test]
fn one_process_takes_the_time_of_the_operations() {
    let found = solved("-N 1000 --nb 50 -P 1 -Q 1", 0, Computation::Simulated);
    let speed = Platform::named("star-64").unwrap().host(foretell_platform::HostId(0)).speed();
    let expected = 2.0 / 3.0 * 1e9 / speed;
    assert!((found.seconds / expected - 1.0).abs() < 0.02, "{} {expected}", found.seconds);
}

/// How far the aggregate form is from the full one.
fn aggregate_away(line: &str, computation: Computation) -> f64 {
    let time = |panel: &str| solved(&format!("{line} --panel {panel}"), 1, computation).seconds;
    (time("aggregate") / time("full") - 1.0).abs()
}

#[test]
fn exchanges_alone_on_their_links_take_nearly_as_long_all_at_once() {
    for grid in ["-P 2 -Q 1", "-P 8 -Q 1", "-P 7 -Q 1", "-P 5 -Q 1 --swap long", "-P 1 -Q 3"] {
        for computation in [Computation::Free, Computation::Simulated] {
            let away = aggregate_away(&format!("-N 500 --nb 32 {grid}"), computation);
            assert!(away < 0.005, "{grid}: {away}");
        }
    }
}

#[test]
fn exchanges_beside_other_traffic_take_about_as_long_all_at_once() {
    for grid in ["-P 4 -Q 4 --bcast 2ring", "-P 3 -Q 5 --bcast 1ringM", "-P 8 -Q 4 --depth 0"] {
        let line = format!("-N 1500 --nb 64 {grid}");
        let away = aggregate_away(&line, Computation::Simulated);
        assert!(away < 0.02, "{grid}: {away}");
    }
}
