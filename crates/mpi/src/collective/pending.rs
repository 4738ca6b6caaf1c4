//! Non-blocking collectives: the operation runs beside the rank, which waits for it later.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::rc::Rc;

use super::{Begun, Channel};
use crate::comm::Comm;
use crate::error::{Error, Result};
use crate::request::{Request, RequestState};

/// A collective under way. [`Comm::complete`] waits for it and gives what it brings.
///
/// To wait for several at once, take their requests ([`Pending::take_request`]), wait for those
/// in any form, then ask for the values by [`Comm::complete`], which no longer waits.
#[must_use = "a collective that nobody waits for may end at any time"]
pub struct Pending<T> {
    request: Request,
    end: Rc<End<T>>,
}

/// What comes of the operation, where the actor that runs it puts it.
struct End<T> {
    outcome: RefCell<Option<Result<T>>>,
    /// Whether an error is handed over like a value; otherwise it ends the run.
    takes_errors: Cell<bool>,
}

impl<T: 'static> Pending<T> {
    /// Starts the operation as an actor of its own.
    pub(crate) fn spawn(
        comm: &Comm,
        begun: Begun,
        run: impl AsyncFnOnce(&Channel<'_>) -> Result<T> + 'static,
    ) -> Self {
        let Begun { tag, met } = begun;
        let end = Rc::new(End { outcome: RefCell::new(None), takes_errors: Cell::new(false) });
        let request = comm.world.state.borrow_mut().requests.insert(RequestState::task(comm.me));
        let (comm, kept) = (comm.clone(), end.clone());
        comm.world.clone().spawn(async move {
            {
                let state = &mut *comm.world.state.borrow_mut();
                // Reports follow a task from its request to its actor.
                state.requests[request].peer = state.kernel.current().0;
                state.requests[request].tag = tag.0;
            }
            let outcome = match met {
                Some(met) => Err(Error::Mismatch(met.mismatch)),
                None => run(&Channel::new(&comm, tag)).await,
            };
            match outcome {
                Err(error) if !kept.takes_errors.get() => {
                    comm.set_collective(tag.call());
                    comm.world.fail(comm.me, error);
                }
                outcome => {
                    kept.outcome.replace(Some(outcome));
                    comm.world.state.borrow_mut().complete(request);
                }
            }
        });
        Pending { request: Request(request), end }
    }
}

impl<T> Pending<T> {
    /// Hands errors to who asks by [`Comm::complete`]. Otherwise they end the run, so that nobody
    /// can overlook them.
    pub fn take_errors(&self) {
        self.end.takes_errors.set(true);
    }

    /// Takes the request out, to be waited for or tested among others.
    pub fn take_request(&mut self) -> Request {
        self.request.take()
    }

    /// The request, for calls that wait for or test a single one and leave a null one behind.
    pub fn request(&mut self) -> &mut Request {
        &mut self.request
    }
}

impl Comm {
    /// Waits for a non-blocking collective, unless its request was waited for already, and gives
    /// its result.
    pub async fn complete<T>(&self, mut pending: Pending<T>) -> Result<T> {
        self.wait(pending.request.take()).await?;
        let outcome = pending.end.outcome.borrow_mut().take();
        let not_done = || Error::BadArgument("a collective whose request is not done".into());
        outcome.unwrap_or_else(|| Err(not_done()))
    }
}

impl<T> fmt::Debug for Pending<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pending").field("request", &self.request).finish_non_exhaustive()
    }
}
