//! What is written in SimGrid's format keeps its routes, and what is lost is told.

use std::path::Path;

use crate::machine::{HostId, Platform, Route};
use crate::{simgrid_xml, toml_format, write_toml, write_xml::write_xml};

/// Hosts and routes between different hosts: what must survive a journey.
fn routes(platform: &Platform) -> Vec<String> {
    let mut lines = Vec::new();
    let mut route = Route::default();
    let hosts: Vec<HostId> = platform.hosts().collect();
    let step = (hosts.len() / 12).max(1);
    for a in hosts.iter().copied() {
        let host = platform.host(a);
        lines.push(format!("{} {} {:?}", platform.host_name(a), host.cores, host.speeds));
    }
    for a in hosts.iter().copied().step_by(step) {
        for b in hosts.iter().copied().step_by(step).filter(|b| *b != a) {
            let found = platform.route(a, b, &mut route).is_ok();
            let links: Vec<_> = route
                .links
                .iter()
                .map(|link| (platform.link_name(*link), platform.link(*link)))
                .collect();
            lines.push(format!("{a:?} {b:?} {found} {} {links:?}", route.latency));
        }
    }
    lines
}

/// TOML to machine to XML to machine; gives what was lost.
fn check(text: &str) -> Vec<String> {
    let first = toml_format::read(text).unwrap_or_else(|mistakes| panic!("{mistakes:#?}"));
    let written = write_xml(&first);
    let second = simgrid_xml::read(&written.text, None)
        .unwrap_or_else(|mistakes| panic!("{}\n{mistakes:#?}", written.text));
    assert_eq!(routes(&first), routes(&second), "{}", written.text);
    written.lost
}

fn cluster(shape: &str) -> String {
    format!(
        "name = 'c'\n[nodes]\ncount = 64\nfirst = 5\nsuffix = '.x'\ncores = 3\nspeed = ['2Gf', '1Gf']\n\
         [network]\nbandwidth = '10Gbps'\nlatency = '2.5us'\n{shape}\n"
    )
}

#[test]
fn clusters_of_every_shape_keep_their_routes() {
    for shape in [
        "backbone = { bandwidth = '40GBps', latency = '1us' }",
        "limiter = '1.5x'\nsharing = 'shared'",
        "limiter = '1.7GBps'\nloopback = 'network'",
        "topology = 'torus'\ndims = [4, 4, 4]",
        "topology = 'fat-tree'\ndown = [8, 8]\nup = [1, 8]",
        "topology = 'dragonfly'\ngroups = 4\nchassis = 2\nrouters = 4\nrouter_nodes = 2\n\
         routing = 'simgrid'",
    ] {
        assert_eq!(check(&cluster(shape)), [""; 0], "{shape}");
    }
}

#[test]
fn mixed_zones_are_taken_apart_for_simgrid() {
    let lost = check(
        r#"
        name = "lab"
        [[node]]
        name = "a"
        speed = "1Gf"
        [[router]]
        name = "s"
        [[zone]]
        name = "inner"
        [zone.nodes]
        count = 2
        speed = "1Gf"
        [zone.network]
        bandwidth = "1Gbps"
        latency = "1us"
        router = "r"
        [[edge]]
        between = ["a", "s"]
        bandwidth = "1Gbps"
        latency = "1us"
        [[edge]]
        between = ["s", "inner"]
        gateways = ["s", "r"]
        bandwidth = "1Gbps"
        latency = "1us"
        "#,
    );
    assert_eq!(lost, [""; 0]);
}

#[test]
fn what_simgrid_cannot_say_is_told() {
    let text = cluster("group_size = 8")
        + "[messages.node]\neager_limit = 5\n[network.model]\n\
        kind = 'loggps'\nbandwidth_factors = 'limit'\n[[override]]\nnodes = 'node-7.x'\nsend = [[0, 1, 0]]\n";
    let platform = toml_format::read(&text).unwrap();
    assert_eq!(
        write_xml(&platform).lost,
        [
            "the groups of nodes of `c`",
            "the message tables inside a node, inside a group and between groups",
            "that bandwidth factors limit messages: SimGrid did so up to 3.27",
            "the LogGPS model and its parameters",
            "the message overheads of single nodes",
        ]
    );
}

#[test]
fn settings_and_profiles_come_back() {
    let text = cluster("")
        + r#"
        [network.model]
        weight_s = 20537
        tcp_gamma = 0
        cross_traffic = false
        loopback = { bandwidth = "5GBps", latency = "100ns" }
        [messages]
        bandwidth_factor = [[0, 0.9], ["64KiB", 0.8]]
        send = [[0, "1us", "0.5ns"], [1420, 2e-6, 1e-10]]
        eager_limit = 1000
        rendezvous_limit = "128KiB"
        [calls]
        iprobe = "1us"
        [[profile]]
        node = "node-7.x"
        speed = [["0s", 1.0], ["10s", 0.5]]
        repeat_after = "5s"
        [[profile]]
        node = "node-8.x"
        state = [["10s", "off"]]
        [options]
        "smpi/coll-selector" = "ompi"
        "#;
    let first = toml_format::read(&text).unwrap();
    let second = simgrid_xml::read(&write_xml(&first).text, None).unwrap();
    assert_eq!(first.network(), second.network());
    assert_eq!(first.profiles(), second.profiles());
    assert!(second.options().contains(&("smpi/coll-selector".to_owned(), "ompi".to_owned())));
}

#[test]
fn simgrid_files_survive_the_journey_there_and_back() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/bench/platforms");
    let Ok(entries) = std::fs::read_dir(&folder) else {
        println!("skipped: {} is not here", folder.display());
        return;
    };
    for path in entries.map(|entry| entry.unwrap().path()) {
        if path.extension().is_none_or(|extension| extension != "xml") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let first = simgrid_xml::read(&text, None).unwrap();
        if first.host_count() > 5000 {
            continue;
        }
        let again = simgrid_xml::read(&write_xml(&first).text, None).unwrap();
        assert_eq!(routes(&first), routes(&again), "{}", path.display());
        let ours = toml_format::read(&write_toml(&first)).unwrap();
        assert_eq!(routes(&first), routes(&ours), "{}", path.display());
    }
}

#[test]
fn disks_of_hosts_are_kept_but_for_their_latency() {
    let text = "routing = 'full'\n\
        [[node]]\nname = 'a'\nspeed = '1Gf'\ndisk = { read = '3GBps', write = '1GBps' }\n\
        [[node]]\nname = 'b'\nspeed = '1Gf'\n\
        disk = { read = '2GBps', write = '1GBps', latency = '1ms' }\n\
        [storage]\nread = '9GBps'\nwrite = '8GBps'\n";
    let first = toml_format::read(text).unwrap();
    let written = write_xml(&first);
    assert_eq!(
        written.lost,
        ["the latency of the disk of `b`", "the file system that all nodes share"]
    );
    let second = simgrid_xml::read(&written.text, None).unwrap();
    let disk = |platform: &Platform, host| platform.host(HostId(host)).disk.unwrap();
    assert_eq!(disk(&second, 0), disk(&first, 0));
    assert_eq!((disk(&second, 1).read, disk(&second, 1).latency), (2e9, 0.0));
    // What was read from disks is written as disks again.
    assert_eq!(write_xml(&second).text, written.text);
}
