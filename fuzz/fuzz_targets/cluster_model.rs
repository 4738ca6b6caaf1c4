//! Any text is the model of a cluster, or a list of mistakes with their places.
#![no_main]

use foretell_models::ClusterModel;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Err(mistakes) = ClusterModel::from_toml(text) {
        assert!(!mistakes.is_empty());
        assert!(mistakes.iter().all(|mistake| text.get(mistake.span.clone()).is_some()));
    }
});
