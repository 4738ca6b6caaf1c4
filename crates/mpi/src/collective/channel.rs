//! How the ranks of one collective operation talk to each other.

use std::cmp::Ordering;
use std::ops::Range;
use std::rc::Rc;

use foretell_models::SendKind;

use super::{Counts, Root, Tag};
use crate::comm::{ANY_SOURCE, ANY_TAG, Comm};
use crate::error::{Error, Result};
use crate::memory::Landing;
use crate::op::Op;
use crate::payload::Payload;
use crate::point_to_point::{Flavour, Lane, Outgoing, Received};
use crate::request::Request;

/// Messages of one collective operation on one communicator: they match no others.
pub(crate) struct Channel<'a> {
    pub(super) comm: &'a Comm,
    pub(super) tag: i32,
    /// Who takes part, if not all.
    pub(super) team: Option<Rc<Team>>,
}

impl<'a> Channel<'a> {
    pub(crate) fn new(comm: &'a Comm, tag: Tag) -> Self {
        Self { comm, tag: tag.0, team: None }
    }

    pub(crate) fn rank(&self) -> u32 {
        self.team.as_ref().map_or_else(|| self.comm.rank(), |team| team.place)
    }

    pub(crate) fn size(&self) -> u32 {
        self.team.as_ref().map_or_else(|| self.comm.size(), |team| team.ranks.len() as u32)
    }

    /// How many ranks messages can go to: those of the remote group on an inter-communicator.
    pub(crate) fn peers(&self) -> u32 {
        self.team.as_ref().map_or_else(|| self.comm.peers().size(), |team| team.ranks.len() as u32)
    }

    pub(crate) fn is_inter(&self) -> bool {
        self.comm.is_inter() && self.team.is_none()
    }

