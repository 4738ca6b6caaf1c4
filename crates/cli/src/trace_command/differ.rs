//! `foretell trace diff`: two traces side by side.

use std::fmt::Write;

use foretell_trace::timed::Difference;
use serde_json::json as value;

use crate::figures::{count, percent, result, time};

/// How many partings are named.
const MOST: usize = 10;

/// For people.
pub(super) fn text(found: &Difference) -> String {
    let [first, second] = found.ends;
    let mut text = String::new();
    let mut line = |title: &str, words: String| _ = writeln!(text, "{title:<24} {words}");
    line("first ends at", result(first));
    line("second ends at", format!("{} {}", result(second), change(first, second)));
    if found.ranks[0] != found.ranks[1] {
        line(
            "ranks",
            format!("{} and {}; those of both are compared", found.ranks[0], found.ranks[1]),
        );
    }
    let [alone, other] = found.alone;
    line("calls that both have", count(found.paired));
    line(
        "calls of one alone",
        format!("{} of the first, {} of the second", count(alone), count(other)),
    );
    let _ = writeln!(
        text,
        "\n  {:<26} {:>12} {:>12} {:>10}",
        "seconds of all ranks in", "first", "second", "change"
    );
    let mut states: Vec<_> = found.states.iter().collect();
    states.sort_by(|a, b| (b.1[1] - b.1[0]).abs().total_cmp(&(a.1[1] - a.1[0]).abs()));
    for (name, [first, second]) in states {
        let words = change(*first, *second);
        let _ =
            writeln!(text, "  {name:<26} {:>12} {:>12} {words:>10}", time(*first), time(*second));
    }
    if !found.partings.is_empty() {
        let _ = writeln!(text, "\n  where the calls of ranks first differ");
        for parting in found.partings.iter().take(MOST) {
            let told = |call: &Option<(String, f64)>| match call {
                Some((name, begin)) => format!("{name} at {}", result(*begin)),
                None => "nothing more".to_owned(),
            };
            let [first, second] = &parting.calls;
            let (rank, nth) = (parting.rank, parting.nth);
            let (first, second) = (told(first), told(second));
            let _ = writeln!(text, "  rank {rank}, call {nth}: {first}, and {second}");
        }
    }
    if !found.shifts.is_empty() {
        let _ = writeln!(
            text,
            "\n  {:<34} {:>14} {:>14} {:>14}",
            "where the second falls behind most", "before it", "in the call", "ends at"
        );
        for shift in &found.shifts {
            let words = format!("rank {}, call {}: {}", shift.rank, shift.nth, shift.call);
            let (before, within) = (signed(shift.before), signed(shift.within));
            let _ = writeln!(
                text,
                "  {words:<34} {before:>14} {within:>14} {:>14}",
                result(shift.ends[1])
            );
        }
    }
    text
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

/// For programs.
pub(super) fn json(found: &Difference) -> String {
    let partings = found.partings.iter().map(|parting| {
        let told = |call: &Option<(String, f64)>| {
            call.as_ref().map(|(name, begin)| value!({ "call": name, "begin_s": begin }))
        };
        let [first, second] = &parting.calls;
        value!({
            "rank": parting.rank, "nth": parting.nth,
            "first": told(first), "second": told(second),
        })
    });
    let shifts = found.shifts.iter().map(|shift| {
        value!({
            "rank": shift.rank, "nth": shift.nth, "call": shift.call, "ends_s": shift.ends,
            "before_s": shift.before, "within_s": shift.within,
        })
    });
    let all = value!({
        "ends_s": found.ends, "ranks": found.ranks, "paired": found.paired, "alone": found.alone,
        "states_s": found.states, "partings": partings.collect::<Vec<_>>(),
        "shifts": shifts.collect::<Vec<_>>(),
    });
    format!("{all:#}\n")
}
