//! gdb around a program: it hears of the image of each rank, so that breakpoints hold in all.

use std::ffi::OsString;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};
use tempfile::NamedTempFile;

/// Lets the library tell gdb of images.
pub(super) const VARIABLE: &str = "FORETELL_GDB";

/// What gdb does before the user types anything: at each new image it runs the command that the
/// library has left, which names the image's symbols.
const SCRIPT: &str = "\
set breakpoint pending on
break foretell_image_mapped
commands
silent
set confirm off
set language c
eval \"%s\", *(char **)&foretell_gdb_command
set language auto
set confirm on
continue
end
";

/// The script as a file.
pub(super) fn script() -> Result<NamedTempFile> {
    let mut file = NamedTempFile::new().context("cannot write commands for gdb")?;
    file.write_all(SCRIPT.as_bytes()).context("cannot write commands for gdb")?;
    Ok(file)
}

/// The words before the program; the library is preloaded for the program alone.
pub(super) fn words(script: &Path, preload: Option<OsString>) -> Vec<OsString> {
    let mut words: Vec<OsString> = vec!["gdb".into(), "-q".into(), "-x".into(), script.into()];
    if let Some(library) = preload {
        let set = format!("set exec-wrapper env LD_PRELOAD={}", library.to_string_lossy());
        words.extend(["-iex".into(), set.into()]);
    }
    words.push("--args".into());
    words
}
