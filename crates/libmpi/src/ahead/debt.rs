//! What is left of a call that has returned early.

use std::cell::Cell;
use std::future::Future;
use std::pin::Pin;
use std::ptr;
use std::rc::Rc;

use foretell_mpi::{Comm, Request, Since, Status};
use foretell_ranks::block_on;

use super::put_off::Calls;
use crate::abi::{MPI_ERR_INTERN, MPI_Request};
use crate::buffer::Buffer;
use crate::comm::CommObject;
use crate::failure::{Outcome, ensure};
use crate::rank::RankContext;
use crate::{request, wait};

/// What is left to do of a call.
pub(crate) type Rest<T> = Pin<Box<dyn Future<Output = T>>>;

/// What a rank that has gone ahead still has to do. It holds all that counts its owners: counts
/// are touched by the thread of the simulator only.
pub(crate) enum Debt {
    /// A receive that has its data.
    Receive { comm: Rc<CommObject>, buffer: Buffer, request: Request, since: Since },
    /// A wait for a request of the program.
    Wait { comm: Rc<CommObject>, handle: MPI_Request, request: Request, since: Since },
    /// A question for the date, and what was answered.
    Date { rest: Rest<f64>, told: f64 },
    /// Whatever else.
    Rest(Rest<Outcome>),
}

impl Debt {
    /// Does it, on the stack of the rank in its turn.
    pub(super) fn pay(self, here: &RankContext) -> Outcome {
        match self {
            Debt::Receive { comm, buffer, request, since } => {
                wait::until_done_since(&comm.comm, &request, since);
                comm.comm.take_done(request)?;
                drop(buffer);
                Ok(())
            }
            Debt::Wait { comm, mut handle, request, since } => {
                wait::until_done_since(&here.comm, &request, since);
                let ended = here.comm.take_done(request);
                drop(comm);
                request::finish(here, &mut handle, ended).1
            }
            Debt::Date { rest, told } => {
                let date = block_on(rest);
                ensure(date.to_bits() == told.to_bits(), MPI_ERR_INTERN, || {
                    format!("the date is {date:e}, not {told:e}")
                })
            }
            Debt::Rest(rest) => block_on(rest),
        }
    }
}

/// What a rank owes, and what it needs to know to go ahead.
pub(crate) struct Owed {
    debt: Cell<Option<Debt>>,
    /// Whether it is suspended and may go ahead.
    pub(super) is_awaiting: Cell<bool>,
    /// The operation that it waits for, and the communicator of its status; null for none.
    pub(super) awaited: Cell<(*const Comm, *const Request)>,
    /// Whether what follows is known.
    pub(super) is_prepared: Cell<bool>,
    /// Whether its sends may be put off.
    pub(super) may_put_off: Cell<bool>,
    pub(super) calls: Calls,
    /// What the operation will bring.
    pub(super) foreseen: Cell<Option<Status>>,
    /// The date when it went ahead.
    pub(super) date: Cell<f64>,
}

impl Owed {
    pub(crate) fn nothing() -> Self {
        Self {
            debt: Cell::new(None),
            is_awaiting: Cell::new(false),
            awaited: Cell::new((ptr::null(), ptr::null())),
            is_prepared: Cell::new(false),
            may_put_off: Cell::new(false),
            calls: Calls::default(),
            foreseen: Cell::new(None),
            date: Cell::new(0.0),
        }
    }

    fn keep(&self, debt: Debt) {
        self.debt.set(Some(debt));
    }

    /// The status of the operation for which the rank has gone ahead.
    pub(crate) fn foreseen(&self) -> Status {
        self.foreseen.take().unwrap_or(Status {
            source: foretell_mpi::PROC_NULL,
            tag: foretell_mpi::ANY_TAG,
            bytes: 0,
            is_cancelled: false,
        })
    }

    pub(super) fn take(&self) -> Option<Debt> {
        self.debt.take()
    }
}

impl RankContext {
    /// Keeps what is left of the call that the rank is in until its turn comes.
    pub(crate) fn owe(&self, debt: Debt) {
        self.is_ahead.set(true);
        self.owed_ahead.keep(debt);
    }
}
