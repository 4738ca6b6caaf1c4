//! Waiting and testing: one, all, any or some of several requests. MPI 4.1 section 3.7.

mod until;

pub use until::Since;
pub(crate) use until::{Both, Ended, Exchanged, Taken, busy, done, end, poll_awaited};

use until::{AllEnded, Nth};

use crate::comm::Comm;
use crate::error::{Error, Result};
use crate::listener::Event;
use crate::point_to_point::{Received, Status};
use crate::poll::{self, Purpose, Sought};
use crate::request::{Kind, Request, Waiter};
use crate::world::{Call, State};

/// Whether a request is done. If not, the actor that asks is woken when it is; the first such date
/// is kept in `since`, and what has passed by then counts as time of the request's rank.
#[inline]
pub(crate) fn is_done(state: &mut State, request: u32, since: &mut Since) -> bool {
    let now = state.kernel.now();
    if !state.requests[request].is_done {
        since.begin(now);
        state.requests[request].waiter = Waiter::Actor(state.kernel.current());
        return false;
    }
    let (owner, kind) = (state.requests[request].owner, state.requests[request].kind);
    if let (Some(since), true) = (since.date(), state.is_rank_itself(owner)) {
        let times = &mut state.ranks[owner as usize].times;
        *match kind {
            Kind::Timer | Kind::Probe => &mut times.overhead,
            Kind::Computation => &mut times.computing,
            Kind::Send | Kind::Receive | Kind::Access | Kind::Task => &mut times.waiting,
        } += now - since;
        if state.is_followed && !matches!(kind, Kind::Timer | Kind::Probe | Kind::Computation) {
            state.observe_wait(owner, since);
        }
    }
    true
}

/// What the receiver still has to pay for a done request, in seconds.
#[inline]
pub(crate) fn overhead_of(state: &State, request: u32) -> f64 {
    let state_of = &state.requests[request];
    if state_of.owes_overhead && state.network.has_receive_overheads() {
        let message = state.network_message(state_of.peer, state_of.owner, state_of.bytes);
        state.network.receive_overhead(message)
    } else {
        0.0
    }
}

/// Gives what a done request brought, and frees its slot.
fn take_out(state: &mut State, request: u32) -> Result<Received> {
    check_out(state, request)?;
    let done = &mut state.requests[request];
    let content = done.content.take();
    let received = Received {
        status: Status {
            source: done.peer as i32,
            tag: done.tag,
            bytes: if done.kind == Kind::Receive { done.bytes } else { 0 },
            is_cancelled: done.is_cancelled,
        },
        payload: content.into_payload(done.bytes),
    };
    state.forget(request);
    Ok(received)
}

/// Tells who follows that a request is done; its slot is free if something is wrong with it.
#[inline]
fn check_out(state: &mut State, request: u32) -> Result<()> {
    if state.ends_are_followed {
        follow_end(state, request);
    }
    let done = &state.requests[request];
    if done.is_truncated {
        let (source_rank, tag) = (done.peer, done.tag);
        let (sent, room) = (done.bytes, done.room());
        state.forget(request);
        return Err(Error::Truncated { source_rank, tag, sent, room });
    }
    Ok(())
}

/// Tells that a request is done. One that was withdrawn cannot be told: in a trace it would never
/// be done.
#[cold]
fn follow_end(state: &mut State, request: u32) {
    if state.listener.is_some() {
        let of = &state.requests[request];
        let (owner, bytes) = (of.owner, of.bytes);
        let event = match of.is_cancelled {
            true => Event::Untold("MPI_Cancel"),
            false => Event::Done { request, bytes },
        };
        state.tell(owner, event);
    }
    state.observe_taking(request);
}

impl Comm {
    /// `MPI_Wait`: waits for one request.
    pub async fn wait(&self, request: Request) -> Result<Received> {
        if request.is_null() {
            return Ok(Received::nothing());
        }
        self.enter(Call::Wait);
        self.wait_inside(request).await
    }

