//! From outcomes to a table, a distribution and a pass or a miss.

use std::fmt;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use super::case::Case;
use super::runner::Outcome;

/// How close cases must be.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    /// Every case, unless it is an exception.
    each: f64,
    /// Most cases.
    close: f64,
}

impl Bounds {
    const POINT_TO_POINT: Bounds = Bounds { each: 0.01, close: 0.001 };
    const COLLECTIVE: Bounds = Bounds { each: 0.1, close: 0.02 };

    /// Those for the cases of a file, which are of one kind.
    pub(crate) fn of(cases: &[Case]) -> Bounds {
        match cases.iter().all(|case| case.program == "coll") {
            true => Self::COLLECTIVE,
            false => Self::POINT_TO_POINT,
        }
    }
}

/// This share of the cases must be close.
const CLOSE_SHARE: f64 = 0.9;
/// More exceptions than this are not exceptions any more.
const MOST_EXCEPTIONS: usize = 5;
/// Rows of the table of the worst cases.
const WORST: usize = 10;

/// Cases known to be further off, each with its reason.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Exceptions {
    #[serde(default)]
    exception: Vec<Exception>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Exception {
    case: String,
    reason: String,
}

impl Exceptions {
    /// Reads the file of exceptions; none when there is no such file.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        if !path.is_file() {
            return Ok(Self::default());
        }
        let text = std::fs::read_to_string(path)?;
        Self::parse(&text).with_context(|| format!("in {}", path.display()))
    }

    fn parse(text: &str) -> Result<Self> {
        let exceptions: Self = toml::from_str(text)?;
        if exceptions.exception.len() > MOST_EXCEPTIONS {
            bail!("{} exceptions; at most {MOST_EXCEPTIONS}", exceptions.exception.len());
        }
        if let Some(bare) = exceptions.exception.iter().find(|e| e.reason.trim().is_empty()) {
            bail!("the exception `{}` needs a reason", bare.case);
        }
        Ok(exceptions)
    }

    fn reason(&self, case: &str) -> Option<&str> {
        self.exception.iter().find(|e| e.case == case).map(|e| e.reason.as_str())
    }
}

/// What all outcomes of one file say together.
#[derive(Debug)]
pub(crate) struct Verdict<'a> {
    /// Worst first; a run that failed counts as worst of all.
    sorted: Vec<&'a Outcome>,
    exceptions: &'a Exceptions,
    bounds: Bounds,
}

impl<'a> Verdict<'a> {
    /// Sorts the outcomes.
    pub(crate) fn new(outcomes: &'a [Outcome], exceptions: &'a Exceptions, bounds: Bounds) -> Self {
        let mut sorted: Vec<_> = outcomes.iter().collect();
        sorted.sort_by(|a, b| error(b).total_cmp(&error(a)));
        Self { sorted, exceptions, bounds }
    }

    /// What keeps the comparison from passing; empty when it passes.
    pub(crate) fn misses(&self) -> Vec<String> {
        let mut misses = Vec::new();
        let Bounds { each, close: bound } = self.bounds;
        let off = self.sorted.iter().filter(|o| error(o) > each);
        let unexplained = off.filter(|o| self.exceptions.reason(&o.case).is_none()).count();
        if unexplained > 0 {
            let percent = 100.0 * each;
            misses.push(format!(
                "{unexplained} cases off by more than {percent} % and not explained"
            ));
        }
        let close = self.within(bound);
        if (close as f64) < CLOSE_SHARE * self.sorted.len() as f64 {
            let percent = 100.0 * bound;
            misses.push(format!("only {close} of {} within {percent} %", self.sorted.len()));
        }
        misses
    }

    fn within(&self, bound: f64) -> usize {
        self.sorted.iter().filter(|o| error(o) <= bound).count()
    }
}

fn error(outcome: &Outcome) -> f64 {
    outcome.error.unwrap_or(f64::INFINITY)
}

