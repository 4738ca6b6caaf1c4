//! `foretell tracer`: builds the library that traces real runs.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::output;

/// Names and texts of files beside each other.
macro_rules! sources {
    ($($name:literal)*) => { [$(($name, include_str!(concat!("../tracer/", $name)))),*] };
}

/// Handles differ between MPI libraries, so it is compiled where it is used.
const SOURCES: [(&str, &str); 12] = sources! {
    "tracer.h" "trace.c" "communicators.c" "requests.c" "messages.c" "collectives.c"
    "neighbours.c" "windows.c" "files.c" "large.c" "left_out.c" "fortran.c"
};

/// `foretell tracer …`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  foretell tracer --cc mpicc.mpich
  mpirun -np 4 -genv LD_PRELOAD ./libforetell_tracer.so -genv FORETELL_TRACE run.ti ./program
  foretell replay run.ti -p star-64

FORETELL_TRACE names the folder (foretell-trace if it does not). Computation is told in instructions
where the processor counts them, else in CPU time times FORETELL_SPEED flop/s (1e9);
FORETELL_COMPUTATION=time asks for the latter.")]
pub(crate) struct TracerCommand {
    /// The compiler of the MPI library whose runs are to be traced
    #[arg(long, value_name = "COMMAND", default_value = "mpicc")]
    cc: PathBuf,
    /// What to write
    #[arg(short, long, value_name = "FILE", default_value = "libforetell_tracer.so")]
    output: PathBuf,
}

/// Builds the library.
pub(crate) fn run(command: &TracerCommand) -> Result<ExitCode> {
    let TracerCommand { cc, output } = command;
    let folder = output.parent().filter(|folder| !folder.as_os_str().is_empty());
    let place = tempfile::Builder::new()
        .prefix(".foretell-")
        .tempdir_in(folder.unwrap_or(Path::new(".")))
        .with_context(|| format!("cannot write {}", output.display()))?;
    for (name, text) in SOURCES {
        std::fs::write(place.path().join(name), text)
            .context("cannot write the source of the tracer")?;
    }
    let library = place.path().join("tracer.so");
    compile(cc, place.path(), &library)?;
    std::fs::rename(&library, output)
        .with_context(|| format!("cannot write {}", output.display()))?;
    let name = output.display();
    output::print(&format!(
        "{name}: set LD_PRELOAD to it for the ranks of a run; their trace is then in the folder \
         that FORETELL_TRACE names\n"
    ))?;
    Ok(ExitCode::SUCCESS)
}

fn compile(cc: &Path, folder: &Path, library: &Path) -> Result<()> {
    let mut command = Command::new(cc);
    command.args(["-O2", "-shared", "-fPIC", "-o"]).arg(library);
    let files = SOURCES.iter().filter(|(name, _)| name.ends_with(".c"));
    command.args(files.map(|(name, _)| folder.join(name)));
    let name = cc.display();
    let outcome = match command.output() {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            bail!("there is no `{name}`; name the compiler of your MPI library with --cc")
        }
        outcome => outcome.with_context(|| format!("cannot run `{name}`"))?,
    };
    if !outcome.status.success() {
        let told = String::from_utf8_lossy(&outcome.stderr);
        bail!("`{name}` could not compile the tracer:\n{}", told.trim_end());
    }
    Ok(())
}
