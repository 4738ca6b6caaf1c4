//! Damaged TOML files: whatever comes out, it is a machine that can be shown and written, or a
//! list of mistakes.

use foretell_diagnostics::{Source, render};
use foretell_platform::{PRESETS, describe, lint, svg, toml_format, write_toml, write_xml};
use proptest::prelude::*;

/// One way to spoil a line.
#[derive(Debug, Clone)]
enum Damage {
    Drop,
    Repeat,
    /// The value becomes another.
    Value(&'static str),
    /// Another line goes before it.
    Insert(&'static str),
}

const VALUES: [&str; 16] = [
    "0",
    "-1",
    "1",
    "3",
    "67108864",
    "4294967295",
    "1e308",
    "nan",
    "true",
    "\"\"",
    "\"1.5x\"",
    "\"1us\"",
    "\"10Gbps\"",
    "[]",
    "[2, 3]",
    "{ bandwidth = \"1Gbps\" }",
];

const LINES: [&str; 16] = [
    "[nodes]",
    "[network]",
    "topology = \"torus\"",
    "dims = [4, 4, 4, 4, 4, 4, 4, 4, 4]",
    "topology = \"fat-tree\"",
    "down = [64, 64, 64]",
    "up = [1, 64, 64]",
    "cables = [9, 9999, 99999]",
    "group_size = 1",
    "limiter = \"0.1x\"",
    "[messages.between]",
    "[[override]]",
    "nodes = [\"node-1\", \"graphene-3\"]",
    "speed = [\"1Gf\", \"2Gf\"]",
    "[[zone]]",
    "backbone = { bandwidth = 1, latency = 3 }",
];

fn damage() -> impl Strategy<Value = Damage> {
    prop_oneof![
        Just(Damage::Drop),
        Just(Damage::Repeat),
        prop::sample::select(&VALUES[..]).prop_map(Damage::Value),
        prop::sample::select(&LINES[..]).prop_map(Damage::Insert),
    ]
}

fn spoil(text: &str, damages: &[(prop::sample::Index, Damage)]) -> String {
    let mut lines: Vec<String> =
        text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect();
    for (index, damage) in damages {
        let at = index.index(lines.len());
        match damage {
            Damage::Drop => drop(lines.remove(at)),
            Damage::Repeat => lines.insert(at, lines[at].clone()),
            Damage::Insert(line) => lines.insert(at, (*line).to_owned()),
            Damage::Value(value) => {
                if let Some((key, _)) = lines[at].split_once('=') {
                    lines[at] = format!("{key}= {value}");
                }
            }
        }
        lines.push(String::new());
    }
    lines.join("\n")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn damaged_presets_are_machines_or_mistakes(
        preset in prop::sample::select(&PRESETS[..]),
        damages in prop::collection::vec((any::<prop::sample::Index>(), damage()), 1..4),
    ) {
        let text = spoil(preset.text, &damages);
        let source = Source::new("a.toml", text.as_str());
        match toml_format::read(&text) {
            Ok(platform) => {
                render(&source, &lint(&source, &platform));
                describe(&platform);
                svg(&platform);
                write_xml(&platform);
                let again = toml_format::read(&write_toml(&platform));
                let again = again.map_err(|mistakes| {
                    let written = Source::new("written", write_toml(&platform));
                    TestCaseError::fail(render(&written, &mistakes))
                })?;
                prop_assert_eq!(platform.host_count(), again.host_count());
                prop_assert_eq!(platform.link_count(), again.link_count());
                prop_assert_eq!(platform.network(), again.network());
            }
            Err(mistakes) => {
                prop_assert!(!mistakes.is_empty());
                for mistake in &mistakes {
                    prop_assert!(text.get(mistake.span.clone()).is_some(), "{:?}", mistake);
                }
                render(&source, &mistakes);
            }
        }
    }
}
