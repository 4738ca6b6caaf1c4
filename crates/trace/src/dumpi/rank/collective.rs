//! Collective calls of a rank.

use super::{Call, Teller, list};
use crate::dumpi::comms::ALONE;
use crate::timed::Collective;

/// What a rank gives or gets in a collective call: its name, its bytes, its root.
type Share = (&'static str, u64, Option<i64>);

impl Teller<'_> {
    pub(super) fn join(&mut self, call: &Call) {
        let n = &call.numbers;
        let Some(handle) = (match call.function {
            54 | 56 => n.get(4),
            55 => n.get(5),
            57 => n.get(6),
            _ => n.last(),
        }) else {
            return;
        };
        if *handle == ALONE {
            return;
        }
        let Some(comm) = self.comms.get(handle).copied() else {
            return self.leave_out("collectives of communicators that are not known");
        };
        if self.whole.comms.has_sides(comm) {
            if let Some((share, gotten)) = self.share_across(comm, call) {
                self.take_part(comm, share, gotten);
            }
            return;
        }
        if let 61 | 155 = call.function {
            return self.exchange_all(comm, call);
        }
        let members = &self.whole.comms.members[comm as usize];
        let own = members.iter().position(|member| *member == self.rank).unwrap_or(0);
        if let Some(share) = self.share(call, own) {
            self.take_part(comm, share, 0);
        }
    }

    /// What a rank tells of its call. Where a call may be in place, that is what it gets.
    fn share(&self, call: &Call, own: usize) -> Option<Share> {
        let bytes = |count: &i64, datatype: &i64| self.types.bytes(*count, *datatype);
        let listed = |datatype: &i64| {
            let count = list(call, 0).get(own).copied().unwrap_or(0);
            self.types.bytes(count, *datatype)
        };
        Some(match (call.function, &call.numbers[..]) {
            (52, _) => ("MPI_Barrier", 0, None),
            (53, [count, datatype, root, _]) => ("MPI_Bcast", bytes(count, datatype), Some(*root)),
            (54, [_, _, _, root, _, count, datatype]) | (54, [_, count, datatype, root, _]) => {
                ("MPI_Gather", bytes(count, datatype), Some(*root))
            }
            (55, [.., root, _, datatype]) if !call.lists.is_empty() => {
                ("MPI_Gatherv", listed(datatype), Some(*root))
            }
            (55, [_, _, count, datatype, root, ..]) => {
                ("MPI_Gatherv", bytes(count, datatype), Some(*root))
            }
            (56, [_, _, _, root, _, count, datatype]) | (56, [_, count, datatype, root, _]) => {
                ("MPI_Scatter", bytes(count, datatype), Some(*root))
            }
            (57, [_, _, datatype, _, _, root, _]) if !call.lists.is_empty() => {
                ("MPI_Scatterv", listed(datatype), Some(*root))
            }
            (57, [_, _, _, count, datatype, root, _]) => {
                ("MPI_Scatterv", bytes(count, datatype), Some(*root))
            }
            (58, [_, _, count, datatype, _]) => ("MPI_Allgather", bytes(count, datatype), None),
            (59, [.., datatype, _]) => ("MPI_Allgatherv", listed(datatype), None),
            (60, [_, _, count, datatype, _]) => ("MPI_Alltoall", bytes(count, datatype), None),
            (62, [count, datatype, _, root, _]) => {
                ("MPI_Reduce", bytes(count, datatype), Some(*root))
            }
            (65, [count, datatype, ..]) => ("MPI_Allreduce", bytes(count, datatype), None),
            (66, [_, datatype, ..]) => ("MPI_Reduce_scatter", listed(datatype), None),
            (67, [count, datatype, ..]) => ("MPI_Scan", bytes(count, datatype), None),
            (156, [count, datatype, ..]) => ("MPI_Exscan", bytes(count, datatype), None),
            _ => return None,
        })
    }

    /// What a rank gives to each rank of the other side or to the root, and what it gets.
    fn share_across(&self, comm: u32, call: &Call) -> Option<(Share, u64)> {
        let bytes = |count: &i64, datatype: &i64| self.types.bytes(*count, *datatype);
        let both = |name, given, gotten| Some(((name, given, None), gotten));
        let rooted = |name, given, gotten, root: &i64| Some(((name, given, Some(*root)), gotten));
        match (call.function, &call.numbers[..]) {
            (52, _) => both("MPI_Barrier", 0, 0),
            (53, [count, datatype, root, _]) => {
                let size = bytes(count, datatype);
                rooted("MPI_Bcast", size, size, root)
            }
            // A rank whose number is the root's tells more, which does not count.
            (54, [_, count, datatype, root, ..]) => {
                rooted("MPI_Gather", given_to(root, bytes(count, datatype)), 0, root)
            }
            (55, [_, _, count, datatype, root, ..]) => {
                rooted("MPI_Gatherv", given_to(root, bytes(count, datatype)), 0, root)
            }
            (56, [_, count, datatype, root, ..]) => {
                rooted("MPI_Scatter", 0, given_to(root, bytes(count, datatype)), root)
            }
            (57, [_, _, _, count, datatype, root, _]) => {
                rooted("MPI_Scatterv", 0, given_to(root, bytes(count, datatype)), root)
            }
            (58, [count, datatype, most, other, _]) => {
                both("MPI_Allgather", bytes(count, datatype), bytes(most, other))
            }
            (59, [_, count, datatype, ..]) => both("MPI_Allgatherv", bytes(count, datatype), 0),
            (60, [count, datatype, most, other, _]) => {
                both("MPI_Alltoall", bytes(count, datatype), bytes(most, other))
            }
            (61, [_, datatype, ..]) => {
                both("MPI_Alltoallv", self.mean(comm, call, |_| *datatype), 0)
            }
            (155, _) => {
                let of = |at: usize| list(call, 2).get(at).copied().unwrap_or_default();
                both("MPI_Alltoallw", self.mean(comm, call, of), 0)
            }
            (62, [count, datatype, _, root, _]) => {
                rooted("MPI_Reduce", given_to(root, bytes(count, datatype)), 0, root)
            }
            (65, [count, datatype, ..]) => both("MPI_Allreduce", bytes(count, datatype), 0),
            (66, [_, datatype, ..]) => {
                let own = self.whole.comms.side(comm, self.rank);
                let place = own.iter().position(|rank| *rank == self.rank)?;
                let count = list(call, 0).get(place).copied().unwrap_or(0);
                both("MPI_Reduce_scatter", 0, self.types.bytes(count, *datatype))
            }
            _ => None,
        }
    }

    /// What goes to each rank of the other side on average, as far as the trace tells it: as many
    /// counts as the own side has ranks.
    fn mean(&self, comm: u32, call: &Call, datatype: impl Fn(usize) -> i64) -> u64 {
        let there = self.whole.comms.peers(comm, self.rank).len();
        let counts = list(call, 0).iter().take(there).enumerate();
        let told = counts.len().max(1) as u64;
        counts.map(|(at, count)| self.types.bytes(*count, datatype(at))).sum::<u64>() / told
    }

    fn take_part(&mut self, comm: u32, (name, bytes, root): Share, gathered: u64) {
        let root = root.and_then(|root| u32::try_from(root).ok());
        self.introduce(comm);
        let members = (comm != 0).then(|| self.whole.comms.party(comm));
        let args = Collective { comm, root, bytes, gathered, algorithm: "" };
        self.collectives.join(self.spool, self.rank, name, args, members, None);
    }

    /// Says which ranks a communicator has, once.
    pub(super) fn introduce(&mut self, comm: u32) {
        if comm != 0 && !self.told.contains(&comm) {
            self.told.push(comm);
            self.whole.comms.party(comm).define(self.spool, self.rank, comm);
        }
    }

    /// A call in which a rank tells what goes to each rank and what comes from each.
    fn exchange_all(&mut self, comm: u32, call: &Call) {
        let of = |counts: usize, types: &dyn Fn(usize) -> i64| -> Vec<u64> {
            let counts = list(call, counts).iter().enumerate();
            counts.map(|(at, count)| self.types.bytes(*count, types(at))).collect()
        };
        let one =
            |types: usize| move |at: usize| list(call, types).get(at).copied().unwrap_or_default();
        let (mut sent, received) = match (call.function, &call.numbers[..]) {
            (61, [_, out, into, _]) => (of(0, &|_| *out), of(2, &|_| *into)),
            (155, _) => (of(0, &one(2)), of(3, &one(5))),
            _ => return,
        };
        // In place, what is sent is what is received.
        if sent.iter().all(|bytes| *bytes == 0) {
            sent.clone_from(&received);
        }
        self.introduce(comm);
        let size = self.whole.comms.members[comm as usize].len();
        if !self.collectives.exchange(self.spool, self.rank, comm, [&sent, &received]) {
            let mean = sent.iter().sum::<u64>() / size.max(1) as u64;
            self.take_part(comm, ("MPI_Alltoallv", mean, None), 0);
        }
    }
}

/// What goes to a root, or comes from it. Ranks of its own side have none, or are the root.
fn given_to(root: &i64, bytes: u64) -> u64 {
    if *root < 0 { 0 } else { bytes }
}
