//! Runs the predictions, and keeps what they gave: large cases take minutes.

use std::fs;
use std::hash::Hasher;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use super::case::Case;

/// What a run predicted, and what it took.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Prediction {
    /// Predicted Gflop/s.
    pub(crate) gflops: f64,
    /// CPU seconds of the run.
    pub(crate) cpu_s: f64,
}

/// Where calibrations are, and where predictions are kept.
#[derive(Debug)]
pub(crate) struct Predictor {
    data: PathBuf,
    kept: PathBuf,
}

impl Predictor {
    /// Calibrations in `data`, predictions in `kept`.
    pub(crate) fn new(data: &Path, kept: PathBuf) -> Result<Self> {
        let data =
            fs::canonicalize(data).with_context(|| format!("cannot read {}", data.display()))?;
        Ok(Self { data, kept })
    }

    /// Predicts all cases that are not kept yet, `jobs` at a time.
    pub(crate) fn run_all(&self, cases: &[&Case], binary: &Path, jobs: usize) -> Result<()> {
        let (next, failures) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
        std::thread::scope(|scope| {
            for _ in 0..jobs.min(cases.len()) {
                scope.spawn(|| {
                    while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                        if let Err(error) = self.predict(case, binary) {
                            let mut failures =
                                failures.lock().unwrap_or_else(|bad| bad.into_inner());
                            failures.push(format!("{case}: {error:#}"));
                        }
                    }
                });
            }
        });
        let failures = failures.into_inner().unwrap_or_else(|bad| bad.into_inner());
        if !failures.is_empty() {
            bail!("{} cases failed:\n{}", failures.len(), failures.join("\n"));
        }
        Ok(())
    }

    /// The prediction of a case, if it was run with these calibrations.
    pub(crate) fn stored(&self, case: &Case) -> Result<Option<Prediction>> {
        let path = self.place(case)?;
        if !path.is_file() {
            return Ok(None);
        }
        let text = fs::read_to_string(&path)?;
        let kept = serde_json::from_str(&text);
        kept.map(Some).with_context(|| format!("{} is not readable; delete it", path.display()))
    }

    fn predict(&self, case: &Case, binary: &Path) -> Result<()> {
        if self.stored(case)?.is_some() {
            return Ok(());
        }
        let output = Command::new(binary)
            .args(self.words(case))
            .stdin(Stdio::null())
            .output()
            .with_context(|| format!("cannot start {}", binary.display()))?;
        if !output.status.success() {
            bail!("{}", String::from_utf8_lossy(&output.stderr).trim());
        }
        let prediction = answer(&String::from_utf8_lossy(&output.stdout))?;
        let Prediction { gflops, cpu_s } = &prediction;
        println!("{case}: {:.0} measured, {gflops:.0} predicted, {cpu_s:.0} s", case.measured.mean);
        // A run that is stopped leaves no half of a file behind.
        let (path, part) = (self.place(case)?, self.place(case)?.with_extension("part"));
        fs::write(&part, serde_json::to_string(&prediction)?)?;
        fs::rename(&part, &path).with_context(|| format!("cannot write {}", path.display()))
    }

    /// The words after the name of the command.
    fn words(&self, case: &Case) -> Vec<String> {
        let file = |name: &str| self.data.join(name).to_string_lossy().into_owned();
        let mut words = vec!["app".to_owned(), "hpl".to_owned()];
        words.extend(["-p".to_owned(), file(&case.platform)]);
        words.extend(["--kernels".to_owned(), file(&case.kernels)]);
        words.extend(case.parameters());
        let usual = ["--panel", "aggregate", "--seed", "1", "--quiet", "--json", "-"];
        words.extend(usual.map(str::to_owned));
        words.extend((!case.noise).then(|| "--no-noise".to_owned()));
        words
    }

    /// Where a prediction is kept: the name stands for all that it depends on but the simulator.
    fn place(&self, case: &Case) -> Result<PathBuf> {
        let mut name = Fnv(0xcbf2_9ce4_8422_2325);
        for file in [&case.platform, &case.kernels] {
            let path = self.data.join(file);
            let content =
                fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
            name.write(&content);
        }
        name.write(case.parameters().join(" ").as_bytes());
        name.write(&[u8::from(case.noise)]);
        Ok(self.kept.join(format!("{:016x}.json", name.finish())))
    }
}

/// The hash of Fowler, Noll and Vo: names must be the same with every compiler.
struct Fnv(u64);

impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

/// The part of the JSON summary that says what HPL would print.
#[derive(Debug, Deserialize)]
struct Summary {
    cpu_s: f64,
    hpl: Vec<Line>,
}

#[derive(Debug, Deserialize)]
struct Line {
    gflops: f64,
}

/// Reads the summary; what is printed before it is passed over.
fn answer(stdout: &str) -> Result<Prediction> {
    let start = stdout.find("\n{").map(|at| at + 1);
    let start = start.or_else(|| stdout.starts_with('{').then_some(0));
    let text = &stdout[start.context("no JSON in the output")?..];
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Summary>();
    let summary = values.next().context("no JSON in the output")?;
    let summary = summary.context("the JSON summary is not as expected")?;
    let line = summary.hpl.first().context("the summary has no line of HPL")?;
    Ok(Prediction { gflops: line.gflops, cpu_s: summary.cpu_s })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_is_found_below_the_lines_of_hpl() {
        let text = "T/V  N\n{\"cpu_s\": 2.5, \"hpl\": [{\"gflops\": 10.5, \"n\": 1}]}\n";
        assert_eq!(answer(text).unwrap(), Prediction { gflops: 10.5, cpu_s: 2.5 });
        assert!(answer("T/V").is_err());
        assert!(answer("{\"cpu_s\": 1, \"hpl\": []}").is_err());
    }
}
