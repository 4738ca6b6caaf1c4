//! Messages: from the post of a send and of a receive to the arrival.
//!
//! Matching follows MPI 4.1 section 3.5: messages of one sender on one communicator are matched
//! in order by receives that could take either, and receives are tried in order of posting.

use foretell_kernel::{Then, near};
use foretell_models::{Message, Mode};

use crate::comm::ANY_TAG;
use crate::error::Error;
use crate::matcher::Envelope;
use crate::memory::Content;
use crate::observer::Happening;
use crate::payload::Payload;
use crate::request::RequestState;
use crate::world::{MESSAGE, NONE, State};

/// One cache line, like a request.
#[derive(Debug)]
#[repr(align(64))]
pub(crate) struct MessageState {
    pub(crate) envelope: Envelope,
    pub(crate) bytes: u64,
    content: Content,
    pub(crate) mode: Mode,
    phase: Phase,
    /// Whether it waits in the table of all ranks (`queues.rs`).
    pub(crate) is_hashed: bool,
    /// The sender's request, when the sender must hear of the arrival.
    send: u32,
    receive: u32,
    /// Neighbours among the messages that nobody has asked for at the receiver.
    pub(crate) before: u32,
    pub(crate) after: u32,
    /// Tells it from others that had the same slot.
    serial: u32,
}

const _: () = assert!(size_of::<MessageState>() == 64);

/// In place of a receive: a probe has taken the message, its receive will come.
const CLAIMED: u32 = NONE - 1;

/// A message that may have gone since.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Trace {
    pub(crate) message: u32,
    pub(crate) serial: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Waits at the sender for its receive.
    Waiting,
    Moving,
    Arrived,
    /// Withdrawn by its sender while it moved; it is forgotten on arrival.
    Withdrawn,
}

/// A send as it is posted.
#[derive(Debug)]
pub(crate) struct Post {
    pub(crate) envelope: Envelope,
    pub(crate) payload: Payload,
    pub(crate) mode: Mode,
}

impl State {
    pub(crate) fn network_message(&self, from: u32, to: u32, bytes: u64) -> Message {
        let host = |rank: u32| self.hosts[rank as usize];
        Message { from: host(from), to: host(to), bytes }
    }

    /// Posts a send whose overhead is paid. The request, if one is needed, completes on arrival.
    pub(crate) fn post_send(&mut self, post: Post) -> Result<(u32, Trace), Error> {
        let Post { envelope, payload, mode } = post;
        let (bytes, content) = (payload.len(), Content::from(payload));
        self.idle_polls = 0;
        self.counters.messages += 1;
        self.counters.bytes += bytes;
        let Envelope { to, context, from, tag } = envelope;
        self.foresee_posted(to);
        let send = match mode {
            Mode::Eager | Mode::Detached => NONE,
            Mode::Rendezvous => {
                self.requests.insert(RequestState::send(from, to, context, tag, bytes))
            }
        };
        let serial = self.counters.messages as u32;
        let message = self.messages.insert(MessageState {
            envelope,
            bytes,
            content,
            mode,
            phase: Phase::Waiting,
            is_hashed: false,
            send,
            receive: NONE,
            before: NONE,
            after: NONE,
            serial,
        });
        if mode == Mode::Eager {
            self.start_moving(message)?;
        }
        let posted = self.take_posted(envelope);
        if self.is_followed {
            self.follow_send(message, send, posted);
        }
        match posted {
            Some(receive) => self.bind(message, receive)?,
            None => {
                self.set_aside(message);
                self.add_unexpected(message);
                self.interrupt_poll(to);
            }
        }
        Ok((send, Trace { message, serial }))
    }

    /// Tells those who follow of a message that was just posted.
    #[cold]
    fn follow_send(&mut self, message: u32, send: u32, posted: Option<u32>) {
        if self.witness.is_some() {
            self.witness_send(message, posted);
        }
        self.observe_send(message, send);
    }

