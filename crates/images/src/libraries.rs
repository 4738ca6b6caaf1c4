//! Which shared libraries of a program are private to each rank, and where they are.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use crate::ImageError;
use crate::elf::Elf;
use crate::elf::constants::{DT_RPATH, DT_RUNPATH, DT_SONAME};
use crate::host::{self, Host};

/// Which of the libraries that a program needs are private to each rank.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Libraries {
    /// All but those in the system's directories and the compiler's run-time libraries; of the
    /// latter, Fortran's is private.
    #[default]
    ExceptSystem,
    /// Those named, by file name (`libfoo.so.1`), bare name (`foo`) or path, and Fortran's.
    Only(Vec<String>),
    /// None: only the executable is private.
    None,
}

/// Directories whose libraries belong to the system.
const SYSTEM: [&str; 8] =
    ["/lib", "/lib64", "/lib32", "/libx32", "/usr/lib", "/usr/lib64", "/usr/lib32", "/usr/libx32"];

/// Libraries that hold the state of the process or of the compiler's run time: a second copy
/// would not work wherever they are installed.
const ALWAYS_SHARED: [&str; 17] = [
    "libc.so",
    "ld-linux",
    "libpthread.so",
    "libdl.so",
    "librt.so",
    "libm.so",
    "libresolv.so",
    "libutil.so",
    "libstdc++.so",
    "libc++.so",
    "libc++abi.so",
    "libgcc_s.so",
    "libquadmath.so",
    "libgomp.so",
    "libasan.so",
    "libtsan.so",
    "libmpi_abi.so",
];

/// Libraries that hold what a program believes to be its own, wherever they are installed: the
/// units of Fortran's input and output, with their buffers, and its random numbers.
const ALWAYS_PRIVATE: [&str; 1] = ["libgfortran.so"];

/// Shared libraries whose functions are safe to call for a rank whose turn it is. Others may keep
/// what they were told by one rank for the next, or call back in ways that nobody can foresee.
const KNOWN: [&str; 12] = [
    "libc.so",
    "ld-linux",
    "libpthread.so",
    "libdl.so",
    "librt.so",
    "libm.so",
    "libmvec.so",
    "libutil.so",
    "libstdc++.so",
    "libgcc_s.so",
    "libquadmath.so",
    "libmpi_abi.so",
];

impl Libraries {
    /// Whether the library loaded from `path` is to be private.
    fn covers(&self, path: &Path) -> bool {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if ALWAYS_SHARED.iter().any(|shared| name.starts_with(shared)) {
            return false;
        }
        let is_own = ALWAYS_PRIVATE.iter().any(|private| name.starts_with(private));
        match self {
            Libraries::None => false,
            _ if is_own => true,
            Libraries::ExceptSystem => {
                let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
                let system = |path: &Path| SYSTEM.iter().any(|system| path.starts_with(system));
                !system(path) && !system(&real)
            }
            Libraries::Only(names) => names.iter().any(|wanted| {
                let bare = name.strip_prefix("lib").and_then(|rest| rest.split(".so").next());
                *wanted == name || bare == Some(wanted) || Path::new(wanted) == path
            }),
        }
    }
}

/// Whether a library is the compiler's own, of those that are private all the same.
pub(crate) fn is_run_time(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    ALWAYS_PRIVATE.iter().any(|private| name.starts_with(private))
}

/// Whether a library belongs to the system or to us, and calls nothing of a program that it was
/// not given.
pub(crate) fn is_known(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    KNOWN.iter().any(|known| name.starts_with(known)) || name.contains("vdso")
}

/// A library to be private, as read from its file, and the loader's copy.
pub(crate) struct Library {
    pub(crate) elf: Elf,
    pub(crate) host: Host,
}

/// Finds the private libraries of a program breadth first, as the loader orders them; loads what
/// is not loaded yet.
pub(crate) fn collect(
    executable: &Elf,
    path: &Path,
    choice: &Libraries,
) -> Result<Vec<Library>, ImageError> {
    let mut found: Vec<Library> = Vec::new();
    let mut seen = Vec::new();
    let mut queue: VecDeque<(String, PathBuf, Vec<PathBuf>)> = VecDeque::new();
    let enqueue = |queue: &mut VecDeque<_>, elf: &Elf, path: &Path| {
        let search = search_path(elf, path);
        queue.extend(elf.needed().into_iter().map(|name| (name, path.to_owned(), search.clone())));
    };
    enqueue(&mut queue, executable, path);
    while let Some((name, by, search)) = queue.pop_front() {
        let bias = load(&name, &search).map_err(|reason| ImageError::MissingLibrary {
            path: by.clone(),
            library: name.clone(),
            reason,
        })?;
        if seen.contains(&bias) {
            continue;
        }
        seen.push(bias);
        let Some(host) = host::objects().into_iter().find(|host| host.bias == bias) else {
            continue;
        };
        if !choice.covers(&host.path) || contains_us(&host) {
            continue;
        }
        let elf = Elf::read(&host.path)?;
        enqueue(&mut queue, &elf, &host.path);
        found.push(Library { elf, host });
    }
    Ok(found)
}

