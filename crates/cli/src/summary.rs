//! The summary of a run for people: read in ten seconds.

use std::ffi::OsStr;
use std::fmt::Write;
use std::path::Path;

use crate::figures::{count, counted, data, many, percent, result, time};
use crate::json::Spread;
use crate::run::Outcome;

/// Characters of a bar that stands for all of the time.
const BAR: usize = 24;

/// What was found, where the time went, what the simulation took.
pub(crate) fn text(outcome: &Outcome) -> String {
    let mut text = heading(outcome);
    text.push('\n');
    for (title, value) in found(outcome) {
        line(&mut text, title, &value);
    }
    text.push('\n');
    text.push_str(&where_time_went(outcome));
    text.push('\n');
    for (title, value) in taken(outcome) {
        line(&mut text, title, &value);
    }
    text
}

/// Messages simulated per CPU second of the timed section; none if that was too short to tell.
pub(crate) fn rate(outcome: &Outcome) -> Option<f64> {
    let measured = &outcome.measured;
    (measured.cpu > 0.0 && measured.messages > 0).then(|| measured.messages as f64 / measured.cpu)
}

fn line(text: &mut String, title: &str, value: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "  {title:<16} {value}");
}

fn heading(outcome: &Outcome) -> String {
    let about = &outcome.about;
    let ranks = counted(about.ranks.into(), "rank");
    // What the user typed tells more than the name inside a file, often one letter.
    let path = Path::new(&about.asked_as);
    let machine = path.file_name().map_or(about.machine.as_str().into(), OsStr::to_string_lossy);
    format!("{}: {ranks} on {} of {machine}\n", about.skeleton, about.occupation)
}

fn found(outcome: &Outcome) -> [(&'static str, String); 3] {
    let (report, measured) = (&outcome.report, &outcome.measured);
    let messages = count(report.counters.messages);
    let volume = data(report.counters.bytes as f64);
    let links = counted(report.links_used as u64, "link");
    [
        ("simulated time", result(report.seconds)),
        (
            "timed section",
            format!("{}, {}", result(measured.seconds), counted(measured.messages, "message")),
        ),
        ("messages", format!("{messages} in all, {volume}, over {links}")),
    ]
}

fn where_time_went(outcome: &Outcome) -> String {
    let (ranks, seconds) = (&outcome.report.ranks, outcome.report.seconds);
    let end = Spread::of(ranks, |times| times.end);
    // The mean of equal dates is not always exactly that date.
    let left = |date: f64| if seconds - date > 1e-9 * seconds { seconds - date } else { 0.0 };
    let early = Spread { mean: left(end.mean), min: left(end.max), max: left(end.min) };
    let rows = [
        ("computing", Spread::of(ranks, |times| times.computing)),
        ("overhead", Spread::of(ranks, |times| times.overhead)),
        ("waiting", Spread::of(ranks, |times| times.waiting)),
        ("already ended", early),
    ];
    let mut text = format!(
        "  {:<16} {:>11} {:>11} {:>11}     share\n",
        "a rank's time", "mean", "least", "most"
    );
    for (title, spread) in rows {
        let share = if seconds > 0.0 { spread.mean / seconds } else { 0.0 };
        let _ = writeln!(
            text,
            "  {title:<16} {:>11} {:>11} {:>11}   {:>7}  {}",
            time(spread.mean),
            time(spread.min),
            time(spread.max),
            percent(spread.mean, seconds),
            bar(share)
        );
    }
    // Empty bars leave blanks behind.
    text.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

fn bar(share: f64) -> String {
    let eighths = (share.clamp(0.0, 1.0) * (8 * BAR) as f64).round() as usize;
    let rest = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8];
    "█".repeat(eighths / 8) + rest
}

fn taken(outcome: &Outcome) -> Vec<(&'static str, String)> {
    let usage = &outcome.usage;
    let memory = usage.peak_rss_bytes.map(|bytes| format!(", {}", data(bytes as f64)));
    let mut lines = vec![(
        "simulator",
        format!(
            "{} of CPU, {} of wall time{}",
            time(usage.cpu_s),
            time(usage.wall_s),
            memory.unwrap_or_default()
        ),
    )];
    let dates = counted(outcome.report.dates, "date");
    lines.push(match rate(outcome) {
        Some(rate) => ("", format!("{} messages/s, {dates}", many(rate))),
        None => ("", dates),
    });
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_as_long_as_the_share() {
        assert_eq!(bar(0.0), "");
        assert_eq!(bar(1.0).chars().count(), BAR);
        assert_eq!(bar(2.0).chars().count(), BAR);
        assert_eq!(bar(1.0 / 48.0), "▌");
    }
}
