//! `foretell trace diff`: two traces side by side, for people.

mod json;

use std::fmt::Write;

use foretell_trace::timed::{Clocks, Difference, RankDifference};

use crate::figures::{count, percent, result, time};
pub(super) use json::json;

/// How many partings and ranks are named.
const MOST: usize = 10;

/// For people.
pub(super) fn text(found: &Difference) -> String {
    let mut text = head(found);
    alone(found, &mut text);
    changed(found, &mut text);
    states(found, &mut text);
    regions(found, &mut text);
    ranks(found, &mut text);
    partings(found, &mut text);
    shifts(found, &mut text);
    text
}

fn head(found: &Difference) -> String {
    let [first, second] = found.ends;
    let mut text = String::new();
    let mut line = |title: &str, words: String| _ = writeln!(text, "{title:<24} {words}");
    line("first ends at", result(first));
    line("second ends at", format!("{} {}", result(second), change(first, second)));
    if found.ranks[0] != found.ranks[1] {
        let [first, second] = found.ranks;
        line("ranks", format!("{first} and {second}; those of both are compared"));
    }
    if let Some(words) = clocks(found) {
        line("clocks", words);
    }
    line("calls that both have", count(found.paired));
    let [alone, other] = found.alone.map(count);
    line("calls of one alone", format!("{alone} of the first, {other} of the second"));
    if found.is_none() {
        line("difference", "none: the same calls at the same dates".to_owned());
    }
    if let Some(beyond) = &found.beyond {
        let (rank, nth, call) = (beyond.rank, beyond.nth, &beyond.call);
        let [first, second] = beyond.ends.map(result);
        let words = match beyond.lag < 0.0 {
            true => format!("{} ahead", time(-beyond.lag)),
            false => format!("{} behind", time(beyond.lag)),
        };
        let words =
            format!("rank {rank}, call {nth}: {call} ends at {first} and {second}, {words}");
        line("too far apart first at", words);
    }
    text
}

/// What dates count from, where that is not the beginning, and clocks that differ.
fn clocks(found: &Difference) -> Option<String> {
    let early = match found.too_early {
        [0, 0] => String::new(),
        [first, second] => format!(
            "of ranks differ: {} messages of the first and {} of the second came before they were \
             sent; ",
            count(first),
            count(second)
        ),
    };
    match found.clocks {
        Clocks::Collective => {
            Some(format!("{early}dates count from the first collective call of all on each rank"))
        }
        Clocks::Begin if early.is_empty() => None,
        Clocks::Begin => Some(format!("{early}dates are taken as they are")),
    }
}

fn alone(found: &Difference, text: &mut String) {
    if found.alone_by.is_empty() {
        return;
    }
    title(text, "calls of one alone", ["first", "second", ""]);
    let mut rows: Vec<_> = found.alone_by.iter().collect();
    rows.sort_by_key(|(_, counts)| std::cmp::Reverse(counts.iter().sum::<u64>()));
    for ((name, is_idle), counts) in rows {
        let name = if *is_idle { format!("{name} to or from nobody") } else { name.clone() };
        let [first, second] = counts.map(count);
        let _ = writeln!(text, "  {name:<34} {first:>12} {second:>12}");
    }
}

fn changed(found: &Difference, text: &mut String) {
    if found.changed.is_empty() {
        return;
    }
    title(text, "calls of both about something else", ["times", "", ""]);
    for ((name, what), times) in &found.changed {
        let words = format!("{name}: {what}");
        let _ = writeln!(text, "  {words:<34} {:>12}", count(*times));
    }
}

fn states(found: &Difference, text: &mut String) {
    title(text, "seconds of all ranks in", ["first", "second", "ratio"]);
    let mut states: Vec<_> = found.states.iter().collect();
    let gap = |sums: &[(u64, f64); 2]| (sums[1].1 - sums[0].1).abs();
    states.sort_by(|a, b| gap(b.1).total_cmp(&gap(a.1)));
    for (name, [(_, first), (_, second)]) in states {
        row(text, name, *first, *second);
    }
}

