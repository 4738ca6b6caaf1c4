//! The machines that come with foretell.

use std::process::ExitCode;

use anyhow::Result;
use foretell_platform::PRESETS;

use crate::output;

/// Prints a line for each.
pub(crate) fn run() -> Result<ExitCode> {
    let width = PRESETS.iter().map(|preset| preset.name.len()).max().unwrap_or(0);
    let lines: String = PRESETS
        .iter()
        .map(|preset| format!("{:<width$}  {}\n", preset.name, preset.summary))
        .collect();
    output::print(&lines)?;
    Ok(ExitCode::SUCCESS)
}
