//! `foretell replay --job` and `--workload`: several traces at once, as jobs that share a machine.

use std::path::PathBuf;
use std::process::ExitCode;
use std::rc::Rc;

use anyhow::{Result, bail};
use foretell_replay::{Jobs, Start};
use foretell_trace::{Form, Listed};

use super::changes::SpeedUps;
use super::{ReplayCommand, aftermath, open};
use crate::app_command;
use crate::kernel_options::KernelOptions;
use crate::run::{JobHosts, JobsAsked, Work};

/// A job to be replayed.
#[derive(Debug, PartialEq)]
pub(super) struct Planned {
    /// What the summary calls it.
    pub(super) name: String,
    pub(super) trace: PathBuf,
    pub(super) form: Option<Form>,
    /// How many ranks it is to have, if that was said.
    pub(super) ranks: Option<u32>,
    pub(super) start: Start,
    pub(super) hosts: JobHosts,
}

/// The jobs that were asked for, if there are several.
pub(super) fn planned(command: &ReplayCommand) -> Result<Vec<Planned>> {
    if let Some(file) = &command.job_list {
        return Ok(Listed::read(file)?.into_iter().map(listed).collect());
    }
    let Some(trace) = command.trace.as_ref().filter(|_| !command.jobs.is_empty()) else {
        return Ok(Vec::new());
    };
    let first = Planned {
        name: trace.display().to_string(),
        trace: trace.clone(),
        form: command.format,
        ranks: None,
        start: Start::At(0.0),
        hosts: JobHosts::Usual,
    };
    let others = command.jobs.iter().map(|word| Ok(Asked::parse(word)?.planned()));
    std::iter::once(Ok(first)).chain(others).collect()
}

fn listed((job, trace): (Listed, PathBuf)) -> Planned {
    let Listed { name, trace: told, ranks, delay, hosts } = job;
    Planned {
        name: format!("{name} ({told})"),
        trace,
        form: None,
        ranks: Some(ranks),
        start: if hosts.is_some() { Start::At(delay) } else { Start::After(delay) },
        hosts: hosts.map_or(JobHosts::Usual, JobHosts::Numbered),
    }
}

/// Replays all traces and tells what was found.
pub(super) fn run(
    planned: Vec<Planned>,
    command: &ReplayCommand,
    speed_ups: &SpeedUps,
) -> Result<ExitCode> {
    let (mut traces, mut loads) = (Vec::new(), Vec::new());
    let (mut names, mut hosts) = (Vec::new(), Vec::new());
    for job in planned {
        let opened = open(&job.trace, job.form, &command.changes, speed_ups)?;
        if let Some(ranks) = job.ranks.filter(|ranks| *ranks != opened.replay.ranks()) {
            let has = opened.replay.ranks();
            bail!("{} is to have {ranks} ranks, and its trace has {has}", job.name);
        }
        loads.extend(opened.loads);
        traces.push((opened.replay, job.start));
        names.push(job.name);
        hosts.push(job.hosts);
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
    fn planned(self) -> Planned {
        Planned {
            name: self.trace.to_owned(),
            trace: PathBuf::from(self.trace),
            form: None,
            ranks: None,
            start: Start::At(self.start),
            hosts: match self.hosts.is_empty() {
                true => JobHosts::Usual,
                false => JobHosts::Named(self.hosts),
            },
        }
    }

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
