//! A machine in a dozen lines.

use std::fmt::Write;

use foretell_units::{Bytes, BytesPerSecond, FlopPerSecond, Seconds};

use super::{Distance, Summary, counted, rounded};
use crate::machine::Platform;

/// Describes a machine so that one sees at a glance whether it is the one that was meant.
pub fn describe(platform: &Platform) -> String {
    Summary::of(platform).to_string()
}

impl std::fmt::Display for Summary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "{}", self.name)?;
        for (title, text) in lines(self) {
            writeln!(f, "  {title:<10} {text}")?;
        }
        Ok(())
    }
}

fn lines(summary: &Summary) -> Vec<(&'static str, String)> {
    let mut lines = vec![
        ("nodes", nodes(summary)),
        ("peak", FlopPerSecond::new(rounded(summary.peak)).to_string()),
        ("network", network(summary)),
    ];
    if let Some(nearest) = &summary.nearest {
        lines.push(("nearest", distance(nearest)));
    }
    if let Some(farthest) = &summary.farthest {
        let most = format!(", at most {} links", summary.diameter);
        let extra = if summary.diameter > farthest.links { most } else { String::new() };
        let sampled = if summary.sampled { " (of the pairs looked at)" } else { "" };
        lines.push(("farthest", distance(farthest) + &extra + sampled));
    }
    if let Some(local) = &summary.local {
        let bandwidth = BytesPerSecond::new(rounded(local.bandwidth));
        let latency = Seconds::new(rounded(local.latency));
        lines.push(("in a node", format!("{latency}, {bandwidth}")));
    }
    if let Some(bisection) = summary.bisection {
        let bandwidth = BytesPerSecond::new(rounded(bisection));
        lines.push(("bisection", format!("{bandwidth} each way")));
    }
    if let Some((read, write)) = summary.storage {
        let [read, write] = [read, write].map(|rate| BytesPerSecond::new(rounded(rate)));
        lines.push(("storage", format!("{read} read, {write} written")));
    }
    let mut model = summary.model.clone();
    for (count, what) in [(summary.profiles, "profile"), (summary.overrides, "special node")] {
        if count > 0 {
            // Writing to a string cannot fail.
            let _ = write!(model, ", {}", counted(count, what));
        }
    }
    lines.push(("model", model));
    let memory = Bytes::new(rounded((summary.memory as f64 / 1000.0).ceil() * 1000.0));
    lines.push(("memory", format!("about {memory} for this description")));
    lines
}

fn nodes(summary: &Summary) -> String {
    let range = |least: String, most: String| match least == most {
        true => least,
        false => format!("{least} to {most}"),
    };
    let (fewest, most) = summary.node_cores;
    let cores = range(fewest.to_string(), most.to_string());
    let plural = if cores == "1" { "core" } else { "cores" };
    let (slowest, fastest) = summary.core_speed;
    let speed = |speed| FlopPerSecond::new(rounded(speed)).to_string();
    format!(
        "{} of {cores} {plural}, {} in all, {} a core",
        grouped(summary.nodes),
        grouped(summary.cores),
        range(speed(slowest), speed(fastest))
    )
}

fn network(summary: &Summary) -> String {
    let mut text = summary.topology.clone();
    if summary.switches > 1 {
        let _ = write!(text, ", {} switches", grouped(summary.switches));
    }
    let _ = write!(text, ", {} links", grouped(summary.links));
    text
}

fn distance(way: &Distance) -> String {
    let latency = Seconds::new(rounded(way.latency));
    let bandwidth = BytesPerSecond::new(rounded(way.bandwidth));
    let links = counted(way.links, "link");
    format!("{latency} over {links} at {bandwidth}, {} to {}", way.from, way.to)
}

/// Digits in groups of three.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        // Four digits read well without a comma.
        if place > 0 && (digits.len() - place).is_multiple_of(3) && digits.len() > 4 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
