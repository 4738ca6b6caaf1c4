//! Files that are whole or not there.

pub(super) mod sweep;
mod wake;

use std::fs::{self, File};
use std::io::{self, Read, Seek, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use rustix::fs::{FallocateFlags, fallocate};
use tempfile::NamedTempFile;

use crate::mistake::Problem;
use wake::Wake;

/// From how much on room is reserved, and how much of it at once.
const LARGE: u64 = 4 << 20;
const RESERVE: u64 = 16 << 20;

/// A file about to be written: it appears under its name when it is complete.
#[derive(Debug)]
pub struct Draft {
    path: PathBuf,
    place: Place,
    /// How much was added, and up to where there is room on the disk.
    length: u64,
    reserved: u64,
    wake: Wake,
    /// The first thing that went wrong; nothing is written after it.
    error: Option<io::Error>,
}

#[derive(Debug)]
enum Place {
    /// Beside where it will be.
    Beside(NamedTempFile),
    /// What is no plain file, such as a device, is written to as it is.
    There(File),
}

impl Draft {
    /// Makes sure that the file can be written, before the work that fills it is done.
    ///
    /// # Errors
    ///
    /// If it cannot.
    pub fn create(path: &Path) -> Result<Self, Problem> {
        let cannot = |error| Problem::Unwritable { path: path.to_owned(), error };
        // A link is written through, not replaced.
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let place = match fs::metadata(&target) {
            Ok(there) if there.is_dir() => {
                return Err(cannot(io::Error::from(io::ErrorKind::IsADirectory)));
            }
            Ok(there) if !there.is_file() => {
                Place::There(File::options().write(true).open(&target).map_err(cannot)?)
            }
            _ => Place::Beside(beside(&target).map_err(|error| Problem::no_draft(path, error))?),
        };
        Ok(Self {
            path: target,
            place,
            length: 0,
            reserved: LARGE,
            wake: Wake::default(),
            error: None,
        })
    }

    /// Adds to the file. What goes wrong is told at the end.
    pub fn write(&mut self, bytes: &[u8]) {
        if self.error.is_none() {
            self.length += bytes.len() as u64;
            if self.length > self.reserved {
                self.reserve();
            }
            self.error = self.file().write_all(bytes).err();
            if let Place::Beside(file) = &self.place {
                self.wake.follow(file.as_file(), self.length);
            }
        }
    }

    /// Asks for room on the disk: with it, adding to a large file takes the system little more than
    /// half of the time. What it says is no matter, since writing tells as much.
    #[cold]
    fn reserve(&mut self) {
        if let Place::Beside(file) = &self.place {
            let start = self.reserved;
            self.reserved = self.length + RESERVE;
            let (flags, length) = (FallocateFlags::empty(), self.reserved - start);
            let _ = fallocate(file.as_file(), flags, start, length);
        } else {
            self.reserved = u64::MAX;
        }
    }

    /// How many bytes more fill a block. Where blocks are written whole, the system copies them
    /// with less ado.
    pub fn left_of(&self, block: usize) -> usize {
        block - (self.length % block as u64) as usize
    }

    /// Whether it can be written anywhere, not only at its end.
    pub fn is_plain(&self) -> bool {
        matches!(self.place, Place::Beside(_))
    }

    /// Puts something else where the file begins. What goes wrong is told at the end.
    pub fn write_over(&mut self, bytes: &[u8]) {
        if self.error.is_none() {
            self.error = self.file().write_all_at(bytes, 0).err();
        }
    }

    /// Begins the file anew with something else in place of so many bytes.
    pub fn begin_anew(&mut self, bytes: &[u8], instead_of: u64) {
        if self.error.is_none() {
            self.error = self.try_begin_anew(bytes, instead_of).err();
        }
    }

    fn try_begin_anew(&mut self, bytes: &[u8], instead_of: u64) -> io::Result<()> {
        let mut new = beside(&self.path)?;
        new.write_all(bytes)?;
        let rest = self.length.saturating_sub(instead_of);
        let old = self.file();
        old.seek(io::SeekFrom::Start(instead_of))?;
        io::copy(&mut old.take(rest), new.as_file_mut())?;
        self.place = Place::Beside(new);
        self.length = bytes.len() as u64 + rest;
        (self.reserved, self.wake) = (self.length.max(LARGE), Wake::default());
        Ok(())
    }

    /// Gives the file its name.
    ///
    /// # Errors
    ///
    /// If something could not be written, now or before. Nothing is left behind then.
    pub fn finish(self) -> Result<(), Problem> {
        let Self { path, place, length, error, .. } = self;
        let outcome = match (error, place) {
            (Some(error), _) => Err(error),
            (None, Place::There(_)) => Ok(()),
            (None, Place::Beside(file)) => {
                let cut = if length > LARGE { file.as_file().set_len(length) } else { Ok(()) };
                cut.and_then(|()| file.persist(&path).map(drop).map_err(|error| error.error))
            }
        };
        outcome.map_err(|error| Problem::Unwritable { path, error })
    }

    fn file(&mut self) -> &mut File {
        match &mut self.place {
            Place::Beside(file) => file.as_file_mut(),
            Place::There(file) => file,
        }
    }
}

fn beside(path: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    let prefix = sweep::prefix();
    builder.prefix(&prefix);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // As any new file; the user's mask takes its share.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder_of(path))
}

/// The folder that a file is in.
pub(super) fn folder_of(path: &Path) -> &Path {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(path: &Path, text: &str) -> Result<(), Problem> {
        let mut draft = Draft::create(path)?;
        draft.write(text.as_bytes());
        draft.finish()
    }

    #[test]
    fn a_file_is_replaced_whole_and_leaves_nothing_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.prv");
        write(&path, "old, and longer").unwrap();
        let mut new = Draft::create(&path).unwrap();
        new.write(b"new");
        assert_eq!(fs::read_to_string(&path).unwrap(), "old, and longer");
        new.finish().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(folder.path().read_dir().unwrap().count(), 1);
    }

    #[test]
    fn what_cannot_be_written_is_known_at_once_and_what_is_not_finished_goes() {
        let folder = tempfile::tempdir().unwrap();
        assert!(Draft::create(folder.path()).is_err());
        let message = Draft::create(&folder.path().join("no/a")).unwrap_err().to_string();
        assert!(message.starts_with("cannot write"), "{message}");
        assert!(message.ends_with("no/a: No such file or directory (os error 2)"), "{message}");
        drop(Draft::create(&folder.path().join("a")).unwrap());
        assert_eq!(folder.path().read_dir().unwrap().count(), 0);
    }

    #[test]
    fn a_file_can_get_another_beginning() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.prv");
        let check = |change: fn(&mut Draft), expected: &str| {
            let mut draft = Draft::create(&path).unwrap();
            draft.write(b"....rest");
            change(&mut draft);
            draft.write(b" and end");
            draft.finish().unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), expected);
        };
        check(|draft| draft.write_over(b"new "), "new rest and end");
        check(|draft| draft.begin_anew(b"a longer one, ", 4), "a longer one, rest and end");
        assert_eq!(folder.path().read_dir().unwrap().count(), 1);
    }

    #[test]
    fn room_that_a_large_file_does_not_need_is_given_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.prv");
        let block: Vec<u8> = (0..300_000_u32).map(|at| (at % 251) as u8).collect();
        for (blocks, begins_anew) in [(3, false), (30, false), (30, true), (90, true)] {
            let mut draft = Draft::create(&path).unwrap();
            (0..blocks).for_each(|_| draft.write(&block));
            if begins_anew {
                draft.begin_anew(b"a new beginning", 10);
                draft.write(&block);
            }
            draft.finish().unwrap();
            let mut expected = block.repeat(blocks);
            if begins_anew {
                expected.splice(..10, *b"a new beginning");
                expected.extend_from_slice(&block);
            }
            assert!(fs::read(&path).unwrap() == expected, "{blocks} blocks");
        }
    }

    #[test]
    fn a_block_is_filled_by_what_it_lacks() {
        let folder = tempfile::tempdir().unwrap();
        let mut draft = Draft::create(&folder.path().join("a")).unwrap();
        assert_eq!(draft.left_of(8), 8);
        draft.write(b"abc");
        assert_eq!(draft.left_of(8), 5);
        draft.write(b"defgh");
        assert_eq!(draft.left_of(8), 8);
    }

    #[test]
    fn devices_are_written_to_not_replaced() {
        write(Path::new("/dev/null"), "text").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }
}
