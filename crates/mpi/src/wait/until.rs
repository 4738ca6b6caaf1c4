//! The futures that all waiting is made of.
//!
//! They are written out because they lie in the futures of all calls, one within the other: each
//! byte of them is there once for each rank, and each layer is gone through whenever a rank goes on.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use super::{check_out, is_done, overhead_of};
use crate::comm::Comm;
use crate::error::{Error, Result};
use crate::listener::Event;
use crate::point_to_point::Received;
use crate::request::Request;
use crate::world::{Call, NONE, State, World};

/// Since when somebody waits: half the size of a number that may be missing.
#[derive(Debug, Clone, Copy)]
pub struct Since(f64);

impl Since {
    /// Nobody has had to wait.
    pub const NOT_YET: Since = Since(f64::NAN);

    /// Somebody has to wait at a date, and perhaps did before.
    #[inline]
    pub(super) fn begin(&mut self, now: f64) {
        if self.0.is_nan() {
            self.0 = now;
        }
    }

    /// The date, if there is one.
    #[inline]
    pub(super) fn date(self) -> Option<f64> {
        (!self.0.is_nan()).then_some(self.0)
    }
}

/// Waits until a request is done; the slot stays.
pub(crate) fn done(world: &World, request: u32) -> Done<'_> {
    Done { world, request, since: Since::NOT_YET }
}

/// See [`done`].
pub(crate) struct Done<'a> {
    world: &'a World,
    request: u32,
    since: Since,
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

/// Waits for a request, until it is done and its receiver has paid what that costs, which `timer`
/// measures.
#[inline(always)]
pub(crate) fn poll_awaited(
    comm: &Comm,
    request: u32,
    timer: &mut u32,
    since: &mut Since,
) -> Poll<()> {
    let state = &mut *comm.world.state.borrow_mut();
    if *timer == NONE {
        if !is_done(state, request, since) {
            return Poll::Pending;
        }
        let overhead = overhead_of(state, request);
        if overhead <= 0.0 {
            return Poll::Ready(());
        }
        *timer = state.timer(state.requests[request].owner, overhead);
        *since = Since::NOT_YET;
    }
    if !is_done(state, *timer, since) {
        return Poll::Pending;
    }
    state.forget(*timer);
    Poll::Ready(())
}

/// Takes a request that is done; what it brought is let go.
#[inline]
pub(crate) fn end(state: &mut State, request: u32) -> Result<()> {
    check_out(state, request)?;
    state.forget(request);
    Ok(())
}

/// A request that somebody waits for.
struct Awaited<'a> {
    comm: &'a Comm,
    request: u32,
    timer: u32,
    since: Since,
}

impl<'a> Awaited<'a> {
    #[inline]
    fn new(comm: &'a Comm, request: Request) -> Self {
        Self { comm, request: request.0, timer: NONE, since: Since::NOT_YET }
    }

    #[inline(always)]
    fn poll(&mut self) -> Poll<()> {
        poll_awaited(self.comm, self.request, &mut self.timer, &mut self.since)
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
        Poll::Ready(end(&mut self.0.comm.world.state.borrow_mut(), self.0.request))
    }
}

/// A receive and a send that is under way with it, and whether the receive is done. Both are taken
/// in when both are done, so that nothing has to be kept meanwhile.
pub(crate) struct Exchanged {
    receive: u32,
    send: u32,
    progress: Progress,
}

#[derive(PartialEq, Eq)]
enum Progress {
    /// The receive is not posted.
    NotYet,
    Receiving,
    Sending,
}

impl Exchanged {
    pub(crate) const NOT_YET: Self = Self { receive: NONE, send: NONE, progress: Progress::NotYet };

    #[inline]
    pub(crate) fn new(receive: &Request, send: &Request) -> Self {
        Self { receive: receive.0, send: send.0, progress: Progress::Receiving }
    }

    /// Whether both are under way.
    #[inline]
    pub(crate) fn has_begun(&self) -> bool {
        self.progress != Progress::NotYet
    }

    /// Waits for both, and gives what was received.
    #[inline]
    pub(crate) fn poll(
        &mut self,
        comm: &Comm,
        timer: &mut u32,
        since: &mut Since,
    ) -> Poll<Result<Received>> {
        if self.progress == Progress::Receiving {
            if self.receive != NONE {
                ready!(poll_awaited(comm, self.receive, timer, since));
                (*timer, *since) = (NONE, Since::NOT_YET);
            }
            self.progress = Progress::Sending;
            if self.has_failed(comm) {
                return Poll::Ready(self.take(comm));
            }
        }
        if self.send != NONE {
            ready!(poll_awaited(comm, self.send, timer, since));
        }
        Poll::Ready(self.take(comm))
    }

    fn take(&self, comm: &Comm) -> Result<Received> {
        let state = &mut *comm.world.state.borrow_mut();
        let received = match self.receive {
            NONE => Received::nothing(),
            request => comm.take(state, Request(request))?,
        };
        if self.send != NONE {
            end(state, self.send)?;
        }
        Ok(received)
    }

    /// Whether more came than there is room for, which is told without waiting for the send.
    fn has_failed(&self, comm: &Comm) -> bool {
        let state = comm.world.state.borrow();
        self.receive != NONE && state.requests[self.receive].is_truncated
    }
}

/// Waits for a receive and a send that are under way together, and gives what was received.
pub(crate) struct Both<'a> {
    comm: &'a Comm,
    exchanged: Exchanged,
    timer: u32,
    since: Since,
}

