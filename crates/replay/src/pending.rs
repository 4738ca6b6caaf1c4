//! The requests of a rank that are under way.

mod crowd;

use foretell_mpi::{ANY_SOURCE, ANY_TAG, PROC_NULL, Request};
use foretell_trace::Waited;

use crate::rank::{source, tag};
use crowd::Crowd;

/// With fewer requests than this, going through all is quicker than anything else.
const MANY: usize = 256;

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
    /// Where they are, while there are many.
    crowd: Option<Box<Crowd>>,
}

/// A message, as the calls have it: every rank keeps some.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Name {
    from: i32,
    to: i32,
    tag: i32,
}

impl Name {
    fn of(waited: Waited) -> Self {
        Self { from: source(waited.from), to: source(waited.to), tag: tag(waited.tag) }
    }

    fn is_wild(self) -> bool {
        self.from == ANY_SOURCE || self.to == ANY_SOURCE || self.tag == ANY_TAG
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
        Some(self.remove(at).1)
    }

    /// The oldest request for such a message, which stays.
    pub(crate) fn find(&mut self, name: Waited) -> Option<&mut Request> {
        let at = self.position(Name::of(name))?;
        Some(&mut self.requests[at])
    }

    /// Takes the oldest request of all, with the sender of what it receives; nobody for a send.
    pub(crate) fn take_oldest(&mut self, own: u32) -> Option<(i32, Request)> {
        let of_many = self.crowd().map(|(crowd, names)| crowd.oldest(names));
        let at = of_many.unwrap_or((!self.names.is_empty()).then_some(0))?;
        let (name, request) = self.remove(at);
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
        self.crowd = None;
    }

    /// Forgets all requests, which are done.
    pub(crate) fn clear(&mut self) {
        self.names.clear();
        self.requests.clear();
        if self.crowd.is_some() {
            self.crowd = None;
        }
    }

    /// What knows where they are, if there are many, and their names.
    #[inline]
    fn crowd(&mut self) -> Option<(&mut Crowd, &mut [Name])> {
        if self.names.len() < MANY && self.crowd.is_none() {
            return None;
        }
        let crowd = self.crowd.get_or_insert_default();
        crowd.follow(&self.names);
        Some((crowd, &mut self.names))
    }

    /// Takes one out of the list.
    #[inline]
    fn remove(&mut self, at: usize) -> (Name, Request) {
        match &self.crowd {
            None => (self.names.remove(at), self.requests.remove(at)),
            Some(_) => self.leave_gap(at),
        }
    }

    /// What is behind it stays where it is, until there are more gaps than requests.
    #[cold]
    fn leave_gap(&mut self, at: usize) -> (Name, Request) {
        let name = self.names[at];
        let request = std::mem::replace(&mut self.requests[at], Request::NULL);
        let is_sparse = self.crowd().is_some_and(|(crowd, names)| {
            crowd.leave(names, at);
            crowd.is_sparse()
        });
        if is_sparse {
            let mut names = self.names.iter();
            self.requests.retain(|_| names.next().is_some_and(|name| !Crowd::is_gap(*name)));
            self.names.retain(|name| !Crowd::is_gap(*name));
            self.crowd = None;
        }
        (name, request)
    }

    /// A receive from anybody may be waited for by the sender that was found meanwhile.
    fn position(&mut self, name: Name) -> Option<usize> {
        let older = std::mem::take(&mut self.older);
        if let Some((crowd, names)) = self.crowd() {
            return crowd.find(names, name, older);
        }
        let mut same = self.names.iter().enumerate().filter(|(_, pending)| **pending == name);
        if older > 0
            && let Some((at, _)) = same.nth(older as usize)
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

    /// However many requests there are, they are taken in the same order.
    #[test]
    fn many_requests_are_taken_as_few_are() {
        let name = |seed: u32| match seed % 7 {
            0 => message(Peer::Any, Some(seed % 5)),
            1 => message(Peer::Rank(seed % 3), None),
            _ => message(Peer::Rank(seed % 50), Some(seed % 11)),
        };
        let mut seed = 1_u32;
        let mut random = move || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            seed >> 8
        };
        let (mut many, mut plain) = (Pending::default(), Vec::new());
        for turn in 0..20_000 {
            if plain.len() < 100 || (turn / 2_000) % 2 == 0 && random() % 4 > 0 {
                let name = name(random());
                many.add(name, Request::NULL);
                plain.push(Name::of(name));
                continue;
            }
            let (wanted, older) = (Name::of(name(random())), random() % 3);
            let mut same = (0..plain.len()).filter(|at| plain[*at] == wanted);
            let expected = same.clone().nth(older as usize).or_else(|| same.next());
            let similar = || plain.iter().position(|other| may_be(*other, wanted));
            let expected = expected.or_else(similar).map(|at| plain.remove(at));
            many.pass_over(older);
            let found = many.position(wanted).map(|at| many.remove(at).0);
            assert_eq!(found, expected, "turn {turn}");
        }
        let mut left = Vec::new();
        while let Some((from, _)) = many.take_oldest(9) {
            left.push(from);
        }
        assert_eq!(left, plain.iter().map(|name| name.from).collect::<Vec<_>>());
    }

    #[test]
    fn what_is_gone_is_forgotten_with_the_rest() {
        let mut pending = Pending::default();
        let names: Vec<_> = (0..1_000).map(|tag| message(Peer::Rank(1), Some(tag))).collect();
        for _ in 0..2 {
            names.iter().for_each(|name| pending.add(*name, Request::NULL));
            assert!(names.iter().rev().take(300).all(|name| pending.take(*name).is_some()));
            assert!(pending.take(names[999]).is_none());
            assert!(pending.find(names[0]).is_some());
            pending.all();
            pending.clear();
            assert!(pending.take(names[0]).is_none());
        }
    }
}
