//! LULESH and three of NAS as skeletons against the programs themselves.
//!
//! `tests/skeletons/real.csv` has the figures of LULESH 2.0 and of NPB 3.4, compiled by
//! `foretell-mpicxx` and `foretell-mpifort` and run by `foretell run --map cyclic --computation
//! off`: messages and bytes in all, and the simulated time of the whole run. With free computation
//! the skeletons must give the same. Runs of LU with fewer steps than its class has come from an
//! `inputlu.data` with as many steps between two norms.

use std::fs;
use std::path::Path;

use clap::Parser;
use foretell_apps::{App, Section};
use foretell_mpi::{Computation, Failure, Mapping, Report, Simulation};
use foretell_platform::Platform;

#[derive(Parser)]
struct Line {
    #[command(subcommand)]
    app: App,
}

/// Runs a skeleton, one rank on each host; the seconds of its timed section beside.
fn run(
    words: &str,
    ranks: u32,
    platform: Platform,
    computation: Computation,
) -> Result<(Report, f64), Failure> {
    let line = std::iter::once("app").chain(words.split_whitespace());
    let app = Line::try_parse_from(line).unwrap().app;
    let section = Section::new(|| 0.0);
    let shared = section.clone();
    let report = Simulation::new(platform)
        .ranks(ranks)
        .mapping(Mapping::Cyclic)
        .computation(computation)
        .run(async move |world| app.main(world, &shared).await)?;
    Ok((report, section.measured().seconds))
}

fn check(program: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/skeletons/real.csv");
    let text = fs::read_to_string(path).unwrap();
    let rows: Vec<&str> = text.lines().filter(|line| line.starts_with(program)).collect();
    assert!(!rows.is_empty());
    for row in rows {
        let fields: Vec<&str> = row.split(',').collect();
        let platform = Platform::named(fields[2]).unwrap();
        let ranks = fields[1].parse().unwrap();
        let (report, _) = run(fields[0], ranks, platform, Computation::Free).unwrap();
        assert_eq!(report.counters.messages.to_string(), fields[3], "messages of {row}");
        assert_eq!(report.counters.bytes.to_string(), fields[4], "bytes of {row}");
        let seconds: f64 = fields[5].parse().unwrap();
        assert!((report.seconds / seconds - 1.0).abs() < 1e-9, "{} s of {row}", report.seconds);
    }
}

#[test]
fn lulesh_sends_what_lulesh_sends() {
    check("lulesh");
}

#[test]
fn nas_ep_sends_what_nas_ep_sends() {
    check("nas-ep");
}

#[test]
fn nas_cg_sends_what_nas_cg_sends() {
    check("nas-cg");
}

#[test]
fn nas_lu_sends_what_nas_lu_sends() {
    check("nas-lu");
}

/// Seconds of the timed section of one rank, times the speed of its core.
fn operations(words: &str) -> f64 {
    let platform = Platform::named("star-64").unwrap();
    let speed = platform.host(foretell_platform::HostId(0)).speed();
    let (_, seconds) = run(words, 1, platform, Computation::Simulated).unwrap();
    seconds * speed
}

fn check_operations(words: &str, expected: f64) {
    let found = operations(words);
    // Reading the clock and the loopback take a little.
    assert!((found / expected - 1.0).abs() < 1e-4, "{words}: {found:e}, not {expected:e}");
}

#[test]
fn one_rank_computes_what_npb_counts() {
    check_operations("nas-ep --class S", 30.0 * f64::from(1 << 25));
    let cg = 2.0 * 15.0 * 1400.0 * (3.0 + 56.0 + 25.0 * (5.0 + 56.0) + 3.0);
    check_operations("nas-cg --class S", cg);
    let lu = 1984.77 * 1728.0 - 10923.3 * 144.0 + 27770.9 * 12.0 - 144_010.0;
    check_operations("nas-lu --class S", 50.0 * lu);
    check_operations("nas-lu --class S --work 3", 150.0 * lu);
}

#[test]
fn one_rank_of_lulesh_computes_its_four_phases() {
    let phases = |force: f64, motion: f64, gradients: f64, material: f64| {
        3.0 * (8000.0 * (force + gradients + material) + 9261.0 * motion)
    };
    check_operations("lulesh -s 20 -i 3", phases(1857.0, 15.0, 863.0, 600.0));
    check_operations("lulesh -s 20 -i 3 --flops 1e3,2e3,3e3,4e3", phases(1e3, 2e3, 3e3, 4e3));
}

#[test]
fn no_work_is_free_computation() {
    for words in ["nas-lu --class S --iterations 3 --work 0", "lulesh -s 4 -i 2 --flops 0,0,0,0"] {
        let seconds = |computation| {
            let platform = Platform::named("star-64").unwrap();
            run(words, 64 / 8, platform, computation).unwrap().0.seconds
        };
        assert_eq!(seconds(Computation::Simulated), seconds(Computation::Free));
    }
}

#[test]
fn ranks_that_a_program_cannot_use_are_told() {
    let told = |words: &str, ranks| {
        let platform = Platform::named("star-64").unwrap();
        run(words, ranks, platform, Computation::Free).unwrap_err().to_string()
    };
    assert!(told("lulesh", 9).contains("a cube of ranks (1, 8, 27, 64, …), not on 9"));
    assert!(told("nas-cg --class S", 12).contains("a power of two of ranks, not on 12"));
    assert!(told("nas-lu --class S", 7).contains("which 7 ranks do not make"));
    assert!(told("nas-lu --class S", 64).contains("too small for 64 ranks"));
}
