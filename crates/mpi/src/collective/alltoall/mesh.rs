//! Alltoall on a grid: all that ranks of a row or layer have goes around there first; then each rank
//! sends on, in one message, what others beyond it are due.
//!
//! STAR-MPI's `2dmesh` and `3dmesh` (Faraj and Yuan 2006).

use super::Blocks;
use super::{Pace, ring};
use crate::collective::Channel;
use crate::collective::Counts;
use crate::collective::grid::{cube, square};
use crate::error::Result;
use crate::payload::Payload;
use crate::request::Request;

/// Where the number of ranks makes no grid, by shifting.
pub(super) async fn two(channel: &Channel<'_>, blocks: &Blocks) -> Result<Payload> {
    let (rank, size) = (channel.rank(), channel.size());
    let Some((rows, columns)) = square(size) else {
        return ring::alltoall(channel, blocks, Pace::Free).await;
    };
    let first = rank / columns * columns;
    let mut held = Held::new(channel, blocks, first, columns);
    let row = (first..first + columns).filter(|other| *other != rank);
    held.gather(channel, row, 1).await?;
    let column = (0..rows).map(|row| row * columns + rank % columns);
    held.deal(channel, blocks, column.filter(|other| *other != rank), first, columns).await
}

/// Where the number of ranks makes no grid, by shifting.
pub(super) async fn three(channel: &Channel<'_>, blocks: &Blocks) -> Result<Payload> {
    let (rank, size) = (channel.rank(), channel.size());
    let Some((side, layers)) = cube(size) else {
        return ring::alltoall(channel, blocks, Pace::Free).await;
    };
    let layer = side * side;
    let first = rank / layer * layer;
    let mut held = Held::new(channel, blocks, first, layer);
    let row = rank / side * side;
    held.gather(channel, (row..row + side).filter(|other| *other != rank), 1).await?;
    let column = (0..side).map(|row| first + rank % side + row * side);
    held.gather(channel, column.filter(|other| *other != rank), side).await?;
    let beyond = (1..layers).map(|turn| (rank + turn * layer) % size);
    held.deal(channel, blocks, beyond, first, layer).await
}

/// All that the ranks of a group have for anybody.
struct Held {
    whole: Payload,
    /// Where the data of each rank is; those outside of the group have none.
    owners: Counts,
}

impl Held {
    fn new(channel: &Channel<'_>, blocks: &Blocks, first: u32, count: u32) -> Held {
        let each = |rank: u32| match (first..first + count).contains(&rank) {
            true => blocks.data.len(),
            false => 0,
        };
        let owners = Counts::each((0..channel.size()).map(each));
        let mut whole = blocks.data.blank(owners.total());
        whole.write(owners.start(channel.rank()), &blocks.data);
        Held { whole, owners }
    }

    /// Swaps aligned groups of `count` ranks' data with some ranks.
    async fn gather(
        &mut self,
        channel: &Channel<'_>,
        others: impl Iterator<Item = u32> + Clone,
        count: u32,
    ) -> Result<()> {
        let group = |rank: u32| rank / count * count;
        let receives: Result<Vec<Request>> =
            others.clone().map(|from| channel.irecv(from)).collect();
        let mut receives = receives?;
        let own = group(channel.rank());
        let outgoing = self.owners.parts(&self.whole, own, own + count);
        for to in others.clone() {
            channel.send(outgoing.clone(), to).await?;
        }
        let parts = channel.wait_all(&mut receives).await?;
        for (from, part) in others.zip(&parts) {
            let first = group(from);
            let range = self.owners.start(first)..self.owners.start(first + count);
            channel.store_range(&mut self.whole, range, from, part)?;
        }
        Ok(())
    }

    /// Gives ranks of other groups what all of this one have for them.
    async fn deal(
        self,
        channel: &Channel<'_>,
        blocks: &Blocks,
        others: impl Iterator<Item = u32> + Clone,
        first: u32,
        count: u32,
    ) -> Result<Payload> {
        let rank = channel.rank();
        let due = |to: u32| {
            let part = |owner: u32| {
                let start = self.owners.start(owner) + blocks.send.start(to);
                self.whole.slice(start, start + blocks.send.of(to))
            };
            let parts: Vec<Payload> = (first..first + count).map(part).collect();
            Payload::concat(&parts)
        };
        let mut result = blocks.data.blank(blocks.receive.total());
        result.write(blocks.receive.start(first), &due(rank));
        let receives: Result<Vec<Request>> =
            others.clone().map(|from| channel.irecv(from)).collect();
        let mut receives = receives?;
        for to in others.clone() {
            channel.send(due(to), to).await?;
        }
        let parts = channel.wait_all(&mut receives).await?;
        for (from, part) in others.zip(&parts) {
            let group = from / count * count;
            let range = blocks.receive.start(group)..blocks.receive.start(group + count);
            channel.store_range(&mut result, range, from, part)?;
        }
        Ok(result)
    }
}
