//! Any text is a configuration of Dimemas, or mistakes with their places.
#![no_main]

use foretell_platform::dimemas_cfg;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Err(mistakes) = dimemas_cfg::read(text, None) {
        assert!(!mistakes.is_empty());
        assert!(mistakes.iter().all(|mistake| text.get(mistake.span.clone()).is_some()));
    }
});
