//! The rows of the comparison, with the figures SimGrid 4.1.1 reached where it was measured.

use super::configuration::Suite::{Collectives, Flows, MasterWorker, P2p, Replay, Scale};
use super::configuration::{Bar, Beside, Configuration};

/// Every configuration, cheapest family first.
pub(super) fn configurations() -> Vec<Configuration> {
    [point_to_point(), halo(), collectives(), flows(), master_worker(), replays(), scale()].concat()
}

fn point_to_point() -> Vec<Configuration> {
    let row = |times, program, args, ranks, platform| {
        Configuration::new(P2p, program, args, ranks, platform).bar(Bar::Rate(times))
    };
    vec![
        row(5.0, "pingpong", "20000 8", 2, "star-10g-64")
            .recorded(0.2628, 0.272, 11.5, 0.403889814)
            .agreement(),
        // The idle ranks wait in a linear barrier: thousands of messages nobody asked for yet.
        row(10.0, "pingpong", "10000 8", 4096, "star-10g-4096")
            .named("pingpong-4094-idle-star")
            .linear_barrier()
            .recorded(1.681, 4.7, 320.0, 0.202014),
        row(10.0, "ring", "1000 1024", 64, "star-10g-64")
            .recorded(0.9685, 0.988, 16.2, 0.014860476)
            .agreement(),
        row(20.0, "ring", "100 1024", 512, "star-10g-512").recorded(
            1.7439,
            1.935,
            54.0,
            0.001486057,
        ),
        row(50.0, "ring", "10 1024", 4096, "star-10g-4096").recorded(
            2.42,
            4.983,
            358.2,
            0.000148615,
        ),
        // The cost of a message must not double from 512 ranks to this.
        Configuration::new(P2p, "ring", "5 1024", 65_536, "star-10g-65536")
            .bar(Bar::Messages(800e3))
            .beside(Beside::Never),
        row(10.0, "lu_wave", "8 8 64 16 5", 64, "star-10g-64")
            .recorded(0.7223, 0.73, 22.8, 0.019882325)
            .agreement(),
        row(25.0, "lu_wave", "16 32 64 16 1", 512, "star-10g-512").recorded(
            2.1216,
            2.235,
            103.1,
            0.005010551,
        ),
        row(50.0, "lu_wave", "64 64 8 16 1", 4096, "star-10g-4096").recorded(
            3.8425,
            5.229,
            379.1,
            0.005246312,
        ),
    ]
}

fn halo() -> Vec<Configuration> {
    let row = |times, args, ranks, platform| {
        Configuration::new(P2p, "stencil3d", args, ranks, platform).bar(Bar::Rate(times))
    };
    vec![
        row(15.0, "10 16 26 0", 64, "star-10g-64")
            .recorded(0.2347, 0.247, 21.3, 0.000877139)
            .agreement(),
        row(15.0, "10 16 26 0", 64, "torus-10g-64")
            .recorded(0.2287, 0.233, 21.8, 0.000607638)
            .agreement(),
        row(60.0, "5 16 26 0", 512, "star-10g-512").recorded(1.9365, 2.088, 102.6, 0.000590047),
        row(60.0, "5 16 26 0", 512, "torus-10g-512").recorded(1.8183, 1.915, 106.3, 0.000607514),
        row(50.0, "1 16 6 0", 4096, "torus-10g-4096").recorded(2.7679, 4.791, 738.6, 0.000234652),
    ]
}

fn collectives() -> Vec<Configuration> {
    let plain =
        |args, ranks, platform| Configuration::new(Collectives, "coll", args, ranks, platform);
    let row = |times, args, ranks, platform| plain(args, ranks, platform).bar(Bar::Rate(times));
    // SimGrid 3.32 does not end within 100 s: a rate of its own stands for the multiple.
    let large = |ranks, platform| {
        plain("allreduce 8 2", ranks, platform).bar(Bar::Messages(300e3)).beside(Beside::Long)
    };
    vec![
        row(5.0, "allreduce 8 128", 64, "star-10g-64")
            .recorded(0.2639, 0.27, 15.6, 0.007755408)
            .agreement(),
        row(10.0, "allreduce 8 8", 1024, "star-10g-1024").recorded(
            1.6317,
            1.914,
            90.2,
            0.000807864,
        ),
        row(5.0, "alltoall 1024 5", 64, "fattree-10g-64")
            .recorded(0.1406, 0.163, 24.3, 0.006606815)
            .agreement(),
        row(10.0, "alltoall 1024 1", 1024, "star-10g-1024").recorded(
            23.664,
            25.809,
            2300.0,
            0.012589031,
        ),
        row(10.0, "alltoall 1024 1", 1024, "torus-10g-1024").recorded(
            28.7887,
            31.387,
            2306.3,
            0.050805872,
        ),
        row(10.0, "alltoall 1024 1", 1024, "fattree-10g-1024").recorded(
            26.0602,
            28.142,
            2302.2,
            0.022262519,
        ),
        large(16384, "star-10g-16384").recorded(19.0653, 29.066, 1322.4, 0.000282759),
        large(65536, "star-10g-65536").recorded(89.7248, 133.924, 5393.4, 0.000323152),
    ]
}

