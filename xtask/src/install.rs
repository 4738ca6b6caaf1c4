//! Puts the commands, the MPI library, headers, manual pages and completions where a system looks
//! for them.

mod files;
mod library;

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use clap::Args;

use crate::{shell, workspace};

/// The commands.
const COMMANDS: &[&str] =
    &["foretell", "foretell-mpirun", "foretell-mpicc", "foretell-mpicxx", "foretell-mpifort"];
/// Other names of commands: the name, and what it stands for.
const ALIASES: &[(&str, &str)] = &[
    ("foretell-mpic++", "foretell-mpicxx"),
    ("foretell-mpif77", "foretell-mpifort"),
    ("foretell-mpif90", "foretell-mpifort"),
    ("foretell-mpiexec", "foretell-mpirun"),
];
/// Shells and where each looks for completions, below the prefix.
const COMPLETIONS: &[(&str, &str)] = &[
    ("bash", "share/bash-completion/completions/foretell"),
    ("zsh", "share/zsh/site-functions/_foretell"),
    ("fish", "share/fish/vendor_completions.d/foretell.fish"),
];
/// What to read and to try, of the source tree, and where it goes below `share`.
const SHARED: &[(&str, &str)] = &[
    ("README.md", "doc/foretell/README.md"),
    ("CHANGELOG.md", "doc/foretell/CHANGELOG.md"),
    ("LICENSE-MIT", "doc/foretell/LICENSE-MIT"),
    ("LICENSE-APACHE", "doc/foretell/LICENSE-APACHE"),
    ("docs/src", "doc/foretell/book"),
    ("examples/programs", "foretell/examples"),
];

/// Arguments of `cargo xtask install`.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Where to install (default: /usr/local for root, else ~/.local)
    #[arg(long, value_name = "DIR")]
    prefix: Option<PathBuf>,
}

/// Builds and installs.
pub(crate) fn run(options: &Options) -> Result<()> {
    let prefix = match &options.prefix {
        Some(prefix) => std::path::absolute(prefix)?,
        None => default_prefix()?,
    };
    let mut build = shell::cargo();
    build.current_dir(workspace::root()).args(["build", "--release", "--workspace"]);
    shell::run(&mut build)?;
    let built = workspace::metadata()?.target_directory.join("release");
    everything(&built, workspace::root(), &prefix)
}

/// Installs what was built in one folder from the tree at `root`.
pub(crate) fn everything(built: &Path, root: &Path, prefix: &Path) -> Result<()> {
    let bin = prefix.join("bin");
    for name in COMMANDS {
        files::copy(&built.join(name), &bin.join(name))?;
    }
    for (alias, name) in ALIASES {
        files::link(&bin.join(alias), name)?;
    }
    library::install(built, &root.join("crates/libmpi"), prefix)?;
    papers(&bin.join("foretell"), prefix)?;
    for (name, place) in SHARED.iter().filter(|(name, _)| root.join(name).exists()) {
        files::copy(&root.join(name), &prefix.join("share").join(place))?;
    }
    Ok(())
}

/// Manual pages and completions, which the command writes itself.
fn papers(foretell: &Path, prefix: &Path) -> Result<()> {
    let pages = prefix.join("share/man/man1");
    shell::output(Command::new(foretell).args(["man", "--dir"]).arg(&pages))?;
    println!("installed {}", pages.display());
    for (shell, place) in COMPLETIONS {
        let text = shell::output(Command::new(foretell).args(["completions", shell]))?;
        files::write(&prefix.join(place), &text)?;
    }
    Ok(())
}

fn default_prefix() -> Result<PathBuf> {
    if nix::unistd::geteuid().is_root() {
        return Ok("/usr/local".into());
    }
    let user = std::env::var_os("HOME").context("no HOME; give --prefix DIR")?;
    Ok(PathBuf::from(user).join(".local"))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// A tree and what was built of it, all of it made up.
    fn build(folder: &Path) -> (PathBuf, PathBuf) {
        let (built, root) = (folder.join("built"), folder.join("root"));
        let headers = root.join("crates/libmpi/include");
        fs::create_dir_all(&built).unwrap();
        fs::create_dir_all(headers.join("smpi")).unwrap();
        fs::create_dir_all(root.join("crates/libmpi/fortran")).unwrap();
        fs::create_dir_all(root.join("docs/src/guides")).unwrap();
        fs::create_dir_all(root.join("examples/programs")).unwrap();
        for name in COMMANDS {
            let body = "case $1 in man) mkdir -p $3; echo page > $3/foretell.1;; *) echo $*; esac";
            shell::write_script(&built.join(name), body);
        }
        for (path, text) in [
            (built.join("libmpi_abi.so"), "library"),
            (built.join("libforetell_blas.so"), "blas"),
            (headers.join("mpi.h"), "header"),
            (headers.join("smpi/smpi.h"), "other header"),
            (root.join("crates/libmpi/fortran/mpi.f90"), "module"),
            (root.join("README.md"), "read me"),
            (root.join("docs/src/guides/a.md"), "guide"),
            (root.join("examples/programs/heat.c"), "program"),
        ] {
            fs::write(path, text).unwrap();
        }
        (built, root)
    }

    #[test]
    fn everything_lands_below_the_prefix() {
        let folder = std::env::temp_dir().join(format!("xtask-install-{}", std::process::id()));
        let (built, root) = build(&folder);
        let prefix = folder.join("prefix");
        // Twice: what is there is replaced.
        for _ in 0..2 {
            everything(&built, &root, &prefix).unwrap();
        }
        let read = |place: &str| fs::read_to_string(prefix.join(place)).unwrap();
        assert_eq!(read("share/man/man1/foretell.1"), "page\n");
        assert_eq!(read("share/zsh/site-functions/_foretell"), "completions zsh\n");
        for name in ["libmpi_abi.so.1.0.0", "libmpi_abi.so.1", "libmpi_abi.so", "libmpi.so"] {
            assert_eq!(read(&format!("lib/{name}")), "library");
        }
        assert_eq!(read("lib/libforetell_blas.so"), "blas");
        assert_eq!(read("include/mpi.h"), "header");
        assert_eq!(read("include/smpi/smpi.h"), "other header");
        assert_eq!(read("share/foretell/fortran/mpi.f90"), "module");
        assert_eq!(read("bin/foretell-mpif90"), read("bin/foretell-mpifort"));
        assert_eq!(read("share/doc/foretell/book/guides/a.md"), "guide");
        assert_eq!(read("share/foretell/examples/heat.c"), "program");
        assert_eq!(read("bin/foretell-mpic++"), read("bin/foretell-mpicxx"));
        let package = read("share/pkgconfig/foretell.pc");
        assert!(package.contains("prefix=${pcfiledir}/../..\n") && package.contains("-lmpi_abi"));
        assert!(package.contains(&format!("Version: {}\n", env!("CARGO_PKG_VERSION"))));
        assert!(prefix.join("share/pkgconfig/mpi.pc").exists());
        fs::remove_dir_all(folder).unwrap();
    }
}
