//! Allgather by recursive doubling: `log2(p)` exchanges, payloads that double.
//!
//! Thakur et al. 2005, section 4.1. When the number of ranks is no power of two, those whose
//! partner does not exist get its data from their neighbours, down a tree.

use crate::collective::channel::put;
use crate::collective::{Channel, Counts};
use crate::error::Result;
use crate::payload::Payload;

/// Before the step of `distance`, all ranks of an aligned group of that many hold the group's
/// blocks; after it, those of both groups.
pub(crate) async fn allgather(
    channel: &Channel<'_>,
    data: Payload,
    blocks: &Counts,
) -> Result<Payload> {
    let (rank, size) = (channel.rank(), channel.size());
    let mut whole = channel.with_own_block(blocks, &data)?;
    let mut distance = 1;
    while distance < size {
        let partner = rank ^ distance;
        let (mine, theirs) = (rank & !(distance - 1), partner & !(distance - 1));
        let their_end = (theirs + distance).min(size);
        if partner < size {
            let own = blocks.parts(&whole, mine, (mine + distance).min(size));
            let received = channel.exchange(own, partner, partner).await?;
            let room = blocks.start(their_end) - blocks.start(theirs);
            channel.check_size(&received, room, partner)?;
            put(&mut whole, blocks.start(theirs), &received);
        }
        // The other group is short of ranks: only as many here as it has got its blocks.
        if theirs < size && theirs + distance > size {
            spread(channel, &mut whole, blocks, (mine, theirs), distance).await?;
        }
        distance *= 2;
    }
    Ok(whole)
}

/// Within a group, ranks that have the blocks from `theirs` on pass them to those that do not.
async fn spread(
    channel: &Channel<'_>,
    whole: &mut Payload,
    blocks: &Counts,
    (mine, theirs): (u32, u32),
    distance: u32,
) -> Result<()> {
    let (rank, size) = (channel.rank(), channel.size());
    let informed = size - theirs;
    let mut group = distance;
    let mut root = mine;
    while group > 1 {
        let step = group / 2;
        let partner = rank ^ step;
        let has = |rank: u32| rank < root + informed;
        if partner > rank && has(rank) && !has(partner) {
            channel.send(blocks.parts(whole, theirs, size), partner).await?;
        } else if partner < rank && has(partner) && !has(rank) {
            let received = channel.recv(partner).await?;
            put(whole, blocks.start(theirs), &received);
        }
        group = step;
        root = rank & !(group - 1);
    }
    Ok(())
}
