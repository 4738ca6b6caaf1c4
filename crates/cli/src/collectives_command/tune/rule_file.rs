//! The winners as a file of rules.

use std::fmt::Write;

use foretell_apps::Which;
use foretell_mpi::{Choice, Operation};

use super::study::{self, Point, Table};

/// Some bands of a scale, ascending, each with what belongs to it. They leave no gap: the first
/// begins at zero and the last has no end.
type Bands<T> = Vec<(u64, T)>;

/// The rules of all operations, under a sentence that says where they come from.
pub(crate) fn text(about: &str, tables: &[Table]) -> String {
    let mut text = format!("about = {}\n", quoted(about));
    for table in tables {
        write_operation(&mut text, table);
    }
    text
}

/// One rule: always this.
pub(crate) fn always(operation: Operation, choice: &Choice) -> String {
    let mut text = String::new();
    write_rule(&mut text, operation, "", "", choice);
    text
}

fn write_operation(text: &mut String, table: &Table) {
    let rows = table.ranks().into_iter().filter_map(|ranks| {
        let row = row(table, ranks);
        (!row.is_empty()).then_some((u64::from(ranks), row))
    });
    let bands = merged(rows.collect());
    for (place, (first, row)) in bands.iter().enumerate() {
        let ranks = range(*first, bands.get(place + 1).map(|(next, _)| *next));
        for (place, (first, choice)) in row.iter().enumerate() {
            let bytes = range(*first, row.get(place + 1).map(|(next, _)| *next));
            write_rule(text, table.operation(), &ranks, &bytes, choice);
        }
    }
}

/// The winners with so many ranks, by bytes as rules count them.
fn row(table: &Table, ranks: u32) -> Bands<Choice> {
    let points = table.with_ranks(ranks);
    if matches!(table.which, Which::Alltoallv | Which::Alltoallw) {
        // No rule of these can go by bytes.
        let points: Vec<&Point> = points.collect();
        return all_round(&points).map(|choice| (0, choice)).into_iter().collect();
    }
    let known = points.filter_map(|point| {
        let (best, _) = point.best()?;
        Some((study::call(table.which, ranks, point.bytes).bytes, best.choice))
    });
    merged(known.collect())
}

/// The choice that takes least over all points together, each measured by the best there.
fn all_round(points: &[&Point]) -> Option<Choice> {
    let over = |choice: &Choice| {
        let each = points.iter().map(|point| {
            let entry = point.entries.iter().find(|entry| entry.choice == *choice)?;
            let time = entry.seconds().filter(|_| entry.gives_way.is_none())?;
            Some(point.over_best(time))
        });
        each.sum::<Option<f64>>()
    };
    let choices = points.first()?.entries.iter().map(|entry| entry.choice);
    let known = choices.filter_map(|choice| Some((choice, over(&choice)?)));
    known.min_by(|one, other| one.1.total_cmp(&other.1)).map(|(choice, _)| choice)
}

/// Bands around points: neighbours that have the same become one, and others part where the
/// ratio to both points is the same.
fn merged<T: PartialEq>(points: Vec<(u64, T)>) -> Bands<T> {
    let mut bands: Bands<T> = Vec::new();
    let mut before = 0;
    for (point, value) in points {
        match bands.last() {
            None => bands.push((0, value)),
            Some((_, last)) if *last == value => {}
            Some(_) => bands.push((parting(before, point), value)),
        }
        before = point;
    }
    bands
}

/// The first number that is nearer to the upper of two points, by ratio.
fn parting(lower: u64, upper: u64) -> u64 {
    let middle = (lower as f64 * upper as f64).sqrt().ceil() as u64;
    middle.clamp(lower + 1, upper)
}

/// A range as rules write it; empty if it holds all.
fn range(first: u64, end: Option<u64>) -> String {
    match (first, end) {
        (0, None) => String::new(),
        (0, Some(end)) => format!("..{end}"),
        (first, None) => format!("{first}.."),
        (first, Some(end)) => format!("{first}..{end}"),
    }
}

fn write_rule(text: &mut String, operation: Operation, ranks: &str, bytes: &str, choice: &Choice) {
    let Choice { algorithm, segment, radix, inner, outer, .. } = choice;
    // Writing to a string cannot fail.
    let _ = writeln!(text, "\n[[{}]]", operation.name());
    let mut line = |key: &str, value: Option<String>| {
        if let Some(value) = value {
            let _ = writeln!(text, "{key} = {value}");
        }
    };
    let condition = |range: &str| (!range.is_empty()).then(|| quoted(range));
    line("ranks", condition(ranks));
    line("bytes", condition(bytes));
    line("algorithm", Some(quoted(algorithm)));
    line("segment", segment.map(|bytes| bytes.to_string()));
    line("radix", radix.map(|radix| radix.to_string()));
    line("inner", inner.map(quoted));
    line("outer", outer.map(quoted));
}

