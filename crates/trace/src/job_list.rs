//! Files that list several traces, in the two forms that SimGrid's examples have.
//!
//! `name trace ranks flops` delays each rank by what it computes; `name trace ranks seconds 0,1,5`
//! says the date, and on which hosts the ranks run. Lines that have no number where a job has them
//! are headings.

use std::path::{Path, PathBuf};

use crate::mistake::{Mistake, Problem};

/// One trace of several.
#[derive(Debug, Clone, PartialEq)]
pub struct Listed {
    /// What the file calls it.
    pub name: String,
    /// Its trace, as the file has it.
    pub trace: String,
    /// How many ranks it is to have.
    pub ranks: u32,
    /// Flops that each rank computes before it begins; or the date, in seconds, if there are hosts.
    pub delay: f64,
    /// The number of a host for each rank.
    pub hosts: Option<Vec<usize>>,
}

impl Listed {
    /// Reads a file. Traces are looked for beside it.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or a line makes no sense, or there is no job.
    pub fn read(path: &Path) -> Result<Vec<(Listed, PathBuf)>, Problem> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| Problem::File { path: path.to_owned(), error })?;
        let jobs = Listed::parse(&text).map_err(|(line, mistake)| Problem::Line {
            path: path.to_owned(),
            line,
            mistake,
        })?;
        if jobs.is_empty() {
            let reason = format!("there is no job in it; a line is: {USAGE}");
            return Err(Problem::Whole { path: path.to_owned(), reason });
        }
        let folder = path.parent().unwrap_or(Path::new(""));
        let beside = |job: Listed| {
            let trace = folder.join(&job.trace);
            (job, trace)
        };
        Ok(jobs.into_iter().map(beside).collect())
    }

    /// Reads the text of such a file.
    ///
    /// # Errors
    ///
    /// The number of a line, counted from one, and what is wrong with it.
    pub fn parse(text: &str) -> Result<Vec<Listed>, (u64, Mistake)> {
        let mut jobs = Vec::new();
        for (at, line) in text.lines().enumerate() {
            let fields: Vec<&str> = line.split_whitespace().collect();
            if fields.is_empty() || fields[0].starts_with('#') {
                continue;
            }
            match job(&fields) {
                Ok(job) => jobs.push(job),
                Err(_) if is_heading(&fields) => {}
                Err(mistake) => return Err((at as u64 + 1, Mistake(mistake))),
            }
        }
        Ok(jobs)
    }
}

const USAGE: &str = "name trace ranks start [host,host,…]";

/// Words alone, where a job has its number of ranks and its start.
fn is_heading(fields: &[&str]) -> bool {
    fields.iter().skip(2).all(|field| !field.starts_with(|letter: char| letter.is_ascii_digit()))
}

fn job(fields: &[&str]) -> Result<Listed, String> {
    let (name, trace, count, start, hosts) = match *fields {
        [name, trace, ranks, start] => (name, trace, ranks, start, None),
        [name, trace, ranks, start, hosts] => (name, trace, ranks, start, Some(hosts)),
        _ => return Err(format!("expected {USAGE}")),
    };
    let ranks = count.parse().ok().filter(|ranks| *ranks > 0);
    let Some(ranks) = ranks else {
        return Err(format!("expected a number of ranks, not `{count}`"));
    };
    let delay = start.parse().ok().filter(|delay: &f64| delay.is_finite() && *delay >= 0.0);
    let Some(delay) = delay else {
        let what = "a delay of 0 or more, in flops, or in seconds where hosts follow";
        return Err(format!("expected {what}, not `{start}`"));
    };
    let hosts = hosts.map(|text| numbers(text, ranks)).transpose()?;
    Ok(Listed { name: name.to_owned(), trace: trace.to_owned(), ranks, delay, hosts })
}

/// A host for each rank.
fn numbers(text: &str, ranks: u32) -> Result<Vec<usize>, String> {
    let one = |field: &str| {
        field.parse().map_err(|_| format!("expected the number of a host, not `{field}`"))
    };
    let numbers: Vec<usize> = text.split(',').map(one).collect::<Result<_, _>>()?;
    match numbers.len() == ranks as usize {
        true => Ok(numbers),
        false => Err(format!("expected {ranks} hosts, one for each rank, not {}", numbers.len())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_may_stand_between_jobs() {
        let text = "Two jobs of an example\n\na x.txt 2 1e9\n# no\nAnd again ...\nb y 2 5 0,3\n";
        let jobs = Listed::parse(text).unwrap();
        let job = |name: &str, trace: &str, delay, hosts| Listed {
            name: name.into(),
            trace: trace.into(),
            ranks: 2,
            delay,
            hosts,
        };
        let expected = [job("a", "x.txt", 1e9, None), job("b", "y", 5.0, Some(vec![0, 3]))];
        assert_eq!(jobs, expected);
    }

    #[test]
    fn mistakes_have_their_line() {
        let told = |text: &str| Listed::parse(text).unwrap_err();
        let check = |text: &str, line: u64, what: &str| {
            let (at, mistake) = told(text);
            assert_eq!(at, line);
            assert!(mistake.to_string().starts_with(what), "{mistake}");
        };
        check("a x 2 0\nb x two 0\n", 2, "expected a number of ranks, not `two`");
        check("a x 0 0\n", 1, "expected a number of ranks, not `0`");
        check("a x 2 soon\n", 1, "expected a delay of 0 or more");
        check("a x 2 0 1\n", 1, "expected 2 hosts, one for each rank, not 1");
        check("a x 2 0 1,b\n", 1, "expected the number of a host, not `b`");
        check("\na x 2\n", 2, "expected name trace ranks start");
    }

    #[test]
    fn a_file_without_jobs_is_none() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "only a heading\n").unwrap();
        let problem = Listed::read(file.path()).unwrap_err();
        assert!(problem.to_string().contains("there is no job in it"), "{problem}");
    }
}
