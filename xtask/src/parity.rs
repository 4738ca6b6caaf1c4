//! The programs of `tests/mpi`, run under foretell and compared with a real MPI (MPICH).
//!
//! What MPICH printed is stored beside the programs, so that the comparison needs no MPICH; where
//! Debian's is installed, both run. `tests/mpi/mistakes` holds programs with the message that
//! their user sees, `tests/mpi/check` those whose mistakes `--check` finds, `tests/mpi/own` those
//! that check themselves: what MPICH does not have, and simulated times; `tests/mpi/algorithms` those
//! that run with every algorithm of the collectives; `tests/mpi/cores` those that run on several
//! cores. All others let ranks go ahead wherever they can, but for the runs under `--check`.
//!
//! The programs of `tests/mpi` itself run under `--check` too: it must find nothing but what their
//! comment `check:` admits, and change neither output nor simulated time.

mod algorithms;
mod build;
mod checked;
mod cores;
mod program;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use anyhow::{Context, Result, bail};
use clap::Args;

use self::build::build;
use self::cores::ALWAYS;
use self::program::{Program, normalised};
use crate::packages::{GFORTRAN, Policy};
use crate::{shell, workspace};

/// MPICH as Debian names it: compilers for C, C++ and Fortran.
const MPICH: [&str; 3] = ["mpicc.mpich", "mpicxx.mpich", "mpifort.mpich"];
/// Its launcher.
const MPIEXEC: &str = "mpiexec.hydra";
/// Our compilers, in the same order.
const OURS: [&str; 3] = ["foretell-mpicc", "foretell-mpicxx", "foretell-mpifort"];

/// Arguments of `cargo xtask parity`.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Only programs whose name contains this
    #[arg(long, default_value = "")]
    filter: String,
    /// Folder of the commands and the library; built in release mode when not told
    #[arg(long, value_name = "DIR")]
    bin: Option<PathBuf>,
    /// Whether to install gfortran when it is missing
    #[arg(long, value_enum, default_value = "never")]
    packages: Policy,
    /// Store what MPICH prints, and the messages of foretell, as what is expected
    #[arg(long)]
    record: bool,
}

impl Options {
    /// All programs, with what may be installed for them.
    pub(crate) fn all(packages: Policy) -> Self {
        Self { filter: String::new(), bin: None, packages, record: false }
    }
}

/// Runs all programs; an error when one differs.
pub(crate) fn run(options: &Options) -> Result<()> {
    let bin = match &options.bin {
        Some(folder) => folder.clone(),
        None => workspace::release_binary()?.parent().map(Path::to_owned).unwrap_or_default(),
    };
    let real = shell::exists(MPICH[0]) && shell::exists(MPIEXEC);
    if !real {
        println!("skipped: MPICH is not here (Debian package mpich); stored outputs only");
    }
    if options.record && !real {
        bail!("--record needs MPICH: install the Debian package mpich");
    }
    let fortran = GFORTRAN.ready(options.packages);
    if !fortran {
        println!("skipped: {}; programs in Fortran are not run", GFORTRAN.hint());
    }
    let session =
        Session { bin, scratch: workspace::scratch("parity")?, real, record: options.record };
    let folder = workspace::root().join("tests/mpi");
    let mut findings = Vec::new();
    let mut runs = 0;
    let programs = Program::all(&folder, &options.filter)?;
    for program in programs.into_iter().filter(|program| fortran || !program.is_fortran()) {
        runs += session.parity(&program, &mut findings)?;
    }
    let programs = Program::all(&folder.join("mistakes"), &options.filter)?;
    for program in programs.into_iter().filter(|program| fortran || !program.is_fortran()) {
        runs += 1;
        session.mistake(&program, &[], &mut findings)?;
    }
    let programs = Program::all(&folder.join("check"), &options.filter)?;
    for program in programs.into_iter().filter(|program| fortran || !program.is_fortran()) {
        runs += 1;
        session.mistake(&program, &["--check"], &mut findings)?;
    }
    let programs = Program::all(&folder.join("own"), &options.filter)?;
    for program in programs.into_iter().filter(|program| fortran || !program.is_fortran()) {
        runs += session.own(&program, &mut findings)?;
    }
    let programs = Program::all(&folder.join("cores"), &options.filter)?;
    for program in programs.into_iter().filter(|program| fortran || !program.is_fortran()) {
        runs += session.on_cores(&program, &mut findings)?;
    }
    for program in Program::all(&folder.join("algorithms"), &options.filter)? {
        runs += session.with_algorithms(&program, &mut findings)?;
    }
    println!("parity: {runs} runs, {} findings", findings.len());
    if findings.is_empty() { Ok(()) } else { bail!("{}", findings.join("\n")) }
}

/// What all programs of one run share.
struct Session {
    bin: PathBuf,
    scratch: PathBuf,
    real: bool,
    record: bool,
}

