//! The requests of a task that are under way, as a trace names them: by the ends and the tag of
//! their messages.

use std::collections::VecDeque;

use crate::action::{Message, Peer, Waited};

/// Requests in the order they were begun.
#[derive(Debug, Default)]
pub(super) struct Requests(VecDeque<Request>);

/// A request, by its name.
#[derive(Debug, Clone, Copy)]
pub(super) struct Request {
    name: Waited,
    /// What it receives; none for a send.
    pub(super) received: Option<Message>,
}

impl Requests {
    /// A send of a task begins.
    pub(super) fn send(&mut self, task: u32, message: Message) {
        let name = Waited { from: Peer::Rank(task), to: message.peer, tag: message.tag };
        self.0.push_back(Request { name, received: None });
    }

    /// A receive of a task begins.
    pub(super) fn receive(&mut self, task: u32, message: Message) {
        let name = Waited { from: message.peer, to: Peer::Rank(task), tag: message.tag };
        self.0.push_back(Request { name, received: Some(message) });
    }

    /// Takes the oldest request of this name that has so many older ones, or the oldest that may be
    /// meant.
    pub(super) fn take(&mut self, name: Waited, older: u32) -> Option<Request> {
        let is_it = |request: &&(usize, &Request)| request.1.name == name;
        let mut all = self.0.iter().enumerate();
        let at = self.0.iter().enumerate().filter(|one| is_it(&one)).nth(older as usize);
        let at = at.or_else(|| all.clone().find(|one| is_it(&one)));
        let (at, _) = at.or_else(|| all.find(|(_, request)| may_be(request.name, name)))?;
        self.0.remove(at)
    }

    /// Takes the oldest of all.
    pub(super) fn take_oldest(&mut self) -> Option<Request> {
        self.0.pop_front()
    }

    /// Takes all.
    pub(super) fn take_all(&mut self) -> VecDeque<Request> {
        std::mem::take(&mut self.0)
    }
}

/// Whether a request may be meant by a name: a receive of any sender may be waited for by the one
/// that was found.
fn may_be(one: Waited, other: Waited) -> bool {
    let peers = |one: Peer, other: Peer| one == other || one == Peer::Any || other == Peer::Any;
    let tags = one.tag == other.tag || one.tag.is_none() || other.tag.is_none();
    peers(one.from, other.from) && peers(one.to, other.to) && tags
}
