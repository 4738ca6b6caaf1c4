//! The format key by key, and files that are damaged or absurd.

use proptest::prelude::*;

use super::{parse, read};
use crate::machine::{HostId, LinkId, Platform, Policy, Route};
use crate::settings::{FactorRole, ModelKind, Scope};
use crate::spec::{Local, Sharing, Topology, ZoneContent};

const CLUSTER: &str = r#"
name = "my cluster"
[nodes]
count = 64
cores = 16
speed = "10Gf"
[network]
topology = "star"
bandwidth = "10Gbps"
latency = "2.5us"
"#;

fn platform(text: &str) -> Platform {
    read(text).unwrap_or_else(|mistakes| panic!("{mistakes:#?}"))
}

/// The names of the links between two hosts.
fn links(platform: &Platform, from: &str, to: &str) -> Vec<String> {
    let host = |name| platform.find_host(name).unwrap();
    let mut route = Route::default();
    platform.route(host(from), host(to), &mut route).unwrap();
    route.links.iter().map(|link| platform.link_name(*link)).collect()
}

#[test]
fn a_cluster_takes_a_few_lines() {
    let platform = platform(CLUSTER);
    assert_eq!(platform.host_count(), 64);
    assert_eq!(platform.host(HostId(63)).cores, 16);
    assert_eq!(platform.host_name(HostId(63)), "node-63");
    let mut route = Route::default();
    platform.route(HostId(0), HostId(1), &mut route).unwrap();
    assert_eq!(route.latency, 5e-6);
    assert_eq!(platform.link(route.links[0]).bandwidth, 1.25e9);
}

#[test]
fn every_key_of_a_cluster_is_understood() {
    let spec = parse(
        r#"
        name = "c"
        properties = { site = "north" }
        [nodes]
        numbers = "1-3,7"
        prefix = "n"
        suffix = ".site"
        cores = 4
        speed = ["10Gf", "8Gf"]
        pstate = 1
        properties = { watts = "95:120:200" }
        [network]
        bandwidth = "10Gbps"
        latency = "2.5us"
        sharing = "shared"
        limiter = "1.5x"
        loopback = { bandwidth = "6GBps", latency = "200ns" }
        backbone = { bandwidth = "40GBps", latency = "1us", sharing = "fatpipe" }
        router = "switch"
        group_size = 2
        "#,
    )
    .unwrap();
    assert_eq!(spec.root.properties, [("site".to_owned(), "north".to_owned())]);
    let ZoneContent::Cluster(cluster) = spec.root.content else { panic!("not a cluster") };
    assert_eq!(cluster.naming.name(3), "n7.site");
    assert_eq!((cluster.node.speeds.as_slice(), cluster.node.pstate), ([10e9, 8e9].as_slice(), 1));
    assert_eq!(cluster.wire.sharing, Sharing::Shared);
    assert_eq!(cluster.limiter, Some(1.875e9));
    assert_eq!(cluster.local, Local::Own { bandwidth: 6e9, latency: 2e-7 });
    assert_eq!(cluster.backbone.unwrap().policy, Policy::FatPipe);
    assert_eq!(cluster.router.unwrap().value, "switch");
    assert_eq!(cluster.group_size, Some(2));
}

#[test]
fn shapes_say_how_many_nodes_there_are() {
    let shaped = |shape: &str| {
        let text = CLUSTER.replace("topology = \"star\"", shape).replace("count = 64", "");
        platform(&text).host_count()
    };
    assert_eq!(shaped("topology = 'torus'\ndims = [4, 3, 2]"), 24);
    assert_eq!(shaped("topology = 'mesh'\ndims = [5]"), 5);
    assert_eq!(shaped("topology = 'fat-tree'\ndown = [8, 4]\nup = [1, 2]"), 32);
    let dragonfly =
        "topology = 'dragonfly'\ngroups = 3\nchassis = 2\nrouters = 4\nrouter_nodes = 2";
    assert_eq!(shaped(dragonfly), 48);
}

#[test]
fn cables_of_a_fat_tree_default_to_one() {
    let text = CLUSTER.replace("\"star\"", "'fat-tree'\ndown = [8, 8]\nup = [1, 8]");
    let ZoneContent::Cluster(cluster) = parse(&text).unwrap().root.content else { panic!() };
    let Topology::FatTree(tree) = cluster.topology else { panic!("not a tree") };
    assert_eq!(tree.cables, [1, 1]);
}

