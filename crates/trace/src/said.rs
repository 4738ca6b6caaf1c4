//! What the commonest lines say, in few bytes.

use crate::action::{Action, Amount, Message, Mode, Peer, Waited};
use crate::datatype::Datatype;

/// The word of one of the commonest actions, and what comes behind it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Said {
    pub(crate) word: Word,
    /// Of a message alone.
    pub(crate) datatype: Datatype,
    /// The other end of a message, or who sends what is waited for.
    pub(crate) one: u32,
    /// The tag of a message, or who receives what is waited for.
    pub(crate) other: u32,
    /// The elements of a message, the tag of what is waited for, or a number of requests.
    pub(crate) many: u64,
}

/// The words of the commonest actions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Word {
    Send,
    Recv,
    Isend,
    Irecv,
    Wait,
    Waitall,
}

impl Said {
    #[inline]
    pub(crate) fn action(self) -> Action<'static> {
        let Self { word, datatype, one, other, many } = self;
        let size = Amount { count: Some(many), datatype: Some(datatype) };
        let message = Message { peer: Peer::Rank(one), tag: Some(other), size };
        match word {
            Word::Send => Action::Send(Mode::Standard, message),
            Word::Recv => Action::Recv(message),
            Word::Isend => Action::Isend(Mode::Standard, message),
            Word::Irecv => Action::Irecv(message),
            Word::Waitall => Action::Waitall(many),
            Word::Wait => {
                let (from, to) = (Peer::Rank(one), Peer::Rank(other));
                Action::Wait(Waited { from, to, tag: Some(many as u32) })
            }
        }
    }
}
