//! Ways to build and start a program, each tried with the real commands and library: wrappers in
//! CMake and configure, pkg-config, several programs, labels, kinds of privacy, region factors,
//! annotations, kernels, energy, programs without MPI, traces with dates, tools, gdb.

mod kernels;
mod tools;
mod traces;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::test::End;
use crate::{shell, workspace};

/// What all tries share.
struct Place {
    /// The commands.
    bin: PathBuf,
    /// Where programs are built.
    scratch: PathBuf,
    /// Where their sources are.
    sources: PathBuf,
}

/// A try with its name.
type Try = (&'static str, fn(&Place) -> Result<End>);

const TRIES: [Try; 19] = [
    ("kinds of privacy", privacy),
    ("labels", labels),
    ("several programs", several),
    ("annotations", annotations),
    ("kernels by name", kernels::by_name),
    ("a BLAS that takes simulated time", kernels::blas),
    ("energy of a program", kernels::energy),
    ("pstates that a program changes", kernels::pstates),
    ("region factors", regions),
    ("one word for scripts", one_word),
    ("a program without MPI", without_mpi),
    ("bytes of files", files),
    ("a tool in C for a program in Fortran", traced),
    ("lines of the source in traces", traces::lines),
    ("traces of programs that crash", traces::crashes),
    ("gdb", tools::gdb),
    ("CMake", tools::cmake),
    ("configure", tools::configure),
    ("pkg-config", tools::pkg_config),
];

/// Tries all; an error tells of those that failed.
pub(crate) fn run() -> Result<End> {
    let bin = workspace::release_binary()?.parent().map(Path::to_owned).unwrap_or_default();
    let scratch = workspace::scratch("launches")?;
    let place = Place { bin, scratch, sources: workspace::root().join("tests/launches") };
    let mut findings = Vec::new();
    for (name, attempt) in TRIES {
        match attempt(&place) {
            Ok(End::Passed) => println!("passed: {name}"),
            Ok(End::Skipped(why)) => println!("skipped: {name}: {why}"),
            Err(error) => findings.push(format!("{name}: {error:#}")),
        }
    }
    if findings.is_empty() { Ok(End::Passed) } else { bail!("{}", findings.join("\n")) }
}

impl Place {
    /// A command that is not disturbed by cargo's own folders, where another library may lie.
    fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.scratch).env_remove("LD_LIBRARY_PATH").stdin(Stdio::null());
        command
    }

    /// Builds a program with our wrapper.
    fn build(&self, name: &str) -> Result<PathBuf> {
        self.build_with(name, &[])
    }

    /// The same, with further words for the linker.
    fn build_with(&self, name: &str, words: &[&str]) -> Result<PathBuf> {
        let program = self.scratch.join(name);
        let mut command = self.command(self.bin.join("foretell-mpicc"));
        command.args(["-g", "-O1"]).arg(self.sources.join(format!("{name}.c")));
        shell::output(command.arg("-o").arg(&program).args(words))?;
        Ok(program)
    }

    /// Runs `foretell run` with these words and gives what was printed, lines in order of name.
    fn run(&self, words: &[&str]) -> Result<String> {
        let mut command = self.command(self.bin.join("foretell"));
        let told = shell::output(command.args(["run", "-q"]).args(words))?;
        let mut lines: Vec<&str> = told.lines().collect();
        lines.sort();
        Ok(lines.join("\n"))
    }
}

/// Fails unless what was printed is what was expected.
fn expect(told: &str, expected: &str) -> Result<End> {
    if told == expected {
        return Ok(End::Passed);
    }
    bail!("expected `{expected}`, printed `{told}`")
}

fn privacy(place: &Place) -> Result<End> {
    place.build("state")?;
    for (kind, expected) in [
        ("images", "mine 3 alone\nmine 4 alone\nmine 5 alone"),
        ("copies", "mine 3 alone\nmine 4 alone\nmine 5 alone"),
        ("off", "mine 6 alone\nmine 6 alone\nmine 6 alone"),
    ] {
        let told = place.run(&["-n", "3", "--privatise", kind, "./state"])?;
        expect(&told, expected).with_context(|| format!("--privatise {kind}"))?;
    }
    Ok(End::Passed)
}

fn labels(place: &Place) -> Result<End> {
    place.build("state")?;
    let told = place.run(&["-l", "-n", "3", "./state", "x"])?;
    expect(&told, "[0] mine 3 x\n[1] mine 4 x\n[2] mine 5 x")
}

fn several(place: &Place) -> Result<End> {
    place.build("state")?;
    let other = place.scratch.join("other");
    std::fs::copy(place.scratch.join("state"), &other)?;
    let words = ["-l", "-n", "2", "./state", "a", ":", "-n", "2", "./other", "b"];
    expect(&place.run(&words)?, "[0] mine 3 a\n[1] mine 4 a\n[2] mine 5 b\n[3] mine 6 b")
}

fn annotations(place: &Place) -> Result<End> {
    place.build("annotated")?;
    let told = place.run(&["-n", "2", "--host-speed", "10Gf", "./annotated"])?;
    expect(
        &told,
        "rank 0 ran 5 times, all 6, took 0.750 s\nrank 1 ran 5 times, all 6, took 0.750 s",
    )
}

/// The second region is made a thousand times cheaper.
fn regions(place: &Place) -> Result<End> {
    place.build("regions")?;
    let factors = place.scratch.join("factors");
    std::fs::write(&factors, "\"regions.c:21:regions.c:23\",1000\n")?;
    let option = format!("smpi/comp-adjustment-file:{}", factors.display());
    expect(&place.run(&["--clock", "cpu", "--cfg", &option, "./regions"])?, "1")
}

fn one_word(place: &Place) -> Result<End> {
    place.build("state")?;
    let mut command = place.command(place.bin.join("foretell-mpirun"));
    let told = shell::output(command.args(["-np", "1", "./state", "word"]))?;
    expect(told.trim(), "mine 3 word")
}

/// It closes its standard output when it ends, which is that of the others too.
fn without_mpi(place: &Place) -> Result<End> {
    let told = place.run(&["-n", "3", "/bin/ls", "-d", "/"])?;
    expect(&told, "/\n/\n/")
}

fn files(place: &Place) -> Result<End> {
    place.build("writes")?;
    let mut command = place.command(place.bin.join("foretell"));
    let told = shell::output(command.args(["run", "-n", "3", "--json", "-", "./writes"]))?;
    let summary: serde_json::Value = serde_json::from_str(&told)?;
    let figure = |name: &str| summary[name].to_string();
    expect(
        &format!("{} read, {} written", figure("file_bytes_read"), figure("file_bytes_written")),
        "3000 read, 3000 written",
    )
}

/// Calls of the twins go past the tool.
fn traced(place: &Place) -> Result<End> {
    if !shell::exists("gfortran") {
        return Ok(End::Skipped("gfortran is not here".into()));
    }
    let mut compile = place.command(place.bin.join("foretell-mpicc"));
    shell::output(compile.arg("-c").arg(place.sources.join("tool.c")).args(["-o", "tool.o"]))?;
    let mut link = place.command(place.bin.join("foretell-mpifort"));
    let source = place.sources.join("traced.f90");
    shell::output(link.arg(source).args(["tool.o", "-o", "traced"]))?;
    expect(
        &place.run(&["-n", "2", "./traced"])?,
        "rank 0: 1 begun, 1 reduced\nrank 1: 1 begun, 1 reduced",
    )
}
