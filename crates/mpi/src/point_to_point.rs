//! Point-to-point communication in all its modes. MPI 4.1 chapter 3.

use foretell_kernel::near;
use foretell_models::{Mode, SendKind};

use crate::comm::{ANY_TAG, Comm, PROC_NULL};
use crate::error::{Error, Result};
use crate::listener::{Event, Sent};
use crate::matcher::Envelope;
use crate::memory::Landing;
use crate::payload::Payload;
use crate::poll::{self, Purpose, Sought};
use crate::request::{Request, RequestState};
use crate::sending::{Exchange, Leaving, Through};
use crate::transport::{Post, Trace};
use crate::wait::{Both, Ended, Taken, busy};
use crate::world::Call;

/// `MPI_Status`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Status {
    /// Rank of the sender in the communicator.
    pub source: i32,
    /// Tag of the message.
    pub tag: i32,
    /// Size of its payload.
    pub bytes: u64,
    /// Whether the receive was cancelled instead.
    pub is_cancelled: bool,
}

/// What a receive brings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Received {
    /// Who sent what.
    pub status: Status,
    /// The content: bytes if the sender sent bytes, else the size.
    pub payload: Payload,
}

impl Received {
    /// What a receive from nobody brings.
    pub fn nothing() -> Self {
        let status = Status { source: PROC_NULL, tag: ANY_TAG, bytes: 0, is_cancelled: false };
        Self { status, payload: Payload::Size(0) }
    }
}

/// Whether a send completes by itself or only with its receive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flavour {
    /// By the protocol for its size.
    Standard,
    /// When the receive has the data.
    Synchronous,
    /// At once: the data is set aside.
    Buffered,
}

/// Which of a communicator's contexts a message belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lane {
    User,
    Collective,
    /// Announcements of partitioned sends.
    Announcement,
    /// Their parts.
    Part,
}

/// A send on its way out.
pub(crate) struct Outgoing {
    pub(crate) payload: Payload,
    pub(crate) to: i32,
    pub(crate) tag: i32,
    pub(crate) lane: Lane,
    pub(crate) flavour: Flavour,
    pub(crate) kind: SendKind,
}

/// Where a send goes, in the world, and how.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Route {
    pub(crate) to: u32,
    pub(crate) mode: Mode,
}

impl Comm {
    /// `MPI_Send`.
    pub fn send(
        &self,
        payload: impl Into<Payload>,
        to: i32,
        tag: i32,
    ) -> impl Future<Output = Result<()>> {
        self.send_blocking(Call::Send, payload.into(), to, tag, Flavour::Standard)
    }

    /// `MPI_Ssend`: returns when the receiver has the data.
    pub fn ssend(
        &self,
        payload: impl Into<Payload>,
        to: i32,
        tag: i32,
    ) -> impl Future<Output = Result<()>> {
        self.send_blocking(Call::Ssend, payload.into(), to, tag, Flavour::Synchronous)
    }

    /// `MPI_Bsend`: returns at once, whatever the size.
    pub fn bsend(
        &self,
        payload: impl Into<Payload>,
        to: i32,
        tag: i32,
    ) -> impl Future<Output = Result<()>> {
        self.send_blocking(Call::Bsend, payload.into(), to, tag, Flavour::Buffered)
    }

    /// `MPI_Rsend`: a standard send; that the receive is posted is the caller's promise.
    pub fn rsend(
        &self,
        payload: impl Into<Payload>,
        to: i32,
        tag: i32,
    ) -> impl Future<Output = Result<()>> {
        self.send_blocking(Call::Rsend, payload.into(), to, tag, Flavour::Standard)
    }

    /// `MPI_Isend`. Awaiting it takes the overhead of the call; the request is to be waited for.
    pub fn isend(
        &self,
        payload: impl Into<Payload>,
        to: i32,
        tag: i32,
    ) -> impl Future<Output = Result<Request>> {
        self.send_later(Call::Isend, payload.into(), to, tag, Flavour::Standard)
    }

    /// `MPI_Issend`.
    pub fn issend(
        &self,
        payload: impl Into<Payload>,
        to: i32,
        tag: i32,
    ) -> impl Future<Output = Result<Request>> {
        self.send_later(Call::Issend, payload.into(), to, tag, Flavour::Synchronous)
    }

    /// `MPI_Ibsend`.
    pub fn ibsend(
        &self,
        payload: impl Into<Payload>,
        to: i32,
        tag: i32,
    ) -> impl Future<Output = Result<Request>> {
        self.send_later(Call::Ibsend, payload.into(), to, tag, Flavour::Buffered)
    }