    /// The same collective among some of the ranks, in this order. None if this rank is not one.
    pub(crate) fn among(&self, ranks: impl IntoIterator<Item = u32>) -> Option<Channel<'a>> {
        let own = self.rank();
        let ranks: Vec<u32> = ranks.into_iter().collect();
        let place = ranks.iter().position(|rank| *rank == own)? as u32;
        let ranks = ranks.into_iter().map(|rank| self.in_comm(rank)).collect();
        Some(Channel { comm: self.comm, tag: self.tag, team: Some(Rc::new(Team { ranks, place })) })
    }

    /// The same ranks, counted from the root, which is at place 0.
    pub(crate) fn turned(&self, root: u32) -> Channel<'a> {
        let places = (0..self.size()).map(|place| self.rank_at(place, root));
        self.among(places).unwrap_or_else(|| unreachable!("every rank has a place"))
    }

    /// The same ranks for another phase, whose messages must not be taken for those of this one. It
    /// has the tag of a collective so far ahead that it never runs at the same time.
    pub(crate) fn apart(&self) -> Channel<'a> {
        Channel { comm: self.comm, tag: self.tag ^ 1 << 30, team: self.team.clone() }
    }

    /// A rank of the channel as the communicator counts it.
    pub(super) fn in_comm(&self, rank: u32) -> u32 {
        self.team.as_ref().map_or(rank, |team| team.ranks[rank as usize])
    }

    /// That the communicator has one group.
    pub(crate) fn require_intra(&self) -> Result<()> {
        self.comm.require_intra(Tag(self.tag).call())
    }

    /// This rank's side of an inter-communicator; [`Channel::within`] talks to it.
    pub(crate) fn inside(&self) -> Comm {
        self.comm.inside().unwrap_or_else(|| self.comm.clone())
    }

    /// The same collective among the ranks of one side.
    pub(crate) fn within<'b>(&self, inside: &'b Comm) -> Channel<'b> {
        Channel { comm: inside, tag: self.tag, team: None }
    }

    /// The rank of a root, if it is one of the peers.
    pub(crate) fn root(&self, root: Root) -> Result<u32> {
        let size = self.peers();
        match root {
            Root::Rank(root) if root < size => Ok(root),
            Root::Rank(root) => Err(Error::NoSuchRank { rank: root as i32, size }),
            Root::Root | Root::ProcNull => {
                Err(Error::BadArgument("a root that is no rank of an intra-communicator".into()))
            }
        }
    }

    /// Counts for a payload of one equal block for each peer.
    pub(crate) fn equal_blocks(&self, payload: &Payload) -> Result<Counts> {
        let (bytes, size) = (payload.len(), self.peers());
        if bytes.is_multiple_of(u64::from(size)) {
            return Ok(Counts::even(size, bytes / u64::from(size)));
        }
        Err(Error::BadArgument(format!("{bytes} bytes are not {size} blocks of equal size")))
    }

    /// That there is a count for each peer.
    pub(crate) fn check_counts(&self, counts: &Counts) -> Result<()> {
        let (given, size) = (counts.ranks(), self.peers());
        if given == size {
            return Ok(());
        }
        Err(Error::BadArgument(format!("{given} counts for {size} ranks")))
    }

    /// That there is a count for each peer, and that they add up to the payload.
    pub(crate) fn check_cut(&self, payload: &Payload, counts: &Counts) -> Result<()> {
        self.check_counts(counts)?;
        let (total, bytes) = (counts.total(), payload.len());
        if total == bytes {
            return Ok(());
        }
        Err(Error::BadArgument(format!("counts of {total} bytes for a payload of {bytes}")))
    }

    /// This rank counted from the root, which is at place 0.
    pub(crate) fn place(&self, root: u32) -> u32 {
        (self.rank() + self.size() - root) % self.size()
    }

    /// The rank at a place counted from the root; the way back of [`Channel::place`].
    pub(crate) fn rank_at(&self, place: u32, root: u32) -> u32 {
        (place + root) % self.size()
    }

    /// How many places the binomial tree below this one spans, those past the last included. It
    /// is also the distance to the parent.
    pub(crate) fn subtree(&self, place: u32) -> u32 {
        match place {
            0 => self.size().next_power_of_two(),
            place => place & place.wrapping_neg(),
        }
    }

    /// A blocking send.
    pub(crate) fn send(&self, payload: Payload, to: u32) -> impl Future<Output = Result<()>> {
        self.comm.send_through(None, self.outgoing(payload, to, SendKind::Blocking))
    }

    /// A blocking receive.
    pub(crate) async fn recv(&self, from: u32) -> Result<Payload> {
        let request = self.irecv(from)?;
        Ok(self.comm.wait_inside(request).await?.payload)
    }

    /// Sends to one rank while receiving from another, or the same.
    pub(crate) fn exchange(
        &self,
        payload: Payload,
        to: u32,
        from: u32,
    ) -> impl Future<Output = Result<Payload>> {
        let (outgoing, from) =
            (self.outgoing(payload, to, SendKind::NonBlocking), self.in_comm(from));
        self.comm.exchange(outgoing, from as i32, self.tag, |received| received.payload)
    }

    /// The same, into a place with room for what is expected. `is_last` says that the collective
    /// ends with it.
    pub(crate) async fn exchange_to(
        &self,
        (payload, to): (Payload, u32),
        (landing, room): (Landing, u64),
        from: u32,
        is_last: bool,
    ) -> Result<Payload> {
        let outgoing = self.outgoing(payload, to, SendKind::NonBlocking);
        let source = (self.in_comm(from) as i32, self.tag, Lane::Collective);
        match self.comm.exchange_to(outgoing, (landing, room), source, is_last).await {
            Ok(received) => Ok(received.payload),
            // What comes must have the size that is expected, whoever looks at it.
            Err(Error::Truncated { sent, .. }) => {
                self.check_size(&Payload::Size(sent), room, from)?;
                Ok(Payload::Size(sent))
            }
            Err(error) => Err(error),
        }
    }

    pub(crate) fn isend(&self, payload: Payload, to: u32) -> impl Future<Output = Result<Request>> {
        self.comm.send_out(None, self.outgoing(payload, to, SendKind::NonBlocking))
    }

    pub(crate) fn irecv(&self, from: u32) -> Result<Request> {
        self.comm.receive(u64::MAX, self.in_comm(from) as i32, self.tag, Lane::Collective)
    }

    /// Whether a message from a rank is there. Asking takes the time of a probe.
    pub(crate) async fn has_come(&self, from: u32) -> Result<bool> {
        self.comm.iprobe_inside(self.in_comm(from) as i32, self.tag).await
    }

    /// A blocking receive from whoever sends first.
    pub(crate) async fn recv_any(&self) -> Result<Payload> {
        let request = self.comm.receive(u64::MAX, ANY_SOURCE, self.tag, Lane::Collective)?;
        self.wait(request).await
    }

    /// Lets time pass.
    pub(crate) async fn pause(&self, seconds: f64) {
        self.comm.sleep(seconds).await;
    }

    /// Waits for one request; gives what came.
    pub(crate) async fn wait(&self, request: Request) -> Result<Payload> {
        Ok(self.comm.wait_inside(request).await?.payload)
    }

    /// Waits for all of some sends.
    pub(crate) async fn finish(&self, mut sends: Vec<Request>) -> Result<()> {
        self.comm.wait_all_inside(&mut sends, |_, _| ()).await
    }

    /// Begins a receive into a place with room for what is expected.
    pub(crate) fn irecv_to(&self, (landing, room): (Landing, u64), from: u32) -> Result<Request> {
        let from = self.in_comm(from) as i32;
        self.comm.receive_to(landing, room, from, self.tag, Lane::Collective)
    }

    /// The collective waits for these, and then only stores what came, if that is not where it
    /// belongs.
    pub(crate) fn waits_only_for(&self, requests: &[Request]) {
        self.comm.waits_only_for(requests);
    }

    /// As [`Channel::wait_all`]; of what had no room only the size is given, for who expects
    /// another.
    pub(crate) async fn wait_all_sizes(&self, requests: &mut [Request]) -> Result<Vec<Payload>> {
        let mut all: Vec<Payload> = requests.iter().map(|_| Payload::Size(0)).collect();
        let mut first = Ok(());
        let keep = |at: usize, outcome: Result<Received>| match outcome {
            Ok(received) => all[at] = received.payload,
            Err(Error::Truncated { sent, .. }) => all[at] = Payload::Size(sent),
            Err(error) if first.is_ok() => first = Err(error),
            Err(_) => {}
        };
        self.comm.finish_all(requests, keep).await;
        first.map(|()| all)
    }

    /// Waits for all; gives what came, in the order of the requests.
    pub(crate) async fn wait_all(&self, requests: &mut [Request]) -> Result<Vec<Payload>> {
        let mut all: Vec<Payload> = requests.iter().map(|_| Payload::Size(0)).collect();
        self.comm.wait_all_inside(requests, |at, received| all[at] = received.payload).await?;
        Ok(all)
    }

    /// Writes what came from a rank to its place in a payload that has one for each.
    pub(crate) fn store(
        &self,
        into: &mut Payload,
        counts: &Counts,
        from: u32,
        part: &Payload,
    ) -> Result<()> {
        self.check_size(part, counts.of(from), from)?;
        let start = counts.start(from);
        match into {
            Payload::Memory { address, .. } => self.put_in_memory(*address + start as usize, part),
            _ => put(into, start, part),
        }
        Ok(())
    }

    /// Room for the blocks of all ranks, with the rank's own in its place.
    pub(crate) fn with_own_block(&self, blocks: &Counts, own: &Payload) -> Result<Payload> {
        let mut whole = own.blank(blocks.total());
        self.store(&mut whole, blocks, self.rank(), own)?;
        Ok(whole)
    }

    /// Writes what came from a rank to a range of a payload.
    pub(crate) fn store_range(
        &self,
        into: &mut Payload,
        range: Range<u64>,
        from: u32,
        part: &Payload,
    ) -> Result<()> {
        self.check_size(part, range.end - range.start, from)?;
        put(into, range.start, part);
        Ok(())
    }

    fn put_in_memory(&self, to: usize, part: &Payload) {
        let state = self.comm.world.state.borrow();
        match part {
            Payload::Size(_) => {}
            Payload::Bytes(bytes) => state.memory.write(bytes, to),
            Payload::Memory { address, bytes } => state.memory.copy(*address, to, *bytes as usize),
        }
    }

    /// The payload with bytes of its own, where it was only known where they are.
    pub(crate) fn copied(&self, payload: &Payload) -> Payload {
        match payload {
            Payload::Memory { address, bytes } => {
                let state = self.comm.world.state.borrow();
                Payload::Bytes(state.memory.read(*address, *bytes as usize))
            }
            _ => payload.clone(),
        }
    }

    /// That what came from a rank has the size that both sides must know. MPI 4.1 section 6.1.
    pub(crate) fn check_size(&self, part: &Payload, expected: u64, from: u32) -> Result<()> {
        let sent = part.len();
        let source_rank = self.comm.peers().world_rank(self.in_comm(from));
        match sent.cmp(&expected) {
            Ordering::Equal => Ok(()),
            Ordering::Greater => {
                Err(Error::Truncated { source_rank, tag: ANY_TAG, sent, room: expected })
            }
            Ordering::Less => Err(Error::BadArgument(format!(
                "rank {source_rank} sent {sent} bytes of the {expected} that are due"
            ))),
        }
    }

    fn outgoing(&self, payload: Payload, to: u32, kind: SendKind) -> Outgoing {
        let (lane, flavour) = (Lane::Collective, Flavour::Standard);
        let to = self.in_comm(to) as i32;
        Outgoing { payload, to, tag: self.tag, lane, flavour, kind }
    }
}

