//! The examples of the crate `mpi` (rsmpi) from the registry, built against our library and run.
//!
//! They are programs of others, in another language, that check themselves: each fails by an
//! assertion. The crate is downloaded when the step runs and built below the target directory.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Args;
use serde::Deserialize;

use crate::packages::{self, Policy};
use crate::test::End;
use crate::{shell, workspace};

/// The crate and its version.
const CRATE: (&str, &str) = ("mpi", "0.8.2");
/// What its examples need beyond the default.
const FEATURES: &str = "derive,complex";
/// Numbers of ranks to run each example with.
const RANKS: [&str; 2] = ["2", "4"];
/// Examples that are not run, and why.
const LEFT_OUT: [(&str, &str); 2] = [
    ("spawn", "ranks cannot be added to a simulation that runs"),
    ("spawn_multiple", "ranks cannot be added to a simulation that runs"),
];
/// An example that takes longer hangs.
const LONGEST: Duration = Duration::from_secs(120);

/// Arguments of `cargo xtask rsmpi`.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Only examples whose name contains this
    #[arg(long, default_value = "")]
    filter: String,
    /// Whether to install libclang when it is missing
    #[arg(long, value_enum, default_value = "never")]
    packages: Policy,
}

impl Options {
    /// All examples.
    pub(crate) fn all(packages: Policy) -> Self {
        Self { filter: String::new(), packages }
    }
}

/// Builds and runs the examples; skipped where the registry or libclang is not to be had.
pub(crate) fn run(options: &Options) -> Result<End> {
    let bin = workspace::release_binary()?.parent().map(Path::to_owned).unwrap_or_default();
    let scratch = workspace::scratch("rsmpi")?;
    let source = match download(&scratch) {
        Ok(source) => source,
        Err(error) => return Ok(End::Skipped(format!("the registry cannot be had: {error:#}"))),
    };
    let examples = examples(&source, &options.filter)?;
    for (name, why) in LEFT_OUT {
        println!("left out: {name}: {why}");
    }
    let programs = scratch.join("target/debug/examples");
    let mut built = build(&source, &scratch, &bin, &examples);
    if lacks_libclang(&built) && packages::bring_libclang(options.packages) {
        built = build(&source, &scratch, &bin, &examples);
    }
    if lacks_libclang(&built) {
        return Ok(End::Skipped("bindgen finds no libclang (Debian: libclang-dev)".into()));
    }
    built?;
    let mut findings = Vec::new();
    for example in &examples {
        for ranks in RANKS {
            if let Err(error) = simulate(&bin, &programs.join(example), ranks) {
                findings.push(format!("{example} on {ranks} ranks: {error:#}"));
            }
        }
    }
    println!("{} examples of {} {}, {} findings", examples.len(), CRATE.0, CRATE.1, findings.len());
    if findings.is_empty() { Ok(End::Passed) } else { bail!("{}", findings.join("\n")) }
}

/// Lets cargo download the crate, and copies its source to where it can be built.
fn download(scratch: &Path) -> Result<PathBuf> {
    let project = scratch.join("fetch");
    std::fs::create_dir_all(project.join("src"))?;
    std::fs::write(project.join("src/lib.rs"), "")?;
    let (name, version) = CRATE;
    let manifest = format!(
        "[package]\nname = \"fetch\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n\
         [dependencies]\n{name} = \"={version}\"\n\n[workspace]\n"
    );
    std::fs::write(project.join("Cargo.toml"), manifest)?;
    let told = shell::output(shell::cargo().current_dir(&project).args([
        "metadata",
        "--format-version",
        "1",
    ]))?;
    let known: Known = serde_json::from_str(&told).context("cargo metadata says something else")?;
    let found = known.packages.into_iter().find(|package| package.name == name);
    let manifest = found.with_context(|| format!("cargo knows no {name}"))?.manifest_path;
    let source = scratch.join(format!("{name}-{version}"));
    if !source.is_dir() {
        let from = manifest.parent().context("a manifest is in a folder")?;
        shell::output(Command::new("cp").arg("-r").arg(from).arg(&source))?;
        // It would otherwise be taken for a lost member of the workspace around it.
        let own = source.join("Cargo.toml");
        let text = std::fs::read_to_string(&own)?;
        std::fs::write(&own, format!("{text}\n[workspace]\n"))?;
    }
    Ok(source)
}

/// What `cargo metadata` says of packages.
#[derive(Deserialize)]
struct Known {
    packages: Vec<Package>,
}

/// One package.
#[derive(Deserialize)]
struct Package {
    name: String,
    manifest_path: PathBuf,
}

/// The names of the examples that are run, in order.
fn examples(source: &Path, filter: &str) -> Result<Vec<String>> {
    let folder = source.join("examples");
    let mut names = Vec::new();
    for entry in folder.read_dir().with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        if path.extension().is_some_and(|end| end == "rs") {
            names.extend(path.file_stem().map(|name| name.to_string_lossy().into_owned()));
        }
    }
    names.sort();
    names.retain(|name| name.contains(filter) && LEFT_OUT.iter().all(|(left, _)| left != name));
    Ok(names)
}

fn lacks_libclang(built: &Result<()>) -> bool {
    built.as_ref().is_err_and(|error| format!("{error:#}").contains("libclang"))
}

fn build(source: &Path, scratch: &Path, bin: &Path, examples: &[String]) -> Result<()> {
    let mut command = shell::cargo();
    command.current_dir(source).args(["build", "--features", FEATURES]);
    for example in examples {
        command.args(["--example", example]);
    }
    command.env("MPICC", bin.join("foretell-mpicc"));
    command.env("CARGO_TARGET_DIR", scratch.join("target")).env_remove("LD_LIBRARY_PATH");
    shell::output(&mut command).map(drop)
}

fn simulate(bin: &Path, program: &Path, ranks: &str) -> Result<()> {
    let mut command = Command::new("timeout");
    command.arg(LONGEST.as_secs().to_string()).arg(bin.join("foretell"));
    command.args(["run", "-q", "--computation", "off", "-n", ranks]).arg(program);
    // Cargo names its own folders there, where another build of the library may lie.
    shell::output(command.env_remove("LD_LIBRARY_PATH")).map(drop)
}
