//! Files with mistakes, and the exact words about each.

use foretell_platform::simgrid_xml;

/// Each mistake as `marked text: message (help)`.
fn check(body: &str, expected: &[&str]) {
    check_text(&format!("<platform version=\"4.1\">{body}</platform>"), expected);
}

fn check_text(text: &str, expected: &[&str]) {
    let mistakes = simgrid_xml::read(text, None).expect_err("the file has mistakes");
    let told: Vec<String> = mistakes
        .iter()
        .map(|mistake| {
            let help = mistake.help.as_ref().map(|help| format!(" ({help})")).unwrap_or_default();
            format!("{}: {}{help}", &text[mistake.span.clone()], mistake.message)
        })
        .collect();
    assert_eq!(told, expected);
}

fn check_zone(members: &str, expected: &[&str]) {
    check(&format!("<zone id=\"w\" routing=\"Full\">{members}</zone>"), expected);
}

#[test]
fn all_mistakes_are_told_at_once() {
    check_zone(
        r#"<host id="a" speed="fast"/><host speed="1Gf"/><host id="c" speed="1Gf" cores="2"/>
           <link id="l" bandwidth="0" latency="-1s"/>"#,
        &[
            "fast: `fast` is not a speed: expected a number and f (flop/s) with a prefix k, M, G, T, P or E, like `9.8Gf`",
            "<host: <host> lacks `id`",
            "cores: <host> has no attribute `cores` (did you mean `core`?)",
            "0: a bandwidth must be positive",
            "-1s: `-1s` is negative: expected a number and one of ps, ns, us, ms, s, m, h, d, w, like `15us`",
        ],
    );
}

#[test]
fn text_that_is_no_xml() {
    check_text(
        r#"<platform version="4.1"><zone id="a""#,
        &[": this is not well-formed XML: the root node was opened but never closed"],
    );
}

#[test]
fn the_wrong_root() {
    check_text(
        r#"<topology version="4.1"><zone id="w" routing="None"/></topology>"#,
        &["<topology: expected <platform>, found <topology>"],
    );
}

#[test]
fn old_and_odd_versions() {
    check_text(
        r#"<platform version="3"><zone id="w" routing="None"/></platform>"#,
        &[
            "3: version 3 of the format is too old (update the file with SimGrid's simgrid_update_xml)",
        ],
    );
}

