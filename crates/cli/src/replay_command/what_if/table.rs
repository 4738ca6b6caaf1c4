//! What came of each change, the best first.

use std::fmt::Write;

use foretell_replay::{Evened, Loads};
use serde_json::json as value;

use crate::figures::{percent, result};
use crate::replay_command::aftermath;
use crate::replay_command::changes::Sort;

/// What came of one of them.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Found {
    pub(super) name: String,
    pub(super) seconds: f64,
    pub(super) joules: Option<f64>,
}

/// How the work is spread over ranks, and over time, if that was found out.
pub(super) struct Spread {
    pub(super) loads: Loads,
    pub(super) evened: Option<Evened>,
}

/// All that was found.
pub(super) struct Table {
    base: Found,
    /// In order.
    found: Vec<Found>,
    spread: Spread,
    sort: Sort,
}

impl Table {
    pub(super) fn new(base: Found, mut found: Vec<Found>, spread: Spread, sort: Sort) -> Self {
        let key = |one: &Found| match sort {
            Sort::Time => one.seconds,
            Sort::Energy => one.joules.unwrap_or(f64::INFINITY),
        };
        // What gains the same stays in the order in which it was tried.
        found.sort_by(|a, b| key(a).total_cmp(&key(b)));
        Self { base, found, spread, sort }
    }

    /// For people.
    pub(super) fn text(&self) -> String {
        let rows = || std::iter::once(&self.base).chain(&self.found);
        let widest = rows().map(|one| one.name.chars().count()).max().unwrap_or_default();
        let width = widest.max(20);
        let has_joules = self.base.joules.is_some();
        let mut text = format!("{:<width$} {:>16} {:>10}", "what if", "simulated time", "gain");
        if has_joules {
            let _ = write!(text, " {:>16} {:>10}", "energy", "gain");
        }
        text.push('\n');
        for one in rows() {
            let is_base = std::ptr::eq(one, &self.base);
            let gain = |now: f64, before: f64| match is_base {
                true => String::new(),
                false => signed(before - now, before),
            };
            let (name, time) = (&one.name, result(one.seconds));
            let saved = gain(one.seconds, self.base.seconds);
            let mut line = format!("{name:<width$} {time:>16} {saved:>10}");
            if let (Some(joules), Some(before)) = (one.joules, self.base.joules) {
                let (told, saved) = (format!("{joules:.3} J"), gain(joules, before));
                let _ = write!(line, " {told:>16} {saved:>10}");
            }
            let _ = writeln!(text, "{}", line.trim_end());
        }
        text.push_str(&self.spread.text());
        text
    }

    /// For programs.
    pub(super) fn json(&self) -> String {
        let told = |one: &Found| {
            let gain = share(self.base.seconds - one.seconds, self.base.seconds);
            let saved = one.joules.zip(self.base.joules);
            let energy_gain = saved.map(|(now, before)| share(before - now, before));
            value!({
                "name": one.name, "simulated_s": one.seconds, "gain": gain,
                "joules": one.joules, "energy_gain": energy_gain,
            })
        };
        let sort = match self.sort {
            Sort::Time => "time",
            Sort::Energy => "energy",
        };
        let all = value!({
            "simulated_s": self.base.seconds, "joules": self.base.joules,
            "sorted_by": sort,
            "most_computing": self.spread.most().map(|(rank, times)| {
                value!({ "rank": rank, "times_mean": times })
            }),
            "noise": self.spread.evened.map(|evened| value!({
                "computations": evened.computations, "that_vary": evened.evened,
                "variation": evened.variation(),
            })),
            "what_if": self.found.iter().map(told).collect::<Vec<_>>(),
        });
        format!("{all:#}\n")
    }
}

impl Spread {
    /// The rank that computes most, and how many times the mean; none if no rank computes.
    fn most(&self) -> Option<(u32, f64)> {
        self.loads.most().map(|(rank, load)| (rank, load / self.loads.mean()))
    }

    fn text(&self) -> String {
        let Some(words) = aftermath::unevenness(&self.loads) else { return String::new() };
        let mut text = format!("\n{words}\n");
        if let Some(evened) = self.evened {
            let _ = writeln!(text, "{}", aftermath::noise(evened));
        }
        text
    }
}

/// A share of a whole that may be nothing.
fn share(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

/// A share that may be negative.
fn signed(part: f64, whole: f64) -> String {
    let told = percent(part.abs(), whole);
    if part < 0.0 && told != percent(0.0, 1.0) { format!("-{told}") } else { told }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str, seconds: f64, joules: Option<f64>) -> Found {
        Found { name: name.to_owned(), seconds, joules }
    }

    #[test]
    fn gains_have_a_sign_and_nothing_has_none() {
        assert_eq!(signed(0.4, 1.0), "40.0 %");
        assert_eq!(signed(-0.4, 1.0), "-40.0 %");
        assert_eq!(signed(-1e-9, 1.0), "0.0 %");
        assert_eq!(signed(0.0, 0.0), "0.0 %");
    }

    #[test]
    fn rows_are_sorted_by_time_or_by_joules() {
        let spread = || {
            let file = tempfile::NamedTempFile::new().unwrap();
            std::fs::write(file.path(), "0 compute 1\n1 compute 3\n").unwrap();
            let trace = foretell_trace::Trace::open(file.path()).unwrap();
            let loads = foretell_replay::Replay::new(trace).loads().unwrap();
            Spread { loads, evened: None }
        };
        let table = |sort| {
            let rows = vec![row("slow", 1.5, Some(5.0)), row("fast", 0.5, Some(8.0))];
            Table::new(row("as it is", 1.0, Some(10.0)), rows, spread(), sort)
        };
        let names = |table: Table| table.found.into_iter().map(|one| one.name).collect::<Vec<_>>();
        assert_eq!(names(table(Sort::Time)), ["fast", "slow"]);
        assert_eq!(names(table(Sort::Energy)), ["slow", "fast"]);
        let text = table(Sort::Time).text();
        assert_eq!(
            text,
            "what if                simulated time       gain           energy       gain\n\
             as it is                          1 s                    10.000 J\n\
             fast                           500 ms     50.0 %          8.000 J     20.0 %\n\
             slow                            1.5 s    -50.0 %          5.000 J     50.0 %\n\
             \nrank 1 computes most, 1.500 times the mean\n"
        );
        let told: serde_json::Value = serde_json::from_str(&table(Sort::Energy).json()).unwrap();
        assert_eq!(told["what_if"][0]["energy_gain"], 0.5);
        assert_eq!(told["what_if"][0]["gain"], -0.5);
        assert_eq!(told["most_computing"]["times_mean"], 1.5);
    }
}