#[test]
fn messages_between_cabinets_cross_both_uplinks_and_limiters() {
    let platform = platform(
        r#"
        name = "g"
        [nodes]
        prefix = "n"
        first = 1
        speed = "1Gf"
        [network]
        topology = "cabinets"
        cabinets = [3, 2]
        bandwidth = "1Gbps"
        latency = "10us"
        limiter = "1.5x"
        uplink = { bandwidth = "10Gbps", latency = "1us", limiter = "13Gbps" }
        "#,
    );
    assert_eq!(platform.host_count(), 5);
    assert_eq!(
        links(&platform, "n2", "n5"),
        [
            "g-cabinet-1_link_2_limiter",
            "g-cabinet-1_link_2_UP",
            "g-limiter-1",
            "g-uplink-1_UP",
            "g-uplink-2_DOWN",
            "g-limiter-2",
            "g-cabinet-2_link_5_DOWN",
            "g-cabinet-2_link_5_limiter",
        ]
    );
    assert_eq!(links(&platform, "n5", "n2")[3], "g-uplink-2_UP");
}

const GRAPH: &str = r#"
    name = "lab"
    [[node]]
    name = "a"
    speed = "1Gf"
    [[router]]
    name = "s"
    [[zone]]
    name = "inner"
    [zone.nodes]
    prefix = "c"
    count = 2
    speed = "1Gf"
    [zone.network]
    bandwidth = "1Gbps"
    latency = "1us"
    router = "r"
    [[node]]
    name = "b"
    speed = "2Gf"
    [[edge]]
    name = "as"
    between = ["a", "s"]
    bandwidth = "1Gbps"
    latency = "1us"
    [[edge]]
    between = ["s", "b"]
    bandwidth = "1Gbps"
    latency = "1us"
    sharing = "shared"
    [[link]]
    name = "far"
    bandwidth = "1Gbps"
    latency = "1ms"
    [[route]]
    from = "s"
    to = "inner"
    gateways = ["s", "r"]
    links = ["far:up"]
"#;

#[test]
fn graphs_join_edges_into_routes() {
    let platform = platform(GRAPH);
    assert_eq!(links(&platform, "a", "b"), ["as_UP", "lab-edge-2"]);
    assert_eq!(links(&platform, "b", "a"), ["lab-edge-2", "as_DOWN"]);
    assert_eq!(links(&platform, "c1", "a"), ["inner_link_1_UP", "far_DOWN", "as_DOWN"]);
}

#[test]
fn hosts_are_numbered_in_the_order_of_the_file() {
    let platform = platform(GRAPH);
    let names: Vec<_> = platform.hosts().map(|host| platform.host_name(host)).collect();
    assert_eq!(names, ["a", "c0", "c1", "b"]);
}

#[test]
fn message_tables_can_differ_by_scope() {
    let text = format!(
        "{CLUSTER}{}",
        r#"
        [network.model]
        kind = "hybrid"
        bandwidth_factors = "limit"
        weight_s = 20537
        tcp_gamma = "4MiB"
        cross_traffic = false
        envelope = 32
        timing_precision = "10ns"
        loopback = { bandwidth = "5GBps", latency = "100ns" }
        [network.model.loggps]
        gap_per_byte = "1ns"
        [messages]
        bandwidth_factor = [[0, 0.9], ["64KiB", 0.8]]
        send = [[0, "1us", "0.5ns"], [1420, 2e-6, -1e-10]]
        rendezvous_limit = "128KiB"
        [messages.node]
        eager_limit = 4096
        [calls]
        iprobe = "1us"
        grow_polls = false
        "#
    );
    let platform = platform(&text);
    let settings = platform.network();
    assert_eq!((settings.model, settings.weight_s), (ModelKind::Hybrid, 20537.0));
    assert_eq!(settings.factor_role, FactorRole::Limit);
    assert_eq!((settings.tcp_gamma, settings.cross_traffic), (4_194_304.0, 0.0));
    assert_eq!((settings.envelope, settings.timing_precision), (32, 1e-8));
    assert_eq!(platform.link(LinkId(platform.loopback().0)).latency, 1e-7);
    assert_eq!(settings.loggps.gap_per_byte, 1e-9);
    assert_eq!(settings.tables.bandwidth_factor.at(65_537, 1.0), 0.8);
    assert_eq!(settings.tables.send.at(10_000), 2e-6 - 1e-6);
    let node = settings.tables_of(Scope::Node);
    assert_eq!((node.eager_limit, node.rendezvous_limit), (4096, 131_072));
    assert_eq!(settings.tables_of(Scope::Between).eager_limit, 0);
    assert_eq!((settings.iprobe, settings.grow_polls), (1e-6, false));
}

