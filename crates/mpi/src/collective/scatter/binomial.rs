//! Scatter down a binomial tree: `log2(p)` steps, payloads that halve.

use crate::collective::{Channel, Counts};
use crate::error::Result;
use crate::payload::Payload;

/// Ranks are counted from the root; each passes on the blocks of the places behind its own,
/// nearest first.
pub(crate) async fn scatter(
    channel: &Channel<'_>,
    data: Payload,
    blocks: &Counts,
    root: u32,
) -> Result<Payload> {
    let (size, place) = (channel.size(), channel.place(root));
    let subtree = channel.subtree(place);
    let held = if place > 0 {
        channel.recv(channel.rank_at(place - subtree, root)).await?
    } else {
        // From the order of ranks to that counted from the root.
        let turned = [blocks.parts(&data, root, size), blocks.parts(&data, 0, root)];
        Payload::concat(&turned)
    };
    // Only the root knows the size of a block, the others learn it from what they get.
    let count = subtree.min(size - place);
    let block = held.len() / u64::from(count);
    let mut distance = 1;
    while distance < subtree && place + distance < size {
        let end = u64::from((2 * distance).min(count)) * block;
        let part = held.slice(u64::from(distance) * block, end);
        channel.send(part, channel.rank_at(place + distance, root)).await?;
        distance *= 2;
    }
    Ok(held.slice(0, block))
}
