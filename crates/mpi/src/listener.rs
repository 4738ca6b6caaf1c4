//! Who hears what ranks do, to write it down.
//!
//! Nobody listens unless asked to: each place that would tell looks at one pointer of the world.
//! What is told is what the rank itself does, in order. What threads do beside it is not told call
//! by call, but it is told that they were there. Non-blocking collectives and operations on windows
//! are told when they begin, and as requests that are done when the rank takes note of that.
//!
//! A blocking collective of all ranks is told as such, and its messages are not. One of fewer ranks
//! is told by its messages, unless who listens knows communicators; any other one is in any case.

use foretell_models::SendKind;

use crate::collective::{Counts, Root};
use crate::comm::{ANY_TAG, Comm};
use crate::compiled::SendMode;
use crate::file::FileDeed;
use crate::group::Group;
use crate::observer::Mark;
use crate::point_to_point::{Flavour, Lane, Outgoing};
use crate::request::{Kind, Request, RequestState};
use crate::window::WindowCall;
use crate::world::{Call, NONE, State};

/// Who hears what ranks do.
pub trait Listener {
    /// A rank has done this.
    fn hear(&mut self, rank: u32, event: Event<'_>);

    /// Whether collectives of some ranks are to be told as such.
    fn knows_communicators(&self) -> bool {
        false
    }
}

/// What a rank does. Ranks are those of the world, sizes are bytes, requests go by numbers that are
/// used again once a request is done.
#[derive(Debug, Clone, Copy)]
pub enum Event<'a> {
    /// Computes so many flops.
    Compute(f64),
    /// Lets so many seconds pass.
    Sleep(f64),
    /// Sends.
    Send {
        /// Its number, if the rank goes on meanwhile.
        request: Option<u32>,
        /// How it completes.
        mode: SendMode,
        /// What is sent.
        envelope: Heard,
    },
    /// Receives.
    Receive {
        /// Its number.
        request: u32,
        /// Whether the rank waits for it in the same call, which is not told again.
        is_blocking: bool,
        /// What is received.
        envelope: Heard,
    },
    /// A request of the rank is done, and the rank has waited for it or found it so.
    Done {
        /// Its number.
        request: u32,
        /// What a receive brought.
        bytes: u64,
    },
    /// Begins to wait for all of these; it is told of each that it is done.
    WaitAll(&'a [Request]),
    /// Looks whether a request is done.
    Test(u32),
    /// Has waited for a message and left it there.
    Probe,
    /// Does something with a file, of the communicator that was told if it is done together.
    File {
        /// What it does.
        deed: FileDeed,
        /// The number of the request that is done when it is, if the rank goes on meanwhile.
        request: Option<u32>,
    },
    /// Does something with a window.
    Window {
        /// A number that no other window has.
        window: u32,
        /// What it does.
        call: WindowCall<'a>,
    },
    /// Begins a part of the program.
    Part(&'a str),
    /// Ends the part that it began last.
    PartEnd,
    /// The next collective is one of these ranks, and its root and counts are theirs.
    Within {
        /// A number that no other communicator has.
        number: u32,
        /// Its ranks, or those of one side of an inter-communicator.
        group: &'a Group,
        /// Those of the other side, if there is one. All ranks agree on which is which.
        other: Option<&'a Group>,
    },
    /// Begins a collective: until its end, nothing else is told. Another one may lie in it.
    Begin,
    /// The end of something that began like a collective and is told next.
    End,
    /// The end of that collective.
    Collective(Collective<'a>),
    /// Begins a collective that goes on beside the rank.
    Later {
        /// The number of the request that is done when it is.
        request: u32,
        /// What it is.
        collective: Collective<'a>,
    },
    /// Begins messages that one request stands for.
    Messages {
        /// The number of the request that is done when they all are.
        request: u32,
        /// What it receives, which is begun first.
        received: &'a [Heard],
        /// What it sends.
        sent: &'a [Heard],
    },
    /// Does something that is not told call by call.
    Untold(&'static str),
}

/// The message of a send or a receive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Heard {
    /// The other rank; none for any.
    pub peer: Option<u32>,
    /// Which messages it belongs to: 0 for those of point-to-point calls on the world.
    pub context: u32,
    /// Its tag; none for any.
    pub tag: Option<i32>,
    /// What is sent, or what there is room for; none if there is no limit.
    pub bytes: Option<u64>,
}

/// A collective operation, of all ranks or of those that were told.
#[derive(Debug, Clone, Copy)]
#[allow(missing_docs, reason = "fields are the arguments of the MPI calls, in bytes")]
pub enum Collective<'a> {
    Barrier,
    Bcast { bytes: u64, root: Root },
    Reduce { bytes: u64, element: u64, root: Root },
    Allreduce { bytes: u64, element: u64 },
    Scan { bytes: u64, element: u64 },
    Exscan { bytes: u64, element: u64 },
    ReduceScatter { counts: &'a Counts, element: u64 },
    ReduceScatterBlock { counts: &'a Counts, element: u64 },
    Alltoall { block: u64 },
    Alltoallv { sent: &'a Counts, received: &'a Counts },
    Alltoallw { sent: &'a Counts, received: &'a Counts },
    Gather { bytes: u64, root: Root },
    Gatherv { bytes: u64, counts: &'a Counts, root: Root },
    Scatter { block: u64, root: Root },
    Scatterv { counts: &'a Counts, bytes: u64, root: Root },
    Allgather { bytes: u64 },
    Allgatherv { bytes: u64, counts: &'a Counts },
}

impl Request {
    /// Its number; none if it is null.
    pub fn number(&self) -> Option<u32> {
        (!self.is_null()).then_some(self.0)
    }
}

impl State {
    /// Tells what a rank does, if somebody listens and it is the rank itself that does it.
    #[inline]
    pub(crate) fn tell(&mut self, rank: u32, event: Event<'_>) {
        if self.listener.is_some() {
            self.tell_listener(rank, event);
        }
    }

    #[cold]
    fn tell_listener(&mut self, rank: u32, event: Event<'_>) {
        let is_told = self.is_rank_itself(rank) || matches!(event, Event::Untold(_));
        if let (Some(listener), true) = (&mut self.listener, is_told) {
            listener.hear(rank, event);
        }
    }

    /// Tells of a send. One that needs no request gets one all the same, which is done, so that
    /// the wait for it can be told.
    #[cold]
    pub(crate) fn tell_send(&mut self, rank: u32, sent: Sent, request: u32) -> u32 {
        if !self.is_rank_itself(rank) {
            return request;
        }
        let Sent { mode, kind, envelope } = sent;
        let is_waited_for = kind == SendKind::NonBlocking;
        let request = match request {
            NONE if is_waited_for => {
                let done = RequestState { is_done: true, ..RequestState::task(rank) };
                self.requests.insert(RequestState { kind: Kind::Send, ..done })
            }
            request => request,
        };
        let told = is_waited_for.then_some(request);
        self.tell(rank, Event::Send { request: told, mode, envelope });
        request
    }
}

/// A send, as it is told.
pub(crate) struct Sent {
    mode: SendMode,
    kind: SendKind,
    envelope: Heard,
}

impl Sent {
    pub(crate) fn new(outgoing: &Outgoing, to: u32, context: u32) -> Self {
        let mode = match outgoing.flavour {
            Flavour::Standard => SendMode::Standard,
            Flavour::Synchronous => SendMode::Synchronous,
            Flavour::Buffered => SendMode::Buffered,
        };
        let (tag, bytes) = (Some(outgoing.tag), Some(outgoing.payload.len()));
        let envelope = Heard { peer: Some(to), context, tag, bytes };
        Self { mode, kind: outgoing.kind, envelope }
    }
}

impl Comm {
    /// Whether somebody listens.
    #[inline]
    pub(crate) fn is_heard(&self) -> bool {
        self.world.state.borrow().listener.is_some()
    }

    /// Tells what this rank does, if somebody listens.
    #[inline]
    pub(crate) fn tell(&self, event: Event<'_>) {
        self.world.state.borrow_mut().tell(self.me, event);
    }

    /// Tells of a receive that was just posted. `room` is the largest number if there is no limit.
    #[cold]
    pub(crate) fn tell_receive(
        &self,
        state: &mut State,
        request: &Request,
        peer: u32,
        room: u64,
        (lane, tag): (Lane, i32),
    ) {
        let is_blocking = state.ranks[self.me as usize].call == Call::Recv && lane == Lane::User;
        let envelope = Heard {
            peer: (peer != NONE).then_some(peer),
            context: self.context(lane),
            tag: (tag != ANY_TAG).then_some(tag),
            bytes: (room != u64::MAX).then_some(room),
        };
        state.tell(self.me, Event::Receive { request: request.0, is_blocking, envelope });
    }

    /// Tells of a look that began at a date: at one request, or at anything else.
    pub(crate) fn tell_look(&self, since: f64, requests: &[Request]) {
        let state = &mut *self.world.state.borrow_mut();
        let event = match requests {
            [request] if !request.is_null() => Event::Test(request.0),
            _ => Event::Sleep(state.kernel.now() - since),
        };
        state.tell(self.me, event);
    }

    /// Tells where in the program the rank is, if somebody listens, and nobody else. A date is
    /// nothing that can be told.
    pub fn tell_mark(&self, mark: Mark, name: &str) {
        match mark {
            Mark::Here => {}
            Mark::Begin => self.tell(Event::Part(name)),
            Mark::End => self.tell(Event::PartEnd),
        }
    }

    /// Begins a collective; whether somebody listens and is to be told of it as a whole.
    #[inline]
    pub(crate) fn begin_heard(&self) -> bool {
        self.is_heard() && self.begin_told()
    }

    #[cold]
    fn begin_told(&self) -> bool {
        let state = &mut *self.world.state.borrow_mut();
        let all = state.ranks.len() as u32;
        let whole = Group::Range { first: 0, stride: 1, count: all };
        let is_whole =
            !self.is_inter() && self.group().compare(&whole) == crate::Comparison::Identical;
        let is_known =
            state.listener.as_ref().is_some_and(|listener| listener.knows_communicators());
        let is_part = is_known && !is_whole;
        let is_told = (is_whole || is_part) && state.is_rank_itself(self.me);
        if is_told {
            if is_part {
                self.tell_within(state);
            }
            state.tell(self.me, Event::Begin);
        }
        is_told
    }

    /// Tells of a collective that has begun beside the rank, if somebody listens.
    #[inline]
    pub(crate) fn tell_later(
        &self,
        request: &Request,
        call: &'static str,
        collective: Option<Collective<'_>>,
    ) {
        if self.is_heard() {
            self.tell_begun(request.0, call, collective);
        }
    }

    /// Ranks may begin the collectives of two communicators in different orders, even if both have
    /// all ranks: only those of the world go without saying of whom.
    #[cold]
    fn tell_begun(&self, request: u32, call: &'static str, collective: Option<Collective<'_>>) {
        let state = &mut *self.world.state.borrow_mut();
        let Some(collective) = collective else {
            return state.tell(self.me, Event::Untold(call));
        };
        if self.shared.context != 0 {
            self.tell_within(state);
        }
        state.tell(self.me, Event::Later { request, collective });
    }

    /// Tells of which communicator the next collective is.
    pub(crate) fn tell_within(&self, state: &mut State) {
        let [group, other] = self.shared.groups();
        let other = self.is_inter().then_some(other);
        state.tell(self.me, Event::Within { number: self.shared.context, group, other });
    }

    /// Ends a collective that [`Comm::begin_heard`] began.
    #[inline]
    pub(crate) fn end_heard(&self, is_told: bool, collective: Collective<'_>) {
        if is_told {
            self.tell(Event::Collective(collective));
        }
    }
}
