//! What the elements of a SimGrid file become.

use foretell_platform::*;

fn read(body: &str) -> Platform {
    let text = format!("<platform version=\"4.1\">{body}</platform>");
    match simgrid_xml::read(&text, None) {
        Ok(platform) => platform,
        Err(mistakes) => panic!("{mistakes:?}"),
    }
}

fn zone(members: &str) -> Platform {
    read(&format!("<zone id=\"w\" routing=\"Full\">{members}</zone>"))
}

#[test]
fn a_prolog_with_a_dtd_is_read_over() {
    let text = "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n\
                <platform version=\"4.1\"><zone id=\"w\" routing=\"None\"/></platform>";
    assert_eq!(simgrid_xml::read(text, None).unwrap().host_count(), 0);
}

#[test]
fn hosts_have_pstates_cores_properties_and_disks() {
    let platform = zone(
        r#"<host id="h" speed="2Gf,1Gf,500Mf" core="4" pstate="1">
             <disk id="d" read_bw="100MBps" write_bw="50MBps"><prop id="size" value="1TB"/></disk>
             <prop id="wattage_per_state" value="95:120:200"/></host>"#,
    );
    let host = platform.host(HostId(0));
    assert_eq!(host.speeds, [2e9, 1e9, 5e8]);
    assert_eq!((host.pstate, host.cores, host.speed()), (1, 4, 1e9));
    assert_eq!(host.property("wattage_per_state"), Some("95:120:200"));
    assert_eq!(host.property("disk/d/read_bw"), Some("100MBps"));
    assert_eq!(host.property("disk/d/size"), Some("1TB"));
    let disk = Disk { read: 1e8, write: 5e7, latency: 0.0 };
    assert_eq!(host.disk, Some(disk));
    let storage = platform.storage_of(HostId(0));
    assert_eq!(storage, Some(Storage { disk, owner: Some(HostId(0)) }));
}

