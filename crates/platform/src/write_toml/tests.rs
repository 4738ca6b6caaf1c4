//! What is written in our format comes back as the same machine.

use crate::machine::{HostId, Platform, Route};
use crate::spec::{NodeSpec, PlatformSpec};
use crate::{toml_format, write_toml::write_toml};

/// Everything a simulation asks of a machine, as text.
pub(crate) fn portrait(platform: &Platform) -> Vec<String> {
    let mut lines = Vec::new();
    let mut route = Route::default();
    let hosts: Vec<HostId> = platform.hosts().collect();
    let step = (hosts.len() / 12).max(1);
    for a in hosts.iter().copied() {
        let host = platform.host(a);
        lines.push(format!("{} {host:?}", platform.host_name(a)));
    }
    for a in hosts.iter().copied().step_by(step) {
        for b in hosts.iter().copied().step_by(step) {
            let found = platform.route(a, b, &mut route).is_ok();
            let links =
                route.links.iter().map(|link| (platform.link_name(*link), platform.link(*link)));
            lines.push(format!(
                "{a:?} {b:?} {found} {} {:?}",
                route.latency,
                links.collect::<Vec<_>>()
            ));
        }
    }
    lines.push(format!("{:?} {:?}", platform.network(), platform.profiles().len()));
    lines
}

fn check(text: &str) {
    let first = toml_format::read(text).unwrap();
    let written = write_toml(&first);
    let second =
        toml_format::read(&written).unwrap_or_else(|mistakes| panic!("{written}\n{mistakes:#?}"));
    assert_eq!(portrait(&first), portrait(&second), "{written}");
    assert_eq!(write_toml(&second), written);
}

#[test]
fn clusters_of_every_shape_come_back() {
    for shape in [
        "topology = 'star'\nbackbone = { bandwidth = '40GBps', latency = '1us' }",
        "topology = 'star'\nlimiter = '1.5x'\nsharing = 'shared'",
        "topology = 'star'\nlimiter = '1.7GBps'\ngroup_size = 8\nloopback = 'network'",
        "topology = 'torus'\ndims = [4, 4, 4]",
        "topology = 'mesh'\ndims = [8, 8]\nloopback = { bandwidth = '1GBps', latency = '1us' }",
        "topology = 'fat-tree'\ndown = [8, 8]\nup = [1, 8]",
        "topology = 'dragonfly'\ngroups = 4\nchassis = 2\nrouters = 4\nrouter_nodes = 2",
    ] {
        check(&format!(
            "[nodes]\ncount = 64\nfirst = 5\nsuffix = '.x'\ncores = 3\nspeed = ['2Gf', '1.7Gf']\n\
             pstate = 1\ndisk = {{ read = '3GBps', write = '1.5GBps', latency = '80us' }}\n\
             properties = {{ 'smpi/os' = '0:1e-6:0', b = 'c' }}\n\
             [network]\nbandwidth = '10Gbps'\nlatency = '2.5us'\n{shape}\n\
             [storage]\nread = '20GBps'\nwrite = '12GBps'\nlatency = '500us'\n\
             [[override]]\nnodes = 'node-7.x'\ndisk = {{ read = '1GBps', write = '2GBps' }}\n"
        ));
    }
}

#[test]
fn cabinets_graphs_and_settings_come_back() {
    check(
        r#"
        name = "all"
        routing = "full"
        [[zone]]
        name = "g"
        [zone.nodes]
        prefix = "n"
        speed = "1Gf"
        [zone.network]
        topology = "cabinets"
        cabinets = [3, 2, 4]
        bandwidth = "1Gbps"
        latency = "10us"
        uplink = { bandwidth = "10Gbps", latency = "1us", limiter = "13Gbps" }
        [[zone]]
        name = "star"
        routing = "star"
        [zone.backbone]
        bandwidth = "10Gbps"
        latency = "1us"
        [[zone.row]]
        count = 3
        prefix = "row"
        speed = "1Gf"
        bandwidth = "1Gbps"
        latency = "1us"
        [[zone.node]]
        name = "lone"
        speed = "1Gf"
        [[zone.link]]
        name = "lone-up"
        bandwidth = "1Gbps"
        latency = "1us"
        sharing = "shared"
        [[zone.host_link]]
        node = "lone"
        up = "lone-up"
        down = "lone-up"
        [[zone]]
        name = "graph"
        [[zone.node]]
        name = "a"
        speed = "1Gf"
        [[zone.node]]
        name = "b"
        speed = "1Gf"
        [[zone.edge]]
        between = ["a", "b"]
        bandwidth = "1Gbps"
        latency = "1us"
        [[link]]
        name = "far"
        bandwidth = "1Gbps"
        latency = "1ms"
        [[route]]
        from = "star"
        to = "graph"
        gateways = ["lone", "a"]
        links = ["far:up"]
        [network.model]
        kind = "loggps"
        bandwidth_factors = "limit"
        cross_traffic = 0.03
        loggps = { gap = "3us" }
        [messages]
        send = [[0, "1us", 1e-10]]
        [messages.between]
        latency_factor = [[0, 3.5]]
        [calls]
        wtime = 0
        [[override]]
        nodes = ["n1", "a"]
        speed = ["3Gf", "2Gf"]
        receive = [[0, "1us", 0]]
        [[profile]]
        link = "far"
        latency = [["1s", "2ms"], ["2s", "1ms"]]
        repeat_after = "3s"
        [options]
        "my/option" = "1"
        "#,
    );
}

#[test]
fn what_a_program_put_together_is_written_too() {
    use crate::{ClusterSpec, Naming, Sharing, WireSpec, ZoneSpec};
    let wire = WireSpec { bandwidth: 1.0 / 3.0, latency: 0.1, sharing: Sharing::FatPipe };
    let cluster = ClusterSpec::new(Naming::counted("a\"b\\", "\n", 3), NodeSpec::new(0.3, 1), wire);
    let platform = Platform::build(PlatformSpec::new(ZoneSpec::cluster("x", cluster))).unwrap();
    check(&write_toml(&platform));
}