fn regions(found: &Difference, text: &mut String) {
    if found.regions.is_empty() {
        return;
    }
    title(text, "seconds of all ranks in region", ["first", "second", "ratio"]);
    for (name, [(_, one, in_calls), (_, other, other_in_calls)]) in &found.regions {
        row(text, name, *one, *other);
        row(text, "  of it in calls", *in_calls, *other_in_calls);
    }
}

fn ranks(found: &Difference, text: &mut String) {
    let size = |rank: &RankDifference| {
        [rank.computing, rank.calls].iter().map(|[one, other]| (other - one).abs()).sum::<f64>()
    };
    let mut ranks: Vec<_> = found.each.iter().filter(|rank| size(rank) > 0.0).collect();
    if ranks.is_empty() {
        return;
    }
    ranks.sort_by(|a, b| size(b).total_cmp(&size(a)));
    title(text, "ranks that differ most", ["computing", "in calls", "behind"]);
    for rank in ranks.iter().take(MOST) {
        let more = |[first, second]: [f64; 2]| signed(second - first);
        let (computing, calls) = (more(rank.computing), more(rank.calls));
        let (name, lag) = (format!("rank {}", rank.rank), signed(rank.lag));
        let _ = writeln!(text, "  {name:<34} {computing:>12} {calls:>12} {lag:>12}");
    }
}

fn partings(found: &Difference, text: &mut String) {
    if found.partings.is_empty() {
        return;
    }
    let _ = writeln!(text, "\n  where the calls of ranks first differ");
    for parting in found.partings.iter().take(MOST) {
        let told = |call: &Option<(String, f64)>| match call {
            Some((name, begin)) => format!("{name} at {}", result(*begin)),
            None => "nothing more".to_owned(),
        };
        let [first, second] = &parting.calls;
        let (rank, nth) = (parting.rank, parting.nth);
        let (first, second) = (told(first), told(second));
        let _ = writeln!(text, "  rank {rank}, call {nth}: {first}; {second}");
    }
    if found.partings.len() > MOST {
        let _ = writeln!(text, "  and {} more ranks", found.partings.len() - MOST);
    }
}

fn shifts(found: &Difference, text: &mut String) {
    if found.shifts.is_empty() {
        return;
    }
    title(text, "where the second falls behind most", ["before it", "in the call", "ends at"]);
    for shift in &found.shifts {
        let words = format!("rank {}, call {}: {}", shift.rank, shift.nth, shift.call);
        let (before, within) = (signed(shift.before), signed(shift.within));
        let end = time(shift.ends[1]);
        let _ = writeln!(text, "  {words:<34} {before:>12} {within:>12} {end:>12}");
    }
}

fn title(text: &mut String, what: &str, [first, second, third]: [&str; 3]) {
    let line = format!("  {what:<34} {first:>12} {second:>12} {third:>12}");
    let _ = writeln!(text, "\n{}", line.trim_end());
}

fn row(text: &mut String, name: &str, first: f64, second: f64) {
    let ratio = match first > 0.0 {
        true => format!("{:.3}", second / first),
        false if second > 0.0 => "new".to_owned(),
        false => String::new(),
    };
    let (first, second) = (time(first), time(second));
    let _ = writeln!(text, "  {name:<34} {first:>12} {second:>12} {ratio:>12}");
}

fn signed(seconds: f64) -> String {
    match seconds {
        seconds if seconds < 0.0 => format!("-{}", time(-seconds)),
        seconds => time(seconds),
    }
}

/// How much longer the second takes.
fn change(first: f64, second: f64) -> String {
    let sign = if second >= first { "+" } else { "-" };
    match first > 0.0 {
        _ if first == second => String::new(),
        true => format!("{sign}{}", percent((second - first).abs(), first)),
        false => "new".to_owned(),
    }
}
