//! The flags that MPI programs need.

use std::ffi::OsString;
use std::path::Path;

use super::arguments::{Arguments, Stage};
use crate::layout::Layout;

/// What goes before the user's own words, so that those win.
///
/// Ranks get private globals by mapping the program again at another address, so it must not care
/// where it is. Many compilers do this anyway.
pub(super) fn before(arguments: &Arguments) -> impl Iterator<Item = &'static str> + use<> {
    let links = arguments.stage == Stage::Link && !arguments.tells_kind_of_output;
    ["-fPIE"].into_iter().chain(links.then_some("-pie"))
}

/// Where the headers are.
pub(super) fn include(layout: &Layout) -> OsString {
    joined("-I", &layout.include)
}

/// Where the library is, and where programs find it when they run.
pub(super) fn places(layout: &Layout) -> [OsString; 2] {
    [joined("-L", &layout.lib), joined("-Wl,-rpath,", &layout.lib)]
}

/// All that linking needs.
pub(super) fn link(layout: &Layout) -> Vec<OsString> {
    let mut flags = places(layout).to_vec();
    // The library takes a program over that calls no MPI function at all, so it must stay even
    // where distributions drop what looks unused.
    let kept = ["-Wl,--push-state,--no-as-needed", "-lmpi_abi", "-Wl,--pop-state"];
    flags.extend(kept.map(OsString::from));
    flags
}

/// A flag with a path in one word.
pub(super) fn joined(flag: &str, path: &Path) -> OsString {
    let mut word = OsString::from(flag);
    word.push(path);
    word
}
