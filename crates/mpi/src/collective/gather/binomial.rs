//! Gather up a binomial tree: `log2(p)` steps, payloads that double.

use crate::collective::Channel;
use crate::error::Result;
use crate::payload::Payload;

/// Ranks are counted from the root; each collects the blocks of the places behind its own, nearest
/// first, and passes them to its parent.
pub(crate) async fn gather(
    channel: &Channel<'_>,
    data: Payload,
    root: u32,
) -> Result<Option<Payload>> {
    let (size, place) = (channel.size(), channel.place(root));
    let block = data.len();
    let subtree = channel.subtree(place);
    let mut parts = vec![data];
    let mut distance = 1;
    while distance < subtree && place + distance < size {
        let blocks = distance.min(size - place - distance);
        let child = channel.rank_at(place + distance, root);
        let received = channel.recv(child).await?;
        channel.check_size(&received, u64::from(blocks) * block, child)?;
        parts.push(received);
        distance *= 2;
    }
    let held = Payload::concat(&parts);
    if place > 0 {
        channel.send(held, channel.rank_at(place - subtree, root)).await?;
        return Ok(None);
    }
    // From the order counted from the root to that of ranks.
    let wrapped = u64::from(size - root) * block;
    let turned = [held.slice(wrapped, held.len()), held.slice(0, wrapped)];
    Ok(Some(Payload::concat(&turned)))
}
