//! Sums as tables of the page.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::super::tally::{Late, StateTime};
use super::super::{Class, Tally};

/// Most rows and columns of the matrix; several ranks share one if there are more.
const MOST_CELLS: u32 = 256;

/// A text inside an element.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A text as JSON has it.
pub(super) fn json(text: &str) -> String {
    let mut out = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => out.extend(['\\', letter]),
            control if control < ' ' => _ = write!(out, "\\u{:04x}", control as u32),
            other => out.push(other),
        }
    }
    out.push('"');
    out
}

/// What the script calls a class, for its colour.
pub(super) fn kind(class: Class) -> &'static str {
    match class {
        Class::Computing => "computing",
        Class::Sleeping => "sleeping",
        Class::Send | Class::Isend => "send",
        Class::Receive | Class::Ireceive | Class::Sendreceive => "receive",
        Class::Wait => "wait",
        Class::Test => "test",
        Class::Barrier | Class::Collective => "collective",
        Class::OneSided => "one-sided",
        Class::File => "file",
        Class::Other => "other",
    }
}

/// One line on the run.
pub(super) fn head(tally: &Tally) -> String {
    let (messages, bytes) = tally
        .pairs
        .values()
        .fold((0, 0), |(messages, bytes), pair| (messages + pair.messages, bytes + pair.bytes));
    format!(
        "<p>{} ranks on {} nodes, {} of simulated time, {messages} messages of {bytes} bytes in all. \
         Simulated by foretell {}.</p>\n",
        tally.cast.ranks(),
        tally.cast.nodes.len(),
        seconds(tally.end),
        env!("CARGO_PKG_VERSION"),
    )
}

/// The matrix: how many ranks share a row, and row, column, messages and bytes of each cell.
pub(super) fn matrix(tally: &Tally) -> String {
    let share = tally.cast.ranks().div_ceil(MOST_CELLS).max(1);
    let mut cells: BTreeMap<(u32, u32), (u64, u64)> = BTreeMap::new();
    for ((from, to), traffic) in &tally.pairs {
        let cell = cells.entry((from / share, to / share)).or_default();
        *cell = (cell.0 + traffic.messages, cell.1 + traffic.bytes);
    }
    let cells = cells
        .iter()
        .map(|((row, column), (messages, bytes))| format!("[{row},{column},{messages},{bytes}]"));
    format!("{{\"share\":{share},\"cells\":[{}]}}", cells.collect::<Vec<_>>().join(","))
}

/// All tables.
pub(super) fn sums(tally: &Tally) -> String {
    let mut text = "<h2>Summary</h2>\n".to_owned();
    if let Some(efficiency) = tally.efficiency() {
        let _ = write!(
            text,
            "<table id=\"efficiency\">\n<tr><th>parallel efficiency</th><th>load balance</th>\
             <th>communication efficiency</th></tr>\n<tr><td>{:.1} %</td><td>{:.1} %</td>\
             <td>{:.1} %</td></tr>\n</table>\n",
            100.0 * efficiency.parallel,
            100.0 * efficiency.load_balance,
            100.0 * efficiency.communication,
        );
    }
    text.push_str(&late("Late senders", "receivers waited", &tally.late_senders));
    text.push_str(&late("Late receivers", "senders waited", &tally.late_receivers));
    text.push_str(
        "<h3>Time by call</h3>\n<div class=\"wide\"><table id=\"calls\">\n<tr><th>state</th>\
         <th>times</th><th>share</th><th>all ranks</th><th>waiting</th><th>least of a rank</th>\
         <th>most of a rank</th></tr>\n",
    );
    let mut states: Vec<&StateTime> = tally.states.iter().collect();
    states.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    let whole = tally.end * f64::from(tally.cast.ranks());
    for state in states {
        let least = state.ranks.iter().copied().fold(f64::INFINITY, f64::min);
        let most = state.ranks.iter().copied().fold(0.0, f64::max);
        let _ = writeln!(
            text,
            "<tr><td>{}</td><td>{}</td><td>{:.1} %</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td>\
             </tr>",
            escaped(&state.name),
            state.count,
            if whole > 0.0 { 100.0 * state.seconds / whole } else { 0.0 },
            seconds(state.seconds),
            seconds(state.waited),
            seconds(least),
            seconds(most),
        );
    }
    text.push_str("</table></div>\n");
    text
}

fn late(title: &str, who: &str, late: &Late) -> String {
    let Some((most, from, to)) = late.worst else { return String::new() };
    format!(
        "<p>{title}: {} messages, {who} {} in all; most between ranks {from} and {to}: {}.</p>\n",
        late.count,
        seconds(late.seconds),
        seconds(most),
    )
}

/// A time for people.
fn seconds(time: f64) -> String {
    match time {
        0.0 => "0".to_owned(),
        short if short < 1e-6 => format!("{:.1} ns", short * 1e9),
        short if short < 1e-3 => format!("{:.2} µs", short * 1e6),
        short if short < 1.0 => format!("{:.3} ms", short * 1e3),
        long => format!("{long:.4} s"),
    }
}
