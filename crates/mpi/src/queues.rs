//! What waits at a rank: receives for messages, and messages for receives.
//!
//! At most ranks it is little. That is found by way of the rank's own line of memory, which every
//! message touches anyway. What is more than that is found in a table for all ranks, in constant
//! time however much it is. Whoever comes later than something in the table goes there too: what
//! is in the rank's line is always older.

use crate::matcher::Envelope;
use crate::request::RequestState;
use crate::transport::lane;
use crate::world::{NONE, State};

/// So many messages that nobody asked for are looked at one by one.
const FEW: u8 = 4;

impl State {
    /// Adds a posted receive without wildcards.
    pub(crate) fn add_posted(&mut self, receive: u32) {
        let envelope = self.envelope_of(receive);
        let rank = &mut self.ranks[envelope.to as usize];
        match rank.posted.iter_mut().find(|slot| **slot == NONE) {
            Some(slot) if rank.posted_beyond == 0 => *slot = receive,
            _ => {
                rank.posted_beyond += 1;
                self.posted.push(envelope, receive);
            }
        }
    }

    /// The first posted receive with this very envelope.
    pub(crate) fn first_posted(&self, envelope: Envelope) -> Option<u32> {
        let rank = &self.ranks[envelope.to as usize];
        let mut near = rank.posted.iter().copied().take_while(|receive| *receive != NONE);
        let found = near.find(|receive| self.envelope_of(*receive) == envelope);
        match found {
            None if rank.posted_beyond > 0 => self.posted.first(envelope),
            found => found,
        }
    }

    /// Takes out a posted receive without wildcards; false if it is not there.
    pub(crate) fn remove_posted(&mut self, receive: u32) -> bool {
        let envelope = self.envelope_of(receive);
        let rank = &mut self.ranks[envelope.to as usize];
        if let Some(slot) = rank.posted.iter().position(|other| *other == receive) {
            rank.posted.copy_within(slot + 1.., slot);
            rank.posted[rank.posted.len() - 1] = NONE;
            return true;
        }
        let is_there = rank.posted_beyond > 0 && self.posted.remove(envelope, receive);
        self.ranks[envelope.to as usize].posted_beyond -= u32::from(is_there);
        is_there
    }

    /// Adds a message that nobody has asked for.
    pub(crate) fn add_unexpected(&mut self, message: u32) {
        let envelope = self.messages[message].envelope;
        let (lane, rank) = (lane(envelope.context), &mut self.ranks[envelope.to as usize]);
        let is_hashed = rank.messages_beyond > 0 || rank.messages[lane] == FEW;
        let last = std::mem::replace(&mut rank.arrivals[lane].1, message);
        match last {
            NONE => rank.arrivals[lane].0 = message,
            last => self.messages[last].after = message,
        }
        if is_hashed {
            rank.messages_beyond += 1;
            self.unexpected.push(envelope, message);
        } else {
            rank.messages[lane] += 1;
        }
        let state = &mut self.messages[message];
        (state.before, state.is_hashed) = (last, is_hashed);
    }

    /// The first message with this very envelope that nobody has asked for.
    pub(crate) fn first_unexpected(&self, envelope: Envelope) -> Option<u32> {
        let mut at = self.ranks[envelope.to as usize].arrivals[lane(envelope.context)].0;
        while at != NONE {
            let message = &self.messages[at];
            if message.is_hashed {
                return self.unexpected.first(envelope);
            }
            if message.envelope == envelope {
                return Some(at);
            }
            at = message.after;
        }
        None
    }

    /// Takes a message out of those that nobody has asked for, for good.
    pub(crate) fn take_unexpected(&mut self, message: u32) {
        let state = &self.messages[message];
        let (envelope, before, after) = (state.envelope, state.before, state.after);
        let (lane, rank) = (lane(envelope.context), &mut self.ranks[envelope.to as usize]);
        if state.is_hashed {
            rank.messages_beyond -= 1;
            self.unexpected.remove(envelope, message);
        } else {
            rank.messages[lane] -= 1;
        }
        match before {
            NONE => rank.arrivals[lane].0 = after,
            before => self.messages[before].after = after,
        }
        match after {
            NONE => rank.arrivals[lane].1 = before,
            after => self.messages[after].before = before,
        }
    }

    /// What a posted receive without wildcards takes.
    fn envelope_of(&self, receive: u32) -> Envelope {
        let &RequestState { owner, context, peer, tag, .. } = &self.requests[receive];
        Envelope { to: owner, context, from: peer, tag }
    }
}
