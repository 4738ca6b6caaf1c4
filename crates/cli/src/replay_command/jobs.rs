//! `foretell replay --job`: several traces at once, as jobs that share a machine.

use std::path::Path;
use std::process::ExitCode;
use std::rc::Rc;

use anyhow::{Result, bail};
use foretell_replay::Jobs;

use super::changes::SpeedUps;
use super::{Opened, ReplayCommand, aftermath, open};
use crate::app_command;
use crate::kernel_options::KernelOptions;
use crate::run::{JobsAsked, Work};

/// Replays all traces and tells what was found.
pub(super) fn run(
    first: Opened,
    command: &ReplayCommand,
    speed_ups: &SpeedUps,
) -> Result<ExitCode> {
    let mut loads = Vec::from_iter(first.loads);
    let mut traces = vec![(first.replay, 0.0)];
    let mut names = vec![command.trace.display().to_string()];
    let mut hosts = vec![Vec::new()];
    for word in &command.jobs {
        let asked = Asked::parse(word)?;
        let opened = open(Path::new(asked.trace), None, &command.changes, speed_ups)?;
        loads.extend(opened.loads);
        traces.push((opened.replay, asked.start));
        names.push(asked.trace.to_owned());
        hosts.push(asked.hosts);
    }
    speed_ups.check(traces.iter().map(|(replay, _)| replay.ranks()))?;
    let (jobs, network) = (Rc::new(Jobs::new(traces)), command.changes.network());
    let work = Work::Jobs(JobsAsked { jobs: jobs.clone(), names, hosts, network });
    let code = app_command::follow(work, &command.options, &KernelOptions::default())?;
    aftermath::tell(&jobs.replays().collect::<Vec<_>>(), &loads, &command.options)?;
    Ok(code)
}

/// A job as typed.
#[derive(Debug, PartialEq)]
struct Asked<'a> {
    trace: &'a str,
    start: f64,
    hosts: Vec<String>,
}

impl<'a> Asked<'a> {
    fn parse(word: &'a str) -> Result<Self> {
        let mut parts = word.split(',');
        let trace = parts.next().unwrap_or_default();
        let mut asked = Self { trace, start: 0.0, hosts: Vec::new() };
        if trace.is_empty() {
            bail!("`--job {word}` names no trace; write --job b.ti,start=0.5,hosts=a:b");
        }
        for part in parts {
            match part.split_once('=') {
                Some(("start", date)) => {
                    let date = date.parse::<f64>().ok();
                    let date = date.filter(|date| date.is_finite() && *date >= 0.0);
                    let Some(date) = date else {
                        bail!("`{part}` is no date; write start=0.5, in seconds");
                    };
                    asked.start = date;
                }
                Some(("hosts", names)) if names.split(':').all(|name| !name.is_empty()) => {
                    asked.hosts = names.split(':').map(str::to_owned).collect();
                }
                _ => bail!("`{part}` is nothing that a job has; write start=0.5 or hosts=a:b"),
            }
        }
        Ok(asked)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_have_a_start_and_hosts() {
        let asked = Asked::parse("b.ti,start=0.5,hosts=a:b").unwrap();
        let hosts = vec!["a".to_owned(), "b".to_owned()];
        assert_eq!(asked, Asked { trace: "b.ti", start: 0.5, hosts });
        for word in ["", ",start=1", "b,start=-1", "b,start=x", "b,hosts=", "b,soon"] {
            assert!(Asked::parse(word).is_err(), "{word}");
        }
    }
}