/// Some ranks of a communicator that run a part of a collective among themselves.
#[derive(Debug)]
pub(super) struct Team {
    /// In the communicator.
    pub(super) ranks: Box<[u32]>,
    /// Which of them this one is.
    pub(super) place: u32,
}

/// Overwrites a part of a payload, which learns from it that there are bytes: whoever has nothing
/// to say may have begun with a size alone.
pub(crate) fn put(into: &mut Payload, start: u64, part: &Payload) {
    if part.has_bytes() && !into.has_bytes() {
        *into = part.blank(into.len());
    }
    into.write(start, part);
}

/// Ranks that form a power of two, when there are more: the first even ranks lend their data to
/// the odd rank that follows, and get the result from it.
pub(crate) struct Core {
    size: u32,
    lenders: u32,
}

impl Core {
    pub(crate) fn new(channel: &Channel<'_>) -> Self {
        let size = previous_power_of_two(channel.size());
        Self { size, lenders: channel.size() - size }
    }

    /// How many ranks go on.
    pub(crate) fn size(&self) -> u32 {
        self.size
    }

    /// The rank at a place of the core.
    pub(crate) fn rank(&self, place: u32) -> u32 {
        if place < self.lenders { 2 * place + 1 } else { place + self.lenders }
    }

    /// The first of the ranks whose data a place has: the lender, if there is one.
    pub(crate) fn first(&self, place: u32) -> u32 {
        if place < self.lenders { 2 * place } else { place + self.lenders }
    }

