//! Non-blocking collectives: the operation runs beside the rank, which waits for it later.

use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

use super::{Channel, Tag};
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
    value: Rc<RefCell<Option<T>>>,
}

impl<T: 'static> Pending<T> {
    /// Starts the operation as an actor of its own.
    pub(super) fn spawn(
        comm: &Comm,
        tag: Tag,
        run: impl AsyncFnOnce(&Channel<'_>) -> Result<T> + 'static,
    ) -> Self {
        let value = Rc::new(RefCell::new(None));
        let request = comm.world.state.borrow_mut().requests.insert(RequestState::task(comm.me));
        let (comm, slot) = (comm.clone(), value.clone());
        comm.world.clone().spawn(async move {
            {
                let state = &mut *comm.world.state.borrow_mut();
                // Reports follow a task from its request to its actor.
                state.requests[request].peer = state.kernel.current().0;
                state.requests[request].tag = tag.0;
            }
            let outcome = run(&Channel::new(&comm, tag)).await;
            match outcome {
                Ok(value) => {
                    slot.replace(Some(value));
                    comm.world.state.borrow_mut().complete(request);
                }
                Err(error) => {
                    comm.set_collective(tag.call());
                    comm.world.fail(comm.me, error);
                }
            }
        });
        Pending { request: Request(request), value }
    }
}

impl<T> Pending<T> {
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
        let value = pending.value.borrow_mut().take();
        value.ok_or_else(|| Error::BadArgument("a collective whose request is not done".into()))
    }
}

impl<T> fmt::Debug for Pending<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pending").field("request", &self.request).finish_non_exhaustive()
    }
}
