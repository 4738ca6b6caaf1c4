//! The commonest calls of compiled programs without a future.
//!
//! A rank of a compiled program waits on a stack of its own. The state of a future there is memory
//! that nobody has touched since the rank's last turn, and with thousands of ranks fetching it
//! takes longer than what the call does. Nearly all sends are over when they are posted, and a
//! receive has but its request to remember: those go step by step here. What must let time pass in
//! between says so, and is awaited.

use foretell_models::SendKind;

use crate::comm::Comm;
use crate::compiled::{SendMode, SendTrace};
use crate::error::Result;
use crate::memory::Landing;
use crate::payload::Payload;
use crate::point_to_point::{Lane, Received};
use crate::request::Request;
use crate::wait::{Since, busy, is_done, overhead_of};
use crate::world::Call;

/// What one look at a request has shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    /// It is done: [`Comm::take_done`].
    Done,
    /// The actor that looked is woken when it is done.
    Waiting,
    /// It is done, but taking it in costs the receiver time: [`Comm::pay`].
    Owing,
}

/// What became of a send that was to be posted at once.
#[derive(Debug)]
pub enum Posted {
    /// It is under way; the request is null if there is nothing to wait for.
    Sent(Request, SendTrace),
    /// The call itself takes time, which must be awaited before it is posted.
    Costly(Payload),
}

impl Comm {
    /// Begins a blocking receive of at most `room` bytes.
    ///
    /// # Errors
    ///
    /// As for [`Comm::start_receive`].
    pub fn begin_receive(
        &self,
        landing: Landing,
        room: u64,
        from: i32,
        tag: i32,
    ) -> Result<Request> {
        self.enter(Call::Recv);
        self.receive_to(landing, room, from, tag, Lane::User)
    }

    /// Begins to wait for a request, as `MPI_Wait` does.
    pub fn begin_wait(&self) {
        self.enter(Call::Wait);
    }

    /// Looks whether a request is done. `since` is [`Since::NOT_YET`] at the first look, and is left
    /// alone between two.
    #[inline]
    pub fn look_at(&self, request: &Request, since: &mut Since) -> Look {
        if request.is_null() {
            return Look::Done;
        }
        let state = &mut *self.world.state.borrow_mut();
        if !is_done(state, request.0, since) {
            Look::Waiting
        } else if overhead_of(state, request.0) > 0.0 {
            Look::Owing
        } else {
            Look::Done
        }
    }

    /// Spends what it costs to take in a request that is done.
    pub async fn pay(&self, request: &Request) {
        let (owner, overhead) = {
            let state = self.world.state.borrow();
            (state.requests[request.0].owner, overhead_of(&state, request.0))
        };
        busy(&self.world, owner, overhead).await;
    }

    /// Takes a request that is done and paid for.
    ///
    /// # Errors
    ///
    /// As for [`Comm::wait`].
    pub fn take_done(&self, request: Request) -> Result<Received> {
        if request.is_null() {
            return Ok(Received::nothing());
        }
        self.take(&mut self.world.state.borrow_mut(), request)
    }

    /// Posts a blocking send, unless time has to pass before.
    ///
    /// # Errors
    ///
    /// As for [`Comm::send_in_mode`].
    pub fn post_at_once(
        &self,
        payload: Payload,
        to: i32,
        tag: i32,
        mode: SendMode,
    ) -> Result<Posted> {
        self.post_if_free(payload, to, tag, (mode, SendKind::Blocking))
    }

    /// Posts a non-blocking send, unless time has to pass before.
    ///
    /// # Errors
    ///
    /// As for [`Comm::start_send`].
    pub fn start_at_once(
        &self,
        payload: Payload,
        to: i32,
        tag: i32,
        mode: SendMode,
    ) -> Result<Posted> {
        self.post_if_free(payload, to, tag, (mode, SendKind::NonBlocking))
    }

    fn post_if_free(
        &self,
        payload: Payload,
        to: i32,
        tag: i32,
        (mode, kind): (SendMode, SendKind),
    ) -> Result<Posted> {
        self.enter(mode.call(kind));
        let outgoing = mode.outgoing(payload, to, tag, kind);
        let Some((route, overhead)) = self.plan(&outgoing)? else {
            return Ok(Posted::Sent(Request::NULL, SendTrace::NONE));
        };
        if overhead > 0.0 {
            return Ok(Posted::Costly(outgoing.payload));
        }
        let (request, trace) = self.post(outgoing, route)?;
        Ok(Posted::Sent(request, SendTrace::of(trace)))
    }
}
