//! Any text is rules for collectives, in one of the formats, or a list of mistakes.
#![no_main]

use foretell_mpi::Rules;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Err(mistakes) = Rules::read("fuzz", text) {
        assert!(!mistakes.0.is_empty());
    }
});