    #[cold]
    fn witness_send(&mut self, message: u32, posted: Option<u32>) {
        let context = self.messages[message].envelope.context;
        if let Some((actor, witness)) = self.witness() {
            witness.sent(actor, context, message);
            posted.into_iter().for_each(|receive| witness.met(message, receive));
        }
    }

    /// Tells those who follow of a receive that was just posted, and the message it finds.
    #[cold]
    fn follow_receive(&mut self, receive: u32, found: Option<u32>) {
        if self.witness.is_some() {
            self.witness_receive(receive, found);
        }
        self.observe_receive(receive);
    }

    #[cold]
    fn witness_receive(&mut self, receive: u32, found: Option<u32>) {
        let context = self.requests[receive].context;
        if let Some((actor, witness)) = self.witness() {
            witness.received(actor, context, receive);
            found.into_iter().for_each(|message| witness.met(message, receive));
        }
    }

    /// A sender that does not wait may overwrite its buffer: what it sent is copied.
    fn set_aside(&mut self, message: u32) {
        let state = &mut self.messages[message];
        if let (Content::Memory(address @ 1..), Mode::Eager | Mode::Detached) =
            (&state.content, state.mode)
        {
            state.content = Content::Bytes(self.memory.read(*address, state.bytes as usize));
        }
    }

    /// Withdraws a message that no receive has taken; false if it is too late.
    pub(crate) fn withdraw_send(&mut self, trace: Trace) -> bool {
        let Trace { message, serial } = trace;
        let state = &self.messages[message];
        if state.serial != serial || state.receive != NONE || state.phase == Phase::Withdrawn {
            return false;
        }
        let send = state.send;
        if let Some((_, witness)) = self.witness() {
            witness.send_gone(message);
        }
        self.take_unexpected(message);
        let state = &mut self.messages[message];
        state.content = Content::NOTHING;
        match state.phase {
            Phase::Moving => state.phase = Phase::Withdrawn,
            _ => self.discard(message),
        }
        if send != NONE {
            self.requests[send].is_cancelled = true;
            self.complete(send);
        }
        true
    }

    /// Forgets a message; whoever still holds its trace finds that it is gone.
    fn discard(&mut self, message: u32) {
        let state = &mut self.messages[message];
        state.serial = state.serial.wrapping_add(1 << 31);
        self.messages.remove(message);
    }

    /// Posts a receive.
    pub(crate) fn post_receive(&mut self, request: RequestState) -> Result<u32, Error> {
        let receive = self.requests.insert(request);
        let &RequestState { owner, context, peer, tag, .. } = &self.requests[receive];
        let found = self.find_unexpected(owner, context, peer, tag);
        if self.is_followed {
            self.follow_receive(receive, found);
        }
        match found {
            Some(message) => {
                self.foresee_way(message);
                self.take_unexpected(message);
                self.bind(message, receive)?;
            }
            None => {
                self.sequence = self.sequence.wrapping_add(1);
                self.requests[receive].sequence = self.sequence;
                if peer == NONE || tag == ANY_TAG {
                    self.wild_receives(owner).push(receive);
                } else {
                    self.add_posted(receive);
                }
            }
        }
        Ok(receive)
    }

    /// The first message that a receive with this description would get.
    pub(crate) fn find_unexpected(
        &self,
        owner: u32,
        context: u32,
        peer: u32,
        tag: i32,
    ) -> Option<u32> {
        if peer != NONE && tag != ANY_TAG {
            return self.first_unexpected(Envelope { to: owner, context, from: peer, tag });
        }
        let mut at = self.ranks[owner as usize].arrivals[lane(context)].0;
        while at != NONE {
            let message = &self.messages[at];
            if fits(message.envelope, context, peer, tag) {
                return Some(at);
            }
            at = message.after;
        }
        None
    }

    /// Lets come near the receive that a message to this rank will probably meet.
    #[inline]
    fn foresee_posted(&self, to: u32) {
        match self.ranks[to as usize].posted[0] {
            NONE => {}
            receive => near::fetch(&self.requests[receive]),
        }
    }

