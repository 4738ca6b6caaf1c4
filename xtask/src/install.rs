//! Puts the release binary, its manual pages and its completions where a system looks for them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use clap::Args;

use crate::{shell, workspace};

/// Shells and where each looks for completions, below the prefix.
const COMPLETIONS: &[(&str, &str)] = &[
    ("bash", "share/bash-completion/completions/foretell"),
    ("zsh", "share/zsh/site-functions/_foretell"),
    ("fish", "share/fish/vendor_completions.d/foretell.fish"),
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
        Some(prefix) => prefix.clone(),
        None => default_prefix()?,
    };
    let binary = workspace::release_binary()?;
    files(&binary, &prefix)
}

fn files(binary: &Path, prefix: &Path) -> Result<()> {
    let target = prefix.join("bin/foretell");
    make_parent(&target)?;
    // A running copy cannot be written over, but it can be replaced.
    fs::remove_file(&target).ok();
    fs::copy(binary, &target).with_context(|| format!("cannot write {}", target.display()))?;
    println!("installed {}", target.display());
    write(&prefix.join("share/man/man1/foretell.1"), &say(&target, &["man"])?)?;
    for (shell, place) in COMPLETIONS {
        write(&prefix.join(place), &say(&target, &["completions", shell])?)?;
    }
    Ok(())
}

fn say(binary: &Path, arguments: &[&str]) -> Result<String> {
    shell::output(Command::new(binary).args(arguments))
}

fn write(path: &Path, text: &str) -> Result<()> {
    make_parent(path)?;
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))?;
    println!("installed {}", path.display());
    Ok(())
}

fn make_parent(path: &Path) -> Result<()> {
    let parent = path.parent().expect("every file is below the prefix");
    fs::create_dir_all(parent).with_context(|| format!("cannot create {}", parent.display()))
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
    use super::*;

    #[test]
    fn everything_lands_below_the_prefix() {
        let folder = std::env::temp_dir().join(format!("xtask-install-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let binary = folder.join("fake");
        shell::write_script(&binary, "echo \"$@\"");
        let prefix = folder.join("prefix");
        files(&binary, &prefix).unwrap();
        let read = |place: &str| fs::read_to_string(prefix.join(place)).unwrap();
        assert_eq!(read("share/man/man1/foretell.1"), "man\n");
        assert_eq!(read("share/zsh/site-functions/_foretell"), "completions zsh\n");
        fs::remove_dir_all(folder).unwrap();
    }
}
