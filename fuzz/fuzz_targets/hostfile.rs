//! Any text is a list of hosts, or a list of mistakes with their places.
#![no_main]

use foretell_platform::{Platform, hostfile};
use libfuzzer_sys::fuzz_target;

thread_local! {
    static MACHINE: Platform = Platform::named("graphene").expect("graphene is a preset");
}

fuzz_target!(|text: &str| MACHINE.with(|machine| {
    if let Err(mistakes) = hostfile::read(text, machine) {
        assert!(!mistakes.is_empty());
        assert!(mistakes.iter().all(|mistake| text.get(mistake.span.clone()).is_some()));
    }
}));
