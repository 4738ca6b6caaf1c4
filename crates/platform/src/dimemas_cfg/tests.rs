//! Configurations become machines, and mistakes have places.

use foretell_diagnostics::Severity;
use proptest::prelude::*;

use super::*;

const TEXT: &str = r#"#DIMEMAS_CONFIGURATION
/* two kinds
   of nodes */
"wide area network information" {"", 1, 0, 4, 0.0, 0.0, 1};;
"environment information" {"mare nostrum", 0, "", 3, 250.0, 2, 1};;
"node information" {0, 0, "", 4, 1.0, 1e-6, 1000.0, 1, 1, 0, 8e-6, 1, 1, 0.0};;
"multi node information" {0, 2, "", 2, 2.0, 0.0, 0.0, 0, 0, 0, 4.0e-6, 0, 2, 0.0};;
"mapping information" {"a.dim", 4, [4] {0, 0, 1, 2}};;
"configuration files" {"", "", "", ""};;
"#;

#[test]
fn a_configuration_is_a_machine() {
    let platform = read(TEXT, None).unwrap();
    assert_eq!(platform.host_count(), 3);
    let host = |at| platform.host(crate::HostId(at));
    assert_eq!((host(0).speed(), host(0).cores), (1e9, 4));
    assert_eq!((host(2).speed(), host(2).cores), (2e9, 2));
    let network = platform.network();
    assert_eq!(network.model, ModelKind::Dimemas);
    let figures = &network.dimemas;
    assert_eq!((figures.bandwidth, figures.buses), (250.0 * MEGABYTE, Some(2)));
    let first = figures.node(0);
    assert_eq!((first.latency, first.inputs, first.local_buses), (8e-6, Some(1), Some(1)));
    assert_eq!(first.local_bandwidth, 1000.0 * MEGABYTE);
    let last = figures.node(2);
    assert_eq!((last.latency, last.inputs, last.outputs), (4e-6, None, Some(2)));
    assert_eq!(last.local_bandwidth, AT_ONCE);
    assert_eq!(figures.mapping, DimemasMapping::Listed(vec![0, 0, 1, 2]));
}

#[test]
fn the_file_of_communications_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let named = TEXT.replace(r#"{"", "", "", ""}"#, r#"{"", "", "comms.txt", ""}"#);
    let mistakes = read(&named, Some(folder.path())).unwrap_err();
    assert!(mistakes[0].message.contains("comms.txt"), "{mistakes:?}");
    let path = folder.path().join("comms.txt");
    std::fs::write(&path, "8 LIN 2MAX 0 MAX 0\n").unwrap();
    let platform = read(&named, Some(folder.path())).unwrap();
    let collectives = platform.network().dimemas.collectives.clone().unwrap();
    assert_eq!(collectives.of("alltoall").unwrap().fan_in.growth, DimemasGrowth::Linear);
    assert_eq!(collectives.of("barrier").unwrap().fan_in.growth, DimemasGrowth::Constant);
    std::fs::write(&path, "\n8 LIN 3MAX 0 MAX 0\n").unwrap();
    let mistakes = read(&named, Some(folder.path())).unwrap_err();
    assert!(mistakes[0].message.contains("comms.txt:2: `3MAX` is no size"), "{mistakes:?}");
}

#[test]
fn the_old_form_of_nodes_is_read_too() {
    let text = "\"environment information\" {\"\", 0, \"\", 1, 0, 0, 1};;\n\
                \"node information\" {0, 0, \"\", 8, 1, 2, 1e-6, 9e-6, 0.5, 100.0, 0.0};;\n\
                \"predefined mapping information\" {\"2 TASKS_PER_NODE\"};;";
    let platform = read(text, None).unwrap();
    let figures = &platform.network().dimemas;
    let node = figures.node(0);
    assert_eq!((node.latency, node.local_latency, node.outputs), (9e-6, 1e-6, Some(2)));
    assert_eq!(platform.host(crate::HostId(0)).speed(), 0.5e9);
    assert_eq!((figures.buses, &figures.mapping), (None, &DimemasMapping::PerNode(2)));
}

#[test]
fn mistakes_have_places() {
    let check = |text: &str, place: &str, words: &str| {
        let mistakes = read(text, None).unwrap_err();
        let found = mistakes.iter().find(|mistake| mistake.severity == Severity::Error).unwrap();
        assert!(found.message.contains(words), "{}", found.message);
        assert_eq!(&text[found.span.clone()], place);
    };
    check("", "", "no \"environment information\"");
    check("\"a\" {1 2}", "2", "`,` or `}`");
    check("\"a\" {fast}", "f", "a number");
    check("\"environment information\" {\"\", 0, \"\", -1, 0, 0, 1}", "-1", "number of nodes");
    let text = "\"environment information\" {\"\", 0, \"\", 2, 0, 0, 7}";
    check(text, text, "no model 7 of collectives");
    let text = "\"environment information\" {\"\", 0, \"\", 2, 0, 0, 1}";
    check(text, text, "of node 0");
    let node = "\"node information\" {0, 5, \"\", 4, 1.0, 0, 0, 1, 1, 0, 8e-6, 1, 1, 0.0}";
    check(&format!("{text}{node}"), node, "the machine has 2 nodes");
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(text in "(\"(environment|node|multi node|mapping) information\"|[{},;\\[\\]\"/*]|[0-9.e-]{1,4}|é| ){0,30}") {
        let _ = read(&text, None);
    }
}
