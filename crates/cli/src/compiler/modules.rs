//! Fortran modules, which only the compiler that reads them can write.
//!
//! We bring their source. The first time that a compiler is used they are compiled into a folder
//! of the user's cache, named after our version, their text and the compiler; so a new version of
//! either makes new ones, and a folder never changes once it is there.

use std::ffi::{OsStr, OsString};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::layout::Layout;

/// The modules, in the order of their making.
const MODULES: [&str; 2] = ["mpi", "mpi_f08"];
/// The first gfortran that passes descriptors of C for buffers of any rank.
const OLDEST: u32 = 9;
/// The first gfortran that refuses what many programs have, unless it is told not to.
const FIRST_STRICT: u32 = 10;
/// How it is told: calls of one procedure with buffers of several types, as with `mpif.h`, and
/// numbers to other bases that are written in old ways.
const LENIENT: [&str; 2] = ["-fallow-argument-mismatch", "-fallow-invalid-boz"];

/// What a Fortran compiler is told besides the headers.
pub(super) struct Fortran {
    /// Flags that the user's own may overrule.
    pub(super) before: Vec<OsString>,
    /// Where the modules are.
    pub(super) modules: PathBuf,
}

/// Finds the modules for a compiler; makes them if it is new.
pub(super) fn find(compiler: &[OsString], layout: &Layout) -> Result<Fortran> {
    let version = version(compiler)?;
    let before = match version.major {
        FIRST_STRICT.. => LENIENT.map(OsString::from).to_vec(),
        _ => Vec::new(),
    };
    let source = &layout.fortran;
    let text = texts(source)?;
    let ours = format!("{}-{:016x}", env!("CARGO_PKG_VERSION"), fingerprint(&text));
    let modules = cache()?.join("foretell").join(ours).join(version.folder);
    if !is_complete(&modules) {
        make(compiler, source, &modules)?;
    }
    Ok(Fortran { before, modules })
}

/// The version of a compiler that can be used.
struct Version {
    major: u32,
    /// A name for a folder.
    folder: String,
}

fn version(compiler: &[OsString]) -> Result<Version> {
    let name = compiler[0].to_string_lossy();
    let output = Command::new(&compiler[0]).args(&compiler[1..]).arg("--version").output();
    let output = output.with_context(|| {
        format!(
            "cannot start the compiler `{name}` (Debian package gfortran); FORETELL_FC names \
             another one"
        )
    })?;
    let text = String::from_utf8_lossy(&output.stdout);
    let line = text.lines().next().unwrap_or_default();
    if !line.starts_with("GNU Fortran") {
        bail!(
            "`{name}` is not gfortran (it says `{line}`): MPI's Fortran interfaces depend on the \
             compiler, and ours are for gfortran {OLDEST} or later; FORETELL_FC names another \
             compiler"
        );
    }
    let number = line.rsplit(' ').next().unwrap_or_default();
    let major = number.split('.').next().and_then(|text| text.parse().ok()).unwrap_or(0);
    if major < OLDEST {
        bail!("gfortran {number} is too old: MPI's Fortran interfaces need gfortran {OLDEST}");
    }
    let kept = |c: char| if c.is_ascii_alphanumeric() || c == '.' { c } else { '-' };
    Ok(Version { major, folder: line.chars().map(kept).collect() })
}

/// The text of the modules.
fn texts(source: &Path) -> Result<Vec<u8>> {
    let cannot = || {
        format!("cannot read the Fortran modules in {}; install foretell again", source.display())
    };
    let entries = source.read_dir().with_context(cannot)?;
    let mut files = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<PathBuf>>>()?;
    files.sort();
    let mut text = Vec::new();
    for file in files {
        text.extend(std::fs::read(&file).with_context(cannot)?);
    }
    Ok(text)
}

/// A number for a text, the same everywhere: Fowler, Noll and Vo's hash.
fn fingerprint(text: &[u8]) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    text.iter().fold(0xcbf2_9ce4_8422_2325, step)
}

/// The user's cache; a folder of the user's among temporary files if that cannot be written.
fn cache() -> Result<PathBuf> {
    let variable = |name| std::env::var_os(name).filter(|text: &OsString| !text.is_empty());
    let own = variable("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(PathBuf::from(variable("HOME")?).join(".cache")));
    let is_usable = |folder: &PathBuf| std::fs::create_dir_all(folder.join("foretell")).is_ok();
    if let Some(own) = own.filter(|folder| folder.is_absolute() && is_usable(folder)) {
        return Ok(own);
    }
    let user = nix::unistd::getuid();
    let folder = std::env::temp_dir().join(format!("foretell-cache-{user}"));
    // Others may have made a folder of this name, with modules of theirs.
    std::fs::DirBuilder::new().mode(0o700).create(&folder).ok();
    match std::fs::symlink_metadata(&folder) {
        Ok(found) if found.is_dir() && found.uid() == user.as_raw() => Ok(folder),
        _ => bail!(
            "there is no place for MPI's Fortran modules: {} is not yours; let XDG_CACHE_HOME name \
             a folder that you can write to",
            folder.display()
        ),
    }
}

fn is_complete(folder: &Path) -> bool {
    MODULES.iter().all(|module| folder.join(format!("{module}.mod")).is_file())
}

/// Compiles the modules beside their place, and then puts them there in one step: others may do
/// the same at the same time.
fn make(compiler: &[OsString], source: &Path, folder: &Path) -> Result<()> {
    let cannot = || format!("cannot write MPI's Fortran modules to {}", folder.display());
    let parent = folder.parent().unwrap_or(folder);
    std::fs::create_dir_all(parent).with_context(cannot)?;
    let scratch = tempfile::tempdir_in(parent).with_context(cannot)?;
    for module in MODULES {
        let file = source.join(format!("{module}.f90"));
        let mut command = Command::new(&compiler[0]);
        command.args(&compiler[1..]).args(["-w", "-fsyntax-only", "-J"]).arg(scratch.path());
        let output =
            command.arg(&file).current_dir(scratch.path()).output().with_context(cannot)?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            let compiler = compiler.join(OsStr::new(" "));
            bail!("`{}` cannot compile {}:\n{said}", compiler.display(), file.display());
        }
    }
    let scratch = scratch.keep();
    if std::fs::rename(&scratch, folder).is_err() {
        std::fs::remove_dir_all(&scratch).ok();
        if !is_complete(folder) {
            bail!(cannot());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_one_fingerprint() {
        assert_eq!(fingerprint(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fingerprint(b"a"), 0xaf63_dc4c_8601_ec8c);
    }

    #[test]
    fn another_compiler_is_refused_by_its_name() {
        let error = version(&["true".into()]).err().unwrap().to_string();
        assert!(error.contains("`true` is not gfortran"), "{error}");
        let error = version(&["no-such-compiler".into()]).err().unwrap().to_string();
        assert!(error.contains("no-such-compiler") && error.contains("FORETELL_FC"), "{error}");
    }
}
