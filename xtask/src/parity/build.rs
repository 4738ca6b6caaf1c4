//! Builds a test program, with a shared library or a static archive of its own if it has one.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use super::program::Program;
use crate::shell;

/// Builds `program` as `NAME.kind` below `scratch`, by any compiler that knows gcc's options.
pub(super) fn build(
    program: &Program,
    compiler: &Path,
    scratch: &Path,
    kind: &str,
) -> Result<PathBuf> {
    let target = scratch.join(format!("{}.{kind}", program.name));
    // An optimiser may remove the very mistake that is to be shown.
    let level = if kind == "mistake" { "-O0" } else { "-O1" };
    let compile = || {
        let mut command = Command::new(compiler);
        // Cargo names its own folders there, where another build of the library may lie.
        command.env_remove("LD_LIBRARY_PATH").args(["-w", "-g", level]).args(&program.flags);
        command
    };
    let mut whole = compile();
    whole.arg(&program.source).arg("-o").arg(&target);
    if program.is_fortran() {
        // Where its own modules go.
        whole.arg("-J").arg(scratch);
    }
    if let Some(source) = &program.library {
        let library = scratch.join(format!("lib{}.{kind}.so", program.name));
        let mut command = compile();
        command.args(["-shared", "-fPIC"]).arg(source).arg("-o").arg(&library);
        shell::output(&mut command)?;
        whole.arg(&library).arg(format!("-Wl,-rpath,{}", scratch.display()));
    }
    if let Some(source) = &program.archive {
        let object = scratch.join(format!("{}.{kind}.o", program.name));
        let archive = object.with_extension("a");
        shell::output(compile().arg("-c").arg(source).arg("-o").arg(&object))?;
        // What an older run left there would stay in it.
        std::fs::remove_file(&archive).ok();
        shell::output(Command::new("ar").arg("rcs").arg(&archive).arg(&object))?;
        whole.arg(&archive);
    }
    shell::output(whole.arg("-lm"))?;
    Ok(target)
}
