//! Large machines stay small.

use std::fs;

use foretell_platform::{HostId, LinkId, Platform, Route, simgrid_xml};

fn cluster(nodes: u32, shape: &str) -> Platform {
    let text = format!(
        r#"<platform version="4.1">
           <cluster id="c" prefix="n" suffix="" radical="0-{}" speed="10Gf"
                    bw="125MBps" lat="25us" {shape}/></platform>"#,
        nodes - 1
    );
    simgrid_xml::read(&text, None).unwrap()
}

/// Resident kilobytes, where the system tells.
fn resident() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

#[test]
fn a_million_nodes_cost_a_few_numbers() {
    let before = resident();
    let star = cluster(1 << 20, "");
    let tree =
        cluster(1 << 16, r#"topology="FAT_TREE" topo_parameters="3;64,32,32;1,32,16;1,1,1""#);
    if let (Some(before), Some(after)) = (before, resident()) {
        assert!(after.saturating_sub(before) < 20_000, "{before} kB became {after} kB");
    }
    assert_eq!(star.host_count(), 1 << 20);
    assert_eq!(star.link_count(), (2 << 20) + 1);
    assert_eq!(star.find_host("n1048575"), Some(HostId(1_048_575)));
    assert_eq!(tree.host_name(HostId(65_535)), "n65535");
}

#[test]
fn a_warm_route_is_filled_in_place() {
    let torus = cluster(1 << 16, r#"topology="TORUS" topo_parameters="64,32,32""#);
    let mut route = Route::default();
    torus.route(HostId(0), HostId(32 + 64 * 16 + 64 * 32 * 16), &mut route).unwrap();
    assert_eq!(route.links.len(), 64);
    let (place, room) = (route.links.as_ptr(), route.links.capacity());
    for to in (1..1 << 16).step_by(97) {
        torus.route(HostId(to / 2), HostId(to), &mut route).unwrap();
        assert_eq!((route.links.as_ptr(), route.links.capacity()), (place, room));
        let sum: f64 = route.links.iter().map(|link| torus.link(*link).latency).sum();
        assert!((route.latency - sum).abs() < 1e-12);
    }
}

#[test]
fn the_loopback_of_the_platform_is_the_last_link() {
    let star = cluster(4, "");
    let last = LinkId(star.link_count() as u32 - 1);
    assert_eq!(star.link_name(last), "__loopback__");
    assert_eq!(star.link(last), star.network().loopback);
}