impl<'a> Both<'a> {
    #[inline]
    pub(crate) fn new(comm: &'a Comm, receive: &Request, send: &Request) -> Self {
        let exchanged = Exchanged::new(receive, send);
        Self { comm, exchanged, timer: NONE, since: Since::NOT_YET }
    }
}

impl Future for Both<'_> {
    type Output = Result<Received>;

    #[inline]
    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<Received>> {
        let Both { comm, exchanged, timer, since } = self.get_mut();
        exchanged.poll(comm, timer, since)
    }
}

/// Suspends the actor until so many of a group's requests are done; gives the last one's place.
pub(super) struct Nth<'a> {
    comm: &'a Comm,
    group: u32,
    nth: u32,
    since: Since,
}

impl<'a> Nth<'a> {
    pub(super) fn new(comm: &'a Comm, group: u32, nth: usize) -> Self {
        Self { comm, group, nth: nth as u32, since: Since::NOT_YET }
    }
}

impl Future for Nth<'_> {
    type Output = usize;

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<usize> {
        let Nth { comm, group, nth, ref mut since } = *self;
        nth_of(&mut comm.world.state.borrow_mut(), (group, nth), comm.me, since)
    }
}

/// Whether so many of a group's requests are done; the place of the last. If not, the actor that
/// asks is woken when they are, and what has passed by then counts as time of this rank.
#[inline]
fn nth_of(state: &mut State, (group, nth): (u32, u32), me: u32, since: &mut Since) -> Poll<usize> {
    let now = state.kernel.now();
    let waiting = &mut state.groups[group];
    if let Some(place) = waiting.completed.get(nth as usize) {
        let (place, waited) = (*place as usize, now - since.date().unwrap_or(now));
        if state.is_rank_itself(me) {
            state.ranks[me as usize].times.waiting += waited;
            if state.is_followed {
                state.observe_wait(me, now - waited);
            }
        }
        return Poll::Ready(place);
    }
    since.begin(now);
    waiting.wanted = nth as usize + 1;
    waiting.actor = Some(state.kernel.current());
    Poll::Pending
}

/// Waits for all of some requests and leaves null ones behind; what they brought is let go.
pub(super) struct AllEnded<'a> {
    comm: &'a Comm,
    requests: &'a mut [Request],
    since: Since,
    /// The group that they report to, once there is one.
    group: u32,
    count: u32,
    /// Whom of the group it waits for.
    nth: u32,
    /// The place of the request whose overhead is being paid, and what measures it.
    place: u32,
    timer: u32,
    /// What went wrong first.
    error: Option<Box<Error>>,
}

impl<'a> AllEnded<'a> {
    #[inline]
    pub(super) fn new(comm: &'a Comm, requests: &'a mut [Request]) -> Self {
        let (count, nth, place, error) = (0, 0, 0, None);
        Self {
            comm,
            requests,
            since: Since::NOT_YET,
            group: NONE,
            count,
            nth,
            place,
            timer: NONE,
            error,
        }
    }

    fn begin(&mut self) {
        self.comm.enter(Call::Waitall);
        self.comm.tell(Event::WaitAll(self.requests));
        self.group = self.comm.open_group(self.requests);
        self.count = self.requests.iter().filter(|request| !request.is_null()).count() as u32;
        // Overheads are paid one by one as messages come in; without any, one wake-up suffices.
        let is_paid = self.comm.world.state.borrow().network.has_receive_overheads();
        self.nth = if is_paid { 0 } else { self.count.saturating_sub(1) };
    }

    /// Whether the next of them is done and paid for; its place.
    fn next(&mut self, state: &mut State) -> Poll<usize> {
        if self.timer == NONE {
            let whom = (self.group, self.nth);
            let place = ready!(nth_of(state, whom, self.comm.me, &mut self.since));
            self.since = Since::NOT_YET;
            let request = self.requests[place].0;
            let overhead = overhead_of(state, request);
            if overhead <= 0.0 {
                return Poll::Ready(place);
            }
            self.timer = state.timer(state.requests[request].owner, overhead);
            self.place = place as u32;
        }
        if !is_done(state, self.timer, &mut self.since) {
            return Poll::Pending;
        }
        state.forget(self.timer);
        (self.timer, self.since) = (NONE, Since::NOT_YET);
        Poll::Ready(self.place as usize)
    }

    fn end(&mut self, state: &mut State, place: usize) {
        let request = self.requests[place].take().0;
        match check_out(state, request) {
            Ok(()) => state.forget(request),
            Err(error) => _ = self.error.get_or_insert_with(|| Box::new(error)),
        }
    }
}

impl Future for AllEnded<'_> {
    type Output = Result<()>;

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<()>> {
        let this = &mut *self;
        if this.group == NONE {
            this.begin();
        }
        let state = &mut *this.comm.world.state.borrow_mut();
        if state.network.has_receive_overheads() {
            while this.nth < this.count {
                let place = ready!(this.next(state));
                this.end(state, place);
                this.nth += 1;
            }
        } else if this.count > 0 {
            let whom = (this.group, this.nth);
            ready!(nth_of(state, whom, this.comm.me, &mut this.since));
            for place in 0..this.requests.len() {
                if !this.requests[place].is_null() {
                    this.end(state, place);
                }
            }
        }
        state.groups.remove(this.group);
        Poll::Ready(this.error.take().map_or(Ok(()), |error| Err(*error)))
    }
}

fn poll_when(is_ready: bool) -> Poll<()> {
    if is_ready { Poll::Ready(()) } else { Poll::Pending }
}