    /// Lets come near the way of a message that will start soon.
    #[inline]
    fn foresee_way(&self, message: u32) {
        let Envelope { from, to, .. } = self.messages[message].envelope;
        self.network.foresee(self.hosts[from as usize], self.hosts[to as usize]);
    }

    /// Lets come near the message that this rank will probably ask for next.
    #[inline]
    fn foresee_unexpected(&self, rank: u32, lane: usize) {
        match self.ranks[rank as usize].arrivals[lane].0 {
            NONE => {}
            message => near::fetch(&self.messages[message]),
        }
    }

    /// Lets come near what the arrival of a message will touch; gives who will go on by it.
    #[inline]
    pub(crate) fn foresee_arrival(&self, message: u32) -> Option<u32> {
        let MessageState { envelope, receive, .. } = &self.messages[message];
        near::fetch_lines(std::ptr::from_ref(&self.ranks[envelope.to as usize]).addr(), 1);
        (*receive < CLAIMED).then(|| {
            near::fetch(&self.requests[*receive]);
            envelope.to
        })
    }

    /// The kernel says that a message has crossed the network.
    pub(crate) fn message_arrived(&mut self, message: u32) {
        self.idle_polls = 0;
        if self.messages[message].phase == Phase::Withdrawn {
            self.discard(message);
            return;
        }
        self.messages[message].phase = Phase::Arrived;
        if self.messages[message].receive < CLAIMED {
            self.deliver(message);
        } else {
            self.observe_way(Happening::Arrives { message });
        }
    }

    /// Takes a message out for one who will receive it later. MPI 4.1 section 3.8.2.
    pub(crate) fn claim(&mut self, message: u32) {
        self.take_unexpected(message);
        self.messages[message].receive = CLAIMED;
    }

    /// Receives a claimed message.
    pub(crate) fn receive_claimed(
        &mut self,
        message: u32,
        request: RequestState,
    ) -> Result<u32, Error> {
        let receive = self.requests.insert(request);
        if self.is_followed {
            self.follow_receive(receive, Some(message));
        }
        self.bind(message, receive)?;
        Ok(receive)
    }

    /// Withdraws a receive that has not been matched; false if it has.
    pub(crate) fn withdraw_receive(&mut self, receive: u32) -> bool {
        let &RequestState { owner, peer, tag, is_matched, .. } = &self.requests[receive];
        if is_matched {
            return false;
        }
        if let Some((_, witness)) = self.witness() {
            witness.receive_gone(receive);
        }
        if peer == NONE || tag == ANY_TAG {
            let wild = self.wild_receives(owner);
            let place = wild.iter().position(|candidate| *candidate == receive);
            place.map(|place| wild.remove(place)).is_some()
        } else {
            self.remove_posted(receive)
        }
    }

    /// Joins a message and the receive that takes it.
    pub(crate) fn bind(&mut self, message: u32, receive: u32) -> Result<(), Error> {
        let state = &mut self.messages[message];
        state.receive = receive;
        let request = &mut self.requests[receive];
        request.is_matched = true;
        request.peer = state.envelope.from;
        request.tag = state.envelope.tag;
        let room = std::mem::replace(&mut request.bytes, state.bytes);
        request.is_truncated = state.bytes > room;
        let is_watched = request.is_watched;
        let (content, send) = (state.content.take(), state.send);
        match request.is_truncated {
            true => request.content = Content::Memory(room as usize),
            false => self.land(content, receive),
        }
        if is_watched {
            self.learn(receive);
        }
        if send != NONE {
            self.requests[send].is_matched = true;
            if self.requests[send].is_watched {
                self.learn(send);
            }
            if self.network.releases_senders_when_matched() {
                self.messages[message].send = NONE;
                self.complete(send);
            }
        }
        match self.messages[message].phase {
            Phase::Waiting => self.start_moving(message),
            Phase::Moving | Phase::Withdrawn => Ok(()),
            Phase::Arrived => {
                self.deliver(message);
                Ok(())
            }
        }
    }

