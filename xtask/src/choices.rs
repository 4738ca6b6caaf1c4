//! Which algorithms real MPI libraries choose, observed: `cargo xtask choices openmpi|mpich`.
//!
//! The library's own algorithms are replaced by stubs that only note which of them was entered, so
//! what is seen is the library's decision for each operation, size and number of ranks. The points
//! are kept in `tests/collectives/`, and a test of `foretell-mpi` holds our rules against them.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use serde::Deserialize;

use crate::{shell, workspace};

/// How many ranks are asked.
const RANKS: [u32; 14] = [2, 3, 4, 5, 7, 8, 12, 16, 24, 32, 33, 48, 64, 100];
/// Bytes: of the vector, or of a block where every rank has one for each other.
const BYTES: [u32; 12] =
    [4, 64, 256, 1024, 2048, 8192, 16384, 32768, 65536, 262_144, 1_048_576, 4_194_304];
/// Operations that move data.
const MOVING: [&str; 6] = ["bcast", "gather", "scatter", "allgather", "allgatherv", "alltoall"];
/// Operations that also reduce it.
const REDUCING: [&str; 4] = ["reduce", "allreduce", "reduce_scatter", "reduce_scatter_block"];

/// A library that can be observed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Library {
    /// Debian's Open MPI 4.1.4
    Openmpi,
    /// Debian's MPICH 4.0.2
    Mpich,
}

/// Arguments of `cargo xtask choices`.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Whose choices
    library: Library,
    /// Keep what is observed instead of comparing it with what is kept
    #[arg(long)]
    record: bool,
    /// The compiler and its options, in place of the usual
    #[arg(long, value_name = "WORDS")]
    compile: Option<String>,
    /// The command that starts ranks, in place of the usual; `-n` and the program follow
    #[arg(long, value_name = "WORDS")]
    run: Option<String>,
}

/// Observes a library, and compares or keeps what it chose.
pub(crate) fn run(options: &Options) -> Result<()> {
    let library = options.library;
    let scratch = workspace::scratch("choices")?;
    let program = build(library, options.compile.as_deref(), &scratch)?;
    let names = library.names()?;
    let mut lines = vec!["operation,ranks,bytes,commutative,algorithm,segment,fan,ours".to_owned()];
    for ranks in RANKS {
        let points = scratch.join("points");
        std::fs::write(&points, points_for(ranks))?;
        let start = options.run.as_deref().unwrap_or(library.usual_start());
        let mut words = start.split_whitespace();
        let mut command = Command::new(words.next().context("`--run` names no command")?);
        command.args(words).args(["-n", &ranks.to_string()]).arg(&program).arg(&points);
        // Every rank on a node of its own: what is chosen among messages, not in shared memory.
        let text = shell::output(command.env("MPIR_CVAR_NOLOCAL", "1"))?;
        for line in text.lines().filter(|line| !line.is_empty()) {
            lines.push(with_our_name(line, &names)?);
        }
        println!("{ranks} ranks: {} points", lines.len() - 1);
    }
    let observed = lines.join("\n") + "\n";
    let kept = library.kept();
    if options.record {
        std::fs::write(&kept, observed).with_context(|| format!("cannot write {kept:?}"))?;
        return Ok(());
    }
    compare(&std::fs::read_to_string(&kept)?, &observed)
}

impl Library {
    fn folder() -> PathBuf {
        workspace::root().join("tests/collectives")
    }

    /// Its name and version, in names of files.
    fn version(self) -> &'static str {
        match self {
            Library::Openmpi => "openmpi-4.1.4",
            Library::Mpich => "mpich-4.0.2",
        }
    }

    fn kept(self) -> PathBuf {
        Self::folder().join(format!("choices-{}.csv", self.version()))
    }

    fn header(self) -> PathBuf {
        Self::folder().join(format!("{}.h", self.version()))
    }

    /// Compiler, options before the source and libraries behind it, on Debian.
    fn usual_compiler(self) -> (&'static str, &'static [&'static str]) {
        match self {
            Library::Openmpi => ("mpicc.openmpi -rdynamic", &[]),
            Library::Mpich => (
                "gcc -I/usr/include/x86_64-linux-gnu/mpich",
                &[
                    "/usr/lib/x86_64-linux-gnu/libmpich.a",
                    "-lucp",
                    "-lucs",
                    "-luct",
                    "-lucm",
                    "-lhwloc",
                    "-lpthread",
                    "-lm",
                ],
            ),
        }
    }

    fn usual_start(self) -> &'static str {
        match self {
            Library::Openmpi => {
                "mpirun.openmpi --oversubscribe --mca mpi_yield_when_idle 1 --mca pml ob1 \
                 --mca btl self,vader"
            }
            Library::Mpich => "mpiexec.hydra",
        }
    }

    /// What each of its functions is called here.
    fn names(self) -> Result<BTreeMap<String, String>> {
        let table = match self {
            Library::Openmpi => "openmpi.toml",
            Library::Mpich => "mpich.toml",
        };
        let path = workspace::root().join("crates/mpi/src/collective/names").join(table);
        let text = std::fs::read_to_string(&path)?;
        let lists: BTreeMap<String, Vec<Named>> = toml::from_str(&text)?;
        let pairs = lists.into_values().flatten();
        let ours = |named: Named| (named.function.unwrap_or(named.name), named.ours);
        Ok(pairs.map(ours).filter_map(|(name, ours)| Some((name, ours?))).collect())
    }
}

