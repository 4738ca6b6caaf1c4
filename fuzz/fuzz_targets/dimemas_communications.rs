//! Any text is a file of communications of Dimemas, or remarks with their lines.
#![no_main]

use foretell_platform::dimemas_cfg::communications;
use foretell_platform::{DimemasCollectives, DimemasGrowth};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let mut collectives = DimemasCollectives::all(DimemasGrowth::Constant);
    let lines = text.lines().count();
    for remark in communications::read(text, &mut collectives) {
        assert!((1..=lines).contains(&remark.line));
        assert!(!remark.words.is_empty());
    }
});
