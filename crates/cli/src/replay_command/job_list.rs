//! Files that list several traces, in the two forms that SimGrid's examples have.
//!
//! `name trace ranks flops` delays each rank by what it computes; `name trace ranks seconds 0,1,5`
//! says the date, and on which hosts the ranks run. Lines before the first job that are none are a
//! heading.

use std::path::Path;

use anyhow::{Context, Result, bail};
use foretell_replay::Start;

use super::jobs::Planned;
use crate::run::JobHosts;

/// The jobs of a file, whose traces are looked for beside it.
pub(super) fn read(path: &Path) -> Result<Vec<Planned>> {
    let name = path.display();
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {name}"))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut jobs = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let fields: Vec<&str> = line.split_whitespace().collect();
        if fields.is_empty() || fields[0].starts_with('#') {
            continue;
        }
        match job(&fields, folder) {
            Ok(job) => jobs.push(job),
            Err(_) if jobs.is_empty() && is_heading(&fields) => {}
            Err(error) => return Err(error.context(format!("{name}:{}", at + 1))),
        }
    }
    if jobs.is_empty() {
        bail!("{name} has no job; a line is: name trace ranks start [host,host,…]");
    }
    Ok(jobs)
}

/// Words, where a job has its number of ranks.
fn is_heading(fields: &[&str]) -> bool {
    fields.get(2).is_none_or(|field| !field.starts_with(|letter: char| letter.is_ascii_digit()))
}

fn job(fields: &[&str], folder: &Path) -> Result<Planned> {
    let (name, trace, ranks, start, hosts) = match *fields {
        [name, trace, ranks, start] => (name, trace, ranks, start, None),
        [name, trace, ranks, start, hosts] => (name, trace, ranks, start, Some(hosts)),
        _ => bail!("a line is: name trace ranks start [host,host,…]"),
    };
    let Some(ranks) = ranks.parse::<u32>().ok().filter(|ranks| *ranks > 0) else {
        bail!("`{ranks}` is no number of ranks");
    };
    let amount = start.parse::<f64>().ok().filter(|start| start.is_finite() && *start >= 0.0);
    let Some(amount) = amount else {
        bail!("`{start}` is no delay; write 0 or more: flops, or seconds where hosts follow");
    };
    let hosts = hosts.map(|text| numbers(text, ranks)).transpose()?;
    Ok(Planned {
        name: format!("{name} ({trace})"),
        trace: folder.join(trace),
        form: None,
        ranks: Some(ranks),
        start: if hosts.is_some() { Start::At(amount) } else { Start::After(amount) },
        hosts: hosts.map_or(JobHosts::Usual, JobHosts::Numbered),
    })
}

/// A host for each rank.
fn numbers(text: &str, ranks: u32) -> Result<Vec<usize>> {
    let one =
        |field: &str| field.parse().with_context(|| format!("`{field}` is no number of a host"));
    let numbers: Vec<usize> = text.split(',').map(one).collect::<Result<_>>()?;
    if numbers.len() != ranks as usize {
        bail!("there are {} hosts for {ranks} ranks", numbers.len());
    }
    Ok(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(text: &str) -> Result<Vec<Planned>> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("jobs");
        std::fs::write(&path, text).unwrap();
        read(&path)
    }

    #[test]
    fn hosts_make_delays_dates() {
        let jobs = read_text("Two jobs of an example\n\na x.txt 2 1e9\nb x.txt 2 5 0,3\n").unwrap();
        assert_eq!(jobs[0].start, Start::After(1e9));
        assert_eq!(jobs[0].hosts, JobHosts::Usual);
        assert_eq!(jobs[1].start, Start::At(5.0));
        assert_eq!(jobs[1].hosts, JobHosts::Numbered(vec![0, 3]));
        assert_eq!(jobs[1].name, "b (x.txt)");
        assert!(jobs[1].trace.ends_with("x.txt"));
    }

    #[test]
    fn mistakes_have_their_line() {
        let told = |text: &str| format!("{:#}", read_text(text).unwrap_err());
        assert!(told("a x.txt 2 0\nb x.txt two 0\n").contains(":2: `two` is no number of ranks"));
        assert!(told("a x.txt 2 soon\n").contains(":1: `soon` is no delay"));
        assert!(told("a x.txt 2 0 1\n").contains(":1: there are 1 hosts for 2 ranks"));
        assert!(told("a x.txt 2 0 1,b\n").contains("`b` is no number of a host"));
        assert!(told("a x.txt 2\n").contains(":1: a line is: name trace ranks start"));
        assert!(told("only a heading\n").contains("has no job"));
    }
}
