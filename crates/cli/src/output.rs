//! Standard output, and files that are whole or not there.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use tempfile::NamedTempFile;

/// Prints a text on standard output. A closed pipe is an error, which ends the command quietly.
pub(crate) fn print(text: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).context("cannot print")
}

/// A file about to be written: it appears under its name when it is complete.
#[derive(Debug)]
pub(crate) struct NewFile {
    path: PathBuf,
    /// None for what is no plain file, such as a device: that is written to as it is.
    draft: Option<NamedTempFile>,
}

impl NewFile {
    /// Makes sure that the file can be written, before the work that fills it is done.
    pub(crate) fn create(path: &Path) -> Result<Self> {
        let cannot = || format!("cannot write {}", path.display());
        // A link is written through, not replaced.
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let draft = match fs::metadata(&target) {
            Ok(there) if there.is_dir() => {
                return Err(io::Error::from(io::ErrorKind::IsADirectory)).with_context(cannot);
            }
            Ok(there) if !there.is_file() => None,
            _ => Some(draft_beside(&target).with_context(cannot)?),
        };
        Ok(Self { path: target, draft })
    }

    /// Writes the whole text and gives the file its name.
    pub(crate) fn write(self, text: &str) -> Result<()> {
        let Self { path, draft } = self;
        let written = match draft {
            None => fs::write(&path, text),
            Some(mut draft) => draft
                .write_all(text.as_bytes())
                .and_then(|()| draft.persist(&path).map(drop).map_err(|error| error.error)),
        };
        written.with_context(|| format!("cannot write {}", path.display()))
    }
}

/// Writes a text to a file, or nothing at all.
pub(crate) fn write(path: &Path, text: &str) -> Result<()> {
    NewFile::create(path)?.write(text)
}

fn draft_beside(path: &Path) -> io::Result<NamedTempFile> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut builder = tempfile::Builder::new();
    builder.prefix(".foretell-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // As any new file; the user's mask takes its share.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder.unwrap_or(Path::new(".")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole_and_leaves_nothing_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        write(&path, "old, and longer").unwrap();
        let new = NewFile::create(&path).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "old, and longer");
        new.write("new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(folder.path().read_dir().unwrap().count(), 1);
    }

    #[test]
    fn what_cannot_be_written_is_known_at_once() {
        let folder = tempfile::tempdir().unwrap();
        assert!(NewFile::create(folder.path()).is_err());
        let message = NewFile::create(&folder.path().join("no/a")).unwrap_err();
        assert!(message.to_string().starts_with("cannot write"));
    }

    #[test]
    fn a_run_that_fails_leaves_no_file() {
        let folder = tempfile::tempdir().unwrap();
        drop(NewFile::create(&folder.path().join("a")).unwrap());
        assert_eq!(folder.path().read_dir().unwrap().count(), 0);
    }

    #[test]
    fn devices_are_written_to_not_replaced() {
        write(Path::new("/dev/null"), "text").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }
}
