//! Any line is an action that reads back as it was written, or a mistake.
#![no_main]

use foretell_trace::Action;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &[u8]| {
    for line in text.split(|byte| *byte == b'\n') {
        if let Ok(action) = Action::parse(line, 4) {
            let written = action.to_string();
            let again = Action::parse(written.as_bytes(), 4).expect("what was written can be read");
            assert_eq!(again.to_string(), written);
        }
    }
});