/// A text as TOML writes it.
fn quoted(text: &str) -> String {
    let escaped: String = text
        .chars()
        .map(|letter| match letter {
            '"' | '\\' => format!("\\{letter}"),
            letter if letter.is_control() => format!("\\u{:04X}", u32::from(letter)),
            letter => letter.to_string(),
        })
        .collect();
    format!("\"{escaped}\"")
}

#[cfg(test)]
mod tests {
    use foretell_mpi::{Rules, Situation};

    use super::super::study::tests::table;
    use super::*;

    fn chosen(rules: &Rules, which: Which, ranks: u32, bytes: u64) -> &'static str {
        rules.choice(&Situation::spread(study::call(which, ranks, bytes), ranks)).algorithm
    }

    /// Short blocks and few ranks go by Bruck, all else around the ring.
    fn winner(name: &str, ranks: u32, bytes: u64) -> Option<f64> {
        let best = if bytes * u64::from(ranks) <= 1 << 16 { "bruck" } else { "ring" };
        Some(if name == best { 1.0 } else { 2.0 })
    }

    #[test]
    fn the_file_chooses_the_winner_at_every_point() {
        let (ranks, bytes) = ([4, 8, 16, 64], [1 << 10, 1 << 12, 1 << 14, 1 << 20]);
        for which in [Which::Alltoall, Which::Allgather, Which::Allgatherv] {
            let table = table(which, &ranks, &bytes, winner);
            let rules = Rules::read("x", &text("test", std::slice::from_ref(&table))).unwrap();
            for point in &table.points {
                let best = point.best().unwrap().0.choice.algorithm;
                assert_eq!(chosen(&rules, which, point.ranks, point.bytes), best, "{point:?}");
            }
        }
    }

    #[test]
    fn neighbours_that_agree_become_one() {
        let table = table(Which::Alltoall, &[4, 8, 64], &[1 << 10, 1 << 14, 1 << 20], winner);
        let text = text("test", &[table]);
        // With 4 ranks up to 16k, with 8 and 64 up to 1k, and all else.
        assert_eq!(text.matches("[[alltoall]]").count(), 4, "{text}");
        assert_eq!(text.matches("ranks = \"..6\"").count(), 2, "{text}");
        assert!(text.contains("bytes = \"..131072\"") && text.contains("bytes = \"4096..\""));
    }

    #[test]
    fn between_and_beyond_points_the_nearest_decides() {
        let table = table(Which::Alltoall, &[4, 8, 64], &[1 << 10, 1 << 14, 1 << 20], winner);
        let rules = Rules::read("x", &text("test", &[table])).unwrap();
        assert_eq!(chosen(&rules, Which::Alltoall, 5, 20_000), "bruck");
        assert_eq!(chosen(&rules, Which::Alltoall, 7, 20_000), "ring");
        assert_eq!(chosen(&rules, Which::Alltoall, 100_000, 1), "bruck");
        assert_eq!(chosen(&rules, Which::Alltoall, 2, 1 << 30), "ring");
    }

    #[test]
    fn one_winner_everywhere_needs_no_condition() {
        let time = |name: &str, _: u32, _: u64| Some(if name == "rdb" { 1.0 } else { 2.0 });
        let text = text("a \"test\"", &[table(Which::Scan, &[4, 8], &[8, 64], time)]);
        assert_eq!(text, "about = \"a \\\"test\\\"\"\n\n[[scan]]\nalgorithm = \"rdb\"\n");
    }

    #[test]
    fn operations_that_cannot_go_by_bytes_get_one_winner_for_all() {
        let time = |name: &str, _: u32, bytes: u64| match name {
            "ring" => Some(if bytes < 100 { 1.0 } else { 5.0 }),
            "bruck" => Some(1.5),
            _ => Some(9.0),
        };
        let text = text("test", &[table(Which::Alltoallv, &[4], &[8, 1024], time)]);
        assert!(text.ends_with("[[alltoallv]]\nalgorithm = \"bruck\"\n"), "{text}");
    }

    #[test]
    fn bytes_of_a_reduce_scatter_are_those_of_its_vector() {
        let time = |name: &str, _: u32, bytes: u64| {
            Some(if (name == "ompi_ring") == (bytes > 100) { 1.0 } else { 2.0 })
        };
        let table = table(Which::ReduceScatter, &[16], &[8, 1024], time);
        let rules = Rules::read("x", &text("test", &[table])).unwrap();
        assert_eq!(chosen(&rules, Which::ReduceScatter, 16, 8), "mpich_pair");
        assert_eq!(chosen(&rules, Which::ReduceScatter, 16, 1024), "ompi_ring");
    }
}
