//! Requests: everything a rank can wait for.
//!
//! Sends, receives, timers, computations and tasks are all requests inside; users hold a
//! [`Request`], which is consumed by the call that completes it.

use foretell_kernel::ActorId;

use crate::memory::{Content, Landing};
use crate::world::{NONE, State};

/// A pending operation. A request that is null, or that was complete when made, costs nothing.
#[derive(Debug, PartialEq, Eq)]
#[must_use = "an operation is complete only once its request was waited for"]
pub struct Request(pub(crate) u32);

impl Request {
    /// `MPI_REQUEST_NULL`, and also the request of a send that is already complete.
    pub const NULL: Request = Request(NONE);

    /// Whether there is nothing to wait for.
    pub fn is_null(&self) -> bool {
        self.0 == NONE
    }

    /// Another name for the same request, for tables that keep it while it is waited for.
    pub fn alias(&self) -> Request {
        Request(self.0)
    }

    /// Takes the request, leaving a null one behind.
    pub(crate) fn take(&mut self) -> Request {
        std::mem::replace(self, Request::NULL)
    }
}

/// What a request is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Send,
    Receive,
    /// A pause that is part of a call: overhead or polling.
    Timer,
    /// A pause between two looks for a message.
    Probe,
    Computation,
    /// Reading or writing a file.
    Access,
    /// A future of its own: a non-blocking collective.
    Task,
}

/// One cache line: with many ranks, the time to fetch it is what a request costs.
#[derive(Debug)]
#[repr(align(64))]
pub(crate) struct RequestState {
    pub(crate) kind: Kind,
    pub(crate) is_done: bool,
    /// Whether send and receive have met; of a receive `peer` and `tag` are then the message's.
    pub(crate) is_matched: bool,
    /// Whether the receiver still has to pay for taking the message in.
    pub(crate) owes_overhead: bool,
    pub(crate) is_cancelled: bool,
    /// Receives: whether what came is more than there is room for.
    pub(crate) is_truncated: bool,
    /// Nobody will ask for it: the slot is given back on completion.
    pub(crate) is_orphan: bool,
    /// Somebody is to be told when it meets its counterpart (`outlook.rs`).
    pub(crate) is_watched: bool,
    /// Rank in the world.
    pub(crate) owner: u32,
    /// Receives: what may match. Sends: where the message goes.
    pub(crate) context: u32,
    pub(crate) peer: u32,
    pub(crate) tag: i32,
    /// Where the request stands in the list its waiter waits for.
    pub(crate) place: u32,
    /// Orders posted receives.
    pub(crate) sequence: u32,
    pub(crate) waiter: Waiter,
    /// Receives: the most bytes that fit, and once matched what has come.
    pub(crate) bytes: u64,
    /// Receives: where the bytes go, or what came for those that want it handed over. Nothing
    /// lands when it is too much; the room there was is then kept in its place.
    pub(crate) content: Content,
}

const _: () = assert!(size_of::<RequestState>() == 64);

/// Who is to be told when a request completes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Waiter {
    Nobody,
    Actor(ActorId),
    Group(u32),
}

/// An actor that waits for several requests at once.
#[derive(Debug, Default)]
pub(crate) struct WaitGroup {
    pub(crate) actor: Option<ActorId>,
    /// How many completions wake the actor.
    pub(crate) wanted: usize,
    /// Places, in the caller's list, of the requests completed so far, in order of completion.
    pub(crate) completed: Vec<u32>,
}

impl RequestState {
    fn new(kind: Kind, owner: u32) -> Self {
        Self {
            kind,
            is_done: false,
            is_matched: false,
            owes_overhead: false,
            is_cancelled: false,
            is_truncated: false,
            is_orphan: false,
            is_watched: false,
            owner,
            context: 0,
            peer: NONE,
            tag: 0,
            place: 0,
            sequence: 0,
            waiter: Waiter::Nobody,
            bytes: 0,
            content: Content::NOTHING,
        }
    }

    pub(crate) fn send(owner: u32, peer: u32, context: u32, tag: i32, bytes: u64) -> Self {
        Self { peer, context, tag, bytes, ..Self::new(Kind::Send, owner) }
    }

    pub(crate) fn receive(owner: u32, peer: u32, context: u32, tag: i32, room: u64) -> Self {
        Self { peer, context, tag, bytes: room, ..Self::new(Kind::Receive, owner) }
    }

    /// Says where a receive puts what comes.
    pub(crate) fn landing(self, landing: Landing) -> Self {
        Self { content: landing.into(), ..self }
    }

    /// The room of a receive that was too small.
    pub(crate) fn room(&self) -> u64 {
        match self.content {
            Content::Memory(room) => room as u64,
            Content::Bytes(_) => 0,
        }
    }

    pub(crate) fn timer(owner: u32) -> Self {
        Self::new(Kind::Timer, owner)
    }

    pub(crate) fn probe(owner: u32, peer: u32, context: u32, tag: i32) -> Self {
        Self { peer, context, tag, ..Self::new(Kind::Probe, owner) }
    }

    pub(crate) fn computation(owner: u32) -> Self {
        Self::new(Kind::Computation, owner)
    }

    pub(crate) fn access(owner: u32) -> Self {
        Self::new(Kind::Access, owner)
    }

    pub(crate) fn task(owner: u32) -> Self {
        Self::new(Kind::Task, owner)
    }
}

impl State {
    /// Marks a request done and wakes who waits for it, if this was the last thing missing.
    pub(crate) fn complete(&mut self, request: u32) {
        let state = &mut self.requests[request];
        state.is_done = true;
        let (owner, is_watched) = (state.owner, state.is_watched);
        match state.waiter {
            Waiter::Nobody => {}
            Waiter::Actor(actor) => self.kernel.wake(actor),
            Waiter::Group(group) => {
                let group = &mut self.groups[group];
                group.completed.push(state.place);
                if let (true, Some(actor)) = (group.completed.len() == group.wanted, group.actor) {
                    self.kernel.wake(actor);
                }
            }
        }
        if is_watched {
            self.learn(request);
        }
        if self.requests[request].is_orphan {
            self.forget(request);
        }
        self.interrupt_poll(owner);
    }

    /// Lets an operation end by itself: nobody will ask for it.
    pub(crate) fn abandon(&mut self, request: u32) {
        match self.requests[request].is_done {
            true => self.forget(request),
            false => self.requests[request].is_orphan = true,
        }
    }

    /// Lets one request bring what another, a receive that is done, has brought.
    pub(crate) fn hand_over(&mut self, receive: u32, to: u32) {
        let from = &mut self.requests[receive];
        let (peer, tag, bytes) = (from.peer, from.tag, from.bytes);
        let (is_truncated, content) = (from.is_truncated, from.content.take());
        let to = &mut self.requests[to];
        to.kind = Kind::Receive;
        to.is_matched = true;
        (to.peer, to.tag, to.bytes) = (peer, tag, bytes);
        (to.is_truncated, to.content) = (is_truncated, content);
        self.forget(receive);
    }

    /// Gives a request's slot back.
    pub(crate) fn forget(&mut self, request: u32) {
        self.requests[request].content = Content::NOTHING;
        self.requests.remove(request);
    }
}
