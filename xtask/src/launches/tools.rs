//! Tries that need a tool of the system; without it they are skipped.

use std::process::Stdio;

use anyhow::{Context, Result, bail};

use super::{Place, expect};
use crate::shell;
use crate::test::End;

/// A breakpoint must hold in the image of each rank, with the rank's own globals.
pub(super) fn gdb(place: &Place) -> Result<End> {
    if !shell::exists("gdb") {
        return Ok(End::Skipped("gdb is not here".into()));
    }
    place.build("state")?;
    let commands = "break state.c:14\nrun\nprint mine\ncontinue\nprint mine\ncontinue\nquit\n";
    let script = place.scratch.join("gdb-commands");
    std::fs::write(&script, commands)?;
    let mut command = place.command(place.bin.join("foretell"));
    command.args(["run", "-q", "-n", "2", "--gdb", "./state"]);
    let output = command.stdin(Stdio::from(std::fs::File::open(script)?)).output()?;
    let told = String::from_utf8_lossy(&output.stdout);
    let seen: Vec<&str> = told.lines().filter(|line| line.contains("= ")).collect();
    let found = |value: &str| seen.iter().any(|line| line.ends_with(&format!("= {value}")));
    if found("3") && found("4") {
        return Ok(End::Passed);
    }
    bail!("gdb did not stop in both ranks:\n{told}{}", String::from_utf8_lossy(&output.stderr))
}

/// `find_package(MPI)` and `try_run`, with the wrappers as compilers and as MPI's.
pub(super) fn cmake(place: &Place) -> Result<End> {
    if !shell::exists("cmake") {
        return Ok(End::Skipped("cmake is not here (Debian package cmake)".into()));
    }
    for [c, cxx] in
        [["CMAKE_C_COMPILER", "CMAKE_CXX_COMPILER"], ["MPI_C_COMPILER", "MPI_CXX_COMPILER"]]
    {
        let folder = place.scratch.join("cmake");
        std::fs::remove_dir_all(&folder).ok();
        let mut command = place.command("cmake");
        command.arg("-S").arg(place.sources.join("cmake")).arg("-B").arg(&folder);
        command.arg(format!("-D{c}={}", place.bin.join("foretell-mpicc").display()));
        command.arg(format!("-D{cxx}={}", place.bin.join("foretell-mpicxx").display()));
        shell::output(&mut command).with_context(|| format!("-D{c}"))?;
        shell::output(place.command("cmake").arg("--build").arg(&folder))?;
        let told = place.run(&["-n", "2", "cmake/state"])?;
        expect(&told, "mine 3 alone\nmine 4 alone").with_context(|| format!("-D{c}"))?;
    }
    Ok(End::Passed)
}

/// A script of autoconf that compiles, links and runs.
pub(super) fn configure(place: &Place) -> Result<End> {
    if !shell::exists("autoconf") {
        return Ok(End::Skipped("autoconf is not here (Debian package autoconf)".into()));
    }
    let folder = place.scratch.join("configure");
    std::fs::remove_dir_all(&folder).ok();
    std::fs::create_dir_all(&folder)?;
    std::fs::copy(place.sources.join("configure/configure.ac"), folder.join("configure.ac"))?;
    shell::output(place.command("autoconf").current_dir(&folder))?;
    let compiler = format!("CC={}", place.bin.join("foretell-mpicc").display());
    shell::output(place.command("./configure").current_dir(&folder).arg(compiler))?;
    Ok(End::Passed)
}

/// An installed package, used by the plain compiler.
pub(super) fn pkg_config(place: &Place) -> Result<End> {
    if !shell::exists("pkg-config") {
        return Ok(End::Skipped("pkg-config is not here".into()));
    }
    let prefix = place.scratch.join("prefix");
    crate::install::everything(&place.bin, crate::workspace::root(), &prefix)?;
    let mut command = place.command("pkg-config");
    command.env("PKG_CONFIG_PATH", prefix.join("share/pkgconfig"));
    let flags = shell::output(command.args(["--cflags", "--libs", "foretell"]))?;
    let program = place.scratch.join("packaged");
    let mut gcc = place.command("gcc");
    gcc.arg(place.sources.join("state.c")).arg("-o").arg(&program).args(flags.split_whitespace());
    shell::output(&mut gcc)?;
    let mut command = place.command(prefix.join("bin/foretell"));
    let told = shell::output(command.args(["run", "-q", "-l", "-n", "2", "./packaged", "x"]))?;
    let mut lines: Vec<&str> = told.lines().collect();
    lines.sort();
    expect(&lines.join("\n"), "[0] mine 3 x\n[1] mine 4 x")?;
    demonstration(place)
}

/// What was installed must find the program of the demonstration.
fn demonstration(place: &Place) -> Result<End> {
    let told = shell::output(place.command(place.scratch.join("prefix/bin/foretell")).arg("demo"))?;
    if told.contains("prefix/share/foretell/examples/heat.c") && told.contains("last change") {
        return Ok(End::Passed);
    }
    bail!("the installed `foretell demo` did not simulate the C program:\n{told}")
}
