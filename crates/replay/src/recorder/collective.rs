//! Collectives, as lines of a trace.

use foretell_mpi::{Collective, Counts, Group, Root as Heard};
use foretell_trace::{Action, Amount, Datatype, List, Members, Root, Sides};

use super::{Known, Notes};

/// Numbers of collectives under way. One that is free again goes first, so that what repeats has
/// the same numbers each time.
#[derive(Debug, Default)]
pub(super) struct Numbers(Vec<bool>);

impl Numbers {
    /// The smallest that is free.
    fn take(&mut self) -> u32 {
        let free = self.0.iter().position(|is_taken| !is_taken).unwrap_or(self.0.len());
        match self.0.get_mut(free) {
            Some(is_taken) => *is_taken = true,
            None => self.0.push(true),
        }
        free as u32
    }

    fn free(&mut self, number: u32) {
        if let Some(is_taken) = self.0.get_mut(number as usize) {
            *is_taken = false;
        }
    }
}

impl Notes {
    /// A collective begins, which `request` is for.
    pub(super) fn later(&mut self, rank: u32, request: u32, collective: Collective<'_>) {
        if let Some((sent, received)) = other_of_its_shape(collective) {
            self.write(rank, &Action::Passes { sent, received, is_other: true });
        }
        self.begin_later(rank, request);
        self.collective(rank, collective);
    }

    /// What follows is begun, to be waited for later.
    pub(super) fn begin_later(&mut self, rank: u32, request: u32) {
        let number = self.ranks[rank as usize].numbers.take();
        *self.known(request) = Known { later: Some(number), ..Known::default() };
        self.write(rank, &Action::Later(number));
    }

    /// The rank takes note that it is complete.
    pub(super) fn end_later(&mut self, rank: u32, number: u32) {
        self.ranks[rank as usize].numbers.free(number);
        self.write(rank, &Action::Await(number));
    }

    /// Says of which communicator the next collective is, and which ranks that has if nobody has
    /// said so yet.
    pub(super) fn within(&mut self, rank: u32, id: u32, group: &Group, other: Option<&Group>) {
        if !self.ranks[rank as usize].communicators.contains(&id) {
            self.ranks[rank as usize].communicators.push(id);
            let world = self.ranks.len() as u32;
            let members: Vec<u32> = group.iter().collect();
            let text = match other {
                None => Members::written(&members),
                Some(other) => Sides::written([&members, &other.iter().collect::<Vec<u32>>()]),
            };
            let action = match other {
                None => Members::parse(text.as_bytes(), world)
                    .map(|members| Action::Define { id, members }),
                Some(_) => Sides::parse(text.as_bytes(), world)
                    .map(|sides| Action::DefineInter { id, sides }),
            };
            match action {
                Ok(action) => self.write(rank, &action),
                Err(_) => *self.untold.entry("communicators").or_default() += 1,
            }
        }
        self.write(rank, &Action::Within(id));
    }

    pub(super) fn collective(&mut self, rank: u32, collective: Collective<'_>) {
        let ranks = self.ranks.len() as u32;
        let mut text = std::mem::take(&mut self.text);
        text.clear();
        let cut = match collective {
            Collective::ReduceScatter { counts, element }
            | Collective::ReduceScatterBlock { counts, element } => {
                list(&mut text, counts, ranks, element);
                text.len()
            }
            Collective::Alltoallv { sent, received } | Collective::Alltoallw { sent, received } => {
                list(&mut text, sent, ranks, 1);
                let cut = text.len();
                list(&mut text, received, ranks, 1);
                cut
            }
            Collective::Gatherv { counts, .. }
            | Collective::Scatterv { counts, .. }
            | Collective::Allgatherv { counts, .. } => {
                list(&mut text, counts, ranks, 1);
                text.len()
            }
            _ => 0,
        };
        let (first, second) = text.split_at(cut);
        let lists = [List::written(first, ranks), List::written(second, ranks)];
        self.write(rank, &action(collective, lists));
        self.text = text;
    }
}

/// What is passed to send and to receive in a collective whose name is that of another operation
/// of the same shape.
fn other_of_its_shape(collective: Collective<'_>) -> Option<(u64, u64)> {
    match collective {
        Collective::ReduceScatterBlock { counts, .. } => Some((counts.total(), counts.of(0))),
        Collective::Alltoallw { sent, received } => Some((sent.total(), received.total())),
        _ => None,
    }
}

