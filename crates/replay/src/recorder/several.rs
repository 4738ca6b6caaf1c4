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
        let under_way = &mut self.ranks[rank as usize].under_way;
        all.iter().for_each(|waited| under_way.begin(request, *waited));
        self.several.insert(request, all);
    }

    /// They are done: one line, if there are no others that it would wait for too.
    pub(super) fn end_several(&mut self, rank: u32, request: u32, all: &[Waited]) {
        let under_way = &mut self.ranks[rank as usize].under_way;
        if all.len() > 1 && under_way.count() == all.len() {
            under_way.clear();
            return self.write(rank, &Action::Waitall(all.len() as u64));
        }
        for waited in all {
            let older = self.ranks[rank as usize].under_way.end_one(request, *waited);
            if older > 0 {
                self.write(rank, &Action::Younger(older));
            }
            self.write(rank, &Action::Wait(*waited));
        }
    }
}
