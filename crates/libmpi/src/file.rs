//! Files of the program. MPI 4.1 chapter 14.
//!
//! Files are the computer's own. All ranks are in one process, so a file is opened once for all
//! ranks that open it together (`opened`), and what they share, such as the shared pointer, is kept
//! there. A rank's handle has its view (`view`, in a `representation`), its pointer (`position`)
//! and its hints (`hints`).
//!
//! An access (`access`) checks its arguments, finds its place, moves the data at once
//! (`transfer`, `sieve`), and then takes the simulated time of the storage. Nothing is cached, so every
//! access is atomic and what was written is seen by all; `MPI_File_sync` has nothing to do but to
//! wait for all. The functions are in `open`, `manage`, `view`, `position`, `explicit`,
//! `individual`, `shared` and `split`.
//!
//! Missing: the exchange of data between ranks in collective accesses, which would take time.

mod access;
mod error;
mod explicit;
mod hints;
mod individual;
mod manage;
mod open;
mod opened;
mod position;
pub(crate) mod representation;
mod shared;
mod sieve;
mod split;
mod transfer;
mod view;

use std::cell::{Cell, RefCell};
use std::ffi::c_int;
use std::rc::Rc;

use foretell_mpi::{Comm, FileCall, FileWord};
use foretell_ranks::block_on;

use crate::abi::*;
use crate::errhandler::HandlerSlot;
use crate::failure::{Failure, Outcome, bad, ensure};
use crate::info::Info;
use crate::objects::{no_such, objects};

pub(crate) use opened::Openings;
use opened::{Opened, Step};
pub(crate) use representation::Datareps;
use split::Split;
use view::FileView;

/// An open file as one rank holds it.
pub(crate) struct FileObject {
    /// The ranks that have opened it, and nobody else.
    comm: Comm,
    opened: Rc<Opened>,
    amode: c_int,
    pub(crate) errhandler: HandlerSlot,
    view: RefCell<Rc<FileView>>,
    /// The individual file pointer: a byte of the data that the view shows.
    position: Cell<u64>,
    /// The split collective that has begun and not ended.
    split: RefCell<Option<Split>>,
    info: RefCell<Info>,
    is_atomic: Cell<bool>,
    /// How many things this rank has done together with the others.
    steps: Cell<u64>,
}

/// The file of a handle.
pub(crate) fn lookup(handle: MPI_File) -> Result<Rc<FileObject>, Failure> {
    let found = objects().files.borrow().get(handle).cloned();
    found.ok_or_else(|| no_such(MPI_ERR_FILE, "file", handle))
}

impl FileObject {
    fn view(&self) -> Rc<FileView> {
        self.view.borrow().clone()
    }

    /// Whether a mode was asked for when the file was opened.
    fn has_mode(&self, mode: c_int) -> bool {
        self.amode & mode != 0
    }

    /// That the file is one for accesses anywhere.
    fn check_random(&self) -> Outcome {
        ensure(!self.has_mode(MPI_MODE_SEQUENTIAL), MPI_ERR_UNSUPPORTED_OPERATION, || {
            "the file was opened with MPI_MODE_SEQUENTIAL, which leaves the shared pointer only"
                .into()
        })
    }

    /// That the file can be written.
    fn check_written(&self) -> Outcome {
        ensure(!self.has_mode(MPI_MODE_RDONLY), MPI_ERR_READ_ONLY, || {
            "the file was opened with MPI_MODE_RDONLY".into()
        })
    }

    /// All ranks call this together; gives what each says.
    fn meet(&self, call: FileCall, word: FileWord) -> Result<Vec<FileWord>, Failure> {
        Ok(block_on(self.comm.file_call(call, word))?)
    }

    /// All ranks call this together and must say the same.
    fn agree(&self, call: FileCall, word: FileWord, what: &str) -> Outcome {
        let words = self.meet(call, word)?;
        match words.iter().position(|other| *other != word) {
            None => Ok(()),
            Some(rank) => bad(
                MPI_ERR_ARG,
                format!("rank {rank} of the file has given another {what} than this rank"),
            ),
        }
    }

    /// Does something that all ranks do together: the first that gets here, in place of all.
    fn once(&self, act: impl FnOnce() -> Step) -> Step {
        let number = self.next_step();
        self.opened.once(number, self.comm.size(), act)
    }

    /// The number of the next thing that all ranks do together.
    fn next_step(&self) -> u64 {
        self.steps.replace(self.steps.get() + 1)
    }
}
