//! Requests that stand for several messages, as lines of a trace.

use foretell_mpi::Heard;
use foretell_trace::{Action, Mode, Peer, Waited};

use super::{Notes, message};

impl Notes {
    /// Messages begin that are waited for together.
    pub(super) fn begin_several(
        &mut self,
        rank: u32,
        request: u32,
        received: &[Heard],
        sent: &[Heard],
    ) {
        let mut all = Vec::with_capacity(received.len() + sent.len());
        for heard in received {
            let message = message(*heard);
            all.push(Waited { from: message.peer, to: Peer::Rank(rank), tag: message.tag });
            self.write(rank, &Action::Irecv(message));
        }
        for heard in sent {
            let message = message(*heard);
            all.push(Waited { from: Peer::Rank(rank), to: message.peer, tag: message.tag });
            self.write(rank, &Action::Isend(Mode::Standard, message));
        }
        self.ranks[rank as usize].pending += all.len();
        self.several.insert(request, all);
    }

    /// They are done: one line, if there are no others that it would wait for too.
    pub(super) fn end_several(&mut self, rank: u32, all: &[Waited]) {
        let own = &mut self.ranks[rank as usize];
        let is_alone = own.pending == all.len() && all.len() > 1;
        own.pending -= all.len();
        match is_alone {
            true => self.write(rank, &Action::Waitall(all.len() as u64)),
            false => all.iter().for_each(|waited| self.write(rank, &Action::Wait(*waited))),
        }
    }
}
