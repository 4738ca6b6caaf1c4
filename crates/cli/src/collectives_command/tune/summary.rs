//! The tables of a study for people.

use std::fmt::Write;

use foretell_mpi::Choice;

use super::Study;
use super::numbers::short;
use super::study::{Point, Table, distances};
use crate::figures::{counted, time};
use crate::summary::used;

/// The winners, what did not run, how far libraries are; then what the study took.
pub(crate) fn text(study: &Study) -> String {
    let mut text = String::new();
    for table in &study.tables {
        let _ = writeln!(text, "{}\n", heading(study, table));
        text.push_str(&winners(table));
        text.push_str(&absent(table));
        text.push_str(&libraries(table));
        text.push('\n');
    }
    let simulations = counted(study.simulations as u64, "simulation");
    let _ = writeln!(text, "  {simulations}: {}", used(&study.usage));
    text
}

/// Operation, machine, how much was compared.
pub(crate) fn heading(study: &Study, table: &Table) -> String {
    let algorithms = counted(table.operation().algorithms().len() as u64, "algorithm");
    let points = counted(table.points.len() as u64, "point");
    let (name, setting) = (table.operation().name(), study.setting());
    format!("{name} on {setting}: {algorithms}, {points}")
}

/// A table whose columns are as wide as what is in them.
fn aligned(rows: &[Vec<String>], is_number: &[bool]) -> String {
    let width = |column: usize| {
        rows.iter().map(|row| row[column].chars().count()).max().unwrap_or_default()
    };
    let widths: Vec<usize> = (0..is_number.len()).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::from(" ");
        for ((cell, width), is_number) in row.iter().zip(&widths).zip(is_number) {
            let _ = match is_number {
                true => write!(line, " {cell:>width$} "),
                false => write!(line, " {cell:<width$} "),
            };
        }
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}

fn words<const N: usize>(row: [&str; N]) -> Vec<String> {
    row.map(str::to_owned).to_vec()
}

fn winners(table: &Table) -> String {
    let mut rows = vec![words(["ranks", "bytes", "best", "time", "second best", "longer by"])];
    for point in &table.points {
        let Point { ranks, bytes, .. } = point;
        let mut row = vec![ranks.to_string(), short(*bytes)];
        match point.best() {
            Some((best, seconds)) => row.extend([best.choice.to_string(), time(seconds)]),
            None => row.extend(words(["none", ""])),
        }
        match point.second() {
            Some((second, seconds)) => {
                row.extend([second.choice.to_string(), share(point.over_best(seconds))]);
            }
            None => row.extend(words(["", ""])),
        }
        rows.push(row);
    }
    aligned(&rows, &[true, true, false, true, false, true])
}

/// Algorithms that have no time of their own somewhere, and why.
fn absent(table: &Table) -> String {
    let mut rows: Vec<Vec<String>> = Vec::new();
    for (choice, reason, count) in reasons(table) {
        let all = table.points.len();
        let points = if count == all { "every point".into() } else { format!("{count} of {all}") };
        rows.push(vec![choice.to_string(), points, reason]);
    }
    match rows.is_empty() {
        true => String::new(),
        false => {
            rows.insert(0, words(["not run", "points", "for"]));
            format!("\n{}", aligned(&rows, &[false, false, false]))
        }
    }
}

/// Each algorithm with each reason for which it has no time, and at how many points.
pub(crate) fn reasons(table: &Table) -> Vec<(Choice, String, usize)> {
    let mut found: Vec<(Choice, String, usize)> = Vec::new();
    for choice in table.choices() {
        let entries = table.points.iter().flat_map(|point| &point.entries);
        for reason in entries.filter(|entry| entry.choice == choice).filter_map(|one| one.reason())
        {
            match found.iter_mut().find(|(of, why, _)| *of == choice && why == reason) {
                Some((_, _, count)) => *count += 1,
                None => found.push((choice, reason.to_owned(), 1)),
            }
        }
    }
    found
}

fn libraries(table: &Table) -> String {
    let mut rows = vec![words(["library", "mean", "worst", "where"])];
    for distance in distances(table) {
        let row = [share(distance.mean), share(distance.worst), place(&distance)];
        rows.push([distance.library.name().to_owned()].into_iter().chain(row).collect());
    }
    format!("\n{}", aligned(&rows, &[false, true, true, false]))
}

/// Where a library is furthest from the best.
pub(crate) fn place(distance: &super::study::Distance<'_>) -> String {
    let Some((best, _)) = distance.at.best().filter(|_| distance.worst > 0.0) else {
        return String::new();
    };
    let Point { ranks, bytes, .. } = distance.at;
    format!("{ranks} ranks, {}: {}, not {}", short(*bytes), distance.choice, best.choice)
}

/// A share of the best.
pub(crate) fn share(over: f64) -> String {
    format!("{:.1} %", 100.0 * over)
}

#[cfg(test)]
mod tests {
    use foretell_apps::Which;

    use super::super::study::tests::table;
    use super::*;

    #[test]
    fn tables_tell_winners_reasons_and_distances() {
        let times = |name: &str, _: u32, _: u64| match name {
            "bruck" => Some(0.001),
            "ring" => Some(0.002),
            "rdb" => None,
            _ => Some(0.004),
        };
        let table = table(Which::Alltoall, &[6], &[1024], times);
        let lines = |text: String| text.lines().map(str::to_owned).collect::<Vec<_>>();
        let first = lines(winners(&table)).remove(1);
        assert_eq!(
            first.split_whitespace().collect::<Vec<_>>().join(" "),
            "6 1k bruck 1 ms ring 100.0 %"
        );
        let absent = absent(&table);
        assert!(absent.contains("power of two") && absent.contains("took too long"), "{absent}");
        assert!(libraries(&table).contains("mpich-4"));
    }
}
