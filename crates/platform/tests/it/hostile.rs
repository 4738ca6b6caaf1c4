//! Files made to break the reader end in a message, quickly and without much memory.

use foretell_platform::simgrid_xml;

fn messages(body: &str) -> Vec<String> {
    let text = format!("<platform version=\"4.1\">{body}</platform>");
    match simgrid_xml::read(&text, None) {
        Ok(_) => Vec::new(),
        Err(mistakes) => mistakes.into_iter().map(|mistake| mistake.message).collect(),
    }
}

fn cluster(radical: &str, shape: &str) -> Vec<String> {
    messages(&format!(
        r#"<cluster id="c" prefix="n" suffix="" radical="{radical}" speed="1Gf" bw="1GBps" lat="1us"
           {shape}/>"#
    ))
}

#[test]
fn too_many_nodes_are_refused() {
    assert_eq!(
        cluster("0-4000000000", ""),
        ["4000000001 nodes are more than the 268435456 allowed"]
    );
    assert_eq!(cluster("0-99999999999", ""), ["`99999999999` is no number in a radical"]);
    assert_eq!(cluster("0-4294967295", ""), ["`4294967295` is too large a number for a radical"]);
}

#[test]
fn too_many_links_are_refused() {
    let mut body = String::from("<zone id=\"w\" routing=\"Full\">");
    for i in 0..9 {
        body += &format!(
            r#"<cluster id="c{i}" prefix="n{i}-" suffix="" radical="0-29000000" speed="1Gf"
                bw="1GBps" lat="1us" topology="TORUS" topo_parameters="29000001,1,1,1,1,1,1,1,1,1"
                limiter_link="1GBps" loopback_bw="1GBps"/>"#
        );
    }
    let found = messages(&(body + "</zone>"));
    assert_eq!(found, ["5742000199 links are more than can be numbered"]);
}

#[test]
fn huge_shapes_are_refused() {
    let torus = r#"topology="TORUS" topo_parameters="65536,65536,65536""#;
    assert_eq!(cluster("0-9", torus), ["the grid has more links than can be numbered"]);
    let tree = r#"topology="FAT_TREE" topo_parameters="2;99999,99999;9,9;9,9""#;
    assert_eq!(cluster("0-9", tree), ["the fat tree has more links than can be numbered"]);
    let fly = r#"topology="DRAGONFLY" topo_parameters="9999,1;9999,1;9999,1;9999""#;
    assert_eq!(cluster("0-9", fly), ["the dragonfly has more links than can be numbered"]);
    let many = format!(r#"topology="TORUS" topo_parameters="{}""#, vec!["1"; 5000].join(","));
    assert_eq!(cluster("0-9", &many), ["a grid has at most 32 dimensions"]);
}

#[test]
fn deep_nesting_is_refused() {
    let open = |depth: usize| -> String {
        (0..depth).map(|i| format!("<zone id=\"z{i}\" routing=\"Full\">")).collect()
    };
    let body = open(2000) + &"</zone>".repeat(2000);
    assert_eq!(messages(&body), ["zones are nested more than 64 deep"]);
    let body = open(60) + "<host id=\"h\" speed=\"1Gf\"/>" + &"</zone>".repeat(60);
    assert_eq!(messages(&body), [""; 0]);
}

#[test]
fn entities_do_not_multiply() {
    let text = r#"<!DOCTYPE platform [
        <!ENTITY a "aaaaaaaaaaaaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
        <!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;"><!ENTITY d "&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;">
        <!ENTITY e "&d;&d;&d;&d;&d;&d;&d;&d;&d;&d;"><!ENTITY f "&e;&e;&e;&e;&e;&e;&e;&e;&e;&e;">
        ]><platform version="4.1"><zone id="&f;" routing="Full"/></platform>"#;
    let mistakes = simgrid_xml::read(text, None).unwrap_err();
    assert!(mistakes[0].message.starts_with("this is not well-formed XML"));
}

#[test]
fn profile_files_are_not_opened_without_a_directory() {
    let body = r#"<zone id="w" routing="Full">
        <host id="h" speed="1Gf" speed_file="/etc/passwd"/></zone>"#;
    assert_eq!(messages(body), ["profile file `/etc/passwd` cannot be looked for"]);
}
