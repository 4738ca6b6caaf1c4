//! Allgather by shifting on every node, around a ring of leaders, and along a line of the ranks
//! of each node.
//!
//! STAR-MPI's `SMP_NTS` (Faraj and Yuan 2006): what comes around the ring goes down the line at
//! once.

use super::at_once;
use super::node_aware::{cores, on_node};
use crate::collective::{Channel, Counts};
use crate::error::Result;
use crate::payload::Payload;
use crate::request::Request;

/// On a single node, all at once.
pub(crate) async fn allgather(
    channel: &Channel<'_>,
    data: Payload,
    blocks: &Counts,
) -> Result<Payload> {
    let cores = cores(&*channel.meet().await?);
    let (rank, size) = (channel.rank(), channel.size());
    if size <= cores {
        return at_once::allgather(channel, data, blocks).await;
    }
    let (node, place, nodes) = (rank / cores, rank % cores, size / cores);
    let first = node * cores;
    let mut whole = on_node(channel, data, blocks, first, cores).await?;
    let group = |step: u32| (node + nodes - step) % nodes * cores;
    let range = |group: u32| blocks.start(group)..blocks.start(group + cores);
    if place > 0 {
        for step in 1..nodes {
            let received = channel.recv(rank - 1).await?;
            channel.store_range(&mut whole, range(group(step)), rank - 1, &received)?;
            if place + 1 < cores {
                channel.send(received, rank + 1).await?;
            }
        }
        return Ok(whole);
    }
    let (from, to) = ((node + nodes - 1) % nodes * cores, (node + 1) % nodes * cores);
    let receives: Result<Vec<Request>> = (1..nodes).map(|_| channel.irecv(from)).collect();
    let mut sends = vec![channel.isend(blocks.parts(&whole, first, first + cores), to).await?];
    for (step, receive) in (1..).zip(receives?) {
        let received = channel.wait(receive).await?;
        channel.store_range(&mut whole, range(group(step)), from, &received)?;
        if step + 1 < nodes {
            sends.push(channel.isend(received.clone(), to).await?);
        }
        if cores > 1 {
            channel.send(received, rank + 1).await?;
        }
    }
    channel.finish(sends).await?;
    Ok(whole)
}