impl Session {
    /// Compares one program at each of its numbers of ranks; returns how many runs that were.
    fn parity(&self, program: &Program, findings: &mut Vec<String>) -> Result<usize> {
        let wrapper = self.bin.join(program.choose(OURS));
        let ours = build(program, &wrapper, &self.scratch, "ours")?;
        let compiler = program.choose(MPICH);
        let real = match self.real && shell::exists(compiler) {
            true => Some(build(program, Path::new(compiler), &self.scratch, "real")?),
            false => None,
        };
        for &ranks in &program.ranks {
            let name = format!("{} on {ranks} ranks", program.name);
            let stored = program.expected(ranks);
            if let Some(real) = &real {
                let told = finish(
                    Command::new(MPIEXEC).args(["-n", &ranks.to_string()]).arg(real),
                    program,
                )?;
                if self.record {
                    std::fs::write(&stored, &told.stdout)?;
                }
                compare(&name, "MPICH here", &read(&stored)?, &told, program, findings);
            }
            let (first, time) = self.simulate(program, &ours, ranks)?;
            let (second, again) = self.checked(program, &ours, ranks, &name, findings)?;
            compare(&name, "foretell", &read(&stored)?, &first, program, findings);
            if first.stdout == second.stdout && time == again {
                continue;
            }
            // Which of two threads comes first is now and then decided by the real machine.
            let third = self.simulate(program, &ours, ranks)?;
            let agrees = third.0.stdout == first.stdout && [time, again].contains(&third.1);
            if program.has_threads() && first.stdout == second.stdout && agrees {
                println!("{name}: simulated time varied, {time:?} s and {again:?} s");
            } else {
                findings.push(format!(
                    "{name}: a second run, with --check, differs ({time:?} s, then {again:?} s)"
                ));
            }
        }
        Ok(program.ranks.len())
    }

    /// Checks the message of a program with a mistake.
    fn mistake(
        &self,
        program: &Program,
        options: &[&str],
        findings: &mut Vec<String>,
    ) -> Result<()> {
        let wrapper = self.bin.join(program.choose(OURS));
        let ours = build(program, &wrapper, &self.scratch, "mistake")?;
        let ranks = program.ranks.first().copied().unwrap_or(2).to_string();
        let mut command = Command::new(self.bin.join("foretell"));
        command.args(["run", "-q", "--computation", "off", "-n", &ranks]).args(options).arg(&ours);
        command.env(ALWAYS.0, ALWAYS.1);
        let output = finish(&mut command, program)?;
        let code = output.status.code().unwrap_or(-1);
        let text = normalised(&String::from_utf8_lossy(&output.stderr), code);
        let stored = program.source.with_extension("txt");
        if self.record {
            std::fs::write(&stored, &text)?;
        }
        let expected = String::from_utf8_lossy(&read(&stored)?).into_owned();
        if text != expected {
            findings
                .push(format!("{}: expected\n{expected}but the user sees\n{text}", program.name));
        }
        Ok(())
    }

    /// Runs a program that checks itself; returns how many runs that were.
    fn own(&self, program: &Program, findings: &mut Vec<String>) -> Result<usize> {
        let ours = build(program, &self.bin.join(program.choose(OURS)), &self.scratch, "own")?;
        for &ranks in &program.ranks {
            let mut command = Command::new(self.bin.join("foretell"));
            command.args(["run", "-q", "--computation", "off", "-n", &ranks.to_string()]);
            if let Some(platform) = &program.platform {
                command.arg("-p").arg(platform);
            }
            command.env(ALWAYS.0, ALWAYS.1);
            let output = finish(command.arg(&ours), program)?;
            if output.status.code() != Some(program.exit) {
                let (name, text) = (&program.name, String::from_utf8_lossy(&output.stderr));
                findings.push(format!("{name} on {ranks} ranks: {}\n{text}", output.status));
            }
        }
        Ok(program.ranks.len())
    }

    /// One run under foretell, with the simulated time it tells.
    fn simulate(
        &self,
        program: &Program,
        binary: &Path,
        ranks: u32,
    ) -> Result<(Output, Option<f64>)> {
        let (output, summary) = self.summarised(program, binary, ranks, &[])?;
        Ok((output, summary["simulated_s"].as_f64()))
    }

    /// One run under foretell, with further options, and its summary.
    fn summarised(
        &self,
        program: &Program,
        binary: &Path,
        ranks: u32,
        options: &[&str],
    ) -> Result<(Output, serde_json::Value)> {
        let json = self.scratch.join("summary.json");
        let mut command = Command::new(self.bin.join("foretell"));
        command.args(["run", "-q", "--computation", "off", "-n", &ranks.to_string()]);
        command.args(options).arg("--json").arg(&json).arg(binary).env(ALWAYS.0, ALWAYS.1);
        let output = finish(&mut command, program)?;
        Ok((output, serde_json::from_slice(&read(&json)?)?))
    }
}

fn finish(command: &mut Command, program: &Program) -> Result<Output> {
    let shown = shell::line(command);
    // Cargo names its own folders there, where another build of the library may lie.
    command.env_remove("LD_LIBRARY_PATH");
    command.args(&program.arguments).envs(program.environment.iter().cloned());
    let cannot = || format!("cannot start `{shown}`");
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().with_context(cannot)?;
    if let Some(mut input) = child.stdin.take() {
        // A program that reads nothing may have ended by now.
        input.write_all(program.stdin.as_bytes()).ok();
    }
    child.wait_with_output().with_context(cannot)
}

fn read(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).with_context(|| {
        format!("cannot read {}; --record writes what is expected", path.display())
    })
}

/// Adds a finding when standard output or exit code is not as expected.
fn compare(
    name: &str,
    who: &str,
    expected: &[u8],
    told: &Output,
    program: &Program,
    findings: &mut Vec<String>,
) {
    if told.status.code() != Some(program.exit) {
        findings
            .push(format!("{name}, {who}: {} instead of exit code {}", told.status, program.exit));
    }
    if told.stdout != expected {
        let (expected, told) =
            (String::from_utf8_lossy(expected), String::from_utf8_lossy(&told.stdout));
        let differs = expected.lines().zip(told.lines()).find(|(a, b)| a != b);
        let (wanted, got) = differs.unwrap_or(("another number of lines", ""));
        findings.push(format!("{name}, {who}: expected `{wanted}`, printed `{got}`"));
    }
}
