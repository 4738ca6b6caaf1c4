//! Receives under way of a rank: which call asked for a message that has come.

use std::collections::VecDeque;

/// A receive that a call began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Post {
    begin: u64,
    end: u64,
    request: u32,
    is_persistent: bool,
}

/// Receives under way, in the order of the calls that began them.
#[derive(Debug, Default)]
pub(super) struct Receives {
    posts: VecDeque<Post>,
    persistent: usize,
    /// Requests that were made to be started, the oldest first: whether each is a receive.
    made: VecDeque<bool>,
    /// How many of them are.
    receives: usize,
}

impl Receives {
    /// A call from one date to another asks for a message.
    pub(super) fn add(&mut self, begin: u64, end: u64, request: u32) {
        self.posts.push_back(Post { begin, end, request, is_persistent: false });
    }

    /// The same for a request that is there to be started again.
    pub(super) fn start(&mut self, begin: u64, end: u64, request: u32) {
        self.posts.push_back(Post { begin, end, request, is_persistent: true });
        self.persistent += 1;
    }

    /// A request is made, or one is given back: traces do not tell which, so it is the oldest.
    pub(super) fn make(&mut self, call: &str) {
        match call {
            "MPI_Recv_init" => {
                self.made.push_back(true);
                self.receives += 1;
            }
            "MPI_Request_free" => {
                self.receives -= usize::from(self.made.pop_front() == Some(true));
            }
            call if call.to_ascii_lowercase().ends_with("send_init") => self.made.push_back(false),
            _ => {}
        }
    }

    /// How many of the receives that were made are not under way.
    pub(super) fn idle(&self) -> usize {
        self.receives.saturating_sub(self.persistent)
    }

    /// The place of the receive that asked for a message at this date. Where calls follow each
    /// other at once, the end of one is the begin of the next, so one that began then goes first.
    pub(super) fn place(&self, posted: u64) -> Option<usize> {
        let at = self.posts.partition_point(|post| post.begin < posted);
        if self.posts.get(at).is_some_and(|post| post.begin == posted) {
            return Some(at);
        }
        at.checked_sub(1).filter(|before| self.posts[*before].end >= posted)
    }

    /// Takes the receive at a place; gives its request.
    pub(super) fn take(&mut self, place: usize) -> Option<u32> {
        let post = self.posts.remove(place)?;
        self.persistent -= usize::from(post.is_persistent);
        Some(post.request)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_of_the_calls_that_asked_for_them() {
        let mut receives = Receives::default();
        receives.add(10, 20, 1);
        receives.add(20, 25, 2);
        receives.add(20, 30, 3);
        assert_eq!(receives.place(9), None);
        assert_eq!(receives.place(15), Some(0));
        assert_eq!(receives.place(20), Some(1));
        assert_eq!(receives.place(29), Some(2));
        assert_eq!(receives.place(31), None);
        assert_eq!((receives.take(1), receives.place(20)), (Some(2), Some(1)));
        assert_eq!((receives.take(1), receives.place(20)), (Some(3), Some(0)));
    }

    #[test]
    fn receives_that_are_started_again_are_idle_in_between() {
        let mut receives = Receives::default();
        for call in ["MPI_Recv_init", "MPI_Send_init", "MPI_Recv_init"] {
            receives.make(call);
        }
        assert_eq!(receives.idle(), 2);
        receives.start(1, 2, 0);
        assert_eq!(receives.idle(), 1);
        receives.take(0);
        receives.make("MPI_Request_free");
        assert_eq!(receives.idle(), 1);
    }
}
