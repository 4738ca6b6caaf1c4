//! Where the suite comes from: Debian's source package, over apt's own way to its mirror.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::shell;

/// What is downloaded: the sources that Debian 12's package is made of.
const FILE: &str = "mpich_4.0.2.orig.tar.xz";
/// Where it lies on a mirror.
const PLACE: &str = "pool/main/m/mpich";
/// What it must be.
const SHA256: &str = "b27039f964afeb6b8a3e009c56b441cbe368c26d6d6476ad3bb7190996875860";
/// Fetches files with the settings that apt has for its mirror and its proxy.
const HELPER: &str = "/usr/lib/apt/apt-helper";
/// The folder of the suite within the sources.
const SUITE: &str = "mpich-4.0.2/test/mpi";
/// A mirror for who has none set.
const MIRROR: &str = "http://deb.debian.org/debian/";

/// The suite, downloaded and unpacked below `scratch` unless it is there.
pub(super) fn download(scratch: &Path) -> Result<PathBuf> {
    let suite = scratch.join(SUITE);
    if suite.join("util").is_dir() {
        return Ok(suite);
    }
    let archive = scratch.join(FILE);
    let mut failure = None;
    for mirror in mirrors() {
        let url = format!("{}/{PLACE}/{FILE}", mirror.trim_end_matches('/'));
        let mut fetch = Command::new(HELPER);
        fetch.arg("download-file").arg(url).arg(&archive).arg(format!("SHA256:{SHA256}"));
        match shell::output(&mut fetch) {
            Ok(_) => return unpack(&archive, scratch, suite),
            Err(error) => failure = Some(error),
        }
    }
    match failure {
        Some(error) => Err(error),
        None => bail!("no mirror is known"),
    }
}

/// Mirrors of Debian that apt knows, or the one that all can use.
fn mirrors() -> Vec<String> {
    let mut list = Command::new("apt-get");
    list.args(["indextargets", "--format", "$(REPO_URI)", "Created-By: Packages"]);
    let known = shell::output(&mut list).unwrap_or_default();
    let mut mirrors: Vec<String> = known
        .lines()
        .filter(|uri| uri.contains("debian") && !uri.contains("security"))
        .map(String::from)
        .collect();
    mirrors.push(MIRROR.into());
    mirrors.dedup();
    mirrors
}

fn unpack(archive: &Path, scratch: &Path, suite: PathBuf) -> Result<PathBuf> {
    let mut tar = Command::new("tar");
    tar.arg("-xJf").arg(archive).arg("-C").arg(scratch).arg(SUITE);
    shell::output(&mut tar)?;
    Ok(suite)
}

/// What the suite's configure would have found on 64-bit Linux with gcc and gfortran.
const FOUND: &str = "DOUBLE__COMPLEX FLOAT__COMPLEX LONG_DOUBLE__COMPLEX _BOOL DLFCN_H GETRUSAGE \
    INTTYPES_H LIMITS_H LONG_DOUBLE LONG_LONG MEMORY_H MEMSET MPI_IO MPI_SPAWN MPI_WIN_CREATE \
    PTHREAD_H PTHREAD_BARRIER_INIT STDARG_H STDINT_H STDLIB_H STRDUP STRINGS_H STRING_H \
    SYS_RESOURCE_H SYS_STAT_H SYS_TIME_H SYS_TYPES_H UNISTD_H USLEEP FORTRAN_BINDING";

/// Other definitions of its header.
const DEFINED: &str = "#define USE_LONG_DOUBLE_COMPLEX 1\n#define USE_STRICT_MPI 1\n\
    #define MPIO_USES_MPI_REQUEST 1\n#define POINTERINT_t long long\n#define SIZEOF_SHORT 2\n\
    #define SIZEOF_INT 4\n#define SIZEOF_LONG 8\n#define SIZEOF_LONG_LONG 8\n\
    #define SIZEOF_VOID_P 8\n#define SIZEOF_MPI_OFFSET 8\n#define STDCALL\n\
    #define STDC_HEADERS 1\n#define F77_NAME_LOWER_USCORE 1\n\
    #define THREAD_PACKAGE_NAME THREAD_PACKAGE_POSIX\n";

/// Writes the headers that the suite's configure would write.
pub(super) fn generate(root: &Path, built: &Path) -> Result<()> {
    let found: String =
        FOUND.split_whitespace().map(|name| format!("#define HAVE_{name} 1\n")).collect();
    let guard = |name: &str, text: &str| format!("#ifndef {name}\n#define {name}\n{text}#endif\n");
    write(
        &built.join("include/mpitestconf.h"),
        &guard("MPITESTCONF_H", &(found.clone() + DEFINED)),
    )?;
    let pools: String = found
        .lines()
        .filter_map(|line| Some((line.split(' ').nth(1)?, line)))
        .map(|(name, line)| format!("#ifndef {name}\n{line}\n#endif\n"))
        .collect();
    write(&built.join("dtpoolsconf.h"), &pools)?;
    templates(root, Path::new(""), built)
}

/// Fills the templates of headers in a folder and those below it.
fn templates(root: &Path, below: &Path, built: &Path) -> Result<()> {
    let folder = root.join(below);
    for entry in std::fs::read_dir(&folder).with_context(|| format!("{}", folder.display()))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type()?.is_dir() {
            templates(root, &below.join(&name), built)?;
        } else if let Some(header) = name.strip_suffix(".in").filter(|name| name.ends_with(".h"))
            && !["mpitestconf.h", "dtpoolsconf.h"].contains(&header)
        {
            let text = String::from_utf8_lossy(&std::fs::read(entry.path())?).into_owned();
            write(&built.join(below).join(header), &filled(&text))?;
        }
    }
    Ok(())
}

/// A text whose places for configure are filled.
pub(super) fn filled(text: &str) -> String {
    let mut parts = text.split('@');
    let mut filled = parts.next().unwrap_or("").to_owned();
    // Between two signs is a name, behind the second goes the text on.
    while let Some(name) = parts.next() {
        filled.push_str(value(name));
        filled.push_str(parts.next().unwrap_or(""));
    }
    filled
}

/// What stands for a name; what we do not have begins a comment.
fn value(name: &str) -> &str {
    match name {
        "F77_MPI_ADDRESS" | "F77_MPI_OFFSET" => "integer*8",
        "ALLOCMEMF" => "allocmemf 1",
        "ALLOCMEMFC" => "allocmemf90 1",
        "namepub_tests" | "comm_overlap" | "nocxxdistgraph" | "mpix" | "F77SPAWNARGTEST"
        | "F03SPAWNARGTEST" => "",
        "iodir" => "io",
        "rmadir" => "rma",
        "spawndir" => "spawn",
        "partdir" => "part",
        "f77dir" => "f77",
        "f90dir" => "f90",
        "f08dir" => "f08",
        "faultsdir" => "faults",
        _ => "#",
    }
}

fn write(path: &Path, text: &str) -> Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_for_configure_are_filled() {
        assert_eq!(filled("a @iodir@ b"), "a io b");
        assert_eq!(filled("@largetest@big 4"), "#big 4");
        assert_eq!(filled("plain"), "plain");
    }
}
