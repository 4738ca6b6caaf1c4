//! Reduce up a binomial tree: `log2(p)` steps, the whole payload in each.

use crate::collective::Channel;
use crate::error::Result;
use crate::op::Op;
use crate::payload::Payload;

/// Ranks are counted from the root, or from rank 0 if the order of operands matters: then rank 0
/// passes the result on to the root. Empty payloads send nothing.
pub(crate) async fn reduce(
    channel: &Channel<'_>,
    mut data: Payload,
    op: &Op,
    root: u32,
) -> Result<Option<Payload>> {
    let (rank, size) = (channel.rank(), channel.size());
    if data.is_empty() {
        return Ok((rank == root).then_some(data));
    }
    let top = if op.is_commutative() { root } else { 0 };
    let place = channel.place(top);
    let subtree = channel.subtree(place);
    let mut distance = 1;
    while distance < subtree && place + distance < size {
        let child = channel.rank_at(place + distance, top);
        let mut received = channel.recv(child).await?;
        channel.check_size(&received, data.len(), child)?;
        op.apply(&data, &mut received);
        data = received;
        distance *= 2;
    }
    if place > 0 {
        channel.send(data, channel.rank_at(place - subtree, top)).await?;
        return match rank == root {
            true => channel.recv(top).await.map(Some),
            false => Ok(None),
        };
    }
    if rank == root {
        return Ok(Some(data));
    }
    channel.send(data, root).await?;
    Ok(None)
}
