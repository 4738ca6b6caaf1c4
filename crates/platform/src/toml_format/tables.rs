//! Tables by message size, as in `[messages]`.

use super::section::Section;
use super::value::Value;
use crate::tables::{MessageTables, Overheads, Steps};

/// Most rows of a table.
const MOST_ROWS: usize = 10_000;

/// Replaces the tables and limits that a section gives.
pub(super) fn read(section: &Section<'_>, tables: &mut MessageTables) {
    let steps_at = |key| section.value(key).and_then(|value| steps(&value));
    let bandwidth_factor = steps_at("bandwidth_factor");
    let latency_factor = steps_at("latency_factor");
    let size = |key| section.value(key).and_then(|value| value.size());
    let (eager, rendezvous) = (size("eager_limit"), size("rendezvous_limit"));
    if let Some(steps) = bandwidth_factor {
        tables.bandwidth_factor = steps;
    }
    if let Some(steps) = latency_factor {
        tables.latency_factor = steps;
    }
    let [send, isend, receive] = overheads(section);
    tables.send = send.unwrap_or_else(|| std::mem::take(&mut tables.send));
    tables.isend = isend.unwrap_or_else(|| std::mem::take(&mut tables.isend));
    tables.receive = receive.unwrap_or_else(|| std::mem::take(&mut tables.receive));
    tables.eager_limit = eager.unwrap_or(tables.eager_limit);
    tables.rendezvous_limit = rendezvous.unwrap_or(tables.rendezvous_limit);
}

/// `send`, `isend` and `receive`.
pub(super) fn overheads(section: &Section<'_>) -> [Option<Overheads>; 3] {
    ["send", "isend", "receive"]
        .map(|key| section.value(key).and_then(|value| overhead_table(&value)))
}

fn steps(value: &Value<'_>) -> Option<Steps> {
    let rows = rows(value, |row| {
        let [threshold, factor] = row.tuple("rows like [1426, 0.6]: bytes, factor")?;
        Some((threshold.size()?, factor.number_not_negative()?))
    })?;
    increasing(value, rows.iter().map(|row| row.0)).then_some(Steps(rows))
}

fn overhead_table(value: &Value<'_>) -> Option<Overheads> {
    let rows = rows(value, |row| {
        let [threshold, base, per_byte] =
            row.tuple("rows like [1426, \"8us\", \"0.8ns\"]: bytes, time, time per byte")?;
        Some((threshold.size()?, duration(&base)?, duration(&per_byte)?))
    })?;
    increasing(value, rows.iter().map(|row| row.0)).then_some(Overheads(rows))
}

/// A duration, or a plain number of seconds of either sign: fits give negative slopes.
fn duration(value: &Value<'_>) -> Option<f64> {
    if value.is_text() { value.seconds() } else { value.number() }
}

fn rows<T>(value: &Value<'_>, row: impl Fn(&Value<'_>) -> Option<T>) -> Option<Vec<T>> {
    let list = value.list()?;
    if list.len() > MOST_ROWS {
        value.error(format!("{} has more than {MOST_ROWS} rows", value.title));
        return None;
    }
    // All rows are read before giving up, so that all their mistakes are told.
    let rows: Vec<Option<T>> = list.iter().map(row).collect();
    rows.into_iter().collect()
}

fn increasing(value: &Value<'_>, thresholds: impl Iterator<Item = u64>) -> bool {
    let mut last = None;
    for (row, threshold) in thresholds.enumerate() {
        if let Some(last) = last.filter(|last| *last >= threshold) {
            let place = value.list().and_then(|list| list.get(row).map(Value::span));
            value.mistakes.error(
                place.unwrap_or_else(|| value.span()),
                format!("the sizes of {} must grow: {threshold} follows {last}", value.title),
            );
            return false;
        }
        last = Some(threshold);
    }
    true
}