    /// `MPI_Waitall`: waits for all requests and leaves null ones behind.
    ///
    /// The statuses are not kept; [`Comm::wait_each`] gives them.
    pub fn wait_all<'a>(
        &'a self,
        requests: &'a mut [Request],
    ) -> impl Future<Output = Result<()>> + 'a {
        AllEnded::new(self, requests)
    }

    /// `MPI_Waitall` with statuses: waits for all, and gives what each received.
    pub async fn wait_each(&self, requests: &mut [Request]) -> Result<Vec<Received>> {
        self.enter(Call::Waitall);
        let mut all: Vec<Received> = requests.iter().map(|_| Received::nothing()).collect();
        self.wait_all_inside(requests, |at, received| all[at] = received).await?;
        Ok(all)
    }

    pub(crate) async fn wait_all_inside(
        &self,
        requests: &mut [Request],
        mut keep: impl FnMut(usize, Received),
    ) -> Result<()> {
        let mut first = Ok(());
        let keep_good = |at, outcome| match outcome {
            Ok(received) => keep(at, received),
            Err(error) if first.is_ok() => first = Err(error),
            Err(_) => {}
        };
        self.finish_all(requests, keep_good).await;
        first
    }

    /// `MPI_Waitall` for who wants to hear what became of each request.
    pub async fn wait_all_outcomes(
        &self,
        requests: &mut [Request],
        keep: impl FnMut(usize, Result<Received>),
    ) {
        self.enter(Call::Waitall);
        self.finish_all(requests, keep).await;
    }

    pub(crate) fn finish_all(
        &self,
        requests: &mut [Request],
        mut keep: impl FnMut(usize, Result<Received>),
    ) -> impl Future<Output = ()> {
        async move {
            self.tell(Event::WaitAll(requests));
            let group = self.open_group(requests);
            let count = requests.iter().filter(|request| !request.is_null()).count();
            // Overheads are paid one by one as messages come in; without any, one wake-up suffices.
            if self.world.state.borrow().network.has_receive_overheads() {
                for nth in 0..count {
                    let at = Nth::new(self, group, nth).await;
                    keep(at, self.wait_inside(requests[at].take()).await);
                }
            } else if count > 0 {
                Nth::new(self, group, count - 1).await;
                for (at, request) in requests.iter_mut().enumerate().filter(|(_, r)| !r.is_null()) {
                    keep(at, self.finish_now(request.take()));
                }
            }
            self.world.state.borrow_mut().groups.remove(group);
        }
    }

    /// `MPI_Waitany`: waits for one of several requests; `None` when all are null.
    pub async fn wait_any(&self, requests: &mut [Request]) -> Result<Option<(usize, Received)>> {
        self.enter(Call::Waitany);
        self.wait_any_inside(requests).await
    }

    async fn wait_any_inside(&self, requests: &mut [Request]) -> Result<Option<(usize, Received)>> {
        if requests.iter().all(Request::is_null) {
            return Ok(None);
        }
        let at = self.wait_for_any(requests).await;
        let received = self.wait_inside(requests[at].take()).await?;
        Ok(Some((at, received)))
    }

    /// `MPI_Waitsome`: waits for at least one request, and takes all that are done.
    pub async fn wait_some(&self, requests: &mut [Request]) -> Result<Vec<(usize, Received)>> {
        self.enter(Call::Waitsome);
        if requests.iter().all(Request::is_null) {
            return Ok(Vec::new());
        }
        self.wait_for_any(requests).await;
        self.finish_done(requests).await
    }

    /// `MPI_Test`: whether the request is done; if so it becomes null.
    pub async fn test(&self, request: &mut Request) -> Result<Option<Received>> {
        let one = std::slice::from_mut(request);
        Ok(self.test_any(one).await?.map(|(_, received)| received))
    }

    /// `MPI_Testall`: whether all are done; if so all become null.
    pub async fn test_all(&self, requests: &mut [Request]) -> Result<Option<Vec<Received>>> {
        self.pause_to_test(requests).await;
        let all_done = requests.iter().all(|request| self.is_done(request));
        self.world.state.borrow_mut().note_poll(self.me, all_done);
        if !all_done {
            return Ok(None);
        }
        let mut all = Vec::with_capacity(requests.len());
        for request in requests {
            all.push(self.wait_inside(request.take()).await?);
        }
        Ok(Some(all))
    }

    /// `MPI_Testany`: takes one request that is done, if any. A list of null requests gives
    /// nothing, whose index is that of the first.
    pub async fn test_any(&self, requests: &mut [Request]) -> Result<Option<(usize, Received)>> {
        if requests.iter().all(Request::is_null) {
            return Ok(Some((0, Received::nothing())));
        }
        self.pause_to_test(requests).await;
        let at = self.first_done(requests);
        self.world.state.borrow_mut().note_poll(self.me, at.is_some());
        match at {
            None => Ok(None),
            Some(at) => Ok(Some((at, self.wait_inside(requests[at].take()).await?))),
        }
    }

    /// `MPI_Testsome`: takes all requests that are done.
    pub async fn test_some(&self, requests: &mut [Request]) -> Result<Vec<(usize, Received)>> {
        self.pause_to_test(requests).await;
        let found = self.first_done(requests).is_some();
        self.world.state.borrow_mut().note_poll(self.me, found);
        self.finish_done(requests).await
    }

    /// `MPI_Cancel` of a receive, followed by its wait: whether it was cancelled in time.
    pub async fn cancel(&self, request: Request) -> Result<bool> {
        if request.is_null() {
            return Ok(false);
        }
        let withdrawn = {
            let state = &mut *self.world.state.borrow_mut();
            let is_receive = state.requests[request.0].kind == Kind::Receive;
            let withdrawn = is_receive && state.withdraw_receive(request.0);
            if withdrawn {
                state.requests[request.0].is_cancelled = true;
                state.complete(request.0);
            }
            withdrawn
        };
        self.wait(request).await?;
        Ok(withdrawn)
    }

    async fn pause_to_test(&self, requests: &[Request]) {
        self.enter(Call::Test);
        if requests.iter().any(|request| !request.is_null()) {
            let looks = Purpose::Look(Sought::first(requests));
            let since = self.now();
            poll::pause(&self.world, self.me, self.world.settings().test, looks).await;
            self.tell_look(since, requests);
        }
    }

    fn is_done(&self, request: &Request) -> bool {
        request.is_null() || self.world.state.borrow().requests[request.0].is_done
    }

    fn first_done(&self, requests: &[Request]) -> Option<usize> {
        let state = self.world.state.borrow();
        requests.iter().position(|r| !r.is_null() && state.requests[r.0].is_done)
    }

    async fn finish_done(&self, requests: &mut [Request]) -> Result<Vec<(usize, Received)>> {
        let mut taken = Vec::new();
        for (at, request) in requests.iter_mut().enumerate() {
            if !request.is_null() && self.is_done(request) {
                taken.push((at, self.wait_inside(request.take()).await?));
            }
        }
        Ok(taken)
    }

    /// Like [`Comm::wait_inside`] when no receive costs its receiver time: nothing is awaited.
    fn finish_now(&self, request: Request) -> Result<Received> {
        self.take(&mut self.world.state.borrow_mut(), request)
    }

    /// Gives what a done request brought, its source as a rank of this communicator.
    pub(crate) fn take(&self, state: &mut State, request: Request) -> Result<Received> {
        let mut received = take_out(state, request.0)?;
        received.status.source = self.rank_of_world(received.status.source as u32);
        Ok(received)
    }

    /// Suspends the actor until a request is done, and says which.
    pub(crate) async fn wait_for_any(&self, requests: &[Request]) -> usize {
        if let Some(at) = self.first_done(requests) {
            return at;
        }
        let group = self.open_group(requests);
        let at = Nth::new(self, group, 0).await;
        let state = &mut *self.world.state.borrow_mut();
        for request in requests.iter().filter(|request| !request.is_null()) {
            state.requests[request.0].waiter = Waiter::Nobody;
        }
        state.groups.remove(group);
        at
    }

    /// Makes the requests report to a group, those that are done first.
    pub(super) fn open_group(&self, requests: &[Request]) -> u32 {
        let state = &mut *self.world.state.borrow_mut();
        let group = state.groups.insert_reused();
        for (place, request) in requests.iter().enumerate().filter(|(_, r)| !r.is_null()) {
            let request = &mut state.requests[request.0];
            if request.is_done {
                state.groups[group].completed.push(place as u32);
            } else {
                (request.waiter, request.place) = (Waiter::Group(group), place as u32);
            }
        }
        group
    }
}
