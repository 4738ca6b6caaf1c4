//! Bcast to those who have come: scatter from rank 0, then allgather around their ring.
//!
//! Patarasuk and Yuan 2008, for long payloads.

use super::arrival::{Header, look_thrice};
use super::binomial_tree;
use super::non_topology::to_first;
use crate::collective::{Channel, Counts};
use crate::error::Result;
use crate::payload::Payload;

/// Payloads of less than one element of eight bytes for each rank go down a binomial tree.
pub(crate) async fn bcast(channel: &Channel<'_>, data: Payload, root: u32) -> Result<Payload> {
    if data.len() / 8 < u64::from(channel.size()) {
        return binomial_tree::bcast(channel, data, root).await;
    }
    let data = to_first(channel, data, root).await?;
    if channel.rank() > 0 {
        return follow(channel, data).await;
    }
    let mut missing: Vec<u32> = (1..channel.size()).collect();
    while !missing.is_empty() {
        let come = look_thrice(channel, &mut missing).await?;
        for rank in &come {
            channel.send(Header::naming(&come, 128), *rank).await?;
        }
        let pieces = pieces(data.len(), come.len() as u64);
        for (place, rank) in (0..).zip(&come) {
            channel.send(pieces.part(&data, place), *rank).await?;
        }
    }
    Ok(data)
}

async fn follow(channel: &Channel<'_>, mut data: Payload) -> Result<Payload> {
    channel.send(Payload::Size(1), 0).await?;
    let header = channel.recv(0).await?;
    let ranks = Header::ranks(&header);
    let count = ranks.len() as u32;
    let own = ranks.iter().position(|rank| *rank == channel.rank()).unwrap_or(0) as u32;
    let pieces = pieces(data.len(), u64::from(count));
    let received = channel.recv(0).await?;
    let range = |place: u32| pieces.start(place)..pieces.start(place + 1);
    channel.store_range(&mut data, range(own), 0, &received)?;
    let (to, from) =
        (ranks[((own + 1) % count) as usize], ranks[((own + count - 1) % count) as usize]);
    for step in 1..count {
        let (outgoing, incoming) = ((own + count + 1 - step) % count, (own + count - step) % count);
        let received = channel.exchange(pieces.part(&data, outgoing), to, from).await?;
        channel.store_range(&mut data, range(incoming), from, &received)?;
    }
    Ok(data)
}

/// Equal pieces of whole elements of eight bytes; the last takes what does not divide.
fn pieces(bytes: u64, count: u64) -> Counts {
    let piece = bytes / 8 / count * 8;
    let last = bytes - piece * (count - 1);
    Counts::each((1..count).map(|_| piece).chain([last]))
}
