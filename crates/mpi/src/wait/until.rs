//! The futures that all waiting is made of.
//!
//! They are written out because they lie in the futures of all calls, one within the other: each
//! byte of them is there once for each rank, and each layer is gone through whenever a rank goes on.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use super::{check_out, is_done, overhead_of};
use crate::comm::Comm;
use crate::error::Result;
use crate::point_to_point::Received;
use crate::request::Request;
use crate::world::{NONE, World};

/// Waits until a request is done; the slot stays.
pub(crate) fn done(world: &World, request: u32) -> Done<'_> {
    Done { world, request, since: None }
}

/// See [`done`].
pub(crate) struct Done<'a> {
    world: &'a World,
    request: u32,
    since: Option<f64>,
}

impl Future for Done<'_> {
    type Output = ();

    #[inline]
    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        let Done { world, request, since } = self.get_mut();
        poll_when(is_done(&mut world.state.borrow_mut(), *request, since))
    }
}

/// Lets `seconds` pass for a busy rank, from now on.
#[inline]
pub(crate) fn busy(world: &World, rank: u32, seconds: f64) -> Busy<'_> {
    let timer = match seconds > 0.0 {
        true => world.state.borrow_mut().timer(rank, seconds),
        false => NONE,
    };
    Busy(done(world, timer))
}

/// See [`busy`].
pub(crate) struct Busy<'a>(Done<'a>);

impl Future for Busy<'_> {
    type Output = ();

    #[inline]
    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if self.0.request != NONE {
            ready!(Pin::new(&mut self.0).poll(context));
            self.0.world.state.borrow_mut().forget(self.0.request);
        }
        Poll::Ready(())
    }
}

/// A request that somebody waits for, until it is done and its receiver has paid what that costs.
struct Awaited<'a> {
    comm: &'a Comm,
    request: u32,
    /// What measures the receiver's overhead, once the request is done.
    timer: u32,
    since: Option<f64>,
}

impl<'a> Awaited<'a> {
    #[inline]
    fn new(comm: &'a Comm, request: Request) -> Self {
        Self { comm, request: request.0, timer: NONE, since: None }
    }

    #[inline(always)]
    fn poll(&mut self) -> Poll<()> {
        let state = &mut *self.comm.world.state.borrow_mut();
        if self.timer == NONE {
            if !is_done(state, self.request, &mut self.since) {
                return Poll::Pending;
            }
            let overhead = overhead_of(state, self.request);
            if overhead <= 0.0 {
                return Poll::Ready(());
            }
            self.timer = state.timer(state.requests[self.request].owner, overhead);
            self.since = None;
        }
        if !is_done(state, self.timer, &mut self.since) {
            return Poll::Pending;
        }
        state.forget(self.timer);
        Poll::Ready(())
    }
}

/// Waits for a request, and gives what it brought.
pub(crate) struct Taken<'a>(Awaited<'a>);

impl<'a> Taken<'a> {
    #[inline]
    pub(crate) fn new(comm: &'a Comm, request: Request) -> Self {
        Self(Awaited::new(comm, request))
    }
}

impl Future for Taken<'_> {
    type Output = Result<Received>;

    #[inline]
    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<Received>> {
        if self.0.request == NONE {
            return Poll::Ready(Ok(Received::nothing()));
        }
        ready!(self.0.poll());
        let Awaited { comm, request, .. } = self.0;
        Poll::Ready(comm.take(&mut comm.world.state.borrow_mut(), Request(request)))
    }
}

/// Waits for a request; what it brought is let go. This is [`Taken`] for who does not want to look:
/// nothing has to be carried out of here.
pub(crate) struct Ended<'a>(Awaited<'a>);

impl<'a> Ended<'a> {
    #[inline]
    pub(crate) fn new(comm: &'a Comm, request: Request) -> Self {
        Self(Awaited::new(comm, request))
    }
}

impl Future for Ended<'_> {
    type Output = Result<()>;

    #[inline]
    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<()>> {
        if self.0.request == NONE {
            return Poll::Ready(Ok(()));
        }
        ready!(self.0.poll());
        let state = &mut *self.0.comm.world.state.borrow_mut();
        check_out(state, self.0.request)?;
        state.forget(self.0.request);
        Poll::Ready(Ok(()))
    }
}

/// Suspends the actor until so many of a group's requests are done; gives the last one's place.
pub(super) struct Nth<'a> {
    comm: &'a Comm,
    group: u32,
    nth: u32,
    since: Option<f64>,
}

impl<'a> Nth<'a> {
    pub(super) fn new(comm: &'a Comm, group: u32, nth: usize) -> Self {
        Self { comm, group, nth: nth as u32, since: None }
    }
}

impl Future for Nth<'_> {
    type Output = usize;

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<usize> {
        let Nth { comm, group, nth, ref mut since } = *self;
        let state = &mut *comm.world.state.borrow_mut();
        let now = state.kernel.now();
        let waiting = &mut state.groups[group];
        if let Some(place) = waiting.completed.get(nth as usize) {
            let (place, waited) = (*place as usize, now - since.unwrap_or(now));
            if state.is_rank_itself(comm.me) {
                state.ranks[comm.me as usize].times.waiting += waited;
                if state.is_followed {
                    state.observe_wait(comm.me, now - waited);
                }
            }
            return Poll::Ready(place);
        }
        since.get_or_insert(now);
        waiting.wanted = nth as usize + 1;
        waiting.actor = Some(state.kernel.current());
        Poll::Pending
    }
}

fn poll_when(is_ready: bool) -> Poll<()> {
    if is_ready { Poll::Ready(()) } else { Poll::Pending }
}
