//! Runs what the project shows: cargo examples, the demonstration, platform files, shown commands.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use super::End;
use crate::{shell, workspace};

/// Documents whose commands must work.
const DOCUMENTS: &[&str] = &["README.md", "docs/src"];

/// Runs every cargo example of the workspace, `foretell demo`, and checks the example platforms.
pub(super) fn run(binary: &Path) -> Result<End> {
    for (package, example) in cargo_examples()? {
        let mut command = shell::cargo();
        command.current_dir(workspace::root()).stdout(Stdio::null());
        command.args(["run", "--quiet", "--release", "-p", &package, "--example", &example]);
        shell::run(&mut command)?;
    }
    demonstration(binary)?;
    for platform in files(&workspace::root().join("examples/platforms"), &["xml", "toml"])? {
        let mut command = Command::new(binary);
        shell::output(command.args(["platform", "check"]).arg(&platform))?;
    }
    Ok(End::Passed)
}

/// Runs `foretell demo`, which must compile and simulate a C program where there is a compiler.
fn demonstration(binary: &Path) -> Result<()> {
    let told = shell::output(Command::new(binary).arg("demo"))?;
    if shell::exists("gcc") && !told.contains("heat 211143.407983, last change 1.210524\n") {
        bail!("`foretell demo` did not simulate the C program:\n{told}");
    }
    Ok(())
}

fn cargo_examples() -> Result<Vec<(String, String)>> {
    let mut examples = Vec::new();
    for package in workspace::metadata()?.packages {
        let targets = package.targets.into_iter();
        let is = |words: &[String], word: &str| words.iter().any(|known| known == word);
        // Some examples are libraries, which tests link programs to.
        let found =
            targets.filter(|target| is(&target.kind, "example") && is(&target.crate_types, "bin"));
        examples.extend(found.map(|target| (package.name.clone(), target.name)));
    }
    Ok(examples)
}

/// Runs every `$ foretell …` line of the documents from a copy of the examples.
pub(super) fn shown_commands(binary: &Path) -> Result<End> {
    let folder = folder_for_shown()?;
    let mut count = 0;
    for document in DOCUMENTS {
        let path = workspace::root().join(document);
        let pages = if path.is_dir() { files(&path, &["md"])? } else { vec![path] };
        for page in pages {
            let text = std::fs::read_to_string(&page)
                .with_context(|| format!("cannot read {}", page.display()))?;
            for (line, command) in commands(&text) {
                run_shown(binary, &folder, &command)
                    .with_context(|| format!("{}:{line}", page.display()))?;
                count += 1;
            }
        }
    }
    println!("{count} shown commands run as shown");
    if count == 0 {
        Ok(End::Skipped("no document shows a command".into()))
    } else {
        Ok(End::Passed)
    }
}

/// A folder that is empty but for what the commands use, as a reader's would be.
fn folder_for_shown() -> Result<PathBuf> {
    let before = workspace::scratch("shown")?;
    std::fs::remove_dir_all(&before)
        .with_context(|| format!("cannot empty {}", before.display()))?;
    let folder = workspace::scratch("shown")?;
    for shown in ["examples", "bench"] {
        std::os::unix::fs::symlink(workspace::root().join(shown), folder.join(shown))?;
    }
    Ok(folder)
}

fn run_shown(binary: &Path, folder: &Path, command: &str) -> Result<()> {
    let directory = binary.parent().context("the binary is in a directory")?;
    let path = std::env::var("PATH").unwrap_or_default();
    let mut shell = Command::new("sh");
    shell.args(["-e", "-c", command]).current_dir(folder);
    // Cargo names its own folders there, where another build of the library may lie.
    shell.env_remove("LD_LIBRARY_PATH");
    shell.env("PATH", format!("{}:{path}", directory.display()));
    shell::output(&mut shell)?;
    Ok(())
}

/// The `$ foretell …` and `$ foretell-mpicc …` lines of the console blocks, with their line numbers and continuations.
fn commands(text: &str) -> Vec<(usize, String)> {
    let mut commands: Vec<(usize, String)> = Vec::new();
    let mut inside = false;
    let mut goes_on = false;
    for (number, line) in (1..).zip(text.lines()) {
        if line.starts_with("```") {
            inside = line == "```console";
            goes_on = false;
        } else if goes_on {
            let (_, last) = commands.last_mut().expect("a continuation follows a command");
            last.push('\n');
            last.push_str(line);
            goes_on = line.ends_with('\\');
        } else if let Some(command) = line.strip_prefix("$ ").filter(|_| inside)
            && ["foretell ", "foretell-mpicc "].iter().any(|name| command.starts_with(name))
        {
            goes_on = command.ends_with('\\');
            commands.push((number, command.to_owned()));
        }
    }
    commands
}

/// Files below `folder` with one of the endings, in order; none if there is no such folder.
fn files(folder: &Path, endings: &[&str]) -> Result<Vec<PathBuf>> {
    if !folder.exists() {
        return Ok(Vec::new());
    }
    if !folder.is_dir() {
        bail!("{} is not a folder", folder.display());
    }
    let mut found = Vec::new();
    for entry in folder.read_dir()? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(files(&path, endings)?);
        } else if path.extension().is_some_and(|e| endings.iter().any(|ending| e == *ending)) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_taken_from_console_blocks_only() {
        let text = "$ foretell no\n```console\n$ foretell demo\nout\n$ cargo build\n\
                    $ foretell app ring \\\n    -n 4\n```\n```text\n$ foretell no\n```\n";
        let found = commands(text);
        assert_eq!(found[0], (3, "foretell demo".into()));
        assert_eq!(found[1], (6, "foretell app ring \\\n    -n 4".into()));
        assert_eq!(found.len(), 2);
    }
}