fn flows() -> Vec<Configuration> {
    let plain = |ranks, platform| Configuration::new(Flows, "flows", "1 4 131072", ranks, platform);
    let row = |ranks, platform| plain(ranks, platform).bar(Bar::Rate(30.0));
    vec![
        row(1024, "star-10g-1024").recorded(8.8465, 9.606, 735.7, 0.000599317),
        row(1024, "fattree-10g-1024").recorded(20.1631, 20.84, 739.4, 0.000711932),
        row(1024, "torus-10g-1024").recorded(56.1439, 56.776, 743.2, 0.001697281),
        // SimGrid did not end in 200 CPU seconds.
        plain(4096, "star-10g-4096").bar(Bar::Section(5.0)).beside(Beside::Never),
    ]
}

fn replays() -> Vec<Configuration> {
    let row = |times, program, args, ranks, platform| {
        let row = Configuration::new(Replay, program, args, ranks, platform);
        row.replayed().bar(Bar::Rate(times))
    };
    vec![
        row(12.0, "lu_wave", "8 8 64 16 10", 64, "star-10g-64"),
        row(20.0, "lu_wave", "16 32 64 16 2", 512, "star-10g-512"),
        row(20.0, "lu_wave", "64 64 8 16 1", 4096, "star-10g-4096"),
        row(12.0, "ring", "2000 1024", 64, "star-10g-64"),
        row(20.0, "ring", "200 1024", 512, "star-10g-512"),
        row(20.0, "ring", "20 1024", 4096, "star-10g-4096"),
    ]
}

fn master_worker() -> Vec<Configuration> {
    let row = |args, name, ranks, platform| {
        let row = Configuration::new(MasterWorker, "anysource", args, ranks, platform);
        row.named(name).linear_barrier().bar(Bar::Rate(5.0))
    };
    let (small, large) = ("star-10g-64", "star-10g-512");
    vec![
        row("5000 64 0", "anysource-64-receive", 64, small).recorded(
            0.0781,
            0.082,
            15.2,
            0.051431212,
        ),
        row("5000 64 1", "anysource-64-iprobe", 64, small).recorded(
            0.0877,
            0.103,
            15.2,
            0.557700394,
        ),
        row("5000 64 2", "anysource-64-probe", 64, small).recorded(
            0.0939,
            0.081,
            15.2,
            0.557700394,
        ),
        row("5000 64 0", "anysource-512-receive", 512, large).recorded(
            0.1333,
            0.203,
            49.2,
            0.055986793,
        ),
        row("5000 64 1", "anysource-512-iprobe", 512, large).recorded(
            0.1502,
            0.234,
            49.3,
            0.607048561,
        ),
        row("5000 64 2", "anysource-512-probe", 512, large).recorded(
            0.1404,
            0.223,
            49.2,
            0.607048561,
        ),
    ]
}

fn scale() -> Vec<Configuration> {
    let row = |program, args, ranks, platform, wall_s, mib| {
        let row = Configuration::new(Scale, program, args, ranks, platform);
        row.beside(Beside::Never).bar(Bar::Wall(wall_s)).bar(Bar::Memory(mib))
    };
    vec![
        // SimGrid: 5.7 s and 4.6 GiB; a million ranks took 3.32 78 s and 18.9 GiB.
        row("init", "", 65_536, "star-gige-65536", 10.0, 717.0).own_algorithms(),
        row("init", "", 1_048_576, "star-gige-1048576", 10.0, 2048.0).own_algorithms(),
        // Two ranks: nearly all is the platform. SimGrid: 28 s and 4.4 GiB; 25 s and 358 MiB.
        row("pingpong", "1 8", 2, "star-gige-1048576", 1.0, 300.0).named("load-star-1048576"),
        row("pingpong", "1 8", 2, "fattree-10g-65536", 1.0, 300.0).named("load-fattree-65536"),
        // SimGrid would need 50 GiB for the Cartesian communicator alone.
        row("stencil3d", "0 1 6 0", 65_536, "torus-10g-65536", 30.0, 512.0)
            .named("cartesian-65536"),
        // The scalability experiment of the SMPI article: 1.2 GiB there, with folded memory.
        row("ep", "10", 65_536, "torus-10g-32768", 60.0, 1229.0).per_host(2),
    ]
}

#[cfg(test)]
mod tests {
    use super::super::platforms;
    use super::*;

    #[test]
    fn every_row_has_a_name_of_its_own_a_bar_and_a_platform() {
        let rows = configurations();
        for (index, row) in rows.iter().enumerate() {
            assert!(!row.bars.is_empty(), "{}", row.name);
            assert!(rows[..index].iter().all(|other| other.name != row.name), "{}", row.name);
            let hosts = platforms::hosts(row.platform).unwrap();
            assert!(row.ranks <= hosts * row.per_host, "{}", row.name);
        }
    }

    #[test]
    fn a_ratio_needs_something_to_compare_with() {
        for row in configurations() {
            let ratio = row.bars.iter().any(|bar| matches!(bar, Bar::Rate(_)));
            // Replays were not recorded: those rows are held against the installed SimGrid alone.
            let is_comparable = row.recorded.is_some() || row.is_replay;
            assert!(!ratio || (is_comparable && row.messages() > 0.0), "{}", row.name);
        }
    }
}
