//! The page of collective algorithms, from what `foretell collectives list` says.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use crate::shell;

const HEAD: &str = "# Collective algorithms\n\nWhat `--coll` and rule files can name for each operation, the \
    default first. Behind it stands what Open MPI 5 (`ompi_`), MPICH 4 (`mpich_`) and NCCL call the same \
    algorithm; these names are understood too. This page is written by `cargo xtask docs` from \
    `foretell collectives list`; [the guide](../guides/collectives.md) tells how to choose.\n";

/// Writes the page.
pub(super) fn page(binary: &Path) -> Result<String> {
    let all = shell::output(Command::new(binary).args(["collectives", "list"]))?;
    let mut text = String::from(HEAD);
    for line in all.lines().take_while(|line| !line.is_empty()) {
        let operation = line.split_whitespace().next().unwrap_or_default();
        let list = shell::output(Command::new(binary).args(["collectives", "list", operation]))?;
        text.push_str(&format!("\n## {operation}\n\n"));
        for algorithm in list.lines() {
            text.push_str(&row(algorithm));
        }
    }
    Ok(text)
}

/// An algorithm, and its other names.
fn row(line: &str) -> String {
    let (name, others) = line.split_once("  also ").unwrap_or((line, ""));
    let others: Vec<String> = others
        .split(", ")
        .filter(|other| !other.is_empty())
        .map(|other| format!("`{other}`"))
        .collect();
    match others.is_empty() {
        true => format!("- `{}`\n", name.trim()),
        false => format!("- `{}`: {}\n", name.trim(), others.join(", ")),
    }
}
