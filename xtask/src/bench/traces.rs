//! Traces for the rows that replay them.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::configuration::Configuration;
use crate::measure::{self, End};

/// The list of files, with their whole paths: SimGrid opens them from where it runs.
pub(crate) const LIST: &str = "list.txt";

/// SimGrid's leanest setting for replays, and the simulated time on its output.
pub(crate) const FLAGS: [&str; 6] = [
    "-no-privatize",
    "--cfg=contexts/stack-size:64",
    "--cfg=contexts/guard-size:0",
    "--cfg=smpi/display-timing:yes",
    "--log=root.thres:error",
    "--log=smpi_utils.thres:info",
];

/// Where the trace of a row is kept.
pub(super) fn folder(row: &Configuration, folder: &Path) -> PathBuf {
    folder.join(format!("{}.ti", row.name))
}

/// Captures the trace of a row by `command`, which runs the skeleton.
pub(super) fn capture(mut command: Vec<String>, trace: &Path, folder: &Path) -> Result<()> {
    command.extend(["--trace-ti".into(), trace.display().to_string()]);
    let run = measure::program(&command, folder, 600)?;
    if run.account.end != End::Well {
        bail!("no trace was captured: {}", run.stderr.trim());
    }
    list(trace)
}

/// Writes the list of a folder's files as SimGrid reads it.
pub(crate) fn list(trace: &Path) -> Result<()> {
    let index = trace.join("index.txt");
    let names = std::fs::read_to_string(&index)
        .with_context(|| format!("cannot read {}", index.display()))?;
    let paths: String =
        names.lines().map(|name| format!("{}\n", trace.join(name).display())).collect();
    std::fs::write(trace.join(LIST), paths)?;
    Ok(())
}

/// The simulated seconds that a replay by SimGrid has printed.
pub(crate) fn simulated(output: &str) -> Result<f64> {
    let told = output.split("Simulated time: ").nth(1).and_then(|rest| rest.split(' ').next());
    let text = told.context("SimGrid printed no simulated time")?;
    text.parse().with_context(|| format!("`{text}` is not a time"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_simulated_time_is_found_in_what_simgrid_prints() {
        let text = "[0.1] [smpi_utils/INFO] Simulated time: 0.00093729 seconds. \n\nThe end";
        assert_eq!(simulated(text).unwrap(), 0.00093729);
        assert!(simulated("nothing").is_err());
    }
}
