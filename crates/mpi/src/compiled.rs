//! Calls as compiled programs make them: buffers are places in memory, a send can be withdrawn, a
//! message can be taken before it is received, a request can be left to itself.

use foretell_models::SendKind;

use crate::comm::Comm;
use crate::error::{Error, Result};
use crate::listener::Event;
use crate::memory::Landing;
use crate::payload::Payload;
use crate::point_to_point::{Flavour, Lane, Outgoing, Received, Status};
use crate::poll::{self, Purpose, Sought};
use crate::request::{Kind, Request, RequestState};
use crate::transport::Trace;
use crate::wait::done;
use crate::world::Call;

/// The modes of a send. MPI 4.1 section 3.4.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SendMode {
    /// `MPI_Send`
    Standard,
    /// `MPI_Bsend`
    Buffered,
    /// `MPI_Ssend`
    Synchronous,
    /// `MPI_Rsend`
    Ready,
}

/// A send under way, for who may want to withdraw it.
#[derive(Debug, Clone, Copy)]
pub struct SendTrace(Option<Trace>);

impl SendTrace {
    /// Of a send to nobody.
    pub const NONE: SendTrace = SendTrace(None);

    pub(crate) fn of(trace: Trace) -> SendTrace {
        SendTrace(Some(trace))
    }
}

/// `MPI_Message`: a message taken by a probe, to be received later.
#[derive(Debug)]
pub struct Matched {
    message: u32,
    /// Who sent what.
    pub status: Status,
}

impl Comm {
    /// A blocking send in any mode.
    pub fn send_in_mode(
        &self,
        payload: Payload,
        to: i32,
        tag: i32,
        mode: SendMode,
    ) -> impl Future<Output = Result<()>> {
        let outgoing = mode.outgoing(payload, to, tag, SendKind::Blocking);
        self.send_through(Some(mode.call(SendKind::Blocking)), outgoing)
    }

    /// Starts a send in any mode. Awaiting it takes the overhead of the call.
    pub async fn start_send(
        &self,
        payload: Payload,
        to: i32,
        tag: i32,
        mode: SendMode,
    ) -> Result<(Request, SendTrace)> {
        self.enter(mode.call(SendKind::NonBlocking));
        let outgoing = mode.outgoing(payload, to, tag, SendKind::NonBlocking);
        let (request, trace) = self.send_out_traced(outgoing).await?;
        Ok((request, SendTrace(trace)))
    }

    /// Starts a receive of at most `room` bytes.
    pub fn start_receive(
        &self,
        landing: Landing,
        room: u64,
        from: i32,
        tag: i32,
    ) -> Result<Request> {
        self.enter(Call::Irecv);
        self.receive_to(landing, room, from, tag, Lane::User)
    }

    /// Starts the two halves of `MPI_Sendrecv` and waits for both.
    pub async fn send_and_receive(
        &self,
        (payload, to, send_tag): (Payload, i32, i32),
        (landing, room, from, receive_tag): (Landing, u64, i32, i32),
    ) -> Result<Received> {
        self.enter(Call::Sendrecv);
        let mode = SendMode::Standard;
        let receive = self.receive_to(landing, room, from, receive_tag, Lane::User)?;
        let send =
            self.send_out(None, mode.outgoing(payload, to, send_tag, SendKind::NonBlocking)).await;
        let received = self.wait_inside(receive).await;
        self.wait_inside(send?).await?;
        received
    }

    /// `MPI_Isendrecv`: starts both halves; the request is that of the receive, and complete when
    /// both are.
    pub async fn start_send_and_receive(
        &self,
        (payload, to, send_tag): (Payload, i32, i32),
        (landing, room, from, receive_tag): (Landing, u64, i32, i32),
    ) -> Result<Request> {
        self.enter(Call::Sendrecv);
        let receive = self.receive_to(landing, room, from, receive_tag, Lane::User)?;
        let outgoing = SendMode::Standard.outgoing(payload, to, send_tag, SendKind::NonBlocking);
        let send = self.send_out(None, outgoing).await?;
        if send.is_null() {
            return Ok(receive);
        }
        let both = self.new_event();
        let (comm, event) = (self.clone(), both.0);
        self.world.spawn(async move {
            done(&comm.world, send.0).await;
            comm.until_done(&receive).await;
            let state = &mut *comm.world.state.borrow_mut();
            state.forget(send.0);
            if !receive.is_null() {
                state.hand_over(receive.0, event);
            }
            state.complete(event);
        });
        Ok(both)
    }

