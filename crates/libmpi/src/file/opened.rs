//! A file that is open, for all ranks that have opened it together.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::ErrorKind;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::error::failure;
use crate::abi::*;
use crate::failure::{Failure, bad};
use crate::objects::objects;

/// What comes of something that the ranks do together: a number, or why it could not be done.
pub(super) type Step = Result<i64, Failure>;

/// The file, and what its ranks share.
pub(crate) struct Opened {
    pub(super) file: File,
    /// Whether the system lets it be read, whatever the program may do.
    pub(super) is_readable: bool,
    pub(super) path: PathBuf,
    /// On how many hosts its ranks are.
    pub(super) hosts: usize,
    /// The shared file pointer: a byte of the data that the view shows.
    pub(super) pointer: Cell<u64>,
    /// What the first rank has done that some others still have to hear of, by number. Each comes
    /// with how many have not.
    steps: RefCell<BTreeMap<u64, (Step, u32)>>,
}

impl Opened {
    /// Opens a file of the computer as the mode says.
    pub(super) fn new(
        path: &Path,
        amode: i32,
        permissions: Option<u32>,
        hosts: usize,
    ) -> Result<Self, Failure> {
        let has = |mode| amode & mode != 0;
        let mut options = OpenOptions::new();
        options.write(has(MPI_MODE_WRONLY) || has(MPI_MODE_RDWR));
        match (has(MPI_MODE_CREATE), has(MPI_MODE_EXCL)) {
            (true, true) => options.create_new(true),
            (is_made, _) => options.create(is_made),
        };
        options.mode(permissions.unwrap_or(0o666));
        let tried = || format!("cannot open {}", path.display());
        let (file, is_readable) = open(&mut options, path, has(MPI_MODE_WRONLY))
            .map_err(|error| failure(&error, tried()))?;
        let about = file.metadata().map_err(|error| failure(&error, tried()))?;
        if about.is_dir() {
            return bad(MPI_ERR_BAD_FILE, format!("{} is a directory", path.display()));
        }
        // The end of the file, in the bytes of the view that a file begins with.
        let pointer = Cell::new(if has(MPI_MODE_APPEND) { about.len() } else { 0 });
        Ok(Self { file, is_readable, path: path.into(), hosts, pointer, steps: RefCell::default() })
    }

    /// Bytes in the file.
    pub(super) fn size(&self) -> Result<u64, Failure> {
        let about = self.file.metadata();
        let tried = || format!("cannot look at {}", self.path.display());
        about.map(|about| about.len()).map_err(|error| failure(&error, tried()))
    }

    /// Does the thing of this number, once for all ranks: the first that gets here acts, the others
    /// hear what came of it.
    pub(super) fn once(&self, number: u64, ranks: u32, act: impl FnOnce() -> Step) -> Step {
        let known = self.steps.borrow_mut().remove(&number);
        let (step, left) = known.unwrap_or_else(|| (act(), ranks));
        if left > 1 {
            self.steps.borrow_mut().insert(number, (step.clone(), left - 1));
        }
        step
    }
}

/// Opens a file so that it can be read; one that is only written need not be, but it helps.
fn open(
    options: &mut OpenOptions,
    path: &Path,
    is_only_written: bool,
) -> std::io::Result<(File, bool)> {
    match options.read(true).open(path) {
        Err(error) if is_only_written && error.kind() == ErrorKind::PermissionDenied => {
            options.read(false).open(path).map(|file| (file, false))
        }
        opened => opened.map(|file| (file, true)),
    }
}

/// Files that some ranks have opened and others are about to, by the communicator they have for it.
pub(crate) type Openings = BTreeMap<u32, (Result<Rc<Opened>, Failure>, u32)>;

/// Opens a file for all ranks of a communicator: the first one does it.
pub(super) fn open_once(
    context: u32,
    ranks: u32,
    open: impl FnOnce() -> Result<Opened, Failure>,
) -> Result<Rc<Opened>, Failure> {
    let known = objects().openings.borrow_mut().remove(&context);
    let (opened, left) = known.unwrap_or_else(|| (open().map(Rc::new), ranks));
    if left > 1 {
        objects().openings.borrow_mut().insert(context, (opened.clone(), left - 1));
    }
    opened
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_rank_acts_for_all() {
        let path = std::env::temp_dir().join(format!("foretell-once-{}", std::process::id()));
        let amode = MPI_MODE_CREATE | MPI_MODE_RDWR;
        let opened = Opened::new(&path, amode, None, 1).unwrap();
        let count = Cell::new(0);
        let act = |answer| {
            count.set(count.get() + 1);
            Ok(answer)
        };
        // A fast rank is two things ahead of the others.
        assert_eq!(opened.once(0, 3, || act(7)).unwrap(), 7);
        assert_eq!(opened.once(1, 3, || act(8)).unwrap(), 8);
        for number in [0, 1, 0, 1] {
            assert_eq!(opened.once(number, 3, || act(9)).unwrap(), 7 + number as i64);
        }
        assert_eq!(count.get(), 2);
        assert!(opened.steps.borrow().is_empty());
        assert_eq!(opened.size().unwrap(), 0);
        std::fs::remove_file(path).unwrap();
    }
}