    /// `MPI_Irsend`.
    pub fn irsend(
        &self,
        payload: impl Into<Payload>,
        to: i32,
        tag: i32,
    ) -> impl Future<Output = Result<Request>> {
        self.send_later(Call::Irsend, payload.into(), to, tag, Flavour::Standard)
    }

    /// Whether a receive may cost time before its message is looked for: in Dimemas' model.
    pub fn receives_cost(&self) -> bool {
        let state = self.world.state.borrow();
        // The latency of a node is the same for all that it sends.
        state.network.has_receive_startups()
    }

    /// Spends what a receive from this rank, or the wait for one, costs before its message is looked
    /// for. A rank that may take any has its own latency.
    pub fn prepare_receive(&self, from: i32) -> impl Future<Output = ()> {
        let seconds = match from {
            PROC_NULL => 0.0,
            from => {
                let from = self.world_rank(from).unwrap_or(self.me);
                let state = self.world.state.borrow();
                state.network.receive_startup(state.network_message(from, self.me, 0))
            }
        };
        busy(&self.world, self.me, seconds)
    }

    /// `MPI_Recv` of any size; `from` and `tag` may be wildcards.
    pub async fn recv(&self, from: i32, tag: i32) -> Result<Received> {
        self.recv_up_to(u64::MAX, from, tag).await
    }

    /// `MPI_Recv` of any size for who does not look at what comes.
    pub async fn recv_unseen(&self, from: i32, tag: i32) -> Result<()> {
        self.enter(Call::Recv);
        let request = self.receive(u64::MAX, from, tag, Lane::User)?;
        self.end_inside(request).await
    }

    /// `MPI_Recv` that fails on a message of more than `room` bytes.
    pub async fn recv_up_to(&self, room: u64, from: i32, tag: i32) -> Result<Received> {
        self.enter(Call::Recv);
        let request = self.receive(room, from, tag, Lane::User)?;
        self.wait_inside(request).await
    }

    /// `MPI_Irecv` of any size.
    pub fn irecv(&self, from: i32, tag: i32) -> Result<Request> {
        self.irecv_up_to(u64::MAX, from, tag)
    }

    /// `MPI_Irecv` that fails on a message of more than `room` bytes.
    pub fn irecv_up_to(&self, room: u64, from: i32, tag: i32) -> Result<Request> {
        self.enter(Call::Irecv);
        self.receive(room, from, tag, Lane::User)
    }

    /// `MPI_Sendrecv`.
    pub async fn sendrecv(
        &self,
        payload: impl Into<Payload>,
        to: i32,
        send_tag: i32,
        from: i32,
        receive_tag: i32,
    ) -> Result<Received> {
        self.enter(Call::Sendrecv);
        let outgoing = Outgoing {
            payload: payload.into(),
            to,
            tag: send_tag,
            lane: Lane::User,
            flavour: Flavour::Standard,
            kind: SendKind::NonBlocking,
        };
        self.exchange(outgoing, from, receive_tag, |received| received).await
    }

    /// `MPI_Probe`: waits for a message and leaves it.
    pub async fn probe(&self, from: i32, tag: i32) -> Result<Status> {
        self.enter(Call::Probe);
        let (context, peer) = (self.shared.context, self.source_rank(from)?);
        loop {
            // A message that is already there wakes nobody any more.
            let is_there =
                self.world.state.borrow().find_unexpected(self.me, context, peer, tag).is_some();
            let purpose = match is_there {
                true => Purpose::Look(Sought::Something),
                false => Purpose::Await { context, peer, tag },
            };
            if let Some(status) = self.look(context, peer, tag, purpose).await {
                self.tell(Event::Probe);
                return Ok(status);
            }
        }
    }

    /// `MPI_Iprobe`: whether a message is there.
    pub async fn iprobe(&self, from: i32, tag: i32) -> Result<Option<Status>> {
        self.enter(Call::Iprobe);
        let peer = self.source_rank(from)?;
        let sought = Sought::Message { context: self.shared.context, peer, tag };
        let since = self.now();
        let found = self.look(self.shared.context, peer, tag, Purpose::Look(sought)).await;
        self.tell_look(since, &[]);
        Ok(found)
    }

