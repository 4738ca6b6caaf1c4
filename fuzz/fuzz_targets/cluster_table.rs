//! Any text is a table of coefficients from which a cluster can be learnt, or cannot, or a list of
//! mistakes with their places; and what is learnt is a file that says the same.
#![no_main]

use foretell_models::{ClusterModel, Observations};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| match Observations::from_csv(text, None) {
    Ok(observations) => {
        if let Ok(model) = ClusterModel::fit(&observations, 2) {
            assert!(!model.kinds.is_empty());
            let _ = ClusterModel::from_toml(&model.to_toml());
        }
    }
    Err(mistakes) => {
        assert!(!mistakes.is_empty());
        assert!(mistakes.iter().all(|mistake| text.get(mistake.span.clone()).is_some()));
    }
});
