//! Programs of `tests/mpi/cores`, run on one core and on several: all that can be seen of them must
//! be the same, how they end and what they say of it included.

use std::path::Path;
use std::process::{Command, Output};

use anyhow::Result;

use super::build::build;
use super::program::{Program, normalised};
use super::{OURS, Session, finish};

/// Lets every stretch of a rank go ahead of its turn, however short.
pub(super) const ALWAYS: (&str, &str) = ("FORETELL_AHEAD", "always");

/// Numbers of cores beside one, with and without the choice of what is worth it.
const CHOICES: [(&str, bool); 4] = [("2", true), ("4", true), ("2", false), ("3", true)];

impl Session {
    /// Runs a program on several numbers of cores; returns how many runs that were.
    pub(super) fn on_cores(&self, program: &Program, findings: &mut Vec<String>) -> Result<usize> {
        let ours = build(program, &self.bin.join(program.choose(OURS)), &self.scratch, "cores")?;
        for &ranks in &program.ranks {
            let expected = self.on(program, &ours, ranks, ("1", false))?;
            if expected.0.status.code() != Some(program.exit) {
                let text = String::from_utf8_lossy(&expected.0.stderr);
                findings.push(format!("{}: {}\n{text}", program.name, expected.0.status));
            }
            for choice in CHOICES {
                let (told, said) = self.on(program, &ours, ranks, choice)?;
                let is_same = told.stdout == expected.0.stdout
                    && told.status.code() == expected.0.status.code()
                    && said == expected.1;
                if !is_same {
                    findings.push(format!(
                        "{} on {ranks} ranks: --cores {} differs from --cores 1:\n{}{said}\ninstead \
                         of\n{}{}",
                        program.name,
                        choice.0,
                        String::from_utf8_lossy(&told.stdout),
                        String::from_utf8_lossy(&expected.0.stdout),
                        expected.1,
                    ));
                }
            }
        }
        Ok(program.ranks.len() * (1 + CHOICES.len()))
    }

    /// One run: its output, and what it said on standard error and of simulated time.
    fn on(
        &self,
        program: &Program,
        binary: &Path,
        ranks: u32,
        (cores, always): (&str, bool),
    ) -> Result<(Output, String)> {
        let json = self.scratch.join("cores.json");
        std::fs::write(&json, "{}")?;
        let mut command = Command::new(self.bin.join("foretell"));
        command.args(["run", "-q", "--computation", "off", "-n", &ranks.to_string()]);
        command.args(["--cores", cores]).arg("--json").arg(&json).arg(binary);
        if always {
            command.env(ALWAYS.0, ALWAYS.1);
        }
        let output = finish(&mut command, program)?;
        let code = output.status.code().unwrap_or(-1);
        let errors = normalised(&String::from_utf8_lossy(&output.stderr), code);
        let summary: serde_json::Value = serde_json::from_slice(&std::fs::read(&json)?)?;
        let facts =
            ["simulated_s", "messages", "bytes", "ended", "times"].map(|fact| &summary[fact]);
        Ok((output, format!("{errors}{facts:?}")))
    }
}
