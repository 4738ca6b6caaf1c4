//! The programs of `tests/mpi/algorithms`, run with every algorithm of every collective.
//!
//! They check themselves. The list of algorithms is what `foretell collectives list` says, so that a
//! new one is tested by being there. A run has the first algorithm of every operation, another the
//! second, and so on.

use std::process::Command;

use anyhow::{Context, Result, bail};

use super::build::build;
use super::program::Program;
use super::{OURS, Session, finish};

impl Session {
    /// Runs a program with all algorithms at each of its numbers of ranks; returns how many runs
    /// that were.
    pub(super) fn with_algorithms(
        &self,
        program: &Program,
        findings: &mut Vec<String>,
    ) -> Result<usize> {
        let ours =
            build(program, &self.bin.join(program.choose(OURS)), &self.scratch, "algorithms")?;
        let choices = self.choices()?;
        for choice in &choices {
            for ranks in &program.ranks {
                let mut command = Command::new(self.bin.join("foretell"));
                command.args(["run", "-q", "--computation", "off", "-n", &ranks.to_string()]);
                if let Some(platform) = &program.platform {
                    command.arg("-p").arg(platform);
                }
                for word in choice {
                    command.args(["--coll", word]);
                }
                let output = finish(command.arg(&ours), program)?;
                if output.status.code() != Some(program.exit) {
                    let (name, text) = (&program.name, String::from_utf8_lossy(&output.stderr));
                    let chosen = choice.join(" ");
                    findings.push(format!(
                        "{name} on {ranks} ranks, {}, by {chosen}\n{text}",
                        output.status
                    ));
                }
            }
        }
        Ok(choices.len() * program.ranks.len())
    }

    /// For each run, the algorithm of every operation that has as many.
    fn choices(&self) -> Result<Vec<Vec<String>>> {
        let mut command = Command::new(self.bin.join("foretell"));
        let output =
            command.args(["collectives", "list"]).output().context("cannot run foretell")?;
        let text = String::from_utf8_lossy(&output.stdout);
        let mut choices: Vec<Vec<String>> = Vec::new();
        for line in text.lines().take_while(|line| !line.is_empty()) {
            let mut words = line.split_whitespace();
            let operation = words.next().unwrap_or_default();
            for (number, algorithm) in words.enumerate() {
                if number == choices.len() {
                    choices.push(Vec::new());
                }
                choices[number].push(format!("{operation}={algorithm}"));
            }
        }
        if choices.is_empty() {
            bail!("`foretell collectives list` names no algorithm");
        }
        Ok(choices)
    }
}
