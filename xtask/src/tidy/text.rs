//! What must not stand in a file, line by line, and what must.

use std::path::Path;

use super::Finding;

/// Marks of unfinished work, written apart so that this file does not hold them.
const UNFINISHED: &[&str] = &[
    concat!("FIX", "ME"),
    concat!("to", "do!("),
    concat!("unimple", "mented!("),
    concat!("X", "XX"),
    concat!("HA", "CK"),
];

/// Files whose text is not ours to change.
fn is_verbatim(file: &str) -> bool {
    file.ends_with(".lock") || file.ends_with(".snap") || file.starts_with("LICENSE")
}

/// Paths that exist on one machine only: homes, and where this very tree lies.
pub(super) fn machine_paths(root: &Path) -> Vec<String> {
    let mut paths: Vec<String> =
        [concat!("/ho", "me/"), concat!("/ro", "ot/"), concat!("/Us", "ers/")]
            .map(String::from)
            .into();
    paths.push(root.display().to_string());
    if let Some(parent) = root.parent().filter(|parent| parent.components().count() == 2) {
        // `/src/project` would make `/src/` suspicious, but `/tmp/project` must not do so to `/tmp`.
        if !std::env::temp_dir().starts_with(parent) {
            paths.push(format!("{}/", parent.display()));
        }
    }
    paths
}

/// Checks one text file.
pub(super) fn check(file: &str, text: &str, machine_paths: &[String]) -> Vec<Finding> {
    if is_verbatim(file) {
        return Vec::new();
    }
    let mut findings = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let mut found = |message: String| findings.push(Finding::new(file, number, message));
        if line.ends_with([' ', '\t', '\r']) {
            found("white space at the end of the line; remove it".into());
        }
        for path in machine_paths.iter().filter(|path| holds_path(line, path)) {
            found(format!("`{path}` exists on one machine only; use a relative path"));
        }
        if is_source(file) {
            for mark in UNFINISHED.iter().filter(|mark| line.contains(**mark)) {
                found(format!("`{mark}`: finish it, or move the thought to ROADMAP.md"));
            }
        }
        if file.ends_with(".rs") && line.trim_start().starts_with("#[ignore]") {
            found("a test is switched off without a reason; write #[ignore = \"why\"]".into());
        }
    }
    if !text.is_empty() && !text.ends_with('\n') {
        findings.push(Finding::new(file, text.lines().count(), "end the last line with a newline"));
    }
    if file.ends_with(".rs") {
        findings.extend(header(file, text));
    }
    findings
}

fn is_source(file: &str) -> bool {
    [".rs", ".md", ".c", ".h", ".toml", ".sh"].iter().any(|end| file.ends_with(end))
}

/// Whether the path stands in the line as a path of its own, not as the tail of a longer one.
fn holds_path(line: &str, path: &str) -> bool {
    line.match_indices(path).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        before.is_none_or(|c| !c.is_alphanumeric() && !"/.-_~".contains(c))
    })
}

/// Rooms that touch memory, stacks and file numbers of other programs; elsewhere nothing is unsafe.
const UNSAFE_ROOMS: [&str; 6] = ["blas", "images", "launch", "libmpi", "near", "ranks"];

/// A source file starts by saying what it is; a crate root forbids unsafe code as well.
fn header(file: &str, text: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    let first = text.lines().find(|line| !line.is_empty() && !line.starts_with("#!["));
    if !first.is_some_and(|line| line.starts_with("//!")) {
        findings.push(Finding::new(
            file,
            1,
            "start with a `//!` sentence that says what is in here",
        ));
    }
    let root = ["src/lib.rs", "src/main.rs"].iter().any(|end| file.ends_with(end));
    let may_be_unsafe =
        UNSAFE_ROOMS.iter().any(|room| file.starts_with(&format!("crates/{room}/")));
    if root && !may_be_unsafe && !text.lines().any(|line| line == "#![forbid(unsafe_code)]") {
        findings.push(Finding::new(file, 1, "add #![forbid(unsafe_code)]"));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_one(file: &str, text: &str, expected: &[&str]) {
        let found = check(file, text, &machine_paths(Path::new("/nowhere/tree")));
        assert_eq!(found.len(), expected.len(), "{found:?}");
        for (finding, expected) in found.iter().zip(expected) {
            assert!(finding.to_string().contains(expected), "{finding} lacks {expected}");
        }
    }

    #[test]
    fn a_good_file_has_no_findings() {
        check_one("a/src/part.rs", "//! Says what it is.\n\nfn f() {}\n", &[]);
        check_one("README.md", "# Title\n\nSee `examples/platforms/star.xml`.\n", &[]);
    }

    #[test]
    fn white_space_at_line_ends_is_found() {
        check_one("a.md", "one\ntwo \n", &["a.md:2: white space"]);
    }

    #[test]
    fn unfinished_marks_are_found_in_sources_only() {
        let mark = UNFINISHED[0];
        check_one("a.md", &format!("{mark} later\n"), &["finish it"]);
        check_one("a.xml", &format!("{mark} later\n"), &[]);
    }

    #[test]
    fn paths_of_one_machine_are_found() {
        check_one("a.md", "see /nowhere/tree/x\n", &["/nowhere/tree", "/nowhere/"]);
        check_one("a.md", "see ../nowhere/tree/x\n", &[]);
    }

    #[test]
    fn a_file_without_a_header_is_found() {
        check_one("a/src/part.rs", "use std::fmt;\n", &["say"]);
        check_one("a/src/lib.rs", "//! Docs.\n", &["forbid"]);
        check_one("a/src/lib.rs", "//! Docs.\n\n#![forbid(unsafe_code)]\n", &[]);
        check_one("crates/ranks/src/lib.rs", "//! Docs.\n", &[]);
    }

    #[test]
    fn a_missing_last_newline_is_found() {
        check_one("a.toml", "x = 1", &["newline"]);
    }

    #[test]
    fn an_ignored_test_needs_its_reason() {
        check_one("a/src/part.rs", "//! Docs.\n#[ignore]\n", &["without a reason"]);
        check_one("a/src/part.rs", "//! Docs.\n#[ignore = \"slow\"]\n", &[]);
    }
}
