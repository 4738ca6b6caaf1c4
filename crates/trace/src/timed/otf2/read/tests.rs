//! An archive of the OTF2 library becomes actions and other traces; damaged ones are refused.

use proptest::prelude::*;

use super::sample;
use crate::timed::{self, Cast, Event, Format, Writer};
use crate::{Problem, Trace};

/// Takes everything.
struct Nowhere;

impl Writer for Nowhere {
    fn write(&mut self, _: f64, _: &Event<'_>) {}

    fn finish(self: Box<Self>, _: f64) -> Result<(), Problem> {
        Ok(())
    }
}

/// The lines of a rank.
fn lines(trace: &Trace, rank: u32) -> Vec<String> {
    let mut cursor = trace.cursor(rank);
    let mut lines = Vec::new();
    while let Some(action) = cursor.next().unwrap() {
        lines.push(action.to_string());
    }
    lines
}

#[test]
fn an_archive_of_the_library_becomes_actions() {
    let folder = tempfile::tempdir().unwrap();
    let trace = Trace::open(&sample::write(folder.path(), &sample::FILES)).unwrap();
    assert_eq!((trace.ranks(), trace.left_out()), (3, &[][..]));
    // Amounts and tags of communicators are made up of many digits.
    let short = |rank| -> Vec<String> {
        let brief = |word: &str| match word.parse::<f64>() {
            Ok(number) if number > 1e9 => "T".to_owned(),
            Ok(number) if number.fract() > 0.0 => format!("{number:.2}"),
            _ => word.to_owned(),
        };
        let line = |line: String| line.split(' ').map(brief).collect::<Vec<_>>().join(" ");
        lines(&trace, rank).into_iter().map(line).collect()
    };
    let first = "init|compute 0.10|region solve|compute 0.30|leave solve|compute 0.10|\
                 send 1 42 4096 6|compute 0.30|allreduce 1 0 0|compute 0.10|isend 2 T 100 6|\
                 irecv 2 T 100 6|compute 0.18|wait 0 2 T|wait 2 0 T|compute 0.10|\
                 comm_def 1 2:1:1 0:1:1|within 1|gatherv 200 300 200 0 0 6 6|compute 0.10|\
                 isend 2 T 64 6|recv 2 T 64 6|wait 0 2 T|compute 0.25|finalize";
    assert_eq!(short(0).join("|"), first);
    let second = "init|compute 0.10|region solve|compute 0.30|leave solve|compute 0.10|\
                  recv 0 42 4096 6|compute 0.20|allreduce 1 0 0|compute 1|finalize";
    assert_eq!(short(1).join("|"), second);
    assert!(short(2).contains(&"gatherv 300 300 200 0 0 6 6".to_owned()));
}

#[test]
fn collectives_that_are_waited_for_later_are_begun_where_the_program_begins_them() {
    let folder = tempfile::tempdir().unwrap();
    let trace = Trace::open(&sample::write(folder.path(), &sample::LATER)).unwrap();
    assert_eq!(trace.left_out(), &[] as &[String]);
    let done = |rank| {
        let mut lines = lines(&trace, rank);
        lines.retain(|line| !line.starts_with("compute"));
        lines.join("|")
    };
    let own = "init|comm_def 1 2:1:1 0:1:1|later 0|allreduce 100 0 0|later 1|barrier|";
    let begun = format!("{own}later 2|within 1|bcast 100 1 6|");
    let first =
        "send 1 3 64 6|await 0|await 1|await 2|barrier|send 2 4 40 6|send 2 4 50 6|finalize";
    assert_eq!(done(0), format!("{begun}{first}"));
    let second = "init|later 0|allreduce 100 0 0|later 1|barrier|recv 0 3 64 6|await 0|await 1|\
                  barrier|finalize";
    assert_eq!(done(1), second);
    let third = "await 1|await 0|await 2|barrier|irecv 0 4 50 6|recv 0 4 40 6|wait 0 2 4|finalize";
    assert_eq!(done(2), format!("{begun}{third}"));
}

#[test]
fn writers_that_tell_only_the_calls_lose_what_is_waited_for_later() {
    let folder = tempfile::tempdir().unwrap();
    let (from, to) = (sample::write(folder.path(), &sample::LATER), folder.path().join("a.csv"));
    let csv = |cast: &Cast| -> Result<Box<dyn Writer>, Problem> {
        Ok(timed::create(&to, Format::Csv, cast.clone())?)
    };
    let lost = timed::read(&from, csv).unwrap();
    let begun = (0..3).map(|rank| {
        let lines = lines(&Trace::open(&from).unwrap(), rank);
        lines.iter().filter(|line| line.starts_with("later ")).count()
    });
    let count: usize = begun.sum();
    assert_eq!(
        lost,
        [format!("{count} non-blocking collectives, of which only the calls are told")]
    );
}

#[test]
fn a_damaged_file_is_told_with_its_byte() {
    let folder = tempfile::tempdir().unwrap();
    let path = sample::write(folder.path(), &sample::FILES);
    let events = folder.path().join("arch/10.evt");
    let bytes = std::fs::read(&events).unwrap();
    std::fs::write(&events, &bytes[..bytes.len() / 2]).unwrap();
    let problem = Trace::open(&path).unwrap_err().to_string();
    assert!(problem.contains("10.evt: byte "), "{problem}");
    std::fs::remove_file(&events).unwrap();
    let problem = Trace::open(&path).unwrap_err().to_string();
    assert!(problem.contains("10.evt"), "{problem}");
}

#[test]
fn a_table_can_be_made_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = sample::write(folder.path(), &sample::FILES);
    let table = folder.path().join("run.csv");
    timed::read(&path, |cast: &Cast| Ok(timed::create(&table, Format::Csv, cast.clone())?))
        .unwrap();
    let text = std::fs::read_to_string(&table).unwrap();
    assert!(text.contains("taurus"), "{text}");
    assert_eq!(text.lines().filter(|line| line.starts_with("message")).count(), 5, "{text}");
}

proptest! {
    #[test]
    fn no_damage_makes_it_panic(file in 0_usize..8, at in any::<usize>(), byte in any::<u8>()) {
        let folder = tempfile::tempdir().unwrap();
        let path = sample::write(folder.path(), &sample::FILES);
        let name = sample::FILES[file].0;
        let mut bytes = std::fs::read(folder.path().join(name)).unwrap();
        let at = at % bytes.len();
        bytes[at] = byte;
        std::fs::write(folder.path().join(name), bytes).unwrap();
        let _ = Trace::open(&path);
        let _ = timed::read(&path, |_: &Cast| Ok(Box::new(Nowhere)));
    }
}

#[test]
fn archives_of_unwound_programs_with_snapshots_and_accelerators_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = sample::write(folder.path(), &sample::UNWOUND);
    let trace = Trace::open(&path).unwrap();
    assert_eq!(trace.left_out(), ["2 streams of accelerators"]);
    let rounded = |rank| {
        let brief = |line: String| line.split('.').next().unwrap().to_owned();
        lines(&trace, rank)
            .into_iter()
            .filter(|line| !line.starts_with("compute"))
            .map(brief)
            .collect::<Vec<_>>()
            .join("|")
    };
    assert_eq!(rounded(0), "init|location main|send 1 5 64 6|location - 0|finalize");
    assert_eq!(rounded(1), "init|location main|recv 0 5 64 6|location - 0|finalize");
    assert!(lines(&trace, 1).contains(&"location main.c 77".to_owned()));
}
