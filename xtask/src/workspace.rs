//! Where things are: the root, the target directory, the binary, the figures beside the tree.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::shell;

/// The root of the source tree (the directory above this crate).
///
/// Cargo says at run time where the crate is; two trees that share a target directory may share
/// this very binary, so what the compiler knew is only the second best.
pub(crate) fn root() -> &'static Path {
    static ROOT: OnceLock<PathBuf> = OnceLock::new();
    ROOT.get_or_init(|| {
        let told = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
        let own = told.filter(|path| path.file_name().is_some_and(|name| name == "xtask"));
        let own = own.unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
        own.parent().expect("xtask lives inside the workspace").to_owned()
    })
}

/// Folder of reference figures and platforms kept beside the tree, when it is there.
pub(crate) fn shared() -> Option<PathBuf> {
    let path = root().parent()?.join("shared");
    path.is_dir().then_some(path)
}

/// A folder of our own below the target directory, created when missing.
pub(crate) fn scratch(name: &str) -> Result<PathBuf> {
    let path = metadata()?.target_directory.join("xtask").join(name);
    std::fs::create_dir_all(&path).with_context(|| format!("cannot create {}", path.display()))?;
    Ok(path)
}

/// Builds the commands and the library, once, and returns the path of `foretell`; `FORETELL` names another one to use.
pub(crate) fn release_binary() -> Result<PathBuf> {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    if let Some(path) = BINARY.get() {
        return Ok(path.clone());
    }
    let path = match std::env::var_os("FORETELL") {
        Some(path) => path.into(),
        None => build()?,
    };
    Ok(BINARY.get_or_init(|| path).clone())
}

fn build() -> Result<PathBuf> {
    let mut build = shell::cargo();
    build.current_dir(root()).args(["build", "--release"]);
    shell::run(&mut build)?;
    Ok(metadata()?.target_directory.join("release").join("foretell"))
}

/// What `cargo metadata` says about the workspace's own packages.
#[derive(Debug, Deserialize)]
pub(crate) struct Metadata {
    /// Where cargo puts what it builds.
    pub(crate) target_directory: PathBuf,
    /// The members of the workspace.
    pub(crate) packages: Vec<Package>,
}

/// One member of the workspace.
#[derive(Debug, Deserialize)]
pub(crate) struct Package {
    /// Package name, as given to `-p`.
    pub(crate) name: String,
    /// Its libraries, binaries, examples and tests.
    pub(crate) targets: Vec<Target>,
}

/// One thing that cargo can build.
#[derive(Debug, Deserialize)]
pub(crate) struct Target {
    /// Target name.
    pub(crate) name: String,
    /// `lib`, `bin`, `example`, `test`, …
    pub(crate) kind: Vec<String>,
    /// What it becomes: `bin` for what can be run.
    pub(crate) crate_types: Vec<String>,
}

/// Asks cargo about the workspace.
pub(crate) fn metadata() -> Result<Metadata> {
    let mut command = shell::cargo();
    command.current_dir(root()).args(["metadata", "--no-deps", "--format-version", "1"]);
    serde_json::from_str(&shell::output(&mut command)?).context("cargo metadata is not as expected")
}
