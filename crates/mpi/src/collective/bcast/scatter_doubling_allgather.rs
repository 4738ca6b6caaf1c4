//! Bcast of long payloads: scatter down a binomial tree, then allgather by recursive doubling.
//!
//! Thakur et al. 2005, section 4.4, for sizes in between.

use super::scatter_ring_allgather::{pieces, scatter};
use crate::collective::Channel;
use crate::collective::allgather::recursive_doubling;
use crate::error::Result;
use crate::payload::Payload;

/// Ranks are counted from the root.
pub(crate) async fn bcast(channel: &Channel<'_>, data: Payload, root: u32) -> Result<Payload> {
    let (size, place) = (channel.size(), channel.place(root));
    if data.is_empty() {
        return Ok(data);
    }
    let pieces = pieces(data.len(), size);
    let held = scatter(channel, data, &pieces, root).await?;
    let own = held.slice(0, pieces.of(place).min(held.len()));
    let turned = channel.among((0..size).map(|place| channel.rank_at(place, root)));
    match turned {
        Some(turned) => recursive_doubling::allgather(&turned, own, &pieces).await,
        None => Ok(own),
    }
}
