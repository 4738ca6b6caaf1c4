//! The critical path as the script has it.

use super::super::text::nanoseconds;
use super::super::{CriticalPath, What, Whole};

/// The steps, each `[rank, begin, end, rank before]`: on a message the path goes from one rank to
/// another. With them how much of the path is in what.
pub(super) fn told(path: &CriticalPath, whole: &Whole) -> String {
    let steps = path.steps.iter().map(|step| {
        let (before, after) = match step.what {
            What::Stay(_) => (step.rank, step.rank),
            What::Message { leads, .. } => leads,
        };
        let (begin, end) = (nanoseconds(step.begin), nanoseconds(step.end));
        format!("[{after},{begin},{end},{before}]")
    });
    let (states, messages) = path.shares();
    let mut shares: Vec<(&str, f64)> =
        states.iter().map(|(state, seconds)| (&*whole.states[*state as usize], *seconds)).collect();
    shares.push(("messages on their way", messages));
    shares.sort_by(|a, b| b.1.total_cmp(&a.1));
    let shares = shares.iter().filter(|(_, seconds)| *seconds > 0.0).map(|(name, seconds)| {
        format!("[{},{}]", super::tables::json(name), nanoseconds(*seconds))
    });
    let list = |items: Vec<String>| items.join(",");
    format!("{{\"steps\":[{}],\"shares\":[{}]}}", list(steps.collect()), list(shares.collect()))
}