#[test]
fn an_empty_platform() {
    check(r#""#, &["<platform: the platform is empty: it has no zone and no cluster"]);
}

#[test]
fn two_outermost_zones() {
    check(
        r#"<zone id="a" routing="None"/><zone id="b" routing="None"/>"#,
        &[
            r#"<zone: a platform has one outermost zone; this is a second one (put both into one <zone id="world" routing="Full">)"#,
        ],
    );
}

#[test]
fn misplaced_and_unknown_elements() {
    check(
        r#"<host id="h" speed="1Gf"/><zone id="w" routing="Full"><hots id="h"/><include file="x.xml"/><storage id="s"/></zone>"#,
        &[
            r#"<host: <host> must be inside a zone (put it into a <zone id="world" routing="Full">)"#,
            "<hots: <hots> is not allowed in <zone> (did you mean `host`?)",
            "<include: <include> is not supported (SimGrid dropped it in 3.18; paste the contents of the file here)",
            "<storage: <storage> is not supported (SimGrid dropped it in 3.27; use <disk> inside a <host>)",
        ],
    );
}

#[test]
fn an_unknown_routing() {
    check(
        r#"<zone id="w" routing="Dijkstar"><zone id="x" routing="Wifi"/></zone>"#,
        &[
            "Dijkstar: `Dijkstar` is no way of routing (did you mean `Dijkstra`?)",
            "Wifi: wireless zones are not modelled",
        ],
    );
}

#[test]
fn routes_to_nowhere() {
    check_zone(
        r#"<host id="alpha" speed="1Gf"/><host id="beta" speed="1Gf"/><link id="lane" bandwidth="1GBps"/><route src="alpha" dst="bata"><link_ctn id="lame"/></route>"#,
        &[
            "bata: there is no host, router or zone `bata` (did you mean `beta`?)",
            "lame: there is no link `lame` (did you mean `lane`?)",
        ],
    );
}

#[test]
fn a_split_link_without_a_direction() {
    check_zone(
        r#"<host id="a" speed="1Gf"/><host id="b" speed="1Gf"/><link id="s" bandwidth="1GBps" sharing_policy="SPLITDUPLEX"/><link id="p" bandwidth="1GBps"/><route src="a" dst="b"><link_ctn id="s"/><link_ctn id="p" direction="UP"/><link_ctn id="p" direction="LEFT"/></route>"#,
        &[
            r#"s: link `s` is split-duplex: say which half (add direction="UP" or direction="DOWN")"#,
            r#"p: link `p` is not split-duplex and has no direction (declare it with sharing_policy="SPLITDUPLEX", or leave out the direction)"#,
            "LEFT: `LEFT` is no value of `direction` (expected one of UP, DOWN, NONE)",
        ],
    );
}

#[test]
fn the_same_route_twice() {
    check_zone(
        r#"<host id="a" speed="1Gf"/><host id="b" speed="1Gf"/><link id="l" bandwidth="1GBps"/><route src="a" dst="b"><link_ctn id="l"/></route><route src="b" dst="a"><link_ctn id="l"/></route><route src="a" dst="a"/>"#,
        &[
            r#"<route: there is already a route from `b` to `a` (routes are symmetrical unless they say symmetrical="NO")"#,
            r#"<route: <route> crosses no link (add <link_ctn id="…"/>)"#,
        ],
    );
}

#[test]
fn names_used_twice() {
    check_zone(
        r#"<host id="a" speed="1Gf"/><router id="a"/><link id="l" bandwidth="1GBps"/><link id="l" bandwidth="1GBps"/><cluster id="c" prefix="n" suffix="" radical="0-9,5" speed="1Gf" bw="1GBps" lat="1us"/><cluster id="d" prefix="n" suffix="" radical="9-12" speed="1Gf" bw="1GBps" lat="1us"/>"#,
        &[
            "a: router `a`: this name is already in use",
            "l: link `l` is declared twice",
            "0-9,5: node number 5 is named twice",
            "9-12: host `n9` is also in an earlier cluster",
        ],
    );
}

#[test]
fn a_gateway_of_another_zone() {
    check_zone(
        r#"<zone id="a" routing="Full"><host id="x" speed="1Gf"/></zone><zone id="b" routing="Full"><host id="y" speed="1Gf"/></zone><link id="l" bandwidth="1GBps"/><zoneRoute src="a" dst="b" gw_src="y" gw_dst="b"><link_ctn id="l"/></zoneRoute><route src="a" dst="b"><link_ctn id="l"/></route>"#,
        &[
            "y: gateway `y` is in zone `b`, not in `a`",
            "b: `b` is a zone; a host or router is needed",
            "a: `a` is a zone (a route between zones is a <zoneRoute> with gw_src and gw_dst)",
        ],
    );
}

#[test]
fn a_route_from_inside_another_zone() {
    check_zone(
        r#"<zone id="a" routing="Full"><host id="x" speed="1Gf"/></zone><host id="y" speed="1Gf"/><link id="l" bandwidth="1GBps"/><route src="x" dst="y"><link_ctn id="l"/></route>"#,
        &["x: `x` is in zone `a`, not in this one"],
    );
}

#[test]
fn bad_radicals() {
    check_zone(
        r#"<cluster id="c0" prefix="0-" suffix="" radical="5-3" speed="1Gf" bw="1GBps" lat="1us"/><cluster id="c1" prefix="1-" suffix="" radical="a-b" speed="1Gf" bw="1GBps" lat="1us"/><cluster id="c2" prefix="2-" suffix="" radical="1-2-3" speed="1Gf" bw="1GBps" lat="1us"/><cluster id="c3" prefix="3-" suffix="" radical="" speed="1Gf" bw="1GBps" lat="1us"/>"#,
        &[
            r#"5-3: the range `5-3` is empty (expected numbers and ranges such as "0-15,20")"#,
            r#"a-b: `a` is no number in a radical (expected numbers and ranges such as "0-15,20")"#,
            r#"1-2-3: `2-3` is no number in a radical (expected numbers and ranges such as "0-15,20")"#,
            r#": `` is no number in a radical (expected numbers and ranges such as "0-15,20")"#,
        ],
    );
}

#[test]
fn bad_topologies() {
    check_zone(
        r#"<cluster id="c0" prefix="0-" suffix="" radical="0-7" speed="1Gf" bw="1GBps" lat="1us" topology="TORUS" topo_parameters="4,x"/><cluster id="c1" prefix="1-" suffix="" radical="0-7" speed="1Gf" bw="1GBps" lat="1us" topology="TORUS" topo_parameters="4,0"/><cluster id="c2" prefix="2-" suffix="" radical="0-7" speed="1Gf" bw="1GBps" lat="1us" topology="TORUS" topo_parameters="4,4"/><cluster id="c3" prefix="3-" suffix="" radical="0-7" speed="1Gf" bw="1GBps" lat="1us" topology="FAT_TREE" topo_parameters="2;4,4;1,2"/><cluster id="c4" prefix="4-" suffix="" radical="0-7" speed="1Gf" bw="1GBps" lat="1us" topology="FAT_TREE" topo_parameters="2;4,2;1;1,1"/><cluster id="c5" prefix="5-" suffix="" radical="0-7" speed="1Gf" bw="1GBps" lat="1us" topology="FAT_TREE" topo_parameters="2;4,2;1,0;1,1"/><cluster id="c6" prefix="6-" suffix="" radical="0-7" speed="1Gf" bw="1GBps" lat="1us" topology="DRAGONFLY" topo_parameters="3,1;1,1;2,1;1"/><cluster id="c7" prefix="7-" suffix="" radical="0-7" speed="1Gf" bw="1GBps" lat="1us" topology="DRAGONFLY" topo_parameters="3;1,1;2,1;1"/><cluster id="c8" prefix="8-" suffix="" radical="0-7" speed="1Gf" bw="1GBps" lat="1us" topology="HYPERCUBE" topo_parameters="3"/><cluster id="d" prefix="d" suffix="" radical="0-7" speed="1Gf" bw="1GBps" lat="1us" topology="TORUS"/>"#,
        &[
            r#"4,x: `x` is no whole number (expected sizes separated by commas, such as "4,4,4")"#,
            "4,0: a dimension of size 0 holds no node",
            "4,4: the topology has 16 nodes but only 8 are named (the product of the topology's sizes must be the number of nodes)",
            r#"2;4,4;1,2: a fat tree has 4 parts separated by `;`, not 3 (expected levels; children; parents; cables, such as "2;4,4;1,2;1,2")"#,
            r#"2;4,2;1;1,1: the tree has 2 levels but parents for 1 (expected levels; children; parents; cables, such as "2;4,4;1,2;1,2")"#,
            "2;4,2;1,0;1,1: all numbers of a fat tree must be positive",
            "3,1;1,1;2,1;1: a dragonfly has at most as many groups as routers per chassis",
            r#"3;1,1;2,1;1: `3` is no pair of a count and a number of cables (expected groups,cables; chassis,cables; routers,cables; nodes, such as "4,2;2,2;4,1;2")"#,
            "HYPERCUBE: `HYPERCUBE` is no value of `topology` (expected one of FLAT, TORUS, FAT_TREE, DRAGONFLY)",
            r#"3: a flat cluster has no topo_parameters (add topology="TORUS", "FAT_TREE" or "DRAGONFLY")"#,
            r#"<cluster: <cluster> with a topology lacks `topo_parameters` (expected sizes separated by commas, such as "4,4,4")"#,
        ],
    );
}

#[test]
fn wireless_links() {
    check_zone(
        r#"<link id="w" bandwidth="54Mbps" sharing_policy="WIFI"/><link id="x" bandwidth="54Mbps" sharing_policy="SHARD"/>"#,
        &[
            "WIFI: wireless links are not modelled (a wired link has one of SHARED, SPLITDUPLEX, FATPIPE)",
            "SHARD: `SHARD` is no value of `sharing_policy` (did you mean `SHARED`?)",
        ],
    );
}

#[test]
fn pieces_of_a_star_elsewhere() {
    check_zone(
        r#"<host id="h" speed="1Gf"/><link id="l" bandwidth="1GBps"/><host_link id="h" up="l" down="l"/><backbone id="b" bandwidth="1GBps" latency="0"/><cabinet id="k" prefix="k" suffix="" radical="0-3" speed="1Gf" bw="1GBps" lat="0"/><peer id="p" speed="1Gf" bw_in="1GBps" bw_out="1GBps" coordinates="1 2"/>"#,
        &[
            r#"h: a host_link needs a zone with routing="Cluster""#,
            r#"<backbone: a backbone needs a zone with routing="Cluster" (change the routing of the zone, or make it a <link>)"#,
            r#"0-3: a cabinet needs a zone with routing="Cluster" (use a cluster instead, or change the routing of the zone)"#,
            r#"<peer: a peer needs a zone with routing="Vivaldi" (use a <host> instead)"#,
            r#"1 2: `1 2` are no coordinates (expected three numbers in milliseconds: "x y height")"#,
        ],
    );
}

#[test]
fn a_vivaldi_host_without_coordinates() {
    check(
        r#"<zone id="w" routing="Vivaldi"><host id="h" speed="1Gf"/></zone>"#,
        &[
            r#"h: `h` has no coordinates, which a Vivaldi zone needs (give three numbers in milliseconds: coordinates="x y height")"#,
        ],
    );
}

#[test]
fn bad_profiles() {
    check_zone(
        r#"<host id="h" speed="1Gf"/><trace id="t" periodicity="1">5 1</trace><trace id="u" periodicity="-1">STOCHASTIC</trace><trace id="v" periodicity="x">1 1</trace><trace_connect kind="SPEED" trace="w" element="h"/><trace_connect kind="SPEEED" trace="v" element="g"/>"#,
        &[
            "<trace: bad profile: the period of 1 s ends before the last date, 5 s",
            "<trace: bad profile: line 1: stochastic profiles are not modelled",
            "x: `x` is no number of seconds",
            "w: there is no trace `w` (expected one of v)",
            "SPEEED: `SPEEED` is no value of `kind` (did you mean `SPEED`?)",
            "g: there is no host `g`",
        ],
    );
}

#[test]
fn bad_options() {
    check(
        r#"<config><prop id="network/model" value="TCP"/><prop id="smpi/os" value="a:b"/><prop id="x"/></config><zone id="w" routing="None"/>"#,
        &[
            "TCP: option `network/model`: `TCP` is no network model; expected SMPI, LV08, CM02 or Constant",
            "a:b: option `smpi/os`: `a` is no size in bytes",
            "<prop: <prop> lacks `value`",
        ],
    );
}

#[test]
fn bad_hosts() {
    check_zone(
        r#"<host id="" speed="1Gf"/><host id="b" speed="1Gf,,2Gf" core="0" pstate="7"/><host id="c" speed="1Gf"><prop id="smpi/or" value="0:-1"/></host>"#,
        &[
            ": the name is empty",
            ": a speed is missing: expected a number and f (flop/s) with a prefix k, M, G, T, P or E, like `9.8Gf`",
            "0: `0` is no number of cores (expected a whole number from 1 on)",
            "7: `7` is no pstate of this host (it has 3 speeds, so pstates 0 to 2)",
            "c: property `smpi/or` of this host: `-1` is negative: expected a number and one of ps, ns, us, ms, s, m, h, d, w, like `15us`",
        ],
    );
}

#[test]
fn half_a_backbone_or_loopback() {
    check(
        r#"<cluster id="c" prefix="n" suffix="" radical="0-3" speed="1Gf" bw="1GBps" lat="1us" bb_lat="1us" loopback_lat="1us" state_file="x"/>"#,
        &[
            "1us: a backbone with a latency needs a bandwidth (add bb_bw, or remove bb_lat)",
            "1us: a loopback with a latency needs a bandwidth (add loopback_bw)",
            "x: a cluster has no `state_file` (give a <trace> and connect it to single hosts by <trace_connect>)",
        ],
    );
}