/// Numbers of the libraries, every one after those it needs: the order of construction.
pub(crate) fn construction_order(libraries: &[&Elf]) -> Vec<usize> {
    fn visit(at: usize, libraries: &[&Elf], seen: &mut [bool], order: &mut Vec<usize>) {
        if std::mem::replace(&mut seen[at], true) {
            return;
        }
        for needed in libraries[at].needed() {
            let by_name = |elf: &&Elf| elf.string(DT_SONAME).as_deref() == Some(needed.as_str());
            if let Some(next) = libraries.iter().position(by_name) {
                visit(next, libraries, seen, order);
            }
        }
        order.push(at);
    }
    let mut seen = vec![false; libraries.len()];
    let mut order = Vec::new();
    // The loader constructs from the last loaded to the first.
    for at in (0..libraries.len()).rev() {
        visit(at, libraries, &mut seen, &mut order);
    }
    order
}

/// Whether this very code is part of the object: a private copy of the simulator makes no sense.
fn contains_us(host: &Host) -> bool {
    crate::unwind::link_map_of(contains_us as *const () as usize)
        .is_some_and(|map| map.bias == host.bias)
}

/// Finds a library loaded, or loads it from the directories its user names, or by the loader's
/// own rules.
fn load(name: &str, search: &[PathBuf]) -> Result<usize, String> {
    if let Some(bias) = host::loaded(name) {
        return Ok(bias);
    }
    let file = search.iter().map(|directory| directory.join(name)).find(|file| file.exists());
    host::load(file.as_deref().unwrap_or(Path::new(name)))
}

/// The directories that the file itself names to search for its libraries.
fn search_path(elf: &Elf, path: &Path) -> Vec<PathBuf> {
    let own = elf.string(DT_RUNPATH).or_else(|| elf.string(DT_RPATH)).unwrap_or_default();
    let origin = path.parent().unwrap_or(Path::new(".")).to_string_lossy();
    own.split(':')
        .filter(|directory| !directory.is_empty())
        .map(|directory| directory.replace("$ORIGIN", &origin).replace("${ORIGIN}", &origin).into())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(choice: &Libraries, path: &str, expected: bool) {
        assert_eq!(choice.covers(Path::new(path)), expected, "{choice:?} {path}");
    }

    #[test]
    fn the_system_s_libraries_are_shared_and_the_user_s_are_private() {
        check(&Libraries::ExceptSystem, "/usr/lib/x86_64-linux-gnu/libz.so.1", false);
        check(&Libraries::ExceptSystem, "/opt/me/lib/libsolver.so", true);
        check(&Libraries::ExceptSystem, "/usr/local/lib/libpetsc.so", true);
    }

    #[test]
    fn the_compiler_s_libraries_are_shared_wherever_they_are() {
        check(&Libraries::ExceptSystem, "/opt/conda/lib/libstdc++.so.6", false);
        check(&Libraries::Only(vec!["stdc++".into()]), "/opt/conda/lib/libstdc++.so.6", false);
    }

    #[test]
    fn units_of_fortran_belong_to_a_rank() {
        let path = "/usr/lib/x86_64-linux-gnu/libgfortran.so.5";
        check(&Libraries::ExceptSystem, path, true);
        check(&Libraries::Only(vec!["z".into()]), path, true);
        check(&Libraries::None, path, false);
    }

    #[test]
    fn libraries_are_named_by_file_or_bare_name() {
        check(&Libraries::Only(vec!["z".into()]), "/usr/lib/libz.so.1", true);
        check(&Libraries::Only(vec!["libz.so.1".into()]), "/usr/lib/libz.so.1", true);
        check(&Libraries::Only(vec!["y".into()]), "/usr/lib/libz.so.1", false);
        check(&Libraries::None, "/opt/me/libz.so", false);
    }
}
