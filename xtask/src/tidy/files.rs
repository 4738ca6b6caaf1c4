//! Which files belong to the project, and the checks that need only their names.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use super::Finding;
use crate::shell;

/// Files at the root without which the project is not complete.
const REQUIRED: &[&str] = &[
    "README.md",
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "ROADMAP.md",
    "LICENSE-MIT",
    "LICENSE-APACHE",
    ".ci/run",
];

/// Folders that a tree without version control must not be searched in.
const SKIPPED: &[&str] = &[".git", "target", "book", "node_modules"];

/// The tracked files, and those not yet tracked but not ignored, relative to `root`, in order.
pub(super) fn tracked(root: &Path) -> Result<Vec<String>> {
    let mut git = Command::new("git");
    git.current_dir(root).args(["ls-files", "--cached", "--others", "--exclude-standard", "-z"]);
    let mut files: Vec<String> = match shell::output(&mut git) {
        Ok(list) => list.split('\0').filter(|f| !f.is_empty()).map(str::to_owned).collect(),
        // An unpacked release archive has no history: walk it.
        Err(_) => walk(root, root)?,
    };
    files.retain(|file| root.join(file).is_file());
    files.sort();
    files.dedup();
    Ok(files)
}

fn walk(root: &Path, folder: &Path) -> Result<Vec<String>> {
    let mut files = Vec::new();
    let entries = folder.read_dir().with_context(|| format!("cannot list {}", folder.display()))?;
    for entry in entries {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() && !SKIPPED.contains(&name.as_str()) {
            files.extend(walk(root, &path)?);
        } else if path.is_file() {
            let relative = path.strip_prefix(root).expect("the walk stays below its root");
            files.push(relative.to_string_lossy().into_owned());
        }
    }
    Ok(files)
}

/// Names that must be there, and names that must not.
pub(super) fn names(files: &[String]) -> Vec<Finding> {
    let has = |name: &str| files.iter().any(|file| file == name);
    let missing = REQUIRED.iter().filter(|name| !has(name));
    let mut findings: Vec<_> =
        missing.map(|name| Finding::new(name, 0, "missing; the project needs this file")).collect();
    for file in files.iter().filter(|file| file.ends_with("/mod.rs")) {
        let name = file.trim_end_matches("/mod.rs");
        findings.push(Finding::new(file, 0, format!("rename it to {name}.rs beside the folder")));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mod_file_is_told_its_new_name() {
        let mut files: Vec<String> = REQUIRED.iter().map(ToString::to_string).collect();
        assert_eq!(names(&files), []);
        files.push("crates/mpi/src/comm/mod.rs".into());
        assert_eq!(
            names(&files)[0].message,
            "rename it to crates/mpi/src/comm.rs beside the folder"
        );
    }

    #[test]
    fn a_missing_changelog_is_found() {
        assert!(names(&[]).iter().any(|finding| finding.file == "CHANGELOG.md"));
    }
}
