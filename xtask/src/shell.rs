//! Starting other programs and saying which one failed.

use std::ffi::OsStr;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

/// Runs `command` with its output on ours; an exit code other than zero is an error.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let shown = line(command);
    println!("$ {shown}");
    let status = command.status().with_context(|| format!("cannot start `{shown}`"))?;
    if !status.success() {
        bail!("`{shown}` failed ({status})");
    }
    Ok(())
}

/// Runs `command` without a terminal and returns what it printed on its standard output.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let shown = line(command);
    let output =
        command.stdin(Stdio::null()).output().with_context(|| format!("cannot start `{shown}`"))?;
    if !output.status.success() {
        let complaint = String::from_utf8_lossy(&output.stderr);
        bail!("`{shown}` failed ({}): {}", output.status, complaint.trim());
    }
    String::from_utf8(output.stdout).with_context(|| format!("`{shown}` did not print UTF-8"))
}

/// Whether `program` can be started at all (it is asked for its version).
pub(crate) fn exists(program: &str) -> bool {
    Command::new(program)
        .arg("--version")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok()
}

/// Whether cargo knows a sub-command, such as `clippy` or `nextest`.
pub(crate) fn cargo_has(subcommand: &str) -> bool {
    cargo()
        .args([subcommand, "--version"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// The cargo that runs us, so that a toolchain override is kept.
pub(crate) fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// A command as one would type it.
pub(crate) fn line(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(quoted).collect::<Vec<_>>().join(" ")
}

fn quoted(word: &OsStr) -> String {
    let word = word.to_string_lossy();
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.into_owned()
    } else {
        format!("'{word}'")
    }
}

/// Writes a program for a test to start.
///
/// Another process does the writing: were the file open here while a parallel test forks, the
/// system would refuse to start it as busy.
#[cfg(test)]
pub(crate) fn write_script(path: &std::path::Path, body: &str) {
    let mut writer = Command::new("sh");
    writer.args(["-e", "-c", "printf '#!/bin/sh\\n%s\\n' \"$1\" > \"$0\"; chmod 755 \"$0\""]);
    output(writer.arg(path).arg(body)).unwrap();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_with_odd_characters_are_quoted() {
        let mut command = Command::new("foretell");
        command.args(["--cfg", "smpi/os:0:1e-6:0;10:0:0", ""]);
        assert_eq!(line(&command), "foretell --cfg 'smpi/os:0:1e-6:0;10:0:0' ''");
    }

    #[test]
    fn a_failing_program_is_named() {
        let error = output(Command::new("sh").args(["-c", "echo why >&2; exit 3"])).unwrap_err();
        let text = error.to_string();
        assert!(text.contains("sh -c") && text.contains("why"), "{text}");
    }
}
