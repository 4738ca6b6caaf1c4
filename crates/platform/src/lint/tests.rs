//! What is told of odd files, with the place each finding points at.

use foretell_diagnostics::Source;

use super::lint;
use crate::{PRESETS, simgrid_xml, toml_format};

/// Each finding as the text it points at and its message.
fn findings(name: &str, text: &str) -> Vec<(String, String)> {
    let platform = match name.ends_with(".xml") {
        true => simgrid_xml::read(text, None),
        false => toml_format::read(text),
    };
    let platform = platform.unwrap_or_else(|mistakes| panic!("{mistakes:#?}"));
    let found = lint(&Source::new(name, text), &platform);
    found.into_iter().map(|finding| (text[finding.span].to_owned(), finding.message)).collect()
}

fn check(lines: &str, place: &str, message: &str) {
    let mut text =
        "[nodes]\ncount = 4\nspeed = '10Gf'\n[network]\nbandwidth = '10Gbps'\nlatency = '1us'\n"
            .to_owned();
    for line in lines.lines() {
        let key = line.split(" =").next().unwrap();
        match text.lines().find(|old| old.starts_with(&format!("{key} ="))).map(str::to_owned) {
            Some(old) => text = text.replace(&old, line),
            None => text += &format!("{line}\n"),
        }
    }
    assert_eq!(findings("a.toml", &text), [(place.to_owned(), message.to_owned())], "{text}");
}

#[test]
fn presets_give_no_cause_for_complaint() {
    for preset in PRESETS {
        assert_eq!(findings("a.toml", preset.text), [], "{}", preset.name);
    }
}

#[test]
fn bare_numbers_are_told() {
    check("latency = 1e-5", "1e-5", "`latency` has no unit: 1e-5 is taken as 10 us");
    check(
        "bandwidth = '1.25e9'",
        "'1.25e9'",
        "`bandwidth` has no unit: 1.25e9 is taken as 1.25 GB/s",
    );
    check("speed = 1e10", "1e10", "`speed` has no unit: 1e10 is taken as 10 Gflop/s");
}

#[test]
fn units_that_are_off_are_told() {
    check("latency = '15s'", "'15s'", "a latency of 15 s is longer than any network's");
    check("latency = '15ms'", "'15ms'", "a latency of 15 ms is long for a link of 1.25 GB/s");
    check("latency = '15ps'", "'15ps'", "a latency of 15 ps is below the timing precision of 1 ns");
    check(
        "bandwidth = '10kbps'",
        "'10kbps'",
        "a bandwidth of 1.25 kB/s is below that of any cluster",
    );
    check("bandwidth = '99TBps'", "'99TBps'", "a bandwidth of 99 TB/s is above that of any link");
    check("bandwidth = '100GBps'", "'100GBps'", "100 GB/s is 800 Gb/s");
    check("speed = '10f'", "'10f'", "a speed of 10 flop/s is below that of any core");
    check(
        "loopback = { bandwidth = '40Gbps' }",
        "'40Gbps'",
        "`bandwidth` is given in bits; memory is usually counted in bytes",
    );
}

#[test]
fn limiters_below_their_link_are_told() {
    check("limiter = '0.5x'", "'0.5x'", "the limiter of 625 MB/s is below its link of 1.25 GB/s");
}

#[test]
fn tables_that_make_little_sense_are_told() {
    check(
        "[messages]\nbandwidth_factor = [[0, 0.9], [10, 2.5]]",
        "[[0, 0.9], [10, 2.5]]",
        "from 10 bytes on, messages get 2.5 times the bandwidth",
    );
    check(
        "[messages]\neager_limit = '128KiB'",
        "'128KiB'",
        "the eager limit of 128 KiB is above the rendezvous limit of 64 KiB",
    );
    check(
        "[messages.between]\nsend = []",
        "[messages.between]",
        "[messages.between] has no effect: all nodes are in one group",
    );
}

#[test]
fn nodes_and_links_left_alone_are_told() {
    let node = |name: &str| format!("[[node]]\nname = '{name}'\nspeed = '1Gf'\n");
    let edge = "[[edge]]\nbetween = ['a', 'b']\nbandwidth = '1Gbps'\nlatency = '1us'\n";
    let link = "[[link]]\nname = 'spare'\nbandwidth = '1Gbps'\nlatency = '1us'\n";
    let text = format!("{}{}{}{edge}{link}", node("a"), node("b"), node("c"));
    assert_eq!(
        findings("a.toml", &text),
        [
            ("'c'".to_owned(), "node `c` reaches no other node".to_owned()),
            ("'spare'".to_owned(), "no route crosses link `spare`".to_owned()),
        ]
    );
}

#[test]
fn simgrid_files_are_looked_at_too() {
    let text = r#"<platform version="4.1"><zone id="z" routing="Full">
        <host id="a" speed="1Gf"/><host id="b" speed="1Gf"/>
        <link id="l" bandwidth="125000000" latency="1us"/>
        <route src="a" dst="b"><link_ctn id="l"/></route>
        </zone></platform>"#;
    assert_eq!(
        findings("a.xml", text),
        [
            ("<link".to_owned(), "link `l` leaves its sharing policy to the default".to_owned()),
            (
                "125000000".to_owned(),
                "`bandwidth` has no unit: 125000000 is taken as 125 MB/s".to_owned()
            ),
        ]
    );
}