/// A collective as a line. Its computation was told before or after, or cost nothing.
fn action<'a>(collective: Collective<'_>, [first, second]: [List<'a>; 2]) -> Action<'a> {
    let flops = 0.0;
    let counts = |list, element| foretell_trace::Counts { list, datatype: Some(datatype(element)) };
    match collective {
        Collective::Barrier => Action::Barrier,
        Collective::Bcast { bytes, root } => {
            Action::Bcast { size: amount(bytes, 1), root: told(root) }
        }
        Collective::Reduce { bytes, element, root } => {
            Action::Reduce { size: amount(bytes, element), flops, root: told(root) }
        }
        Collective::Allreduce { bytes, element } => {
            Action::Allreduce { size: amount(bytes, element), flops }
        }
        Collective::Scan { bytes, element } => Action::Scan { size: amount(bytes, element), flops },
        Collective::Exscan { bytes, element } => {
            Action::Exscan { size: amount(bytes, element), flops }
        }
        Collective::ReduceScatter { element, .. }
        | Collective::ReduceScatterBlock { element, .. } => {
            Action::ReduceScatter { counts: counts(first, element), flops }
        }
        Collective::Alltoall { block } => {
            Action::Alltoall { sent: amount(block, 1), received: amount(block, 1) }
        }
        Collective::Alltoallv { .. } | Collective::Alltoallw { .. } => {
            Action::Alltoallv { sent: counts(first, 1), received: counts(second, 1) }
        }
        Collective::Gather { bytes, root } => {
            let block = amount(bytes, 1);
            Action::Gather { sent: block, received: block, root: told(root) }
        }
        Collective::Gatherv { bytes, root, .. } => {
            let received = counts(first, 1);
            Action::Gatherv { sent: amount(bytes, 1), received, root: told(root) }
        }
        Collective::Scatter { block, root } => {
            let block = amount(block, 1);
            Action::Scatter { sent: block, received: block, root: told(root) }
        }
        Collective::Scatterv { bytes, root, .. } => {
            let sent = counts(first, 1);
            Action::Scatterv { sent, received: amount(bytes, 1), root: told(root) }
        }
        Collective::Allgather { bytes } => {
            Action::Allgather { sent: amount(bytes, 1), received: amount(bytes, 1) }
        }
        Collective::Allgatherv { bytes, .. } => {
            Action::Allgatherv { sent: amount(bytes, 1), received: counts(first, 1) }
        }
    }
}

fn told(root: Heard) -> Root {
    match root {
        Heard::Rank(rank) => Root::Rank(rank),
        Heard::Root => Root::Itself,
        Heard::ProcNull => Root::Nobody,
    }
}

/// So many bytes, in elements of a size where that is one of a datatype.
pub(super) fn amount(bytes: u64, element: u64) -> Amount {
    let datatype = datatype(element);
    match bytes {
        // SimGrid counts in 32 bits.
        large if large > i32::MAX as u64 && large.is_multiple_of(8) => {
            Amount::new(large / 8, Datatype::DOUBLE)
        }
        bytes if bytes.is_multiple_of(datatype.size()) => {
            Amount::new(bytes / datatype.size(), datatype)
        }
        bytes => Amount::of_bytes(bytes),
    }
}

/// A datatype whose elements have so many bytes; bytes if there is none.
fn datatype(element: u64) -> Datatype {
    let number = match element {
        2 => 3,
        4 => 1,
        8 => 0,
        16 => 14,
        32 => 27,
        _ => 6,
    };
    Datatype::numbered(number).unwrap_or(Datatype::BYTE)
}

/// Writes a count for each rank; nothing for each where the counts do not matter, and for ranks of
/// the world that have no part in it.
fn list(text: &mut Vec<u8>, counts: &Counts, ranks: u32, element: u64) {
    use std::io::Write;
    let size = datatype(element).size();
    for rank in 0..ranks {
        let bytes = if rank < counts.ranks() { counts.of(rank) } else { 0 };
        // Writing to memory cannot fail.
        let _ = write!(text, " {}", bytes / size);
    }
}
