//! The requests of a rank that are under way.

use foretell_mpi::{ANY_SOURCE, ANY_TAG, PROC_NULL, Request};
use foretell_trace::Waited;

use crate::rank::{source, tag};

/// Requests in the order they were begun, each with the message it is for.
///
/// A trace names a request by the ends and the tag of its message. The oldest one goes first, if
/// the trace does not say that others do.
#[derive(Debug, Default)]
pub(crate) struct Pending {
    names: Vec<Name>,
    requests: Vec<Request>,
    /// How many older ones of the same name the next one to be taken or found has.
    older: u32,
}

/// A message, as the calls have it: every rank keeps some.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Name {
    from: i32,
    to: i32,
    tag: i32,
}

impl Name {
    fn of(waited: Waited) -> Self {
        Self { from: source(waited.from), to: source(waited.to), tag: tag(waited.tag) }
    }
}

impl Pending {
    pub(crate) fn add(&mut self, name: Waited, request: Request) {
        self.name(name);
        self.begin(request);
    }

    /// The request for this message is about to begin.
    #[inline]
    pub(crate) fn name(&mut self, name: Waited) {
        self.names.push(Name::of(name));
    }

    /// It has begun.
    #[inline]
    pub(crate) fn begin(&mut self, request: Request) {
        self.requests.push(request);
    }

    /// The next request to be taken or found has so many older ones of the same name.
    pub(crate) fn pass_over(&mut self, older: u32) {
        self.older = older;
    }

    /// Takes the oldest request for such a message out of the list; none if there is none, as
    /// after a test that found it done.
    pub(crate) fn take(&mut self, name: Waited) -> Option<Request> {
        let at = self.position(Name::of(name))?;
        self.names.remove(at);
        Some(self.requests.remove(at))
    }

    /// The oldest request for such a message, which stays.
    pub(crate) fn find(&mut self, name: Waited) -> Option<&mut Request> {
        let at = self.position(Name::of(name))?;
        Some(&mut self.requests[at])
    }

    /// Takes the oldest request of all, with the sender of what it receives; nobody for a send.
    pub(crate) fn take_oldest(&mut self, own: u32) -> Option<(i32, Request)> {
        if self.names.is_empty() {
            return None;
        }
        let (name, request) = (self.names.remove(0), self.requests.remove(0));
        let is_receive = name.to == own as i32;
        Some((if is_receive { name.from } else { PROC_NULL }, request))
    }

    /// Whether no request is under way.
    pub(crate) fn is_empty(&self) -> bool {
        self.requests.is_empty()
    }

    /// All requests, to be waited for.
    pub(crate) fn all(&mut self) -> &mut [Request] {
        self.names.clear();
        &mut self.requests
    }

    /// All requests, of which some may be done with afterwards.
    pub(crate) fn under_way(&mut self) -> &mut [Request] {
        &mut self.requests
    }

    /// Forgets those that are null.
    pub(crate) fn forget_done(&mut self) {
        let mut is_done = self.requests.iter().map(Request::is_null);
        self.names.retain(|_| !is_done.next().unwrap_or(false));
        self.requests.retain(|request| !request.is_null());
    }

    /// Forgets all requests, which are done.
    pub(crate) fn clear(&mut self) {
        self.names.clear();
        self.requests.clear();
    }

    /// A receive from anybody may be waited for by the sender that was found meanwhile.
    fn position(&mut self, name: Name) -> Option<usize> {
        let older = std::mem::take(&mut self.older) as usize;
        let mut same = self.names.iter().enumerate().filter(|(_, pending)| **pending == name);
        if older > 0
            && let Some((at, _)) = same.nth(older)
        {
            return Some(at);
        }
        let same = self.names.iter().position(|pending| *pending == name);
        same.or_else(|| self.names.iter().position(|pending| may_be(*pending, name)))
    }
}

fn may_be(pending: Name, name: Name) -> bool {
    let peers = |one: i32, other: i32| one == other || one == ANY_SOURCE || other == ANY_SOURCE;
    let tags = pending.tag == name.tag || pending.tag == ANY_TAG || name.tag == ANY_TAG;
    peers(pending.from, name.from) && peers(pending.to, name.to) && tags
}

#[cfg(test)]
mod tests {
    use foretell_trace::Peer;

    use super::*;

    fn message(from: Peer, tag: Option<u32>) -> Waited {
        Waited { from, to: Peer::Rank(9), tag }
    }

    #[test]
    fn the_oldest_request_for_a_message_goes_first() {
        let mut pending = Pending::default();
        let (first, second) = (message(Peer::Rank(1), Some(1)), message(Peer::Rank(1), Some(2)));
        for name in [first, second, first] {
            pending.add(name, Request::NULL);
        }
        assert!(pending.take(first).is_some());
        assert_eq!(pending.names, [second, first].map(Name::of));
        assert!(pending.take(message(Peer::Rank(2), Some(1))).is_none());
    }

    #[test]
    fn wildcards_are_found_when_nothing_fits_better() {
        let mut pending = Pending::default();
        let (any, exact) = (message(Peer::Any, None), message(Peer::Rank(1), Some(1)));
        pending.add(any, Request::NULL);
        pending.add(exact, Request::NULL);
        assert!(pending.take(exact).is_some());
        assert_eq!(pending.names, [any].map(Name::of));
        assert!(pending.find(exact).is_some());
        assert!(pending.take(message(Peer::Any, None)).is_some());
    }
}
