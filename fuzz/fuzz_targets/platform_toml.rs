//! Any text is a platform that can be described, drawn and written again, or a list of mistakes.
#![no_main]

use foretell_diagnostics::Source;
use foretell_platform::{describe, lint, svg, toml_format, write_toml, write_xml};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| match toml_format::read(text) {
    Ok(platform) => {
        lint(&Source::new("a.toml", text), &platform);
        describe(&platform);
        svg(&platform);
        write_xml(&platform);
        let again = toml_format::read(&write_toml(&platform)).expect("what is written is read");
        assert_eq!(platform.host_count(), again.host_count());
        assert_eq!(platform.link_count(), again.link_count());
    }
    Err(mistakes) => {
        assert!(!mistakes.is_empty());
        assert!(mistakes.iter().all(|mistake| text.get(mistake.span.clone()).is_some()));
    }
});