#[test]
fn single_nodes_can_differ() {
    let text = format!(
        "{CLUSTER}{}",
        r#"
        [[override]]
        nodes = ["node-3", "node-5", "node-4"]
        speed = "8Gf"
        send = [[0, "5us", 0]]
        [[override]]
        nodes = "node-5"
        cores = 8
        "#
    );
    let platform = platform(&text);
    let host = |id| platform.host(HostId(id));
    assert_eq!((host(3).speed(), host(3).cores), (8e9, 16));
    assert_eq!((host(5).speed(), host(5).cores), (8e9, 8));
    assert_eq!((host(6).speed(), host(6).cores), (10e9, 16));
    assert_eq!(platform.network().per_host.len(), 1);
    assert_eq!(platform.network().send_overhead(Scope::Group, HostId(4), 1), 5e-6);
    assert_eq!(platform.network().send_overhead(Scope::Group, HostId(6), 1), 0.0);
}

#[test]
fn profiles_find_their_nodes_and_links() {
    let text = format!(
        "{CLUSTER}{}",
        r#"
        [[profile]]
        node = "node-3"
        speed = [["0s", 1.0], ["10s", 0.5]]
        repeat_after = "10s"
        [[profile]]
        link = "my cluster_link_2_UP"
        bandwidth = [["5s", "1Gbps"]]
        [[profile]]
        node = "node-1"
        state = [["5s", "off"], ["6s", "on"]]
        "#
    );
    let platform = platform(&text);
    assert_eq!(platform.profiles().len(), 3);
    assert_eq!(platform.profiles()[0].events, [(0.0, 1.0), (10.0, 0.5)]);
    assert_eq!(platform.profiles()[1].events, [(5.0, 1.25e8)]);
    assert_eq!(platform.profiles()[2].events, [(5.0, 0.0), (6.0, 1.0)]);
}

#[test]
fn options_by_their_simgrid_names_take_effect() {
    let options = "[options]\n'smpi/os' = '0:1e-6:0'\n'network/model' = 'SMPI'\n'my/own' = 'x'\n";
    let platform = platform(&format!("{CLUSTER}{options}"));
    assert_eq!(platform.network().tables.send.at(5), 1e-6);
    assert_eq!(platform.options().len(), 3);
}

#[test]
fn a_million_nodes_are_read_at_once() {
    let platform = platform(&CLUSTER.replace("64", "1048576"));
    assert_eq!(platform.host_count(), 1_048_576);
    assert_eq!(platform.find_host("node-1048575"), Some(HostId(1_048_575)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Cuts, repeats and replaces pieces of good files: whatever comes out, reading it ends well.
    #[test]
    fn damaged_files_never_panic(
        which in 0..2_usize,
        cuts in prop::collection::vec((0.0..1.0_f64, 0..12_usize, "[ -~\n]{0,6}"), 1..4),
    ) {
        let mut text = [CLUSTER, GRAPH][which].to_owned();
        for (place, length, new) in cuts {
            let from = (place * text.len() as f64) as usize;
            let to = (from + length).min(text.len());
            text.replace_range(from..to, &new);
        }
        if let Err(mistakes) = read(&text) {
            prop_assert!(!mistakes.is_empty());
            prop_assert!(mistakes.iter().all(|mistake| mistake.span.end <= text.len()));
        }
    }

    /// Replaces every number by an absurd one, in turn.
    #[test]
    fn absurd_numbers_never_panic(which in 0..2_usize, nth in 0..30_usize, new in prop_oneof![
        Just("0"), Just("-1"), Just("4294967295"), Just("18446744073709551616"), Just("1e308"),
        Just("nan"), Just("inf"), Just("\"\""), Just("[]"), Just("{}"), Just("67108864"),
    ]) {
        let text = [CLUSTER, GRAPH][which];
        let Some((at, _)) = text.match_indices("= ").nth(nth) else { return Ok(()) };
        let end = at + text[at..].find('\n').unwrap();
        let _ = read(&format!("{}= {new}{}", &text[..at], &text[end..]));
    }
}
