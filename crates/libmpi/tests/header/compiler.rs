//! Runs the C and C++ compilers on small programs that include `mpi.h`.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The directory of `mpi.h`.
pub(crate) fn include_directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("include")
}

/// Writes a source file into the directory for temporary files of tests.
pub(crate) fn write(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("the directory for temporary files is writable");
    path
}

/// Runs a command and shows what it said if it fails.
pub(crate) fn run(command: &mut Command) -> String {
    let Output { status, stdout, stderr } =
        command.output().unwrap_or_else(|error| panic!("cannot run {command:?}: {error}"));
    let errors = String::from_utf8_lossy(&stderr);
    assert!(status.success(), "{command:?} failed:\n{errors}");
    String::from_utf8(stdout).expect("compilers and test programs write text")
}

/// A compiler that finds `mpi.h`.
pub(crate) fn compiler(name: &str) -> Command {
    let mut command = Command::new(name);
    command.arg("-I").arg(include_directory());
    command
}

/// Compiles a C program and runs it: what it printed.
pub(crate) fn output_of(name: &str, text: &str) -> String {
    let source = write(&format!("{name}.c"), text);
    let program = source.with_extension("");
    run(compiler("gcc").arg(&source).arg("-o").arg(&program));
    run(&mut Command::new(program))
}