    /// `MPI_Mprobe`: waits for a message and takes it.
    pub async fn mprobe(&self, from: i32, tag: i32) -> Result<Matched> {
        loop {
            self.probe(from, tag).await?;
            // Another actor of this rank may have taken it meanwhile.
            if let Some(matched) = self.take_match(from, tag)? {
                return Ok(matched);
            }
        }
    }

    /// `MPI_Improbe`: takes a message if there is one.
    pub async fn improbe(&self, from: i32, tag: i32) -> Result<Option<Matched>> {
        match self.iprobe(from, tag).await? {
            Some(_) => self.take_match(from, tag),
            None => Ok(None),
        }
    }

    fn take_match(&self, from: i32, tag: i32) -> Result<Option<Matched>> {
        let peer = self.source_rank(from)?;
        let state = &mut *self.world.state.borrow_mut();
        let Some(message) = state.find_unexpected(self.me, self.shared.context, peer, tag) else {
            return Ok(None);
        };
        let found = &state.messages[message];
        let status = Status {
            source: self.rank_of_world(found.envelope.from),
            tag: found.envelope.tag,
            bytes: found.bytes,
            is_cancelled: false,
        };
        state.claim(message);
        Ok(Some(Matched { message, status }))
    }

    /// `MPI_Imrecv`: receives a message that a probe has taken.
    pub fn start_matched_receive(
        &self,
        matched: Matched,
        landing: Landing,
        room: u64,
    ) -> Result<Request> {
        self.enter(Call::Irecv);
        let request = RequestState::receive(self.me, 0, self.shared.context, 0, room);
        let state = &mut *self.world.state.borrow_mut();
        let request = Request(state.receive_claimed(matched.message, request.landing(landing))?);
        if state.listener.is_some() {
            let Status { source, tag, .. } = matched.status;
            let peer = self.source_rank(source)?;
            self.tell_receive(state, &request, peer, u64::MAX, (Lane::User, tag));
        }
        Ok(request)
    }

    /// `MPI_Request_free`: the operation ends by itself.
    pub fn abandon(&self, request: Request) {
        if !request.is_null() {
            self.world.state.borrow_mut().abandon(request.0);
        }
    }

    /// `MPI_Cancel`: withdraws a send or a receive that has met nobody; whether it could be done.
    /// The request is then complete, and still to be waited for.
    pub fn withdraw(&self, request: &Request, trace: SendTrace) -> bool {
        let state = &mut *self.world.state.borrow_mut();
        if let Some(trace) = trace.0 {
            return state.withdraw_send(trace);
        }
        if request.is_null() || state.requests[request.0].kind != Kind::Receive {
            return false;
        }
        let withdrawn = state.withdraw_receive(request.0);
        if withdrawn {
            state.requests[request.0].is_cancelled = true;
            state.complete(request.0);
        }
        withdrawn
    }

    /// `MPI_Request_get_status`: what a request brings, if it is done; it stays as it is.
    ///
    /// The source is a rank of the world.
    pub async fn peek(&self, request: &Request) -> Option<Status> {
        self.enter(Call::Test);
        let looks = Purpose::Look(Sought::Request(request.0));
        let since = self.now();
        poll::pause(&self.world, self.me, self.world.settings().test, looks).await;
        self.tell_look(since, std::slice::from_ref(request));
        let state = &mut *self.world.state.borrow_mut();
        let of = &state.requests[request.0];
        let status = of.is_done.then_some(Status {
            source: of.peer as i32,
            tag: of.tag,
            bytes: if of.kind == Kind::Receive { of.bytes } else { 0 },
            is_cancelled: of.is_cancelled,
        });
        state.note_poll(self.me, status.is_some());
        status
    }

    /// `MPI_Testany` as far as time goes: spends what a look takes.
    pub async fn poll_any(&self, requests: &[Request]) {
        self.enter(Call::Test);
        let looks = Purpose::Look(Sought::first(requests));
        let since = self.now();
        poll::pause(&self.world, self.me, self.world.settings().test, looks).await;
        self.tell_look(since, requests);
        let found = requests.iter().any(|request| !request.is_null() && self.is_complete(request));
        self.world.state.borrow_mut().note_poll(self.me, found);
    }

    /// `MPI_Testall` as far as time goes: whether all are done.
    pub async fn poll_all(&self, requests: &[Request]) -> bool {
        self.enter(Call::Test);
        let looks = Purpose::Look(Sought::first(requests));
        let since = self.now();
        poll::pause(&self.world, self.me, self.world.settings().test, looks).await;
        self.tell_look(since, requests);
        let all_done = requests.iter().all(|request| self.is_complete(request));
        self.world.state.borrow_mut().note_poll(self.me, all_done);
        all_done
    }

