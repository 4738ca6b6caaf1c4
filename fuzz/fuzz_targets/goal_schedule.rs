//! Any bytes are schedules that can be followed, or a mistake.
#![no_main]

use foretell_trace::{Form, Trace};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let file = tempfile::NamedTempFile::new().expect("there is room for a file");
    std::fs::write(file.path(), bytes).expect("the file can be written");
    let Ok(trace) = Trace::open_as(file.path(), Form::Goal) else { return };
    for rank in 0..trace.ranks().min(4) {
        if let Some(Ok(schedule)) = trace.schedule(rank) {
            let count = schedule.operations.len() as u32;
            for number in 0..count {
                assert!(schedule.after(number).iter().all(|next| *next < count));
            }
        }
    }
});