/// An algorithm in the table of names.
#[derive(Deserialize)]
struct Named {
    name: String,
    function: Option<String>,
    ours: Option<String>,
}

/// Compiles the observer.
fn build(library: Library, compile: Option<&str>, scratch: &Path) -> Result<PathBuf> {
    let (usual, libraries) = library.usual_compiler();
    let mut words = compile.unwrap_or(usual).split_whitespace();
    let mut command = Command::new(words.next().context("`--compile` names no compiler")?);
    let program = scratch.join(format!("observe-{}", library.version()));
    let header = library.header();
    command.arg(format!("-DALGORITHMS=\"{}\"", header.display())).arg("-O1");
    command.arg(Library::folder().join("observe.c")).args(words);
    if library == Library::Mpich {
        // Its functions are hidden in the shared library, but the static one can be linked around.
        command.arg("-DWRAPPED");
        for function in functions(&std::fs::read_to_string(&header)?) {
            command.arg(format!("-Wl,--wrap={function}"));
        }
    }
    shell::run(command.args(libraries).arg("-o").arg(&program))?;
    Ok(program)
}

/// The functions of a file of `ALGORITHM(function, segment, fan)`.
fn functions(header: &str) -> impl Iterator<Item = &str> {
    let rows = header.lines().filter_map(|line| line.strip_prefix("ALGORITHM("));
    rows.filter_map(|row| row.split(',').next())
}

/// Lines of `operation bytes commutative`.
fn points_for(ranks: u32) -> String {
    let mut points = String::from("barrier 0 1\nalltoallv 1024 1\nalltoallv 65536 1\n");
    let mut point = |operation: &str, bytes: u32, commutes: u32| {
        let _ = writeln!(points, "{operation} {bytes} {commutes}");
    };
    for bytes in BYTES {
        MOVING.iter().for_each(|operation| point(operation, bytes, 1));
        for operation in REDUCING {
            // Blocks of one size, whole elements.
            let even = (bytes / 4 / ranks).max(1) * 4 * ranks;
            let bytes = if operation.starts_with("reduce_scatter") { even } else { bytes };
            point(operation, bytes, 1);
            point(operation, bytes, 0);
        }
    }
    for bytes in [4, 4096, 1_048_576] {
        point("scan", bytes, 1);
        point("exscan", bytes, 1);
    }
    points
}

/// A line of the observer with the name of the algorithm here behind it.
fn with_our_name(line: &str, names: &BTreeMap<String, String>) -> Result<String> {
    let function = line.split(',').nth(4).with_context(|| format!("`{line}` is no point"))?;
    let ours = names.get(function);
    let ours = ours.with_context(|| format!("no name of ours for the algorithm of `{line}`"))?;
    Ok(format!("{line},{ours}"))
}

fn compare(kept: &str, observed: &str) -> Result<()> {
    let differ = |(kept, observed): (&str, &str)| {
        (kept != observed).then(|| format!("kept {kept}, observed {observed}"))
    };
    let differences: Vec<_> = kept.lines().zip(observed.lines()).filter_map(differ).collect();
    if kept.lines().count() != observed.lines().count() || !differences.is_empty() {
        bail!("what is observed differs from what is kept:\n{}", differences.join("\n"));
    }
    println!("{} points are as they are kept", kept.lines().count() - 1);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_function_that_is_watched_is_in_the_table_of_names() {
        for library in [Library::Openmpi, Library::Mpich] {
            let header = std::fs::read_to_string(library.header()).unwrap();
            let names = library.names().unwrap();
            let known = functions(&header).filter(|name| names.contains_key(*name)).count();
            assert!(known > 30, "{known} of {}", functions(&header).count());
        }
    }

    #[test]
    fn blocks_are_whole_elements() {
        let points = points_for(7);
        assert!(points.contains("reduce_scatter 28 1\n"), "{points}");
        assert!(points.contains("reduce_scatter 1008 0\n"), "{points}");
    }
}
