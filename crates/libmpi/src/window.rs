//! Windows as programs hold them: one-sided communication. MPI 4.1 chapter 12.
//!
//! Making and freeing (`create`), what hangs on windows (`label`), moving data (`transfer`,
//! `accumulate`, `atomic`, by way of `target`), and synchronization (`active`, `passive`). All
//! memory of all ranks is in this process, so windows are of the unified model.

mod accumulate;
mod active;
mod atomic;
mod create;
pub(crate) mod label;
mod passive;
mod target;
mod transfer;

use std::cell::RefCell;
use std::ffi::{c_int, c_void};
use std::rc::Rc;

use foretell_mpi::{Request, Window};

use crate::abi::*;
use crate::attribute::Attributes;
use crate::check::{self, Sort};
use crate::errhandler::HandlerSlot;
use crate::failure::{Failure, Outcome, ensure};
use crate::info::Info;
use crate::objects::{no_such, objects};
use crate::request::{Kind, RequestObject};

/// A window of one rank, and what the program has hung on it.
pub(crate) struct WinObject {
    pub(crate) window: Window,
    pub(crate) errhandler: HandlerSlot,
    attributes: RefCell<Attributes>,
    name: RefCell<Box<str>>,
    info: RefCell<Info>,
    /// Values of predefined attributes, which programs get pointers to.
    values: Values,
    /// The memory, if it is not the program's.
    _block: Option<Rc<Block>>,
}

/// What is known of a window from its making on.
struct Values {
    base: usize,
    size: MPI_Aint,
    unit: c_int,
    flavor: c_int,
    model: c_int,
}

/// Memory of a window that MPI has allocated.
struct Block {
    address: usize,
}

impl Drop for Block {
    fn drop(&mut self) {
        // SAFETY: it came from `address::allocate`, and the last window that uses it is gone.
        unsafe { libc::free(self.address as *mut c_void) }
    }
}

impl WinObject {
    fn new(window: Window, values: Values, info: Info, block: Option<Rc<Block>>) -> Self {
        Self {
            window,
            errhandler: HandlerSlot::unset(),
            attributes: RefCell::default(),
            name: RefCell::default(),
            info: RefCell::new(label::hints(values.flavor, info)),
            values,
            _block: block,
        }
    }

    fn keep(self) -> MPI_Win {
        let handle = objects().wins.borrow_mut().insert(Rc::new(self));
        check::note(Sort::Win, handle)
    }
}

/// The window of a handle.
fn lookup(handle: MPI_Win) -> Result<Rc<WinObject>, Failure> {
    let found = objects().wins.borrow().get(handle).cloned();
    found.ok_or_else(|| no_such(MPI_ERR_WIN, "window", handle))
}

/// That assertions are among those that a call knows.
fn check_assert(assert: c_int, known: c_int) -> Outcome {
    ensure(assert & !known == 0, MPI_ERR_ASSERT, || {
        format!("assertions {assert:#x}, of which {:#x} mean nothing here", assert & !known)
    })
}

/// Keeps the request of an operation.
fn keep_request(request: Request) -> MPI_Request {
    RequestObject { request, comm: None, kind: Kind::Collective, after: None }.keep()
}
