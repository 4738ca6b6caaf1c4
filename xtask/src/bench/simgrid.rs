//! The other side: SimGrid's compiler wrapper and launcher, run as a user who knows it would.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::configuration::Configuration;
use super::{platforms, traces};
use crate::{shell, workspace};

/// No simulated computation, errors only, small stacks, no privatisation: its leanest setting.
const FLAGS: &[&str] = &[
    "--cfg=smpi/simulate-computation:no",
    "--log=root.thres:error",
    "-no-privatize",
    "--cfg=contexts/stack-size:64",
    "--cfg=contexts/guard-size:0",
];

const PROGRAMS: &[&str] =
    &["init", "pingpong", "ring", "coll", "stencil3d", "ep", "anysource", "lu_wave", "flows"];

/// The benchmark programs, compiled for SimGrid.
#[derive(Debug)]
pub(super) struct SimGrid {
    folder: PathBuf,
}

impl SimGrid {
    /// Compiles the C programs of `bench/` into `folder`.
    pub(super) fn build(folder: &Path) -> Result<Self> {
        let sources = workspace::root().join("bench");
        for program in PROGRAMS {
            let mut compile = Command::new("smpicc");
            compile.args(["-O2", "-std=gnu99", "-o"]).arg(folder.join(program));
            compile.arg(sources.join(format!("{program}.c"))).arg("-lm");
            shell::output(&mut compile).with_context(|| format!("cannot compile {program}.c"))?;
        }
        let version = shell::output(Command::new("smpirun").arg("-version")).unwrap_or_default();
        println!("beside: {}", version.lines().next().unwrap_or("SimGrid, version unknown"));
        Ok(Self { folder: folder.to_owned() })
    }

    /// The words that run a configuration.
    pub(super) fn command(&self, row: &Configuration) -> Result<Vec<String>> {
        let platform = platforms::write(row.platform, &self.folder)?;
        let hosts = platforms::write_hosts(row.platform, row.ranks, row.per_host, &self.folder)?;
        let mut words = vec!["smpirun".to_owned()];
        if row.is_replay {
            let list = traces::folder(row, &self.folder).join(traces::LIST);
            words.extend(["-replay".into(), list.display().to_string()]);
            words.extend(traces::FLAGS.map(String::from));
        }
        words.push("-np".into());
        words.push(row.ranks.to_string());
        words.extend(["-platform".into(), platform.display().to_string()]);
        words.extend(["-hostfile".into(), hosts.display().to_string()]);
        if !row.is_replay {
            words.extend(FLAGS.iter().map(ToString::to_string));
        }
        words.extend(row.options.iter().map(|(key, value)| format!("--cfg={key}:{value}")));
        if !row.is_replay {
            words.push(self.folder.join(row.program).display().to_string());
            words.extend(row.args.split_whitespace().map(str::to_owned));
        }
        Ok(words)
    }
}

/// The value of a `key=value` line that a benchmark program printed.
pub(super) fn value(stdout: &str, key: &str) -> Result<f64> {
    let line = stdout.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix('='));
    let text = line.with_context(|| format!("SimGrid printed no `{key}`"))?;
    text.trim().parse().with_context(|| format!("`{key}={text}` is not a number"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_by_their_whole_key() {
        let text = "bench=ring\nwall_s=0.5\nsim_s=0.000148615\n";
        assert_eq!(value(text, "sim_s").unwrap(), 0.000148615);
        assert!(value(text, "cpu_s").is_err());
    }
}
