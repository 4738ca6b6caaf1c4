//! Rabenseifner's own reduce and allreduce (1997): lenders share the first step with those they
//! lend to.
//!
//! Pairs of the first ranks each combine a half of the vector, then the even one has it all and
//! goes on. Halves are cut anew in each step, so that no number of elements is too odd.

use std::ops::Range;

use crate::collective::Channel;
use crate::collective::channel::previous_power_of_two;
use crate::error::Result;
use crate::op::Op;
use crate::payload::Payload;

/// To the root.
pub(crate) async fn reduce(
    channel: &Channel<'_>,
    data: Payload,
    op: &Op,
    root: u32,
) -> Result<Option<Payload>> {
    let rank = channel.rank();
    let mut halving = Halving::new(channel, op);
    let mut data = data;
    let mut place = halving.lend(channel, &mut data, op).await?;
    let mut kept = 0..data.len();
    if let Some(place) = place {
        kept = halving.scatter(channel, &mut data, op, place).await?;
    }
    let lenders = halving.lenders;
    let root_lends = root < 2 * lenders && root % 2 == 1;
    let top = match root {
        _ if root_lends => 0,
        root if root < 2 * lenders => root / 2,
        root => root - lenders,
    };
    if root_lends && rank == 0 {
        channel.send(data.slice(kept.start, kept.end), root).await?;
        place = None;
    } else if root_lends && rank == root {
        place = Some(0);
        kept = halving.plan(0, data.len());
        let received = channel.recv(0).await?;
        channel.store_range(&mut data, kept, 0, &received)?;
    }
    let Some(place) = place else { return Ok(None) };
    let at = |place: u32| if place == top { root } else { halving.rank(place) };
    let mut distance = halving.count / 2;
    for (own, other) in halving.steps.iter().rev() {
        let partner = place ^ distance;
        if place & distance != top & distance {
            // As in the original, who has given its part goes on all the same, in vain.
            channel.send(data.slice(own.start, own.end), at(partner)).await?;
        } else {
            let received = channel.recv(at(partner)).await?;
            channel.store_range(&mut data, other.clone(), partner, &received)?;
        }
        distance /= 2;
    }
    Ok((rank == root).then_some(data))
}

/// To all.
pub(crate) async fn allreduce(channel: &Channel<'_>, data: Payload, op: &Op) -> Result<Payload> {
    let rank = channel.rank();
    let mut halving = Halving::new(channel, op);
    let mut data = data;
    if let Some(place) = halving.lend(channel, &mut data, op).await? {
        halving.scatter(channel, &mut data, op, place).await?;
        let mut distance = halving.count / 2;
        for (own, other) in halving.steps.iter().rev() {
            let partner = halving.rank(place ^ distance);
            let outgoing = data.slice(own.start, own.end);
            let received = channel.exchange(outgoing, partner, partner).await?;
            channel.store_range(&mut data, other.clone(), partner, &received)?;
            distance /= 2;
        }
    }
    if rank < 2 * halving.lenders {
        if rank % 2 == 1 {
            return channel.recv(rank - 1).await;
        }
        channel.send(data.clone(), rank + 1).await?;
    }
    Ok(data)
}

/// How the vector is cut in each step.
struct Halving {
    /// Ranks that go on, a power of two.
    count: u32,
    lenders: u32,
    element: u64,
    /// For each step, the range this rank keeps and that which its partner keeps.
    steps: Vec<(Range<u64>, Range<u64>)>,
}

impl Halving {
    fn new(channel: &Channel<'_>, op: &Op) -> Halving {
        let count = previous_power_of_two(channel.size());
        let lenders = channel.size() - count;
        Halving { count, lenders, element: op.element(), steps: Vec::new() }
    }

    fn rank(&self, place: u32) -> u32 {
        if place < self.lenders { 2 * place } else { place + self.lenders }
    }

    fn middle(&self, range: &Range<u64>) -> u64 {
        range.start + (range.end - range.start) / self.element / 2 * self.element
    }

    /// The ranges of a place; gives the last that it keeps.
    fn plan(&mut self, place: u32, bytes: u64) -> Range<u64> {
        let mut range = 0..bytes;
        let mut distance = 1;
        self.steps.clear();
        while distance < self.count {
            let middle = self.middle(&range);
            let (low, high) = (range.start..middle, middle..range.end);
            let (own, other) = if place & distance == 0 { (low, high) } else { (high, low) };
            range = own.clone();
            self.steps.push((own, other));
            distance *= 2;
        }
        range
    }

    /// Gives the place among those that go on, none to lenders.
    async fn lend(
        &self,
        channel: &Channel<'_>,
        data: &mut Payload,
        op: &Op,
    ) -> Result<Option<u32>> {
        let (rank, bytes) = (channel.rank(), data.len());
        if rank >= 2 * self.lenders {
            return Ok(Some(rank - self.lenders));
        }
        let middle = self.middle(&(0..bytes));
        if rank % 2 == 0 {
            let outgoing = data.slice(middle, bytes);
            let theirs = channel.exchange(outgoing, rank + 1, rank + 1).await?;
            combine(op, data, 0..middle, &theirs);
            let rest = channel.recv(rank + 1).await?;
            channel.store_range(data, middle..bytes, rank + 1, &rest)?;
            return Ok(Some(rank / 2));
        }
        let theirs = channel.exchange(data.slice(0, middle), rank - 1, rank - 1).await?;
        combine(op, data, middle..bytes, &theirs);
        channel.send(data.slice(middle, bytes), rank - 1).await?;
        Ok(None)
    }

    /// Halves the vector until each place has its part; gives where that is.
    async fn scatter(
        &mut self,
        channel: &Channel<'_>,
        data: &mut Payload,
        op: &Op,
        place: u32,
    ) -> Result<Range<u64>> {
        let last = self.plan(place, data.len());
        let mut distance = 1;
        for (own, other) in &self.steps {
            let partner = self.rank(place ^ distance);
            let outgoing = data.slice(other.start, other.end);
            let received = channel.exchange(outgoing, partner, partner).await?;
            channel.check_size(&received, own.end - own.start, partner)?;
            combine(op, data, own.clone(), &received);
            distance *= 2;
        }
        Ok(last)
    }
}

fn combine(op: &Op, data: &mut Payload, range: Range<u64>, received: &Payload) {
    let mut own = data.slice(range.start, range.end);
    op.apply(received, &mut own);
    data.write(range.start, &own);
}
