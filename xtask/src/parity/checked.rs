//! Programs that make no mistakes, run under `--check`: false alarms are found here.

use std::path::Path;
use std::process::Output;

use anyhow::Result;

use super::Session;
use super::program::Program;

/// The exit code of a run whose check found something.
const MISTAKES: i32 = 4;

impl Session {
    /// One run with `--check`, with the simulated time it tells. Kinds of findings that the
    /// program does not admit are findings of ours.
    pub(super) fn checked(
        &self,
        program: &Program,
        binary: &Path,
        ranks: u32,
        name: &str,
        findings: &mut Vec<String>,
    ) -> Result<(Output, Option<f64>)> {
        let (output, summary) = self.summarised(program, binary, ranks, &["--check"])?;
        let told = summary["findings"].as_array().map_or(&[][..], Vec::as_slice);
        let kinds = told.iter().filter_map(|finding| finding["kind"].as_str());
        let strange: Vec<&str> = kinds.filter(|kind| !program.admits(kind)).collect();
        if !strange.is_empty() {
            let text = String::from_utf8_lossy(&output.stderr);
            findings.push(format!("{name}: --check finds {}\n{text}", strange.join(", ")));
        }
        let expected = if told.is_empty() || program.exit != 0 { program.exit } else { MISTAKES };
        if output.status.code() != Some(expected) {
            findings.push(format!("{name}: --check ends with {}", output.status));
        }
        Ok((output, summary["simulated_s"].as_f64()))
    }
}
