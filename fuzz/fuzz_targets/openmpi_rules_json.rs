//! Any text behind the beginning of Open MPI's dynamic rules as JSON:
//! rules that choose, or mistakes with their lines.
#![no_main]

use foretell_mpi::{CollectiveCall, Operation, Rules, Situation};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| match Rules::read("fuzz", &format!("{{\"collectives\": {text}")) {
    Ok(rules) => {
        let call = CollectiveCall::new(Operation::Bcast, text.len() as u64);
        assert!(rules.rule(&Situation::spread(call, 12)).is_some());
    }
    Err(mistakes) => {
        assert!(!mistakes.0.is_empty());
        assert!(mistakes.0.iter().all(|mistake| mistake.starts_with("line ")));
    }
});
