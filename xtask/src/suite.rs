//! MPICH's own test suite, built by our compilers and run by foretell.
//!
//! The suite is the directory `test/mpi` of MPICH's sources. It is downloaded when the step runs,
//! built and run below the target directory, and never part of this tree. A test passes by the
//! suite's own rules. Tests that are known to fail are listed with their reasons in
//! `suite/misses.rs`; any other that fails, and any of these that passes, is a finding.

mod build;
mod judge;
mod list;
mod makefile;
mod misses;
mod source;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use anyhow::{Result, bail};
use clap::Args;

use self::build::Builder;
use self::judge::Verdict;
use self::list::Test;
use crate::packages::{GFORTRAN, Policy};
use crate::test::End;
use crate::workspace;

/// Directories that `cargo xtask test` runs: they fit the time that it may take.
const SAMPLE: &str = "attr,comm,errhan,errors/pt2pt,group,info,init,topo,pt2pt,f08/attr,f08/pt2pt";

/// Arguments of `cargo xtask suite`.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Directories of the suite to run, with those below them
    #[arg(long, default_value = SAMPLE, value_delimiter = ',')]
    directories: Vec<String>,
    /// Only tests whose directory and name contain this
    #[arg(long, default_value = "")]
    filter: String,
    /// The suite, where it is already: a directory like MPICH's test/mpi
    #[arg(long, value_name = "DIR")]
    source: Option<PathBuf>,
    /// Folder of the commands and the library; built in release mode when not told
    #[arg(long, value_name = "DIR")]
    bin: Option<PathBuf>,
    /// Whether to install gfortran when it is missing
    #[arg(long, value_enum, default_value = "never")]
    packages: Policy,
}

impl Options {
    /// The sample, with what may be installed for it.
    pub(crate) fn sample(packages: Policy) -> Self {
        Self {
            directories: SAMPLE.split(',').map(String::from).collect(),
            filter: String::new(),
            source: None,
            bin: None,
            packages,
        }
    }
}

/// Builds and runs the tests; skipped where the sources cannot be had.
pub(crate) fn run(options: &Options) -> Result<End> {
    let scratch = workspace::scratch("suite")?;
    let root = match &options.source {
        Some(folder) => folder.canonicalize()?,
        None => match source::download(&scratch) {
            Ok(folder) => folder,
            Err(error) => {
                return Ok(End::Skipped(format!("MPICH's sources cannot be had: {error:#}")));
            }
        },
    };
    let bin = match &options.bin {
        Some(folder) => folder.canonicalize()?,
        None => workspace::release_binary()?.parent().map(Path::to_owned).unwrap_or_default(),
    };
    let fortran = GFORTRAN.ready(options.packages);
    if !fortran {
        println!("skipped: {}; tests in Fortran are not run", GFORTRAN.hint());
    }
    let mut tests = Vec::new();
    for directory in &options.directories {
        list::tests(&root, directory, &mut tests)?;
    }
    tests.retain(|test| test.title().contains(&options.filter));
    tests.retain(|test| fortran || !test.is_fortran());
    let built = scratch.join("build");
    source::generate(&root, &built)?;
    let builder = Builder::new(root, built, bin);
    let outcomes = all(&builder, &tests);
    conclude(&tests, &outcomes)
}

/// What became of each test, in their order: two are run at a time.
fn all(builder: &Builder, tests: &[Test]) -> Vec<Verdict> {
    let next = AtomicUsize::new(0);
    let outcomes = Mutex::new(BTreeMap::new());
    let work = || {
        while let Some((at, test)) = {
            let at = next.fetch_add(1, Ordering::Relaxed);
            tests.get(at).map(|test| (at, test))
        } {
            let verdict = judge::run(builder, test, at);
            outcomes.lock().unwrap_or_else(PoisonError::into_inner).insert(at, verdict);
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        scope.spawn(work);
    });
    outcomes.into_inner().unwrap_or_else(PoisonError::into_inner).into_values().collect()
}

/// Tells how many passed in each directory, and what was not as expected.
fn conclude(tests: &[Test], outcomes: &[Verdict]) -> Result<End> {
    let mut rows: BTreeMap<&str, [usize; 3]> = BTreeMap::new();
    let mut findings = Vec::new();
    for (test, verdict) in tests.iter().zip(outcomes) {
        let row = rows.entry(&test.directory).or_default();
        match (verdict, misses::reason(test)) {
            (Verdict::Passed, None) => row[0] += 1,
            (Verdict::Failed(_), Some(_)) => row[1] += 1,
            (Verdict::LeftOut, _) => row[2] += 1,
            (Verdict::Failed(why), None) => findings.push(format!("{}: {why}", test.title())),
            (Verdict::Passed, Some(why)) => findings.push(format!(
                "{} passes, but suite/misses.rs says that it fails: {why}",
                test.title()
            )),
        }
    }
    for (directory, [passed, known, left_out]) in &rows {
        println!("{directory}: {passed} passed, {known} known to fail, {left_out} left out");
    }
    println!("{} tests of MPICH's suite, {} findings", tests.len(), findings.len());
    if findings.is_empty() { Ok(End::Passed) } else { bail!("{}", findings.join("\n")) }
}
