//! Stub.
use crate::mistake::Problem;
use crate::spool::Spool;
use std::path::Path;
pub(crate) fn read(path: &Path) -> Result<(Spool, Vec<String>), Problem> {
    Err(Problem::Whole { path: path.to_owned(), reason: "stub".into() })
}