    /// A look at something that is no request: spends what a look takes.
    pub async fn poll_for(&self, is_done: impl Fn() -> bool) {
        self.enter(Call::Test);
        let looks = Purpose::Look(Sought::Something);
        let since = self.now();
        poll::pause(&self.world, self.me, self.world.settings().test, looks).await;
        self.tell_look(since, &[]);
        let found = is_done();
        self.world.state.borrow_mut().note_poll(self.me, found);
    }

    /// `MPI_Waitany` for who wants to hear what became of the request; one at least is not null.
    pub async fn wait_any_outcome(&self, requests: &mut [Request]) -> (usize, Result<Received>) {
        self.enter(Call::Waitany);
        let at = self.wait_for_any(requests).await;
        let outcome = self.wait_inside(requests[at].take()).await;
        (at, outcome)
    }

    /// Suspends until one of several requests is done; all stay to be waited for.
    pub async fn until_any(&self, requests: &[Request]) {
        self.enter(Call::Waitsome);
        self.wait_for_any(requests).await;
    }

    /// A request that is done: of an operation that was withdrawn.
    pub fn cancelled(&self) -> Request {
        let state = &mut *self.world.state.borrow_mut();
        let request = state.requests.insert(RequestState::task(self.me));
        state.requests[request].is_done = true;
        state.requests[request].is_cancelled = true;
        Request(request)
    }

    /// Waits for a request beside the rank, which goes on and will not ask for it.
    pub fn attend(&self, request: Request, then: impl FnOnce(Received) + 'static) {
        let comm = self.clone();
        self.world.spawn(async move {
            if let Ok(received) = comm.wait_inside(request).await {
                then(received);
            }
        });
    }

    /// How many ranks messages can be addressed to: those of the remote group, if there is one.
    pub fn target_count(&self) -> u32 {
        self.peers().size()
    }

    /// Whether a request is done, at no cost.
    pub fn is_complete(&self, request: &Request) -> bool {
        request.is_null() || self.world.state.borrow().requests[request.0].is_done
    }

    /// A request that somebody completes by [`Comm::complete_event`]: a generalized request.
    pub fn new_event(&self) -> Request {
        self.tell(Event::Untold("requests that several calls complete"));
        self.unheard_event()
    }

    /// The same for something that is told otherwise.
    pub(crate) fn unheard_event(&self) -> Request {
        let request = RequestState::task(self.me);
        Request(self.world.state.borrow_mut().requests.insert(request))
    }

    /// Completes a request of [`Comm::new_event`].
    pub fn complete_event(&self, request: &Request) {
        if !request.is_null() {
            self.world.state.borrow_mut().complete(request.0);
        }
    }

    /// Ends the whole run: the rank met an error that nobody handles.
    pub fn fail(&self, text: &str) {
        self.world.fail(self.me, Error::Unhandled(text.into()));
    }

    /// `MPI_Abort`, for a rank that does not go on.
    pub fn give_up(&self, code: i32) {
        self.enter(Call::Abort);
        self.world.fail(self.me, Error::Aborted(code));
    }

    /// Another name for the same request, for who completes it while it is waited for.
    pub fn alias(&self, request: &Request) -> Request {
        Request(request.0)
    }

    /// Suspends until a request is done; it stays to be waited for.
    pub async fn until_done(&self, request: &Request) {
        if !request.is_null() {
            done(&self.world, request.0).await;
        }
    }
}

impl SendMode {
    pub(crate) fn outgoing(self, payload: Payload, to: i32, tag: i32, kind: SendKind) -> Outgoing {
        let flavour = match self {
            SendMode::Standard | SendMode::Ready => Flavour::Standard,
            SendMode::Synchronous => Flavour::Synchronous,
            SendMode::Buffered => Flavour::Buffered,
        };
        Outgoing { payload, to, tag, lane: Lane::User, flavour, kind }
    }

    pub(crate) fn call(self, kind: SendKind) -> Call {
        match (self, kind) {
            (SendMode::Standard, SendKind::Blocking) => Call::Send,
            (SendMode::Standard, SendKind::NonBlocking) => Call::Isend,
            (SendMode::Buffered, SendKind::Blocking) => Call::Bsend,
            (SendMode::Buffered, SendKind::NonBlocking) => Call::Ibsend,
            (SendMode::Synchronous, SendKind::Blocking) => Call::Ssend,
            (SendMode::Synchronous, SendKind::NonBlocking) => Call::Issend,
            (SendMode::Ready, SendKind::Blocking) => Call::Rsend,
            (SendMode::Ready, SendKind::NonBlocking) => Call::Irsend,
        }
    }
}
