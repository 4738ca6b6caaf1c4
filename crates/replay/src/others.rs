//! What few ranks have: communicators besides the world, collectives that go on beside them, a
//! processor that others use too.

use std::cell::{Cell, RefCell};

use foretell_mpi::{Comm, Pending, Request, Window};

use crate::turns::Processors;

/// Communicators by their numbers in the trace, and the one that the next collective is of; the
/// same of non-blocking collectives.
#[derive(Default)]
pub(crate) struct Others {
    known: Vec<(u32, Comm)>,
    entered: Option<u32>,
    later: Option<u32>,
    under_way: RefCell<Vec<(u32, UnderWay)>>,
    windows: RefCell<Vec<(u32, Window)>>,
    /// What the rank passes to its next collective, if the trace tells.
    pub(crate) passed: Cell<Option<Passed>>,
    /// The processors that it shares with others, if there are too few for all.
    pub(crate) processors: Option<Processors>,
}

/// A collective that its rank has begun.
pub(crate) enum UnderWay {
    /// By messages.
    Request(Request),
    /// By a formula of the machine.
    Formula(Comm, Pending<()>),
}

/// What a rank passes to a collective.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Passed {
    /// Bytes to send and to receive.
    pub(crate) volume: (u64, u64),
    /// Whether it is the other operation of the same shape.
    pub(crate) is_other: bool,
}

impl Others {
    /// A rank that shares processors with others.
    pub(crate) fn with(processors: Processors) -> Self {
        Self { processors: Some(processors), ..Self::default() }
    }

    /// Adds a communicator; one with the same number is forgotten. If there is none, the reason is
    /// the rank's mistake.
    pub(crate) fn define(
        &mut self,
        id: u32,
        comm: Option<Comm>,
        reason: &str,
    ) -> Result<(), String> {
        let Some(comm) = comm else {
            return Err(format!("the rank defines communicator {id} {reason}"));
        };
        self.known.retain(|(other, _)| *other != id);
        self.known.push((id, comm));
        Ok(())
    }

    /// The next collective is of this communicator.
    pub(crate) fn enter(&mut self, id: u32) -> Result<(), String> {
        let at = self.known.iter().position(|(known, _)| *known == id);
        let at = at.ok_or_else(|| {
            format!(
                "there is no communicator {id}; a comm_def or inter_def tells which ranks it has"
            )
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

    pub(crate) fn begin(&self, number: u32, begun: UnderWay) {
        self.under_way.borrow_mut().push((number, begun));
    }

    /// Takes what was begun under a number, the oldest if there are several, and tells where it was.
    pub(crate) fn take(&self, number: u32) -> Option<(usize, UnderWay)> {
        let mut under_way = self.under_way.borrow_mut();
        let at = under_way.iter().position(|(known, _)| *known == number)?;
        Some((at, under_way.remove(at).1))
    }

    /// Puts it back there.
    pub(crate) fn put_back(&self, at: usize, number: u32, begun: UnderWay) {
        self.under_way.borrow_mut().insert(at, (number, begun));
    }

    /// The window of a number.
    pub(crate) fn window(&self, number: u32) -> Option<Window> {
        let windows = self.windows.borrow();
        windows.iter().find(|(known, _)| *known == number).map(|(_, window)| window.clone())
    }

    /// Keeps a window; one with the same number is forgotten.
    pub(crate) fn keep_window(&self, number: u32, window: Window) {
        self.forget_window(number);
        self.windows.borrow_mut().push((number, window));
    }

    pub(crate) fn forget_window(&self, number: u32) {
        self.windows.borrow_mut().retain(|(known, _)| *known != number);
    }

    /// Collectives are of the world again.
    pub(crate) fn leave(&mut self) {
        self.entered = None;
        self.passed.set(None);
    }
}