    /// The same as part of a collective.
    pub(crate) async fn iprobe_inside(&self, from: i32, tag: i32) -> Result<bool> {
        let (context, peer) = (self.context(Lane::Collective), self.source_rank(from)?);
        let sought = Sought::Message { context, peer, tag };
        Ok(self.look(context, peer, tag, Purpose::Look(sought)).await.is_some())
    }

    /// Spends the time of a probe, then looks for a message.
    async fn look(&self, context: u32, peer: u32, tag: i32, purpose: Purpose) -> Option<Status> {
        poll::pause(&self.world, self.me, self.world.settings().iprobe, purpose).await;
        let state = &mut *self.world.state.borrow_mut();
        let found = state.find_unexpected(self.me, context, peer, tag);
        state.note_poll(self.me, found.is_some());
        let message = &state.messages[found?];
        Some(Status {
            source: self.rank_of_world(message.envelope.from),
            tag: message.envelope.tag,
            bytes: message.bytes,
            is_cancelled: false,
        })
    }

    /// `MPI_Send_init`: a send to be started again and again.
    pub fn send_init(&self, payload: impl Into<Payload>, to: i32, tag: i32) -> Persistent {
        Persistent { what: Repeated::Send(payload.into(), to, tag), request: Request::NULL }
    }

    /// `MPI_Recv_init`: a receive to be started again and again.
    pub fn recv_init(&self, from: i32, tag: i32) -> Persistent {
        Persistent { what: Repeated::Receive(from, tag), request: Request::NULL }
    }

    /// `MPI_Start`.
    pub async fn start(&self, persistent: &mut Persistent) -> Result<()> {
        if !persistent.request.is_null() {
            return Err(Error::BadArgument("a persistent request was started twice".into()));
        }
        persistent.request = match &persistent.what {
            Repeated::Send(payload, to, tag) => self.isend(payload.clone(), *to, *tag).await?,
            Repeated::Receive(from, tag) => self.irecv(*from, *tag)?,
        };
        Ok(())
    }

    /// Waits for a started persistent request, which can then be started again.
    pub async fn wait_persistent(&self, persistent: &mut Persistent) -> Result<Received> {
        self.wait(persistent.request.take()).await
    }

    fn send_blocking(
        &self,
        call: Call,
        payload: Payload,
        to: i32,
        tag: i32,
        flavour: Flavour,
    ) -> impl Future<Output = Result<()>> {
        let (lane, kind) = (Lane::User, SendKind::Blocking);
        self.send_through(Some(call), Outgoing { payload, to, tag, lane, flavour, kind })
    }

    /// Sends, and waits until that is done.
    pub(crate) fn send_through(
        &self,
        call: Option<Call>,
        outgoing: Outgoing,
    ) -> impl Future<Output = Result<()>> {
        Through::new(Leaving::new(self, call, outgoing))
    }

    fn send_later(
        &self,
        call: Call,
        payload: Payload,
        to: i32,
        tag: i32,
        flavour: Flavour,
    ) -> impl Future<Output = Result<Request>> {
        let (lane, kind) = (Lane::User, SendKind::NonBlocking);
        self.send_out(Some(call), Outgoing { payload, to, tag, lane, flavour, kind })
    }

    /// Sends and receives at once; both are under way before either is waited for. `give` takes
    /// what is wanted of what came.
    pub(crate) fn exchange<T>(
        &self,
        outgoing: Outgoing,
        from: i32,
        tag: i32,
        give: impl FnOnce(Received) -> T,
    ) -> impl Future<Output = Result<T>> {
        Exchange::new(Leaving::new(self, None, outgoing), from, tag, give)
    }

    /// The same, with what comes put in a place with so much room. `is_last` says that the call
    /// ends with it.
    pub(crate) fn exchange_to(
        &self,
        outgoing: Outgoing,
        (landing, room): (Landing, u64),
        (from, tag, lane): (i32, i32, Lane),
        is_last: bool,
    ) -> impl Future<Output = Result<Received>> {
        async move {
            let send = self.send_out(None, outgoing).await?;
            let receive = self.receive_to(landing, room, from, tag, lane)?;
            if is_last {
                self.waits_only_for([&receive, &send]);
            }
            Both::new(self, &receive, &send).await
        }
    }

    /// Pays the overhead of a send and posts it.
    pub(crate) fn send_out(
        &self,
        call: Option<Call>,
        outgoing: Outgoing,
    ) -> impl Future<Output = Result<Request>> {
        Leaving::new(self, call, outgoing)
    }

