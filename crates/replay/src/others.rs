//! The communicators of a rank besides the world, and its collectives that are under way.

use foretell_mpi::{Comm, Request};

/// Communicators by their numbers in the trace, and the one that the next collective is of; the
/// same of non-blocking collectives.
#[derive(Default)]
pub(crate) struct Others {
    known: Vec<(u32, Comm)>,
    entered: Option<u32>,
    later: Option<u32>,
    under_way: Vec<(u32, Request)>,
}

impl Others {
    /// Adds a communicator; one with the same number is forgotten.
    pub(crate) fn define(&mut self, id: u32, comm: Option<Comm>) -> Result<(), String> {
        let Some(comm) = comm else {
            return Err(format!("the rank defines communicator {id} without being in it"));
        };
        self.known.retain(|(other, _)| *other != id);
        self.known.push((id, comm));
        Ok(())
    }

    /// The next collective is of this communicator.
    pub(crate) fn enter(&mut self, id: u32) -> Result<(), String> {
        let at = self.known.iter().position(|(known, _)| *known == id);
        let at = at.ok_or_else(|| {
            format!("there is no communicator {id}; a comm_def tells which ranks it has")
        })?;
        self.entered = Some(at as u32);
        Ok(())
    }

    /// The communicator that was entered.
    pub(crate) fn entered(&self) -> Option<&Comm> {
        let (_, comm) = self.known.get(self.entered? as usize)?;
        Some(comm)
    }

    /// The next collective is begun under this number.
    pub(crate) fn put_off(&mut self, number: u32) {
        self.later = Some(number);
    }

    /// The number under which the collective at hand is begun, if it is.
    pub(crate) fn take_later(&mut self) -> Option<u32> {
        self.later.take()
    }

    pub(crate) fn begin(&mut self, number: u32, request: Request) {
        self.under_way.push((number, request));
    }

    /// Takes what was begun under a number, the oldest if there are several.
    pub(crate) fn take(&mut self, number: u32) -> Option<Request> {
        let at = self.under_way.iter().position(|(known, _)| *known == number)?;
        Some(self.under_way.remove(at).1)
    }

    /// Collectives are of the world again.
    pub(crate) fn leave(&mut self) {
        self.entered = None;
    }
}
