//! Collectives in which both groups send and receive.

use super::rooted::{FIRST, due};
use crate::collective::reduce::binomial;
use crate::collective::{
    Channel, Counts, barrier as barriers, bcast as bcasts, scatter as scatters,
};
use crate::error::Result;
use crate::op::Op;
use crate::payload::Payload;
use crate::request::Request;

/// Both groups come together, then their ranks 0 meet, then these tell their groups.
pub(crate) async fn barrier(channel: &Channel<'_>) -> Result<()> {
    let inside = channel.inside();
    barriers::barrier(&channel.within(&inside)).await?;
    swap(channel, Payload::Size(0)).await.map(drop)
}

/// What rank 0 of each group has, all ranks of the other get, whatever its size.
pub(crate) async fn swap(channel: &Channel<'_>, data: Payload) -> Result<Payload> {
    let inside = channel.inside();
    let theirs = match channel.rank() {
        0 => channel.exchange(data, 0, 0).await?,
        _ => Payload::Size(0),
    };
    tell(&channel.within(&inside), theirs, 0).await
}

/// A bcast within a group whose ranks do not know the size.
pub(crate) async fn tell(within: &Channel<'_>, data: Payload, root: u32) -> Result<Payload> {
    let place = within.place(root);
    let mut distance = within.subtree(place);
    let data = match place {
        0 => data,
        _ => within.recv(within.rank_at(place - distance, root)).await?,
    };
    distance /= 2;
    while distance > 0 {
        if place + distance < within.size() {
            within.send(data.clone(), within.rank_at(place + distance, root)).await?;
        }
        distance /= 2;
    }
    Ok(data)
}

/// Straight to rank 0 of the remote group, which tells its own.
pub(crate) async fn allgather(channel: &Channel<'_>, data: Payload) -> Result<Payload> {
    let inside = channel.inside();
    let parts = at_first(channel, data).await?;
    tell(&channel.within(&inside), Payload::concat(&parts), 0).await
}

/// As [`allgather`], of sizes that the group which gets them knows.
pub(crate) async fn allgatherv(
    channel: &Channel<'_>,
    data: Payload,
    counts: &Counts,
) -> Result<Payload> {
    let inside = channel.inside();
    let parts = at_first(channel, data).await?;
    let mut whole = Payload::Size(counts.total());
    for (from, part) in (0..).zip(&parts) {
        channel.store(&mut whole, counts, from, part)?;
    }
    bcasts::bcast(&channel.within(&inside), whole, FIRST).await
}

/// Brings the payloads of a group to rank 0 of the other: those who get them know how many bytes
/// to expect, those who send them do not know about each other.
async fn at_first(channel: &Channel<'_>, data: Payload) -> Result<Vec<Payload>> {
    let sources = if channel.rank() == 0 { channel.peers() } else { 0 };
    let receives: Result<Vec<Request>> = (0..sources).map(|from| channel.irecv(from)).collect();
    let mut requests = receives?;
    requests.push(channel.isend(data, 0).await?);
    let mut received = channel.wait_all(&mut requests).await?;
    received.truncate(sources as usize);
    Ok(received)
}

/// Every rank to every rank of the other group, all at once.
pub(crate) async fn alltoall(
    channel: &Channel<'_>,
    data: &Payload,
    send: &Counts,
    receive: Option<&Counts>,
) -> Result<Payload> {
    let peers = channel.peers();
    let receives: Result<Vec<Request>> = (0..peers).map(|from| channel.irecv(from)).collect();
    let mut requests = receives?;
    for to in 0..peers {
        requests.push(channel.isend(send.part(data, to), to).await?);
    }
    let mut received = channel.wait_all(&mut requests).await?;
    received.truncate(peers as usize);
    if let Some(receive) = receive {
        for (from, part) in (0..).zip(&received) {
            channel.check_size(part, receive.of(from), from)?;
        }
    }
    Ok(Payload::concat(&received))
}

/// Each group combines its payloads in rank order; the other gets the result.
pub(crate) async fn allreduce(channel: &Channel<'_>, data: Payload, op: &Op) -> Result<Payload> {
    let inside = channel.inside();
    let expected = data.len();
    let theirs = swap_reduced(channel, data, op).await?;
    let theirs = theirs.unwrap_or(Payload::Size(expected));
    bcasts::bcast(&channel.within(&inside), theirs, FIRST).await
}

/// As [`allreduce`], but the ranks of the group share the result. Without counts, evenly.
pub(crate) async fn reduce_scatter(
    channel: &Channel<'_>,
    data: Payload,
    counts: Option<&Counts>,
    op: &Op,
) -> Result<Payload> {
    let inside = channel.inside();
    let within = channel.within(&inside);
    let counts = match counts {
        Some(counts) => {
            within.check_cut(&data, counts)?;
            counts.clone()
        }
        None => within.equal_blocks(&data)?,
    };
    let theirs = swap_reduced(channel, data, op).await?;
    scatters::linear::scatter(&within, theirs.unwrap_or(Payload::Size(0)), &counts, 0).await
}

/// Rank 0 of each group gets what the other group has come to.
async fn swap_reduced(channel: &Channel<'_>, data: Payload, op: &Op) -> Result<Option<Payload>> {
    let inside = channel.inside();
    let expected = data.len();
    match binomial::reduce(&channel.within(&inside), data, op, 0).await? {
        Some(reduced) => {
            let theirs = channel.exchange(reduced, 0, 0).await?;
            due(channel, theirs, expected, 0).map(Some)
        }
        None => Ok(None),
    }
}
