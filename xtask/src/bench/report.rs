//! One printed line per configuration, with its verdict.

use std::fmt;

use serde::Serialize;

use super::configuration::{Bar, Configuration};
use super::race::{Figures, Finish, Other};

/// The column titles above the rows.
pub(super) const HEAD: &str = concat!(
    "configuration                ranks   messages     foretell      SimGrid   rate x  (4.1.1)  CPU x",
    "  mem x    wall s  MiB      verdict\n",
    "                                                   msgs/s       msgs/s     live recorded"
);

/// A configuration, its figures and what they amount to.
#[derive(Debug, Serialize)]
pub(super) struct Row {
    configuration: Configuration,
    finish: Finish,
    /// Our messages per CPU second of the timed section; none when there are no messages.
    rate: Option<f64>,
    /// Our rate over that of the SimGrid that ran beside us.
    rate_live: Option<f64>,
    /// Our rate over that recorded for SimGrid 4.1.1.
    rate_recorded: Option<f64>,
    /// SimGrid's CPU time of the whole run over ours, live if it ran, else recorded.
    cpu_ratio: Option<f64>,
    /// SimGrid's peak memory over ours, live if it ran, else recorded.
    memory_ratio: Option<f64>,
    /// What keeps the row from passing.
    misses: Vec<String>,
}

impl Row {
    /// Works out the ratios and holds them against the bars.
    pub(super) fn new(finish: Finish, configuration: Configuration) -> Self {
        let messages = configuration.messages();
        let own = finish.own;
        let live = if let Other::Ran(other) = &finish.other { Some(*other) } else { None };
        let recorded = configuration.recorded;
        let over = |theirs: f64, ours: f64| (ours > 0.0 && theirs > 0.0).then(|| theirs / ours);
        let has_rate = |section_s: f64| (messages > 0.0).then(|| over(section_s, own.section_s));
        let ratio = |of_live: fn(Figures) -> f64, of_recorded: Option<f64>, own: f64| {
            live.map(of_live).or(of_recorded).and_then(|theirs| over(theirs, own))
        };
        let mut row = Self {
            rate: over(messages, own.section_s),
            rate_live: live.and_then(|other| has_rate(other.section_s)).flatten(),
            rate_recorded: recorded.and_then(|other| has_rate(other.section_s)).flatten(),
            cpu_ratio: ratio(|f| f.total_s, recorded.map(|r| r.total_s), own.total_s),
            memory_ratio: ratio(|f| f.rss_mib, recorded.map(|r| r.rss_mib), own.rss_mib),
            misses: finish.disagreement(&configuration).into_iter().collect(),
            configuration,
            finish,
        };
        let below = row.configuration.bars.iter().filter_map(|bar| row.miss(*bar));
        let below: Vec<_> = below.collect();
        row.misses.extend(below);
        row
    }

    /// Whether the simulated times agree and every bar is held.
    pub(super) fn passes(&self) -> bool {
        self.misses.is_empty()
    }

    fn miss(&self, bar: Bar) -> Option<String> {
        let own = self.finish.own;
        let above = |value: f64, limit: f64, unit: &str| {
            (value > limit).then(|| format!("{value:.3} {unit}, bar {limit} {unit}"))
        };
        match bar {
            // Both witnesses count: the one that ran beside us and the fastest one recorded.
            Bar::Rate(least) => {
                let below = |rate: Option<f64>, least: f64, of: &str| {
                    let rate = rate.filter(|rate| *rate < least)?;
                    Some(format!("x{rate:.1} of {of}, bar x{least}"))
                };
                below(self.rate_live, least, "the installed SimGrid")
                    .or_else(|| below(self.rate_recorded, NEWEST, "SimGrid 4.1.1"))
            }
            Bar::Messages(least) => {
                let rate = self.configuration.messages() / own.section_s;
                (rate < least).then(|| format!("{rate:.0} messages/s, bar {least}"))
            }
            Bar::Section(limit) => above(own.section_s, limit, "CPU s"),
            Bar::Wall(limit) => above(own.wall_s, limit, "s"),
            Bar::Memory(limit) => above(own.rss_mib, limit, "MiB"),
        }
    }
}

/// How far ahead of the recorded figures of SimGrid 4.1.1 a row must be.
const NEWEST: f64 = 5.0;

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Configuration { name, ranks, recorded, .. } = &self.configuration;
        let messages = self.configuration.messages();
        let theirs = match &self.finish.other {
            Other::Ran(other) => thousands((messages / other.section_s).into()),
            Other::Capped(seconds) => format!("> {seconds} s"),
            Other::Failed(_) => "failed".into(),
            Other::Skipped => recorded
                .map_or("-".into(), |r| format!("({})", thousands(Some(messages / r.section_s)))),
        };
        let own = self.finish.own;
        write!(
            f,
            "{name:<26} {ranks:>7} {messages:>10} {:>12} {theirs:>12} {:>8} {:>8} {:>6} {:>6} {:>9.3} {:>7.1}  ",
            thousands(self.rate),
            times(self.rate_live),
            times(self.rate_recorded),
            times(self.cpu_ratio),
            times(self.memory_ratio),
            own.wall_s,
            own.rss_mib,
        )?;
        if self.passes() {
            write!(f, "pass")
        } else {
            write!(f, "MISS: {}", self.misses.join("; "))
        }
    }
}

fn thousands(rate: Option<f64>) -> String {
    rate.filter(|rate| *rate > 0.0).map_or("-".into(), |rate| format!("{:.1} k", rate / 1000.0))
}

fn times(ratio: Option<f64>) -> String {
    ratio.map_or("-".into(), |ratio| format!("{ratio:.1}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::table;

    fn configuration(name: &str) -> Configuration {
        table::configurations().into_iter().find(|row| row.name == name).unwrap()
    }

    fn figures(section_s: f64, sim_s: f64) -> Figures {
        Figures { section_s, total_s: section_s, wall_s: section_s, rss_mib: 8.0, sim_s }
    }

    fn row(name: &str, section_s: f64, other: Other) -> Row {
        let configuration = configuration(name);
        let sim_s = configuration.recorded.map_or(1.0, |recorded| recorded.sim_s);
        Row::new(Finish { own: figures(section_s, sim_s), other }, configuration)
    }

    #[test]
    fn both_witnesses_must_be_beaten() {
        let sim_s = configuration("ring-64-star").recorded.unwrap().sim_s;
        let beside = |section_s| Other::Ran(figures(section_s, sim_s));
        assert!(row("ring-64-star", 0.1, beside(1.1)).passes());
        let behind = row("ring-64-star", 0.1, beside(0.9));
        let expected = "x9.0 of the installed SimGrid, bar x10";
        assert_eq!(behind.misses, [expected]);
        let slow = row("ring-64-star", 0.2, beside(9.0));
        assert_eq!(slow.misses, ["x4.8 of SimGrid 4.1.1, bar x5"]);
    }

    #[test]
    fn an_absolute_bar_needs_no_witness() {
        assert!(row("flows-4096-star", 4.9, Other::Skipped).passes());
        let late = row("flows-4096-star", 5.1, Other::Skipped);
        assert!(late.to_string().ends_with("MISS: 5.100 CPU s, bar 5 CPU s"), "{late}");
    }

    #[test]
    fn a_wrong_time_is_a_miss_however_fast() {
        let configuration = configuration("ring-64-star");
        let finish = Finish { own: figures(0.001, 1.0), other: Other::Skipped };
        assert!(!Row::new(finish, configuration).passes());
    }
}