    /// Puts what was sent where the receive wants it. Both buffers belong to MPI until the two
    /// operations are complete, so this may happen before simulated time says so.
    fn land(&mut self, content: Content, receive: u32) {
        let request = &mut self.requests[receive];
        let bytes = request.bytes as usize;
        match (content, &request.content) {
            (_, &Content::NOWHERE) | (Content::NOTHING, _) => {}
            (Content::Bytes(sent), &Content::NOTHING) => request.content = Content::Bytes(sent),
            (Content::Memory(from), &Content::NOTHING) => {
                request.content = Content::Bytes(self.memory.read(from, bytes));
            }
            (Content::Bytes(sent), &Content::Memory(to)) => {
                self.memory.write(&sent, to);
                self.memory.recycle(sent);
            }
            (Content::Memory(from), &Content::Memory(to)) => self.memory.copy(from, to, bytes),
            (_, Content::Bytes(_)) => unreachable!("a receive gets one message"),
        }
    }

    fn deliver(&mut self, message: u32) {
        let state = &mut self.messages[message];
        let (receive, send, envelope) = (state.receive, state.send, state.envelope);
        let request = &mut self.requests[receive];
        request.owes_overhead = state.mode != Mode::Rendezvous;
        self.foresee_unexpected(envelope.to, lane(envelope.context));
        self.observe_way(Happening::Delivers { message, request: receive });
        self.discard(message);
        self.complete(receive);
        if send != NONE {
            self.complete(send);
        }
    }

    fn start_moving(&mut self, message: u32) -> Result<(), Error> {
        let state = &mut self.messages[message];
        state.phase = Phase::Moving;
        let Envelope { from, to, .. } = state.envelope;
        let bytes = state.bytes;
        let described = self.network_message(from, to, bytes);
        self.network
            .start(described, [from, to], &mut self.kernel, Then::Notify(MESSAGE + message))
            .map_err(|no_route| Error::NoRoute(no_route.to_string()))
    }

    /// The posted receive that a message with this envelope gets, if any.
    fn take_posted(&mut self, envelope: Envelope) -> Option<u32> {
        let exact = self.first_posted(envelope);
        let wild_list = self.ranks[envelope.to as usize].wild;
        if wild_list != NONE
            && let Some(receive) = self.take_wild(wild_list, envelope, exact)
        {
            return Some(receive);
        }
        exact.inspect(|receive| _ = self.remove_posted(*receive))
    }

    /// The first receive with a wildcard that fits, unless the `exact` one was posted before it.
    fn take_wild(&mut self, list: u32, envelope: Envelope, exact: Option<u32>) -> Option<u32> {
        let wild = &self.wilds[list as usize];
        let place = wild.iter().position(|receive| {
            let &RequestState { context, peer, tag, .. } = &self.requests[*receive];
            fits(envelope, context, peer, tag)
        })?;
        let sequence = |receive: u32| self.requests[receive].sequence;
        // The distance, not the order, tells which came first once the count has wrapped around.
        let is_later = exact
            .is_some_and(|exact| (sequence(wild[place]).wrapping_sub(sequence(exact)) as i32) > 0);
        (!is_later).then(|| self.wilds[list as usize].remove(place))
    }

    /// The posted receives with wildcards of a rank; most ranks never have one.
    fn wild_receives(&mut self, owner: u32) -> &mut Vec<u32> {
        let list = &mut self.ranks[owner as usize].wild;
        if *list == NONE {
            *list = self.wilds.len() as u32;
            self.wilds.push(Vec::new());
        }
        &mut self.wilds[*list as usize]
    }
}

/// Contexts come in pairs: even for point-to-point, odd for collectives.
pub(crate) fn lane(context: u32) -> usize {
    (context & 1) as usize
}

fn fits(envelope: Envelope, context: u32, peer: u32, tag: i32) -> bool {
    envelope.context == context
        && (peer == NONE || peer == envelope.from)
        && (tag == ANY_TAG || tag == envelope.tag)
}