impl fmt::Display for Verdict<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:>12}  {:>14}  {:>14}  worst cases",
            "difference", "reference s", "foretell s"
        )?;
        for outcome in self.sorted.iter().take(WORST) {
            let Outcome { case, reference_s, sim_s, error, failure } = outcome;
            match (sim_s, error) {
                (Some(sim_s), Some(error)) => {
                    let percent = 100.0 * error;
                    write!(f, "{percent:>10.4} %  {reference_s:>14.9}  {sim_s:>14.9}  {case}")?;
                }
                _ => {
                    let failure = failure.as_deref().unwrap_or("no result");
                    write!(
                        f,
                        "{:>12}  {reference_s:>14.9}  {:>14}  {case}: {failure}",
                        "failed", ""
                    )?;
                }
            }
            match self.exceptions.reason(case) {
                Some(reason) => writeln!(f, " [explained: {reason}]")?,
                None => writeln!(f)?,
            }
        }
        let count = self.sorted.len();
        let percent = |n: usize| 100.0 * n as f64 / count.max(1) as f64;
        let Bounds { each, close: bound } = self.bounds;
        let (exact, close, near) = (self.within(1e-6), self.within(bound), self.within(each));
        let (bound, each) = (100.0 * bound, 100.0 * each);
        let failed = self.sorted.iter().filter(|o| o.error.is_none()).count();
        write!(
            f,
            "{count} cases: {exact} within 0.0001 % ({:.1} %), {close} within {bound} % ({:.1} %), \
             {near} within {each} % ({:.1} %), {failed} failed",
            percent(exact),
            percent(close),
            percent(near)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcomes(errors: &[f64]) -> Vec<Outcome> {
        let one = |(index, &error): (usize, &f64)| Outcome {
            case: format!("case {index}"),
            reference_s: 1.0,
            sim_s: Some(1.0 + error),
            error: error.is_finite().then_some(error),
            failure: None,
        };
        errors.iter().enumerate().map(one).collect()
    }

    fn misses(errors: &[f64], exceptions: &str) -> usize {
        let exceptions = Exceptions::parse(exceptions).unwrap();
        Verdict::new(&outcomes(errors), &exceptions, Bounds::POINT_TO_POINT).misses().len()
    }

    const EXPLAINED: &str = "[[exception]]\ncase = \"case 0\"\nreason = \"why\"\n";

    #[test]
    fn a_case_far_off_must_be_explained() {
        let errors = [[0.02].as_slice(), &[0.0; 19]].concat();
        assert_eq!(misses(&errors, ""), 1);
        assert_eq!(misses(&errors, EXPLAINED), 0);
    }

    #[test]
    fn a_run_that_failed_is_far_off() {
        let errors = [[f64::INFINITY].as_slice(), &[0.0; 19]].concat();
        assert_eq!(misses(&errors, ""), 1);
    }

    #[test]
    fn nine_in_ten_must_be_close() {
        let errors = [[0.005; 3].as_slice(), &[0.0; 17]].concat();
        assert_eq!(misses(&errors, ""), 1);
        let errors = [[0.005; 2].as_slice(), &[0.0; 18]].concat();
        assert_eq!(misses(&errors, ""), 0);
    }

    #[test]
    fn exceptions_are_few_and_reasoned() {
        assert!(Exceptions::parse(&EXPLAINED.repeat(6)).is_err());
        assert!(Exceptions::parse(&EXPLAINED.replace("why", " ")).is_err());
        assert!(Exceptions::parse("").is_ok());
    }

    #[test]
    fn the_worst_case_comes_first() {
        let outcomes = outcomes(&[0.0, 0.5]);
        let text =
            Verdict::new(&outcomes, &Exceptions::default(), Bounds::POINT_TO_POINT).to_string();
        let lines: Vec<_> = text.lines().collect();
        assert!(lines[1].contains("50.0000 %") && lines[1].ends_with("case 1"), "{text}");
        assert!(text.ends_with("1 within 1 % (50.0 %), 0 failed"), "{text}");
    }
}
