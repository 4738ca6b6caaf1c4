//! Sends, and exchanges, as futures.
//!
//! They are written out as those of waiting are (`wait/until.rs`), since they lie in the futures of
//! all ranks that send: what a send is made of is there once, and what is waited for in the end
//! lies where the call's overhead was measured.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use foretell_models::Mode;

use crate::comm::Comm;
use crate::error::Result;
use crate::payload::Payload;
use crate::point_to_point::{Outgoing, Received, Route, Status};
use crate::request::Request;
use crate::wait::{Exchanged, Since, end, is_done, poll_awaited};
use crate::world::{Call, NONE};

/// Pays the overhead of a send and posts it; gives the request.
pub(crate) struct Leaving<'a> {
    comm: &'a Comm,
    outgoing: Outgoing,
    /// The call that it is, if it is not part of one.
    call: Option<Call>,
    has_begun: bool,
    route: Route,
    /// What measures the overhead, if there is one.
    timer: u32,
    since: Since,
}

impl<'a> Leaving<'a> {
    #[inline]
    pub(crate) fn new(comm: &'a Comm, call: Option<Call>, outgoing: Outgoing) -> Self {
        let (route, since) = (Route { to: NONE, mode: Mode::Eager }, Since::NOT_YET);
        Self { comm, outgoing, call, has_begun: false, route, timer: NONE, since }
    }

    #[inline(always)]
    fn poll(&mut self) -> Poll<Result<Request>> {
        let comm = self.comm;
        if !self.has_begun {
            self.has_begun = true;
            if let Some(call) = self.call {
                comm.enter(call);
            }
            let Some((route, overhead)) = comm.plan(&self.outgoing)? else {
                return Poll::Ready(Ok(Request::NULL));
            };
            self.route = route;
            if overhead > 0.0 {
                self.timer = comm.world.state.borrow_mut().timer(comm.me, overhead);
            }
        }
        if self.timer != NONE {
            let state = &mut *comm.world.state.borrow_mut();
            if !is_done(state, self.timer, &mut self.since) {
                return Poll::Pending;
            }
            state.forget(self.timer);
            (self.timer, self.since) = (NONE, Since::NOT_YET);
        }
        let payload = std::mem::replace(&mut self.outgoing.payload, Payload::Size(0));
        let outgoing = Outgoing { payload, ..self.outgoing };
        Poll::Ready(comm.post(outgoing, self.route).map(|(request, _)| request))
    }
}

impl Future for Leaving<'_> {
    type Output = Result<Request>;

    #[inline]
    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<Request>> {
        Leaving::poll(self.get_mut())
    }
}

/// The same, and then waits until the send is done.
pub(crate) struct Through<'a> {
    leaving: Leaving<'a>,
    /// The request, once there is one.
    send: u32,
}

impl<'a> Through<'a> {
    #[inline]
    pub(crate) fn new(leaving: Leaving<'a>) -> Self {
        Self { leaving, send: NONE }
    }
}

impl Future for Through<'_> {
    type Output = Result<()>;

    #[inline]
    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<()>> {
        let Through { leaving, send } = self.get_mut();
        if *send == NONE {
            *send = ready!(leaving.poll())?.0;
            if *send == NONE {
                return Poll::Ready(Ok(()));
            }
        }
        let Leaving { comm, timer, since, .. } = leaving;
        ready!(poll_awaited(comm, *send, timer, since));
        Poll::Ready(end(&mut comm.world.state.borrow_mut(), *send))
    }
}

/// Sends and receives at once; both are under way before either is waited for. `give` takes what is
/// wanted of what came.
pub(crate) struct Exchange<'a, F> {
    leaving: Leaving<'a>,
    from: i32,
    tag: i32,
    exchanged: Exchanged,
    give: Option<F>,
}

impl<'a, F> Exchange<'a, F> {
    #[inline]
    pub(crate) fn new(leaving: Leaving<'a>, from: i32, tag: i32, give: F) -> Self {
        Self { leaving, from, tag, exchanged: Exchanged::NOT_YET, give: Some(give) }
    }

    /// What a rank sends to itself and receives at once is a copy in memory.
    fn copied(&mut self) -> Option<Received> {
        let Leaving { comm, outgoing, .. } = &mut self.leaving;
        let is_own = outgoing.to == self.from && self.from == comm.rank() as i32;
        if !is_own || comm.is_inter() {
            return None;
        }
        let payload = std::mem::replace(&mut outgoing.payload, Payload::Size(0));
        let (source, bytes) = (self.from, payload.len());
        let status = Status { source, tag: outgoing.tag, bytes, is_cancelled: false };
        Some(Received { status, payload })
    }

    fn poll_received(&mut self) -> Poll<Result<Received>> {
        if !self.exchanged.has_begun() {
            if !self.leaving.has_begun
                && let Some(received) = self.copied()
            {
                return Poll::Ready(Ok(received));
            }
            let send = ready!(self.leaving.poll())?;
            let Leaving { comm, outgoing, .. } = &self.leaving;
            let receive = comm.receive(u64::MAX, self.from, self.tag, outgoing.lane)?;
            self.exchanged = Exchanged::new(&receive, &send);
        }
        let Leaving { comm, timer, since, .. } = &mut self.leaving;
        self.exchanged.poll(comm, timer, since)
    }
}

// Nothing in it is pinned.
impl<F> Unpin for Exchange<'_, F> {}

impl<T, F: FnOnce(Received) -> T> Future for Exchange<'_, F> {
    type Output = Result<T>;

    #[inline]
    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<T>> {
        let this = self.get_mut();
        let received = ready!(this.poll_received())?;
        let give = this.give.take().expect("a future is not polled once it is done");
        Poll::Ready(Ok(give(received)))
    }
}
