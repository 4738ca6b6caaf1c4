//! The table of rooms: which crate may use which (ARCHITECTURE.md), checked against the manifests.

use std::path::Path;

use anyhow::{Context, Result};

use super::Finding;

/// A crate and the rooms it may name in its manifest, low rooms first.
///
/// What those rooms use themselves is allowed too: a room that may use `models` has `units` in
/// its hands anyway, and naming it directly couples nothing new.
const ROOMS: &[(&str, &[&str])] = &[
    ("units", &[]),
    ("diagnostics", &[]),
    ("stats", &[]),
    ("near", &[]),
    ("kernel", &["units", "near"]),
    ("platform", &["units", "diagnostics"]),
    ("models", &["kernel", "platform", "stats"]),
    ("mpi", &["models"]),
    ("trace", &["units", "diagnostics", "near"]),
    ("replay", &["mpi", "trace"]),
    ("launch", &["mpi"]),
    ("images", &[]),
    ("ranks", &["images"]),
    ("libmpi", &["mpi", "ranks", "launch", "replay"]),
    ("blas", &[]),
    ("apps", &["mpi"]),
    ("study", &["stats", "models", "apps", "replay"]),
    ("report", &["stats", "trace"]),
    ("cli", &["study", "report", "launch", "apps", "replay"]),
];

/// Checks every crate: it is a room, it uses only rooms below it, it has a documented `lib.rs`.
pub(super) fn check(root: &Path, files: &[String]) -> Result<Vec<Finding>> {
    let mut findings = Vec::new();
    for file in files {
        let Some(room) = file.strip_prefix("crates/").and_then(|f| f.strip_suffix("/Cargo.toml"))
        else {
            continue;
        };
        let text = std::fs::read_to_string(root.join(file))
            .with_context(|| format!("cannot read {file}"))?;
        findings.extend(manifest(room, file, &text)?);
        let source = |name: &str| format!("crates/{room}/src/{name}");
        let has = |name: &str| files.contains(&source(name));
        let is_command = room == "cli" && has("main.rs");
        if !has("lib.rs") && !is_command {
            findings.push(Finding::new(
                &source("lib.rs"),
                0,
                "missing; a room has a documented lib.rs",
            ));
        }
    }
    Ok(findings)
}

fn manifest(room: &str, file: &str, text: &str) -> Result<Vec<Finding>> {
    if !ROOMS.iter().any(|(name, _)| *name == room) {
        let message =
            "no such room; add it to ARCHITECTURE.md and to the table of tidy, or merge it";
        return Ok(vec![Finding::new(file, 0, message)]);
    }
    let table: toml::Table = text.parse().with_context(|| format!("{file} is not TOML"))?;
    let mut findings = Vec::new();
    for section in ["dependencies", "dev-dependencies", "build-dependencies"] {
        let names = table.get(section).and_then(toml::Value::as_table).into_iter().flatten();
        for (name, _) in names {
            let Some(used) = name.strip_prefix("foretell-") else { continue };
            if !may_use(room, used) {
                let line =
                    text.lines().position(|l| l.starts_with(name.as_str())).map_or(0, |i| i + 1);
                let message =
                    format!("`{room}` may not use `{used}` (see Rooms in ARCHITECTURE.md)");
                findings.push(Finding::new(file, line, message));
            }
        }
    }
    if table.get("lints").is_none() {
        findings.push(Finding::new(file, 0, "add [lints] workspace = true"));
    }
    Ok(findings)
}

fn may_use(room: &str, used: &str) -> bool {
    let direct = ROOMS.iter().find(|(name, _)| *name == room).map_or(&[][..], |(_, rooms)| rooms);
    direct.iter().any(|lower| *lower == used || may_use(lower, used))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_manifest(room: &str, dependencies: &str, expected: &[&str]) {
        let text = format!("[dependencies]\n{dependencies}\n[lints]\nworkspace = true\n");
        let findings = manifest(room, "Cargo.toml", &text).unwrap();
        let found: Vec<_> = findings.iter().map(|finding| finding.message.as_str()).collect();
        assert_eq!(found.len(), expected.len(), "{found:?}");
        assert!(found.iter().zip(expected).all(|(f, e)| f.contains(e)), "{found:?}");
    }

    #[test]
    fn no_arrow_goes_up_the_table() {
        for (index, (room, lower)) in ROOMS.iter().enumerate() {
            for used in *lower {
                let at = ROOMS.iter().position(|(name, _)| name == used);
                assert!(at.is_some_and(|at| at < index), "{room} uses {used}");
            }
        }
    }

    #[test]
    fn rooms_below_may_be_used_and_rooms_above_may_not() {
        check_manifest("models", "foretell-kernel.workspace = true", &[]);
        check_manifest("mpi", "foretell-units.workspace = true", &[]);
        check_manifest("kernel", "foretell-platform.workspace = true", &["may not use `platform`"]);
        check_manifest("platform", "foretell-kernel.workspace = true", &["may not use `kernel`"]);
        check_manifest("apps", "foretell-cli.workspace = true", &["may not use `cli`"]);
    }

    #[test]
    fn other_crates_are_not_rooms() {
        check_manifest("kernel", "rustc-hash.workspace = true", &[]);
        check_manifest("attic", "", &["no such room"]);
    }
}
