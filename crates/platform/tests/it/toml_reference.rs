//! The examples of the reference page of the format are platform files.

use std::path::Path;

use foretell_diagnostics::{Source, render};
use foretell_platform::{lint, toml_format, write_toml};

const CLUSTER: &str = "\
[nodes]
count = 64
speed = \"10Gf\"
[network]
bandwidth = \"10Gbps\"
latency = \"2.5us\"
";

#[test]
fn the_examples_of_the_reference_page_are_read() {
    let page =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src/reference/platform-format.md");
    let page = std::fs::read_to_string(page).unwrap();
    let mut count = 0;
    let blocks = page.split("\n```").skip(1).step_by(2);
    for block in blocks {
        let (language, body) = block.split_once('\n').unwrap();
        let text = match language {
            "toml" => body.to_owned(),
            // A part of a file, to be added to a small cluster.
            "toml,part" => format!("{CLUSTER}{body}"),
            _ => continue,
        };
        count += 1;
        let source = Source::new("page.toml", text);
        let platform = toml_format::read(&source.text)
            .unwrap_or_else(|mistakes| panic!("{}", render(&source, &mistakes)));
        let warnings = lint(&source, &platform);
        assert!(warnings.is_empty(), "{}", render(&source, &warnings));
        assert!(toml_format::read(&write_toml(&platform)).is_ok());
    }
    assert!(count >= 12, "only {count} examples");
}
