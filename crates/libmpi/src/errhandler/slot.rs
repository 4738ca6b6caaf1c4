//! How long error handlers live: as long as the program holds them or they are set somewhere.

use std::cell::Cell;

use super::Errhandler;
use crate::abi::*;
use crate::check::{self, Sort};
use crate::objects::objects;

/// An error handler and how many hold it: handles of the program and objects it is set on.
#[derive(Debug)]
pub(crate) struct HandlerObject {
    pub(crate) handler: Errhandler,
    holders: Cell<u32>,
}

impl HandlerObject {
    /// Keeps a handler, held by the program.
    pub(crate) fn keep(handler: Errhandler) -> MPI_Errhandler {
        let object = Self { handler, holders: Cell::new(1) };
        let handle = objects().errhandlers.borrow_mut().insert(object);
        check::note(Sort::Errhandler, handle)
    }
}

/// One more holds the handler. Predefined ones live forever.
pub(crate) fn retain(handle: MPI_Errhandler) {
    if let Some(object) = objects().errhandlers.borrow().get(handle) {
        object.holders.set(object.holders.get() + 1);
    }
}

/// One less holds the handler; whether there is such a handler.
pub(crate) fn release(handle: MPI_Errhandler) -> bool {
    let mut table = objects().errhandlers.borrow_mut();
    let Some(object) = table.get(handle) else { return false };
    let left = object.holders.get() - 1;
    object.holders.set(left);
    if left == 0 {
        table.remove(handle);
    }
    true
}

/// Where an error handler is set: on a communicator, a session, files.
#[derive(Debug)]
pub(crate) struct HandlerSlot(Cell<MPI_Errhandler>);

impl HandlerSlot {
    /// A place where no handler was set.
    pub(crate) const fn unset() -> Self {
        Self(Cell::new(MPI_ERRHANDLER_NULL))
    }

    pub(crate) fn new(handle: MPI_Errhandler) -> Self {
        retain(handle);
        Self(Cell::new(handle))
    }

    /// The handler; errors are fatal where none was set.
    pub(crate) fn get(&self) -> MPI_Errhandler {
        self.set_one().unwrap_or(MPI_ERRORS_ARE_FATAL)
    }

    /// The handler that was set, if one was.
    pub(crate) fn set_one(&self) -> Option<MPI_Errhandler> {
        Some(self.0.get()).filter(|handle| *handle != MPI_ERRHANDLER_NULL)
    }

    pub(crate) fn set(&self, handle: MPI_Errhandler) {
        retain(handle);
        release(self.0.replace(handle));
    }
}

impl Clone for HandlerSlot {
    fn clone(&self) -> Self {
        Self::new(self.0.get())
    }
}

impl Drop for HandlerSlot {
    fn drop(&mut self) {
        release(self.0.get());
    }
}
