//! Any text is a table of a run whose sums can be told and whose ranks can be followed, or a
//! mistake with its line.
#![no_main]

use foretell_trace::{Form, Problem, Trace};
use foretell_trace::timed::{self, Cast, Event, Writer};
use libfuzzer_sys::fuzz_target;

/// Takes everything.
struct Nowhere;

impl Writer for Nowhere {
    fn write(&mut self, _: f64, _: &Event<'_>) {}

    fn finish(self: Box<Self>, _: f64) -> Result<(), Problem> {
        Ok(())
    }
}

fuzz_target!(|text: &[u8]| {
    let file = tempfile::NamedTempFile::new().expect("there is room for a file");
    std::fs::write(file.path(), text).expect("the file can be written");
    let _ = timed::read(file.path(), |_: &Cast| Ok(Box::new(Nowhere)));
    let Ok(trace) = Trace::open_as(file.path(), Form::Table) else { return };
    for rank in 0..trace.ranks().min(4) {
        let mut cursor = trace.cursor(rank);
        while cursor.next().expect("an action of ours makes sense").is_some() {}
    }
});