    /// The same, with what it takes to withdraw the message.
    pub(crate) async fn send_out_traced(
        &self,
        outgoing: Outgoing,
    ) -> Result<(Request, Option<Trace>)> {
        let Some((route, overhead)) = self.plan(&outgoing)? else {
            return Ok((Request::NULL, None));
        };
        busy(&self.world, self.me, overhead).await;
        let (request, trace) = self.post(outgoing, route)?;
        Ok((request, Some(trace)))
    }

    /// Where a send will go, and what the call costs before the message leaves, in seconds; none if
    /// it goes to nobody.
    pub(crate) fn plan(&self, outgoing: &Outgoing) -> Result<Option<(Route, f64)>> {
        let Outgoing { ref payload, to, tag, flavour, kind, .. } = *outgoing;
        if to == PROC_NULL {
            return Ok(None);
        }
        if tag < 0 {
            return Err(Error::BadTag(tag));
        }
        let (from, to) = (self.me, self.world_rank(to)?);
        let bytes = payload.len();
        let state = self.world.state.borrow();
        // The message will look there for a receive, and then go this way.
        near::fetch_lines(std::ptr::from_ref(&state.ranks[to as usize]).addr(), 1);
        let message = state.network_message(from, to, bytes);
        state.network.foresee(message.from, message.to);
        let mode = match (flavour, state.network.mode(message)) {
            (Flavour::Synchronous, _) => Mode::Rendezvous,
            (Flavour::Buffered, Mode::Rendezvous) => Mode::Detached,
            (_, mode) => mode,
        };
        // A blocking rendezvous send has no overhead of its own: it waits anyway.
        let is_free =
            mode == Mode::Rendezvous && kind == SendKind::Blocking && flavour == Flavour::Standard;
        let overhead = if is_free { 0.0 } else { state.network.send_overhead(message, kind) };
        Ok(Some((Route { to, mode }, overhead)))
    }

    /// Posts a send whose overhead is paid.
    pub(crate) fn post(&self, outgoing: Outgoing, route: Route) -> Result<(Request, Trace)> {
        let context = self.context(outgoing.lane);
        let state = &mut *self.world.state.borrow_mut();
        let sent = state.listener.is_some().then(|| Sent::new(&outgoing, route.to, context));
        let Outgoing { payload, tag, .. } = outgoing;
        let envelope = Envelope { to: route.to, context, from: self.me, tag };
        let post = Post { envelope, payload, mode: route.mode };
        let (request, trace) = state.post_send(post)?;
        let request = match sent {
            None => request,
            Some(sent) => state.tell_send(self.me, sent, request),
        };
        Ok((Request(request), trace))
    }

    pub(crate) fn receive(&self, room: u64, from: i32, tag: i32, lane: Lane) -> Result<Request> {
        self.receive_to(Landing::Payload, room, from, tag, lane)
    }

    pub(crate) fn receive_to(
        &self,
        landing: Landing,
        room: u64,
        from: i32,
        tag: i32,
        lane: Lane,
    ) -> Result<Request> {
        if from == PROC_NULL {
            return Ok(Request::NULL);
        }
        if tag < 0 && tag != ANY_TAG {
            return Err(Error::BadTag(tag));
        }
        let peer = self.source_rank(from)?;
        let request = RequestState::receive(self.me, peer, self.context(lane), tag, room);
        let request = request.landing(landing);
        let state = &mut *self.world.state.borrow_mut();
        let request = Request(state.post_receive(request)?);
        if state.listener.is_some() {
            self.tell_receive(state, &request, peer, room, (lane, tag));
        }
        Ok(request)
    }

    /// Waits as part of another call, and does not look at what came.
    fn end_inside(&self, request: Request) -> Ended<'_> {
        Ended::new(self, request)
    }

    /// Waits as part of another call.
    pub(crate) fn wait_inside(&self, request: Request) -> Taken<'_> {
        Taken::new(self, request)
    }

    pub(crate) fn context(&self, lane: Lane) -> u32 {
        match lane {
            Lane::User => self.shared.context,
            Lane::Collective => self.shared.context + 1,
            // Seldom used: a range of their own, so that communicators need no more numbers.
            Lane::Announcement => self.shared.context | 1 << 31,
            Lane::Part => self.shared.context | 3 << 30,
        }
    }
}

/// A persistent request: what to do each time it is started.
#[derive(Debug)]
pub struct Persistent {
    what: Repeated,
    request: Request,
}

#[derive(Debug)]
enum Repeated {
    Send(Payload, i32, i32),
    Receive(i32, i32),
}
