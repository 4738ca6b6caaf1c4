//! The suite's lists of tests: `program ranks key=value …`, or the name of a folder with a list.

use std::path::Path;

use anyhow::{Context, Result};

use super::source::filled;

/// Ranks of a test that does not say how many.
const USUAL_RANKS: u32 = 2;

/// Tests that need more memory, in gigabytes, are left out.
const MOST_GB: f64 = 4.0;

/// A test, as a line of a list says.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Test {
    /// The folder within the suite.
    pub(super) directory: String,
    pub(super) program: String,
    pub(super) ranks: u32,
    pub(super) arguments: Vec<String>,
    pub(super) environment: Vec<(String, String)>,
    /// How its end is judged, where not as usual.
    pub(super) rule: Option<String>,
    /// Whether it is not run: MPICH expects it to fail, or it tests what only MPICH has, or it
    /// needs very much memory.
    pub(super) left_out: bool,
}

impl Test {
    /// Its name among all.
    pub(super) fn title(&self) -> String {
        let words: Vec<_> = self.arguments.iter().map(String::as_str).collect();
        let title =
            format!("{}/{} {} {}", self.directory, self.program, self.ranks, words.join(" "));
        title.trim_end().to_owned()
    }

    /// Whether it needs a Fortran compiler.
    pub(super) fn is_fortran(&self) -> bool {
        self.directory.split('/').any(|part| ["f77", "f90", "f08"].contains(&part))
    }
}

/// Adds the tests of a directory and of those that its list names.
pub(super) fn tests(root: &Path, directory: &str, all: &mut Vec<Test>) -> Result<()> {
    let folder = root.join(directory);
    let list = ["testlist", "testlist.in"].map(|name| folder.join(name));
    let Some(list) = list.iter().find(|list| list.is_file()) else { return Ok(()) };
    let text = std::fs::read(list).with_context(|| format!("cannot read {}", list.display()))?;
    for line in filled(&String::from_utf8_lossy(&text)).lines() {
        let line = line.split('#').next().unwrap_or("").trim();
        let Some(first) = line.split_whitespace().next() else { continue };
        if root.join(directory).join(first).is_dir() {
            tests(root, &format!("{directory}/{first}"), all)?;
        } else if !first.starts_with('!') {
            all.push(test(directory, line));
        }
    }
    Ok(())
}

fn test(directory: &str, line: &str) -> Test {
    let mut words = line.split_whitespace();
    let name = words.next().unwrap_or("");
    // A program may lie in a folder below.
    let (below, program) = name.rsplit_once('/').unwrap_or(("", name));
    let directory = format!("{directory}/{below}").trim_end_matches('/').to_owned();
    let mut test = Test {
        directory,
        program: program.into(),
        ranks: USUAL_RANKS,
        arguments: Vec::new(),
        environment: Vec::new(),
        rule: None,
        left_out: false,
    };
    for word in words {
        match (word.parse(), word.split_once('=').unwrap_or((word, ""))) {
            (Ok(ranks), _) => test.ranks = ranks,
            (_, ("arg", value)) => test.arguments.push(value.into()),
            (_, ("env", value)) => {
                let (name, value) = value.split_once('=').unwrap_or((value, ""));
                test.environment.push((name.into(), value.into()));
            }
            (_, ("resultTest", value)) => test.rule = Some(value.into()),
            (_, ("xfail", _)) => test.left_out = true,
            (_, ("strict", value)) => test.left_out |= value.eq_ignore_ascii_case("false"),
            (_, ("mem", value)) => test.left_out |= value.parse().is_ok_and(|gb: f64| gb > MOST_GB),
            _ => {}
        }
    }
    test
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_how_a_test_runs() {
        let found = test("coll", "allred 4 arg=100 env=MPIR_X=3 timeLimit=600");
        assert_eq!((found.ranks, found.arguments.join(" ")), (4, "100".into()));
        assert_eq!(found.environment, [("MPIR_X".into(), "3".into())]);
        assert_eq!(found.title(), "coll/allred 4 100");
        assert!(!found.left_out);
        assert!(test("comm", "x strict=FALSE").left_out);
        assert!(test("io", "x 1 mem=4.7").left_out && !test("io", "x 1 mem=1").left_out);
        assert_eq!(test("mpi_t", "x").ranks, USUAL_RANKS);
        assert_eq!(test("coll", "../a/b 3").directory, "coll/../a");
    }
}