    /// Whether the rank before this one lends to it.
    pub(crate) fn is_lent_to(&self, rank: u32) -> bool {
        rank < 2 * self.lenders
    }

    /// Lends the data, or takes what is lent in. Gives the place in the core, none to lenders.
    pub(crate) async fn lend(
        &self,
        channel: &Channel<'_>,
        data: &mut Payload,
        op: &Op,
    ) -> Result<Option<u32>> {
        let rank = channel.rank();
        if rank >= 2 * self.lenders {
            return Ok(Some(rank - self.lenders));
        }
        if rank.is_multiple_of(2) {
            channel.send(data.clone(), rank + 1).await?;
            return Ok(None);
        }
        let lent = channel.recv(rank - 1).await?;
        channel.check_size(&lent, data.len(), rank - 1)?;
        op.apply(&lent, data);
        Ok(Some(rank / 2))
    }

    /// Gives the result to the lender, if there is one.
    pub(crate) async fn give_back(&self, channel: &Channel<'_>, result: &Payload) -> Result<()> {
        let rank = channel.rank();
        if rank < 2 * self.lenders {
            channel.send(result.clone(), rank - 1).await?;
        }
        Ok(())
    }
}

/// The largest power of two that is not above `count`.
pub(crate) fn previous_power_of_two(count: u32) -> u32 {
    1 << (31 - count.leading_zeros())
}
