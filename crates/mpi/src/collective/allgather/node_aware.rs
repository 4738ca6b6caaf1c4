//! Allgathers that go by nodes. They need nodes of consecutive ranks, and as many on each;
//! otherwise every rank counts as a node.
//!
//! STAR-MPI's `smp_simple` and `loosely_lr` (Faraj and Yuan 2006), MVAPICH2's two levels.

use super::{nested_by, ring};
use crate::collective::layout::Layout;
use crate::collective::{Call, Library, Operation, bcast, gather};
use crate::collective::{Channel, Counts};
use crate::error::Result;
use crate::payload::Payload;
use crate::request::Request;

/// How many ranks a node has, if all have as many consecutive ones; otherwise 1.
pub(super) fn cores(layout: &Layout) -> u32 {
    layout.per_node().filter(|_| layout.is_blocked()).unwrap_or(1)
}

/// Shifting on every node, all at once among leaders, who then tell the ranks of their nodes one
/// after the other.
pub(crate) async fn simple(
    channel: &Channel<'_>,
    data: Payload,
    blocks: &Counts,
) -> Result<Payload> {
    let cores = cores(&*channel.meet().await?);
    let (rank, size) = (channel.rank(), channel.size());
    let (first, nodes) = (rank / cores * cores, size / cores);
    let mut whole = on_node(channel, data, blocks, first, cores).await?;
    if rank != first {
        let received = channel.recv(first).await?;
        channel.store_range(&mut whole, 0..blocks.total(), first, &received)?;
        return Ok(whole);
    }
    let node = rank / cores;
    let from = (1..nodes).map(|step| (node + nodes - step) % nodes * cores);
    let receives: Result<Vec<Request>> = from.clone().map(|from| channel.irecv(from)).collect();
    let mut requests = receives?;
    for step in 1..nodes {
        let own = blocks.parts(&whole, first, first + cores);
        requests.push(channel.isend(own, (node + step) % nodes * cores).await?);
    }
    let parts = channel.wait_all(&mut requests).await?;
    for (from, part) in from.zip(&parts) {
        let range = blocks.start(from)..blocks.start(from + cores);
        channel.store_range(&mut whole, range, from, part)?;
    }
    for to in first + 1..first + cores {
        channel.send(whole.clone(), to).await?;
    }
    Ok(whole)
}

/// The blocks of a node, at each of its ranks.
pub(super) async fn on_node(
    channel: &Channel<'_>,
    data: Payload,
    blocks: &Counts,
    first: u32,
    cores: u32,
) -> Result<Payload> {
    let rank = channel.rank();
    let mut whole = channel.with_own_block(blocks, &data)?;
    let place = rank - first;
    for step in 1..cores {
        let (to, from) = (first + (place + step) % cores, first + (place + cores - step) % cores);
        let received = channel.exchange(data.clone(), to, from).await?;
        channel.store(&mut whole, blocks, from, &received)?;
    }
    Ok(whole)
}

/// Ranks of the same place on their nodes form rings; what comes around is at once given to the
/// other ranks of the node.
pub(crate) async fn loose(
    channel: &Channel<'_>,
    data: Payload,
    blocks: &Counts,
) -> Result<Payload> {
    let cores = cores(&*channel.meet().await?);
    let (rank, size) = (channel.rank(), channel.size());
    let (node, place, nodes) = (rank / cores, rank % cores, size / cores);
    let mut whole = channel.with_own_block(blocks, &data)?;
    let (to, from) = ((rank + cores) % size, (rank + size - cores) % size);
    let mut inside: Vec<(u32, Request)> = Vec::new();
    let mut sends = Vec::new();
    for step in 0..nodes {
        let passed = (node + nodes - step) % nodes * cores;
        let coming = (node + 2 * nodes - 1 - step) % nodes * cores + place;
        let mut between = None;
        for other in 0..cores {
            if other == place && step + 1 < nodes {
                between = Some(channel.irecv(from)?);
                sends.push(channel.isend(blocks.part(&whole, passed + place), to).await?);
            }
            if other != place {
                let peer = node * cores + other;
                inside.push((passed + other, channel.irecv(peer)?));
                sends.push(channel.isend(blocks.part(&whole, passed + place), peer).await?);
            }
        }
        if let Some(between) = between {
            let received = channel.wait(between).await?;
            channel.store(&mut whole, blocks, coming, &received)?;
        }
    }
    for (owner, receive) in inside {
        let received = channel.wait(receive).await?;
        channel.store(&mut whole, blocks, owner, &received)?;
    }
    channel.finish(sends).await?;
    Ok(whole)
}

/// Gather on every node, allgather among leaders, bcast on every node.
pub(crate) async fn two_level(
    channel: &Channel<'_>,
    data: Payload,
    blocks: &Counts,
) -> Result<Payload> {
    let layout = channel.meet().await?;
    if layout.per_node().is_none() || !layout.is_blocked() || !blocks.is_even() {
        return ring::allgather(channel, data, blocks).await;
    }
    if blocks.total() == 0 {
        return Ok(data.blank(0));
    }
    let local = channel.on_node(&layout);
    let even = Counts::even(local.size(), data.len());
    let gathered = gather::nested(&local, data, &even, 0).await?;
    let mut whole = Payload::Size(blocks.total());
    if let (Some(leaders), Some(gathered)) = (channel.leaders(&layout), gathered) {
        whole = match leaders.size() {
            1 => gathered,
            _ => {
                let call = Call::new(Operation::Allgather, gathered.len());
                let choice = leaders.choose_as(Library::SimgridMpich, call);
                nested_by(&leaders, choice, gathered).await?
            }
        };
    }
    bcast::nested(&local, whole, 0).await
}
