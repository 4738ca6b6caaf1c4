//! Messages on their way and requests under way, by their numbers, which are used again.

use std::num::NonZeroU64;

use foretell_mpi::TrafficLane;
use foretell_trace::timed::{Lane, Letter, Message, Protocol};

/// What is known of them: as many as there have been at once.
#[derive(Debug, Default)]
pub(super) struct Flights {
    messages: Vec<Message>,
    requests: Vec<Request>,
    /// Messages sent so far.
    serial: u64,
}

/// A send or a receive under way.
#[derive(Debug, Clone, Copy, Default)]
struct Request {
    posted: f64,
    hold: Hold,
    /// Which message it has met.
    serial: Option<u64>,
}

/// Whether a rank stays in the call until its request is done.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Hold {
    /// Nothing is under way.
    #[default]
    Nothing,
    /// It does.
    Blocking,
    /// It goes on.
    NonBlocking,
}

impl Hold {
    fn of(is_blocking: bool) -> Self {
        if is_blocking { Hold::Blocking } else { Hold::NonBlocking }
    }
}

/// A date that is not known yet.
const UNKNOWN: f64 = -1.0;

impl Flights {
    /// What is sent, in the words of traces.
    #[inline]
    pub(super) fn letter(&mut self, sent: &foretell_mpi::Letter, comm: u32) -> Letter {
        let &foretell_mpi::Letter { from, to, tag, bytes, is_blocking, .. } = sent;
        let serial = self.serial;
        self.serial += 1;
        Letter {
            serial,
            from,
            to,
            comm,
            lane: lane(sent.traffic.lane),
            tag,
            bytes,
            request: sent.request.filter(|_| !is_blocking),
            is_blocking,
            protocol: match (sent.is_eager, sent.request) {
                (true, _) => Protocol::Eager,
                (false, None) => Protocol::Detached,
                (false, Some(_)) => Protocol::Rendezvous,
            },
        }
    }

    /// A message is sent by one who called at the first of two dates; the writer may have kept a
    /// place for it.
    #[inline(always)]
    pub(super) fn send(
        &mut self,
        message: u32,
        (called, sent): (f64, f64),
        letter: Letter,
        place: Option<NonZeroU64>,
    ) {
        let (departed, posted, arrived) = (sent, 0.0, UNKNOWN);
        *slot(&mut self.messages, message) =
            Message { letter, called, sent, departed, posted, arrived, place };
    }

    /// A send or a receive is under way.
    #[inline(always)]
    pub(super) fn post(&mut self, request: u32, posted: f64, is_blocking: bool) {
        *slot(&mut self.requests, request) =
            Request { posted, hold: Hold::of(is_blocking), serial: None };
    }

    /// A message has come before anybody asked for it.
    pub(super) fn arrive(&mut self, message: u32, date: f64) {
        slot(&mut self.messages, message).arrived = date;
    }

    /// A message has come and met its receive.
    #[inline(always)]
    pub(super) fn deliver(&mut self, message: u32, request: u32, date: f64) -> &Message {
        let known = slot(&mut self.messages, message);
        let receive = slot(&mut self.requests, request);
        receive.serial = Some(known.letter.serial);
        known.posted = receive.posted;
        if known.arrived == UNKNOWN {
            known.arrived = date;
        }
        // One that waits for its receive moves when both are there.
        if known.letter.protocol != Protocol::Eager {
            known.departed = known.sent.max(receive.posted);
        }
        known
    }

    /// A request is done with: whether its rank stayed in the call for it, and which message it
    /// has met, where the ways of messages are followed.
    #[inline]
    pub(super) fn take(&mut self, request: u32) -> (Hold, Option<u64>) {
        let request = slot(&mut self.requests, request);
        (std::mem::take(&mut request.hold), request.serial)
    }
}

#[inline(always)]
fn slot<T: Clone + Default>(slots: &mut Vec<T>, at: u32) -> &mut T {
    let at = at as usize;
    if at >= slots.len() {
        grow(slots, at + 1);
    }
    &mut slots[at]
}

#[cold]
#[inline(never)]
fn grow<T: Clone + Default>(slots: &mut Vec<T>, length: usize) {
    slots.resize(length, T::default());
}

/// The same in the words of traces.
pub(super) fn lane(lane: TrafficLane) -> Lane {
    match lane {
        TrafficLane::PointToPoint => Lane::PointToPoint,
        TrafficLane::Collective => Lane::Collective,
        TrafficLane::Partitioned => Lane::Partitioned,
    }
}
