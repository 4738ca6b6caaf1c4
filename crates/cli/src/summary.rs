//! The summary of a run for people: read in ten seconds.

use std::ffi::OsStr;
use std::fmt::Write;
use std::path::Path;

use foretell_apps::Solved;
use foretell_launch::{CollectiveUse, PstateUse, RankTimes, Spread, Times};

use crate::energy;
use crate::figures::{count, counted, data, many, percent, result, time};
use crate::meters::Usage;
use crate::run::Outcome;

/// The columns of what HPL prints.
const HPL_HEADER: &str =
    "T/V                N    NB     P     Q               Time                 Gflops";
/// Characters of a bar that stands for all of the time.
const BAR: usize = 24;

/// What was found, where the time went, what the simulation took.
pub(crate) fn text(outcome: &Outcome) -> String {
    let mut text = heading(outcome);
    text.push_str(&as_hpl_prints(&outcome.solved));
    text.push('\n');
    for (title, value) in found(outcome) {
        line(&mut text, title, &value);
    }
    for (nth, job) in outcome.jobs.iter().enumerate() {
        let (took, start) = (result(job.end - job.start), result(job.start));
        let (trace, ranks) = (&job.trace, counted(job.ranks.into(), "rank"));
        let words = format!("{took} from {start} on, {ranks}, {trace}");
        line(&mut text, &format!("job {}", nth + 1), &words);
    }
    text.push('\n');
    let ranks: Vec<RankTimes> = outcome.report.ranks.iter().map(RankTimes::from).collect();
    let times = Times::over(&ranks);
    text.push_str(&where_time_went(&times, outcome.report.seconds));
    if let Some(found) = &outcome.energy {
        text.push('\n');
        energy::lines(&found.energy)
            .iter()
            .for_each(|(title, value)| line(&mut text, title, value));
    }
    if let Some(chosen) = &outcome.report.pstates {
        if outcome.energy.is_none() {
            text.push('\n');
        }
        line(&mut text, "pstates", &energy::pstates(&PstateUse::from(chosen)));
    }
    text.push('\n');
    if outcome.about.shows_collectives {
        let used: Vec<_> = outcome.report.collectives.iter().map(CollectiveUse::from).collect();
        text.push_str(&collectives(&used));
        text.push('\n');
    }
    for (title, value) in taken(outcome) {
        line(&mut text, title, &value);
    }
    text
}

/// The table that HPL itself prints, if it ran.
fn as_hpl_prints(solved: &[Solved]) -> String {
    let lines: String = solved.iter().map(|solved| solved.line() + "\n").collect();
    match lines.is_empty() {
        true => lines,
        false => format!("\n{HPL_HEADER}\n{}\n{lines}", "-".repeat(80)),
    }
}

/// Messages simulated per CPU second of the timed section; none if that was too short to tell.
pub(crate) fn rate(outcome: &Outcome) -> Option<f64> {
    let measured = &outcome.measured;
    (measured.cpu > 0.0 && measured.messages > 0).then(|| measured.messages as f64 / measured.cpu)
}

/// A line of the summary: a title and what belongs to it.
pub(crate) fn line(text: &mut String, title: &str, value: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "  {title:<16} {value}");
}

fn heading(outcome: &Outcome) -> String {
    let about = &outcome.about;
    let ranks = counted(about.ranks.into(), "rank");
    let machine = machine(&about.asked_as, &about.machine);
    format!("{}: {ranks} on {} of {machine}\n", about.skeleton, about.occupation)
}

/// The machine's name for a heading. What the user typed tells more than the name inside a file,
/// often one letter.
pub(crate) fn machine(asked_as: &str, name: &str) -> String {
    let file = Path::new(asked_as).file_name().map(OsStr::to_string_lossy);
    file.map_or_else(|| name.to_owned(), |file| file.into_owned())
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

/// The table of where a rank's time went.
pub(crate) fn where_time_went(times: &Times<Spread>, seconds: f64) -> String {
    let end = times.end_s;
    // The mean of equal dates is not always exactly that date.
    let left = |date: f64| if seconds - date > 1e-9 * seconds { seconds - date } else { 0.0 };
    let early = Spread { mean: left(end.mean), min: left(end.max), max: left(end.min) };
    let rows = [
        ("computing", times.computing_s),
        ("overhead", times.overhead_s),
        ("waiting", times.waiting_s),
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

/// The table of collective algorithms that ran.
pub(crate) fn collectives(used: &[CollectiveUse]) -> String {
    if used.is_empty() {
        return "  no collective operation ran\n".to_owned();
    }
    let from_to = |least: u64, most: u64| match least == most {
        true => count(least),
        false => format!("{} to {}", count(least), count(most)),
    };
    let row = |cells: [&str; 5]| {
        let [operation, algorithm, calls, bytes, ranks] = cells;
        let row = format!("  {operation:<20} {algorithm:<27} {calls:>9}  {bytes:<24} {ranks}");
        format!("{}\n", row.trim_end())
    };
    let mut text = row(["collective", "algorithm", "calls", "bytes", "ranks"]);
    for used in used {
        let bytes = from_to(used.least_bytes, used.most_bytes);
        let ranks = from_to(used.least_ranks.into(), used.most_ranks.into());
        let calls = count(used.calls);
        text.push_str(&row([&used.operation, &used.algorithm, &calls, &bytes, &ranks]));
    }
    text
}

fn bar(share: f64) -> String {
    let eighths = (share.clamp(0.0, 1.0) * (8 * BAR) as f64).round() as usize;
    let rest = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8];
    "█".repeat(eighths / 8) + rest
}

fn taken(outcome: &Outcome) -> Vec<(&'static str, String)> {
    let mut lines = vec![("simulator", used(&outcome.usage))];
    let mut dates = counted(outcome.report.dates, "date");
    if let Some(actions) = outcome.actions {
        dates = format!("{}, {dates}", counted(actions, "action"));
    }
    lines.push(match rate(outcome) {
        Some(rate) => ("", format!("{} messages/s, {dates}", many(rate))),
        None => ("", dates),
    });
    lines
}

/// What the simulator used.
pub(crate) fn used(usage: &Usage) -> String {
    let memory = usage.peak_rss_bytes.map(|bytes| format!(", {}", data(bytes as f64)));
    let (cpu, wall) = (time(usage.cpu_s), time(usage.wall_s));
    format!("{cpu} of CPU, {wall} of wall time{}", memory.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn algorithms_that_ran_have_a_row_each() {
        let used = CollectiveUse {
            operation: "allreduce".to_owned(),
            algorithm: "rdb".to_owned(),
            calls: 1200,
            least_bytes: 8,
            most_bytes: 65_536,
            least_ranks: 64,
            most_ranks: 64,
        };
        let text = collectives(&[used]);
        let words: Vec<_> = text.lines().nth(1).unwrap().split_whitespace().collect();
        assert_eq!(words[..2], ["allreduce", "rdb"], "{text}");
        assert_eq!(words.last(), Some(&"64"), "{text}");
        assert!(collectives(&[]).contains("no collective"));
    }

    #[test]
    fn bars_are_as_long_as_the_share() {
        assert_eq!(bar(0.0), "");
        assert_eq!(bar(1.0).chars().count(), BAR);
        assert_eq!(bar(2.0).chars().count(), BAR);
        assert_eq!(bar(1.0 / 48.0), "▌");
    }
}
