//! A study as JSON: every time, the winners, the libraries.

use foretell_mpi::{Choice, Library};
use serde::Serialize;

use super::Study;
use super::study::{self, Entry, Outcome, Point, Table};

#[derive(Serialize)]
struct Report<'a> {
    version: &'static str,
    command: &'a str,
    platform: &'a str,
    mapping: &'a str,
    rounding: f64,
    operations: Vec<OperationReport>,
}

#[derive(Serialize)]
struct OperationReport {
    operation: &'static str,
    points: Vec<PointReport>,
    libraries: Vec<LibraryReport>,
}

#[derive(Serialize)]
struct PointReport {
    ranks: u32,
    bytes: u64,
    best: Option<Timed>,
    second: Option<Timed>,
    algorithms: Vec<EntryReport>,
}

#[derive(Serialize)]
struct Timed {
    #[serde(flatten)]
    choice: ChoiceReport,
    seconds: f64,
}

#[derive(Serialize)]
struct ChoiceReport {
    algorithm: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    segment: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    radix: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    inner: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outer: Option<&'static str>,
}

#[derive(Serialize)]
struct EntryReport {
    #[serde(flatten)]
    choice: ChoiceReport,
    seconds: Option<f64>,
    /// Why another runs in its place.
    #[serde(skip_serializing_if = "Option::is_none")]
    gives_way: Option<&'static str>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    too_long: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    failed: Option<String>,
}

#[derive(Serialize)]
struct LibraryReport {
    library: &'static str,
    mean: Option<f64>,
    worst: Option<f64>,
    choices: Vec<ChosenReport>,
}

#[derive(Serialize)]
struct ChosenReport {
    ranks: u32,
    bytes: u64,
    #[serde(flatten)]
    choice: ChoiceReport,
    seconds: Option<f64>,
    over_best: Option<f64>,
}

/// The study as one object.
pub(crate) fn text(study: &Study) -> String {
    let report = Report {
        version: env!("CARGO_PKG_VERSION"),
        command: &study.command,
        platform: &study.machine,
        mapping: &study.placement,
        rounding: study.rounding,
        operations: study.tables.iter().map(of_table).collect(),
    };
    let mut text = serde_json::to_string_pretty(&report).expect("plain data becomes JSON");
    text.push('\n');
    text
}

fn of_table(table: &Table) -> OperationReport {
    let distances = study::distances(table);
    let library = |(place, library): (usize, Library)| {
        let distance = distances.iter().find(|distance| distance.library == library);
        LibraryReport {
            library: library.name(),
            mean: distance.map(|distance| distance.mean),
            worst: distance.map(|distance| distance.worst),
            choices: table.points.iter().map(|point| chosen(point, place)).collect(),
        }
    };
    OperationReport {
        operation: table.operation().name(),
        points: table.points.iter().map(of_point).collect(),
        libraries: Library::ALL.into_iter().enumerate().map(library).collect(),
    }
}

fn of_point(point: &Point) -> PointReport {
    let timed =
        |(entry, seconds): (&Entry, f64)| Timed { choice: of_choice(&entry.choice), seconds };
    PointReport {
        ranks: point.ranks,
        bytes: point.bytes,
        best: point.best().map(timed),
        second: point.second().map(timed),
        algorithms: point.entries.iter().map(of_entry).collect(),
    }
}

fn of_entry(entry: &Entry) -> EntryReport {
    let failed = match &entry.outcome {
        Outcome::Failed(message) => Some(message.clone()),
        _ => None,
    };
    EntryReport {
        choice: of_choice(&entry.choice),
        seconds: entry.seconds(),
        gives_way: entry.gives_way,
        too_long: entry.outcome == Outcome::TooLong,
        failed,
    }
}

fn of_choice(choice: &Choice) -> ChoiceReport {
    let Choice { algorithm, segment, radix, inner, outer, .. } = *choice;
    ChoiceReport { algorithm, segment, radix, inner, outer }
}

fn chosen(point: &Point, library: usize) -> ChosenReport {
    let entry = &point.entries[point.chosen[library]];
    let seconds = entry.seconds();
    ChosenReport {
        ranks: point.ranks,
        bytes: point.bytes,
        choice: of_choice(&entry.choice),
        seconds,
        over_best: seconds.map(|seconds| point.over_best(seconds)),
    }
}
