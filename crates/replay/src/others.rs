//! What few ranks have: communicators besides the world, collectives that go on beside them, a
//! processor that others use too.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;

use foretell_mpi::{Comm, Pending};

use crate::turns::Processors;

/// Communicators by their numbers in the trace, and the one that the next collective is of.
#[derive(Default)]
pub(crate) struct Others {
    known: Vec<(u32, Comm)>,
    entered: Option<u32>,
    /// What the rank passes to its next collective, if the trace tells.
    pub(crate) passed: Cell<Option<Passed>>,
    /// Collectives that it went on before, the oldest first.
    pub(crate) begun: RefCell<VecDeque<(Comm, Pending<()>)>>,
    /// The processors that it shares with others, if there are too few for all.
    pub(crate) processors: Option<Processors>,
}

/// What a rank passes to a collective.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Passed {
    /// Bytes to send and to receive.
    pub(crate) volume: (u64, u64),
    /// Whether it goes on before the collective is done.
    pub(crate) goes_on: bool,
    /// Whether it is the other operation of the same shape.
    pub(crate) is_other: bool,
}

impl Others {
    /// A rank that shares processors with others.
    pub(crate) fn with(processors: Processors) -> Self {
        Self { processors: Some(processors), ..Self::default() }
    }

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

    /// Collectives are of the world again.
    pub(crate) fn leave(&mut self) {
        self.entered = None;
    }
}
