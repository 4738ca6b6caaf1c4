//! `foretell trace critical-path`: what the end of a run waited for.

use std::collections::BTreeMap;
use std::fmt::Write;

use foretell_trace::timed::{CriticalPath, What, Whole};
use serde_json::json as value;

use crate::figures::{count, counted, data, percent, result, time};

/// How many steps and ranks are named.
const MOST: usize = 10;

/// For people.
pub(super) fn text(whole: &Whole, path: &CriticalPath) -> String {
    let ranks = counted(whole.cast.ranks().into(), "rank");
    let mut text =
        format!("{}: {ranks}, critical path of {}\n", whole.cast.program, result(path.seconds));
    let (states, messages) = path.shares();
    let mut lines: Vec<(String, f64)> =
        states.iter().map(|(state, seconds)| (name(whole, *state), *seconds)).collect();
    lines.push(("messages on their way".to_owned(), messages));
    lines.sort_by(|a, b| b.1.total_cmp(&a.1));
    let _ = writeln!(text, "\n  {:<26} {:>12} {:>8}", "time of the path in", "", "share");
    for (name, seconds) in lines.iter().filter(|(_, seconds)| *seconds > 0.0) {
        let share = percent(*seconds, path.seconds);
        let _ = writeln!(text, "  {name:<26} {:>12} {share:>8}", time(*seconds));
    }
    let mut on_rank: BTreeMap<u32, f64> = BTreeMap::new();
    for step in path.steps.iter().filter(|step| matches!(step.what, What::Stay(_))) {
        *on_rank.entry(step.rank).or_default() += step.end - step.begin;
    }
    let mut ranks: Vec<(u32, f64)> = on_rank.into_iter().collect();
    ranks.sort_by(|a, b| b.1.total_cmp(&a.1));
    let _ = writeln!(text, "\n  {:<26} {:>12} {:>8}", "ranks it is on", "", "share");
    for (rank, seconds) in ranks.iter().take(MOST) {
        let share = percent(*seconds, path.seconds);
        let _ =
            writeln!(text, "  {:<26} {:>12} {share:>8}", format!("rank {rank}"), time(*seconds));
    }
    let mut longest = path.steps.clone();
    longest.sort_by(|a, b| (b.end - b.begin).total_cmp(&(a.end - a.begin)));
    let steps = count(path.steps.len() as u64);
    let _ = writeln!(
        text,
        "\n  {:<40} {:>12} {:>14}",
        format!("longest of {steps} steps"),
        "took",
        "from"
    );
    for step in longest.iter().take(MOST) {
        let words = match step.what {
            What::Stay(state) => format!("rank {}: {}", step.rank, name(whole, state)),
            What::Message { from, bytes, .. } => {
                format!("message from {from} to {}, {}", step.rank, data(bytes as f64))
            }
        };
        let took = time(step.end - step.begin);
        let _ = writeln!(text, "  {words:<40} {took:>12} {:>14}", result(step.begin));
    }
    text
}

fn name(whole: &Whole, state: u32) -> String {
    whole.states[state as usize].clone()
}

/// For programs: every step.
pub(super) fn json(whole: &Whole, path: &CriticalPath) -> String {
    let steps = path.steps.iter().map(|step| match step.what {
        What::Stay(state) => value!({
            "rank": step.rank, "begin_s": step.begin, "end_s": step.end,
            "state": name(whole, state),
        }),
        What::Message { from, bytes, .. } => value!({
            "rank": step.rank, "begin_s": step.begin, "end_s": step.end,
            "from": from, "bytes": bytes,
        }),
    });
    let (states, messages) = path.shares();
    let states: BTreeMap<String, f64> =
        states.iter().map(|(state, seconds)| (name(whole, *state), *seconds)).collect();
    let all = value!({
        "program": whole.cast.program, "simulated_s": whole.end, "path_s": path.seconds,
        "states_s": states, "messages_s": messages, "steps": steps.collect::<Vec<_>>(),
    });
    format!("{all:#}\n")
}
