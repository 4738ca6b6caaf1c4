//! The timed section of a skeleton.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use foretell_mpi::Comm;

use crate::Solved;

/// What the timed section took, as seen by rank 0.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Measured {
    /// Simulated seconds.
    pub seconds: f64,
    /// Messages sent by all ranks, those of collectives included.
    pub messages: u64,
    /// CPU seconds of the simulator.
    pub cpu: f64,
}

/// A stopwatch that all ranks share; rank 0 reads it, the others only pay for the call.
#[derive(Clone)]
pub struct Section {
    cpu: fn() -> f64,
    measured: Rc<Cell<Measured>>,
    solved: Rc<RefCell<Vec<Solved>>>,
}

impl Section {
    /// A stopwatch; `cpu` tells the CPU seconds of the simulator so far.
    pub fn new(cpu: fn() -> f64) -> Self {
        Self { cpu, measured: Rc::default(), solved: Rc::default() }
    }

    /// Begins the section on this rank.
    pub async fn begin(&self, comm: &Comm) {
        if comm.rank() == 0 {
            let (cpu, messages) = ((self.cpu)(), comm.world().counters().messages);
            let seconds = comm.wtime().await;
            self.measured.set(Measured { seconds, messages, cpu });
        } else {
            comm.wtime().await;
        }
    }

    /// Ends the section on this rank.
    pub async fn end(&self, comm: &Comm) {
        let now = comm.wtime().await;
        if comm.rank() == 0 {
            let began = self.measured.get();
            self.measured.set(Measured {
                seconds: now - began.seconds,
                messages: comm.world().counters().messages - began.messages,
                cpu: (self.cpu)() - began.cpu,
            });
        }
    }

    /// Adds a system that was solved.
    pub(crate) fn add(&self, solved: Solved) {
        self.solved.borrow_mut().push(solved);
    }

    /// The systems that were solved, in order.
    pub fn solved(&self) -> Vec<Solved> {
        self.solved.borrow().clone()
    }

    /// What was measured.
    pub fn measured(&self) -> Measured {
        self.measured.get()
    }
}
