//! One stored figure and the run that must reproduce it.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

/// A run of a benchmark program or the replay of a trace, and the simulated time that SimGrid
/// printed for it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Case {
    /// Name of the C program; empty for a replay.
    #[serde(default)]
    pub(crate) program: String,
    /// Its arguments, separated by blanks.
    #[serde(default)]
    pub(crate) args: String,
    /// The trace, beside the file of figures.
    #[serde(default)]
    pub(crate) trace: Option<String>,
    /// Number of ranks.
    pub(crate) ranks: u32,
    /// Name of the platform file, without its ending.
    pub(crate) platform: String,
    /// `block:k`: hosts in file order, k ranks on each.
    pub(crate) placement: String,
    /// Options other than the defaults.
    pub(crate) options: BTreeMap<String, String>,
    /// Simulated seconds of the timed section, nine decimals; of a replay, to its end.
    pub(crate) sim_s: f64,
}

/// Options that nearly all cases share and that a description leaves out.
const USUAL: &[(&str, &str)] =
    &[("smpi/barrier", "ompi_recursivedoubling"), ("smpi/allreduce", "rdb")];

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { program, args, trace, ranks, platform, placement, options, .. } = self;
        match trace {
            Some(trace) => write!(f, "{trace}, {ranks} ranks, {platform}")?,
            None => write!(f, "{program} {args}, {ranks} ranks, {platform}")?,
        }
        if placement != "block:1" {
            write!(f, ", {placement}")?;
        }
        for (key, value) in options.iter().filter(|(k, v)| !USUAL.contains(&(k, v))) {
            write!(f, ", {key}:{value}")?;
        }
        Ok(())
    }
}

/// Reads one case a line; blank lines are passed over.
pub(crate) fn read(file: &Path) -> Result<Vec<Case>> {
    let text = std::fs::read_to_string(file)
        .with_context(|| format!("cannot read the figures {}", file.display()))?;
    parse(&text).with_context(|| format!("in {}", file.display()))
}

fn parse(text: &str) -> Result<Vec<Case>> {
    (1..)
        .zip(text.lines())
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(number, line)| serde_json::from_str(line).with_context(|| format!("line {number}")))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = r#"{"program": "ring", "args": "20 8", "ranks": 64,
        "platform": "star-10g-64", "placement": "block:16",
        "options": {"smpi/allreduce": "rdb", "network/model": "CM02"}, "sim_s": 0.5}"#;

    #[test]
    fn a_description_leaves_out_what_is_usual() {
        let case = &parse(&LINE.replace('\n', " ")).unwrap()[0];
        assert_eq!(
            case.to_string(),
            "ring 20 8, 64 ranks, star-10g-64, block:16, network/model:CM02"
        );
    }

    #[test]
    fn a_trace_stands_for_program_and_arguments() {
        let line = LINE
            .replace('\n', " ")
            .replace(r#""program": "ring", "args": "20 8""#, r#""trace": "a.ti""#);
        assert!(parse(&line).unwrap()[0].to_string().starts_with("a.ti, 64 ranks"));
    }

    #[test]
    fn a_bad_line_is_told_by_its_number() {
        let error = parse("\n{}\n").unwrap_err();
        assert!(format!("{error:#}").starts_with("line 2"), "{error:#}");
    }
}
