//! Where our own files are: headers, library and examples, beside the command or around it.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

/// The library's name as programs ask for it.
pub(crate) const LIBRARY: &str = "libmpi_abi.so.1";
/// Its name for the linker.
const LINKED: &str = "libmpi_abi.so";

/// Below a prefix, or below the folder of the build.
const EXAMPLES: &str = "share/foretell/examples";

/// Where headers, library, example programs and the source of Fortran modules are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Layout {
    pub(crate) include: PathBuf,
    pub(crate) lib: PathBuf,
    pub(crate) examples: PathBuf,
    pub(crate) fortran: PathBuf,
}

impl Layout {
    /// Finds headers and library from where the command itself is, whatever links lead there.
    pub(crate) fn find() -> Result<Self> {
        let folder = own_folder()?;
        let places = Self::places(&folder);
        let Some(found) = places.iter().find(|place| place.has_library()) else {
            bail!(
                "there is no {LIBRARY} in {} or {}; build it with `cargo build --release \
                 --workspace`, or install everything with `cargo xtask install`",
                places[0].lib.display(),
                places[1].lib.display(),
            );
        };
        Ok(found.clone())
    }

    /// As installed below a prefix, then as built: everything in one folder.
    fn places(folder: &Path) -> [Self; 2] {
        let prefix = folder.parent().unwrap_or(folder);
        let [installed, built] = [prefix, folder].map(|place| place.join(EXAMPLES));
        [
            Self {
                include: prefix.join("include"),
                lib: prefix.join("lib"),
                examples: installed,
                fortran: prefix.join("share/foretell/fortran"),
            },
            Self {
                include: folder.join("include"),
                lib: folder.to_owned(),
                examples: built,
                fortran: folder.join("fortran"),
            },
        ]
    }

    fn has_library(&self) -> bool {
        self.library().is_file()
    }

    /// The library itself.
    pub(crate) fn library(&self) -> PathBuf {
        let by_name = |name| self.lib.join(name);
        // A plain build of the library alone leaves it under the linker's name.
        let plain = by_name(LINKED).is_file() && !by_name(LIBRARY).is_file();
        by_name(if plain { LINKED } else { LIBRARY })
    }
}

/// The folder that the command is in, after all links.
pub(crate) fn own_folder() -> Result<PathBuf> {
    let command = std::env::current_exe().context("the system does not tell where foretell is")?;
    let command = command.canonicalize().unwrap_or(command);
    Ok(command.parent().map(Path::to_owned).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_installed_library_is_around_the_command_and_a_built_one_beside_it() {
        let [installed, built] = Layout::places(Path::new("/opt/x/bin"));
        assert_eq!(installed.library(), Path::new("/opt/x/lib/libmpi_abi.so.1"));
        assert_eq!(installed.fortran, Path::new("/opt/x/share/foretell/fortran"));
        assert_eq!(built.fortran, Path::new("/opt/x/bin/fortran"));
        assert_eq!(installed.include, Path::new("/opt/x/include"));
        assert_eq!(installed.examples, Path::new("/opt/x/share/foretell/examples"));
        assert_eq!(built.include, Path::new("/opt/x/bin/include"));
        assert_eq!(built.library(), Path::new("/opt/x/bin/libmpi_abi.so.1"));
    }
}
