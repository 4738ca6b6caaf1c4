//! The book: the command reference and the list of collective algorithms are written from what the
//! command says, the table of MPI functions from the library and the tests, then mdbook runs.

mod algorithms;
mod coverage;

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::{shell, workspace};

/// The command reference.
const COMMAND: &str = "docs/src/reference/command.md";
/// The list of collective algorithms.
const ALGORITHMS: &str = "docs/src/reference/algorithms.md";
/// The table of MPI functions.
const COVERAGE: &str = "docs/src/reference/coverage.md";

/// Arguments of `cargo xtask docs`.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Change nothing; fail when a page that is generated is out of date
    #[arg(long)]
    pub(crate) check: bool,
}

/// Writes (or checks) the generated pages and builds the book where mdbook is installed.
pub(crate) fn run(options: &Options) -> Result<()> {
    let binary = workspace::release_binary()?;
    keep(COMMAND, &page(&binary)?, options)?;
    keep(ALGORITHMS, &algorithms::page(&binary)?, options)?;
    keep(COVERAGE, &coverage::page(&binary.with_file_name("libmpi_abi.so"))?, options)?;
    if !shell::exists("mdbook") {
        println!("skipped: mdbook is not here; the book was not built");
        return Ok(());
    }
    shell::run(Command::new("mdbook").arg("build").arg(workspace::root().join("docs")))
}

/// Writes a page, or tells that it is not as it should be.
fn keep(name: &str, page: &str, options: &Options) -> Result<()> {
    let path = workspace::root().join(name);
    let current = fs::read_to_string(&path).unwrap_or_default();
    match (page == current, options.check) {
        (true, _) => println!("{name} is up to date"),
        (false, true) => bail!("{name} is out of date; run `cargo xtask docs`"),
        (false, false) => {
            fs::write(&path, page).with_context(|| format!("cannot write {name}"))?;
            println!("wrote {name}");
        }
    }
    Ok(())
}

/// The command reference.
fn page(binary: &Path) -> Result<String> {
    let mut text = String::from(
        "# The command line\n\nWhat `foretell --help` and its sub-commands print. This page is written by \
         `cargo xtask docs`; change the command, not the page.\n",
    );
    section(binary, &[], &mut text)?;
    Ok(text)
}

/// Adds the help of one command, then that of its sub-commands, depth first.
fn section(binary: &Path, words: &[&str], text: &mut String) -> Result<()> {
    let help = shell::output(Command::new(binary).args(words).arg("--help"))?;
    let title = ["foretell"].iter().chain(words).copied().collect::<Vec<_>>().join(" ");
    let body = help.lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
    let level = "#".repeat(2 + words.len().min(2));
    text.push_str(&format!("\n{level} `{title}`\n\n```text\n{}\n```\n", body.trim()));
    for name in subcommands(&help) {
        section(binary, &[words, &[name]].concat(), text)?;
    }
    Ok(())
}

/// The names under `Commands:` in a help text, without `help` itself.
fn subcommands(help: &str) -> Vec<&str> {
    help.lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        // Deeper lines carry on a description.
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subcommands_are_read_from_the_help() {
        let help = "Usage: foretell <COMMAND>\n\nCommands:\n  app       Run a skeleton\n            \
                    on a machine\n  platform  Look\n  help      Print this\n\nOptions:\n  -h\n";
        assert_eq!(subcommands(help), ["app", "platform"]);
    }

    #[test]
    fn a_command_without_subcommands_has_none() {
        assert_eq!(subcommands("Usage: foretell demo\n\nOptions:\n  -h\n"), Vec::<&str>::new());
    }
}
