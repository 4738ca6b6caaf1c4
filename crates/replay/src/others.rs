//! The communicators of a rank besides the world.

use foretell_mpi::Comm;

/// Communicators by their numbers in the trace, and the one that the next collective is of.
#[derive(Default)]
pub(crate) struct Others {
    known: Vec<(u32, Comm)>,
    entered: Option<u32>,
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

    /// Collectives are of the world again.
    pub(crate) fn leave(&mut self) {
        self.entered = None;
    }
}
