//! Any bytes are a trace of Dimemas whose ranks can be followed, or a mistake.
#![no_main]

use foretell_trace::{Form, Trace};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let file = tempfile::NamedTempFile::new().expect("there is room for a file");
    std::fs::write(file.path(), bytes).expect("the file can be written");
    let Ok(trace) = Trace::open_as(file.path(), Form::Dimemas) else { return };
    for rank in 0..trace.ranks().min(4) {
        let mut cursor = trace.cursor(rank);
        // What was read is written as actions that can be read.
        while cursor.next().expect("an action of ours makes sense").is_some() {}
    }
});
