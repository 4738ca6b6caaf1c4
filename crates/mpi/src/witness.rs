//! Which send met which receive, for checkers of compiled programs.
//!
//! Nobody is a witness unless asked to. A checker numbers the sends and receives of the program
//! itself, says each number before the call that posts the operation, and later hears which of
//! them met. Messages of collectives and of windows have no numbers.

use std::collections::BTreeMap;

use crate::comm::Comm;
use crate::world::State;

/// What a witness remembers.
#[derive(Debug, Default)]
pub(crate) struct Witness {
    /// Numbers of what actors are about to post.
    next_sends: BTreeMap<u32, u64>,
    next_receives: BTreeMap<u32, u64>,
    /// Numbers of messages and of receives that have met nobody.
    sends: BTreeMap<u32, u64>,
    receives: BTreeMap<u32, u64>,
    met: Vec<Meeting>,
}

/// A send and the receive that took its message, by their numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Meeting {
    /// Number of the send.
    pub send: u64,
    /// Number of the receive.
    pub receive: u64,
}

impl Witness {
    /// An actor has posted a send.
    pub(crate) fn sent(&mut self, actor: u32, context: u32, message: u32) {
        if is_users(context)
            && let Some(number) = self.next_sends.remove(&actor)
        {
            self.sends.insert(message, number);
        }
    }

    /// An actor has posted a receive.
    pub(crate) fn received(&mut self, actor: u32, context: u32, receive: u32) {
        if is_users(context)
            && let Some(number) = self.next_receives.remove(&actor)
        {
            self.receives.insert(receive, number);
        }
    }

    /// A message and a receive meet.
    pub(crate) fn met(&mut self, message: u32, receive: u32) {
        let both = (self.sends.remove(&message), self.receives.remove(&receive));
        if let (Some(send), Some(receive)) = both {
            self.met.push(Meeting { send, receive });
        }
    }

    /// A send was withdrawn.
    pub(crate) fn send_gone(&mut self, message: u32) {
        self.sends.remove(&message);
    }

    /// A receive was withdrawn.
    pub(crate) fn receive_gone(&mut self, receive: u32) {
        self.receives.remove(&receive);
    }
}

/// Whether messages of a context are those of point-to-point calls of the program.
fn is_users(context: u32) -> bool {
    context & 1 == 0 && context >> 30 == 0
}

impl State {
    /// The actor being polled, and the witness, if there is one.
    #[inline]
    pub(crate) fn witness(&mut self) -> Option<(u32, &mut Witness)> {
        let witness = self.witness.as_deref_mut()?;
        Some((self.kernel.current().0, witness))
    }
}

impl Comm {
    /// Begins to note which numbered sends meet which numbered receives.
    pub fn begin_witness(&self) {
        let state = &mut *self.world.state.borrow_mut();
        state.witness.get_or_insert_default();
        state.is_followed = true;
    }

    /// Gives the next send of the point-to-point calls of this actor a number.
    pub fn number_send(&self, number: u64) {
        if let Some((actor, witness)) = self.world.state.borrow_mut().witness() {
            witness.next_sends.insert(actor, number);
        }
    }

    /// Gives the next receive of the point-to-point calls of this actor a number.
    pub fn number_receive(&self, number: u64) {
        if let Some((actor, witness)) = self.world.state.borrow_mut().witness() {
            witness.next_receives.insert(actor, number);
        }
    }

    /// What has met since this was asked last, in order.
    pub fn take_meetings(&self) -> Vec<Meeting> {
        let state = &mut *self.world.state.borrow_mut();
        state.witness.as_mut().map_or_else(Vec::new, |witness| std::mem::take(&mut witness.met))
    }

    /// Which of the collectives of this communicator the rank will begin next.
    pub fn next_collective(&self) -> u32 {
        self.own.sequence.get()
    }

    /// How many ranks take part in its collectives: those of both sides of an inter-communicator.
    pub fn member_count(&self) -> u32 {
        self.shared.members()
    }

    /// The world rank of a rank that messages can go to.
    pub fn world_rank_of(&self, rank: u32) -> u32 {
        self.peers().world_rank(rank)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_numbered_operations_of_the_program_are_told() {
        let mut witness = Witness::default();
        witness.next_sends.insert(0, 7);
        witness.next_receives.insert(1, 8);
        // A collective of the same rank takes no number.
        witness.sent(0, 1, 4);
        witness.sent(0, 0, 5);
        witness.received(1, 0, 9);
        witness.met(4, 3);
        witness.met(5, 9);
        assert_eq!(witness.met, [Meeting { send: 7, receive: 8 }]);
        assert!(witness.sends.is_empty() && witness.receives.is_empty());
    }
}