#[test]
fn numbers_without_units_are_in_base_units() {
    let platform = zone(r#"<link id="l" bandwidth="1.25E8" latency="1e-5"/>"#);
    let link = platform.link(LinkId(0));
    assert_eq!((link.bandwidth, link.latency, link.policy), (1.25e8, 1e-5, Policy::Shared));
}

#[test]
fn split_duplex_links_are_two() {
    let platform = zone(
        r#"<link id="s" bandwidth="1GBps" sharing_policy="SPLITDUPLEX"/>
           <link id="f" bandwidth="1GBps" sharing_policy="FULLDUPLEX"/>
           <link id="p" bandwidth="1GBps" sharing_policy="FATPIPE"/>"#,
    );
    let names: Vec<_> = (0..5).map(|i| platform.link_name(LinkId(i))).collect();
    assert_eq!(names, ["s_UP", "s_DOWN", "f_UP", "f_DOWN", "p"]);
    assert_eq!(platform.link(LinkId(4)).policy, Policy::FatPipe);
}

#[test]
fn hosts_are_numbered_in_file_order() {
    let platform = zone(
        r#"<cluster id="c" prefix="c" suffix="" radical="5-6,1" speed="1Gf" bw="1" lat="0"/>
           <zone id="z" routing="Full"><host id="b" speed="1Gf"/><host id="a" speed="1Gf"/></zone>
           <cluster id="d" prefix="d" suffix="" radical="3" speed="1Gf" bw="1" lat="0"/>"#,
    );
    let names: Vec<_> = platform.hosts().map(|host| platform.host_name(host)).collect();
    assert_eq!(names, ["c5", "c6", "c1", "b", "a", "d3"]);
    let groups: Vec<_> = platform.hosts().map(|host| platform.host(host).group).collect();
    assert_eq!(groups, [0, 0, 0, 1, 1, 2]);
    assert_eq!(platform.zone_name(HostId(4)), "z");
}

#[test]
fn the_groups_of_a_dragonfly_are_groups() {
    let platform = read(
        r#"<cluster id="c" prefix="n" suffix="" radical="0-15" speed="1Gf" bw="1GBps" lat="1us"
            topology="DRAGONFLY" topo_parameters="2,1;2,1;2,1;2"/>"#,
    );
    assert_eq!(platform.host(HostId(7)).group, 0);
    assert_eq!(platform.host(HostId(8)).group, 1);
}

#[test]
fn options_are_kept_and_those_of_the_network_applied() {
    let platform = read(
        r#"<config><prop id="smpi/or" value="0:1e-6:0"/><prop id="smpi/alltoall" value="ring"/>
             <prop id="network/weight-S" value="7"/><prop id="network/model" value="LV08"/></config>
           <zone id="w" routing="None"/>"#,
    );
    assert_eq!(platform.options().len(), 4);
    assert_eq!(platform.options()[1], ("smpi/alltoall".to_owned(), "ring".to_owned()));
    assert_eq!(platform.option_spans().len(), 4);
    assert_eq!(platform.network().tables.receive.at(1), 1e-6);
    // The model is applied first, so that its defaults do not undo what the file says.
    assert_eq!(platform.network().weight_s, 7.0);
    assert_eq!(platform.network().tables.latency_factor.at(1, 1.0), 13.01);
}

#[test]
fn overheads_of_single_hosts_come_from_their_properties() {
    let platform = zone(
        r#"<cluster id="c" prefix="c" suffix="" radical="0-9" speed="1Gf" bw="1" lat="0"/>
           <cluster id="d" prefix="d" suffix="" radical="0-9" speed="1Gf" bw="1" lat="0">
             <prop id="smpi/os" value="0:5e-6"/></cluster>"#,
    );
    let send = |host| platform.network().send_overhead(Scope::Group, HostId(host), 8);
    assert_eq!([send(9), send(10), send(19)], [0.0, 5e-6, 5e-6]);
}

#[test]
fn profiles_reach_hosts_and_both_halves_of_links() {
    let platform = zone(
        r#"<host id="h" speed="1Gf"/>
           <link id="s" bandwidth="1GBps" sharing_policy="SPLITDUPLEX"/>
           <trace id="t" periodicity="10">0 1
                5 0.5</trace>
           <trace_connect kind="SPEED" trace="t" element="h"/>
           <trace_connect kind="BANDWIDTH" trace="t" element="s"/>"#,
    );
    let targets: Vec<_> = platform.profiles().iter().map(|profile| profile.target).collect();
    assert_eq!(
        targets,
        [
            ProfileTarget::HostSpeed(HostId(0)),
            ProfileTarget::LinkBandwidth(LinkId(0)),
            ProfileTarget::LinkBandwidth(LinkId(1)),
        ]
    );
    assert_eq!(platform.profiles()[0].events, [(0.0, 1.0), (5.0, 0.5)]);
    assert_eq!(platform.profiles()[0].repeat_after, Some(5.0));
}

#[test]
fn old_names_of_elements_still_work() {
    let platform = read(
        r#"<AS id="w" routing="Full">
             <AS id="a" routing="None"><host id="x" speed="1Gf"/></AS>
             <AS id="b" routing="None"><host id="y" speed="1Gf"/></AS>
             <link id="l" bandwidth="1GBps" latency="1us"/>
             <ASroute src="a" dst="b" gw_src="x" gw_dst="y"><link_ctn id="l"/></ASroute></AS>"#,
    );
    let mut route = Route::default();
    platform.route(HostId(1), HostId(0), &mut route).unwrap();
    assert_eq!(route.links, [LinkId(0)]);
}

#[test]
fn hosts_without_a_route_say_so() {
    let platform = zone(r#"<host id="a" speed="1Gf"/><host id="b" speed="1Gf"/>"#);
    let mut route = Route::default();
    let missing = platform.route(HostId(0), HostId(1), &mut route).unwrap_err();
    assert_eq!((missing.from, missing.to), (HostId(0), HostId(1)));
    platform.route(HostId(1), HostId(1), &mut route).unwrap();
    assert_eq!(route.links, [platform.loopback()]);
}

#[test]
fn what_simgrid_ignores_is_a_warning() {
    let platform = read(
        r#"<cluster id="c" prefix="n" suffix="" radical="0-9" speed="1Gf" bw="1GBps" lat="1us"
            sharing_policy="FATPIPE" topology="TORUS" topo_parameters="4,2" bb_bw="1GBps"/>
           <actor host="n0" function="f"/>"#,
    );
    assert_eq!(platform.host_count(), 8);
    let messages: Vec<_> = platform.warnings().iter().map(|w| w.message.as_str()).collect();
    assert_eq!(
        messages,
        [
            "10 nodes are named but the topology has only 8",
            "SimGrid reads FATPIPE on a cluster as SHARED, and so it is done here",
            "only a flat cluster has a backbone; this one is ignored",
            "actors are not part of a machine; this one is ignored",
        ]
    );
}

#[test]
fn a_host_without_links_in_a_star_reaches_only_itself() {
    let platform = read(
        r#"<zone id="w" routing="Cluster"><host id="a" speed="1Gf"/><host id="b" speed="1Gf"/></zone>"#,
    );
    let mut route = Route::default();
    assert!(platform.route(HostId(0), HostId(1), &mut route).is_err());
    platform.route(HostId(1), HostId(1), &mut route).unwrap();
    assert_eq!(route.links, [platform.loopback()]);
}
