//! Runs cases, several at once, and notes how far each is from its figure.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, Result, bail};
use serde::Serialize;

use super::case::Case;
use crate::foretell::{self, Request};
use crate::workspace;

/// Figures are stored with nine decimals: half a unit of the last one is no difference.
const ROUNDING: f64 = 0.5e-9;

/// Where the binary and the platform files are.
#[derive(Debug)]
pub(crate) struct Places {
    binary: PathBuf,
    platforms: Vec<PathBuf>,
    /// Where traces are looked for.
    traces: PathBuf,
}

impl Places {
    /// The given binary; platform files beside the tree first, then those of the examples.
    pub(crate) fn new(binary: &Path) -> Self {
        let beside = workspace::shared().map(|folder| folder.join("bench/platforms"));
        let own = workspace::root().join("examples/platforms");
        let platforms = beside.into_iter().chain([own]).collect();
        Self { binary: binary.to_owned(), platforms, traces: PathBuf::new() }
    }

    /// The same with traces that lie beside a file of figures.
    pub(crate) fn traces(self, figures: &Path) -> Self {
        Self { traces: figures.parent().unwrap_or(Path::new("")).to_owned(), ..self }
    }

    fn platform(&self, name: &str) -> Result<PathBuf> {
        let candidates = self.platforms.iter().map(|folder| folder.join(format!("{name}.xml")));
        candidates
            .into_iter()
            .find(|path| path.is_file())
            .with_context(|| format!("no platform file {name}.xml"))
    }
}

/// A case with what came of it.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Outcome {
    /// Description of the case.
    pub(crate) case: String,
    /// The stored figure.
    pub(crate) reference_s: f64,
    /// Our figure, if the run ended well.
    pub(crate) sim_s: Option<f64>,
    /// Relative difference, if the run ended well.
    pub(crate) error: Option<f64>,
    /// What went wrong otherwise.
    pub(crate) failure: Option<String>,
}

impl Outcome {
    /// Compares the figure of `case` with what a run gave.
    pub(crate) fn new(case: &Case, run: Result<f64>) -> Self {
        let (sim_s, failure) = match run {
            Ok(seconds) => (Some(seconds), None),
            Err(error) => (None, Some(format!("{error:#}"))),
        };
        let error = sim_s.map(|seconds| relative_error(seconds, case.sim_s));
        Self { case: case.to_string(), reference_s: case.sim_s, sim_s, error, failure }
    }
}

/// Difference relative to the reference, beyond the rounding of the stored figure.
fn relative_error(seconds: f64, reference: f64) -> f64 {
    let difference = ((seconds - reference).abs() - ROUNDING).max(0.0);
    if difference == 0.0 { 0.0 } else { difference / reference }
}

/// Runs all cases, `jobs` at a time; the outcomes are in the order of the cases.
pub(crate) fn all(cases: &[Case], places: &Places, jobs: usize) -> Vec<Outcome> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(cases.len()));
    std::thread::scope(|scope| {
        for _ in 0..jobs.min(cases.len()) {
            scope.spawn(|| {
                while let Some((index, case)) = take(&next, cases) {
                    let outcome = Outcome::new(case, one(case, places));
                    done.lock().expect("no worker panics").push((index, outcome));
                }
            });
        }
    });
    let mut done = done.into_inner().expect("no worker panics");
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, outcome)| outcome).collect()
}

fn take<'a>(next: &AtomicUsize, cases: &'a [Case]) -> Option<(usize, &'a Case)> {
    let index = next.fetch_add(1, Ordering::Relaxed);
    cases.get(index).map(|case| (index, case))
}

fn one(case: &Case, places: &Places) -> Result<f64> {
    let platform = places.platform(&case.platform)?;
    let trace = case.trace.as_ref().map(|trace| places.traces.join(trace).display().to_string());
    let request = Request {
        program: &case.program,
        trace: trace.as_deref(),
        args: &case.args,
        ranks: case.ranks,
        platform: &platform.to_string_lossy(),
        placement: &case.placement,
        options: case.options.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect(),
    };
    let words = request.command(&places.binary.to_string_lossy());
    let output = Command::new(&words[0])
        .args(&words[1..])
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("cannot start {}", places.binary.display()))?;
    if !output.status.success() {
        let complaint = String::from_utf8_lossy(&output.stderr);
        bail!("{}: {}", output.status, complaint.lines().next().unwrap_or("no message"));
    }
    Ok(foretell::answer(&String::from_utf8_lossy(&output.stdout))?.sim_s)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(sim_s: f64) -> Case {
        Case {
            program: "ring".into(),
            args: "1 8".into(),
            trace: None,
            ranks: 4,
            platform: "tiny".into(),
            placement: "block:1".into(),
            options: [].into(),
            sim_s,
        }
    }

    #[test]
    fn rounding_of_the_stored_figure_is_no_error() {
        assert_eq!(relative_error(0.000_000_100_4, 0.000_000_1), 0.0);
        assert!((relative_error(1.01, 1.0) - 0.01).abs() < 1e-8);
        assert_eq!(relative_error(0.0, 0.0), 0.0);
    }

    /// A stand-in for the command that answers every case alike.
    fn fake(folder: &Path, script: &str) -> Places {
        std::fs::create_dir_all(folder).unwrap();
        std::fs::write(folder.join("tiny.xml"), "<platform/>").unwrap();
        let binary = folder.join("foretell");
        crate::shell::write_script(&binary, script);
        Places { binary, platforms: vec![folder.to_owned()], traces: folder.to_owned() }
    }

    #[test]
    fn outcomes_keep_the_order_of_the_cases() {
        let folder = std::env::temp_dir().join(format!("xtask-reference-{}", std::process::id()));
        let places = fake(&folder, "echo '{\"sim_s\": 2.0, \"cpu_s\": 0.1}'");
        let cases: Vec<_> = [1.0, 2.0, 4.0].map(case).into();
        let errors: Vec<_> = all(&cases, &places, 2).iter().filter_map(|o| o.error).collect();
        assert!((errors[0] - 1.0).abs() < 1e-6 && errors[1] == 0.0);
        assert!((errors[2] - 0.5).abs() < 1e-6);
        let places = fake(&folder, "echo 'error: no route' >&2; exit 1");
        let failure = all(&cases[..1], &places, 1)[0].failure.clone().unwrap();
        assert!(failure.contains("no route"), "{failure}");
        std::fs::remove_dir_all(folder).unwrap();
    }
}
