//! The program that a user names: where it is, and whether it can run as ranks.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use foretell_launch::Privacy;

use crate::binary::{Binary, Kind};
use crate::layout::{LIBRARY, Layout};

/// A program that can be started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Program {
    pub(super) path: PathBuf,
    /// None for a script.
    pub(super) binary: Option<Binary>,
}

impl Program {
    /// Finds a program as a shell does and makes sure that it can be ranks.
    pub(super) fn find(name: &OsStr, privacy: Privacy) -> Result<Self> {
        let path = located(name, std::env::var_os("PATH"))?;
        let mut start = [0; 2];
        let mut file =
            fs::File::open(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let is_script = file.read(&mut start).unwrap_or(0) == 2 && &start == b"#!";
        let binary = (!is_script).then(|| Binary::open(&path)).transpose()?;
        let program = Self { path, binary };
        program.check(privacy)?;
        Ok(program)
    }

    /// Whether it is a script, which starts the program on its own.
    pub(super) fn is_script(&self) -> bool {
        self.binary.is_none()
    }

    fn check(&self, privacy: Privacy) -> Result<()> {
        let Some(binary) = &self.binary else { return Ok(()) };
        let path = self.path.display();
        match binary.kind {
            Kind::Static => bail!(
                "{path} is linked statically, so our MPI cannot get into it; link it with \
                 foretell-mpicc, without -static"
            ),
            Kind::FixedPosition if privacy != Privacy::Shared => bail!(
                "{path} runs at one address only (it is not a PIE), so ranks cannot have globals \
                 of their own; link it with foretell-mpicc, without -no-pie, or let the ranks \
                 share all globals with --privatise off"
            ),
            kind if !kind.is_program() => bail!("{path} is {}, not a program", kind.words()),
            _ => {}
        }
        match binary.mpi_library() {
            Some(other) if !binary.uses_standard_abi() => bail!(
                "{path} is linked to {other}, another MPI library; rebuild it with foretell-mpicc \
                 (for configure: CC=foretell-mpicc, for CMake: -DCMAKE_C_COMPILER=foretell-mpicc)"
            ),
            _ => Ok(()),
        }
    }

    /// The library to load before all others, so that the program gets ours; none if it finds ours
    /// by itself, or if there is none.
    pub(super) fn preload(&self, layout: Option<&Layout>) -> Option<PathBuf> {
        let (binary, library) = (self.binary.as_ref()?, layout?.library().canonicalize().ok()?);
        let found = binary.search.iter().map(|folder| folder.join(LIBRARY)).find(|p| p.exists());
        let finds_ours = found.and_then(|path| path.canonicalize().ok()) == Some(library.clone());
        (!(binary.uses_standard_abi() && finds_ours)).then_some(library)
    }
}

/// Where a shell finds a program: in the path if its name has no slash.
fn located(name: &OsStr, path: Option<OsString>) -> Result<PathBuf> {
    let shown = name.to_string_lossy();
    if shown.contains('/') {
        let path = Path::new(name);
        return match fs::metadata(path) {
            Err(error) => Err(anyhow!("cannot run {shown}: {}", told(&error))),
            Ok(there) if there.is_dir() => Err(anyhow!("cannot run {shown}: it is a folder")),
            Ok(there) if there.permissions().mode() & 0o111 == 0 => {
                Err(anyhow!("cannot run {shown}: it is not executable; chmod +x {shown}"))
            }
            Ok(_) => std::path::absolute(path).with_context(|| format!("cannot run {shown}")),
        };
    }
    let folders = path.unwrap_or_default();
    let found = std::env::split_paths(&folders).map(|folder| folder.join(name)).find(|path| {
        fs::metadata(path).is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0)
    });
    match found {
        Some(path) => std::path::absolute(path).with_context(|| format!("cannot run {shown}")),
        None if Path::new(name).is_file() => {
            bail!("cannot run {shown}: it is not in the PATH; did you mean ./{shown}?")
        }
        None => bail!("cannot run {shown}: no such program in the PATH"),
    }
}

fn told(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such file".to_owned(),
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(name: &str) -> String {
        located(name.as_ref(), Some("/usr/bin:/bin".into())).unwrap_err().to_string()
    }

    #[test]
    fn names_without_a_slash_are_looked_up() {
        let found = located("sh".as_ref(), Some("/no/such:/usr/bin:/bin".into())).unwrap();
        assert!(found.is_absolute() && found.ends_with("bin/sh"));
        assert!(message("no-such-program").ends_with("in the PATH"));
        assert!(message("Cargo.toml").ends_with("did you mean ./Cargo.toml?"));
    }

    #[test]
    fn what_cannot_run_is_told() {
        assert!(message("./no-such").contains("there is no such file"));
        assert!(message("./src").contains("it is a folder"));
        assert!(message("./Cargo.toml").contains("chmod +x"));
    }

    #[test]
    fn only_programs_that_can_be_ranks_pass() {
        let check = |kind, needed: &str, privacy| {
            let binary = Binary { kind, needed: vec![needed.into()], ..Binary::default() };
            let program = Program { path: "/x/app".into(), binary: Some(binary) };
            program.check(privacy).map_err(|error| error.to_string())
        };
        let images = Privacy::Images;
        assert_eq!(check(Kind::PositionIndependent, "libmpi_abi.so.1", images), Ok(()));
        assert_eq!(check(Kind::PositionIndependent, "libc.so.6", images), Ok(()));
        assert_eq!(check(Kind::FixedPosition, "libmpi_abi.so.1", Privacy::Shared), Ok(()));
        for (kind, needed, word) in [
            (Kind::Static, "", "without -static"),
            (Kind::FixedPosition, "libmpi_abi.so.1", "--privatise off"),
            (Kind::Library, "", "a shared library, not a program"),
            (Kind::PositionIndependent, "libmpich.so.12", "another MPI library"),
        ] {
            let message = check(kind, needed, images).unwrap_err();
            assert!(message.contains(word), "{message}");
        }
    }
}
