//! Any text is a platform or a list of mistakes inside the text.
#![no_main]

use foretell_platform::{Route, simgrid_xml};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| match simgrid_xml::read(text, None) {
    Ok(platform) => {
        let mut route = Route::default();
        for from in platform.hosts().take(4) {
            for to in platform.hosts().rev().take(4) {
                if platform.route(from, to, &mut route).is_ok() {
                    route.links.iter().for_each(|link| drop(platform.link_name(*link)));
                }
            }
        }
    }
    Err(mistakes) => {
        assert!(!mistakes.is_empty());
        assert!(mistakes.iter().all(|mistake| text.get(mistake.span.clone()).is_some()));
    }
});
