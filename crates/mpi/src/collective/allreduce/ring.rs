//! Allreduce around a ring: reduce-scatter, then allgather, `p - 1` steps each.
//!
//! Bandwidth-optimal and without contention on any network that has a ring. Patarasuk and Yuan
//! 2009.

use super::nested;
use crate::collective::{Channel, Counts};
use crate::error::Result;
use crate::op::Op;
use crate::payload::Payload;

/// The payload has at least one element for each rank. What does not divide is left to
/// another allreduce.
pub(crate) async fn allreduce(
    channel: &Channel<'_>,
    mut data: Payload,
    op: &Op,
) -> Result<Payload> {
    let (rank, size) = (channel.rank(), channel.size());
    let (left, right) = ((rank + size - 1) % size, (rank + 1) % size);
    let elements = data.len() / op.element() / u64::from(size);
    let pieces = Counts::even(size, elements * op.element());
    let before = |steps: u32| (rank + 2 * size - steps) % size;

    for step in 1..size {
        let incoming = before(step + 1);
        let mut received = channel.exchange(pieces.part(&data, before(step)), right, left).await?;
        op.apply(&pieces.part(&data, incoming), &mut received);
        channel.store(&mut data, &pieces, incoming, &received)?;
    }
    for step in 1..size {
        let incoming = before(step);
        let received = channel.exchange(pieces.part(&data, before(step - 1)), right, left).await?;
        channel.store(&mut data, &pieces, incoming, &received)?;
    }
    let even = pieces.total();
    if even < data.len() {
        let rest = data.slice(even, data.len());
        data.write(even, &nested(channel, rest, op).await?);
    }
    Ok(data)
}
