//! Allreduce of long vectors: reduce-scatter by recursive halving, then allgather by doubling.
//!
//! Rabenseifner's algorithm; Thakur et al. 2005, section 4.5.

use std::ops::Range;

use crate::collective::channel::Core;
use crate::collective::{Channel, Counts};
use crate::error::Result;
use crate::op::Op;
use crate::payload::Payload;

/// The vector is cut into as many pieces as the power of two has ranks, the last takes what does
/// not divide.
pub(crate) async fn allreduce(
    channel: &Channel<'_>,
    mut data: Payload,
    op: &Op,
) -> Result<Payload> {
    let core = Core::new(channel);
    let Some(place) = core.lend(channel, &mut data, op).await? else {
        return channel.recv(channel.rank() + 1).await;
    };
    let count = core.size();
    let pieces = pieces(data.len(), op.element(), count);

    let mut distance = 1;
    while distance < count {
        let other = place ^ distance;
        let (kept, given) = halves(place, other, distance, count);
        let outgoing = pieces.parts(&data, given.start, given.end);
        let partner = core.rank(other);
        let mut received = channel.exchange(outgoing, partner, partner).await?;
        let own = pieces.parts(&data, kept.start, kept.end);
        channel.check_size(&received, own.len(), partner)?;
        op.apply(&own, &mut received);
        data.write(pieces.start(kept.start), &received);
        distance *= 2;
    }
    while distance > 1 {
        distance /= 2;
        let other = place ^ distance;
        let (kept, given) = halves(place, other, distance, count);
        let outgoing = pieces.parts(&data, kept.start, kept.end);
        let partner = core.rank(other);
        let received = channel.exchange(outgoing, partner, partner).await?;
        data.write(pieces.start(given.start), &received);
    }
    core.give_back(channel, &data).await?;
    Ok(data)
}

/// Pieces of whole elements, of which the last takes what does not divide.
pub(crate) fn pieces(bytes: u64, element: u64, count: u32) -> Counts {
    let piece = bytes / element / u64::from(count) * element;
    let last = bytes - piece * u64::from(count - 1);
    let sizes = (1..count).map(|_| piece).chain([last]);
    if last == piece { Counts::even(count, piece) } else { Counts::each(sizes) }
}

/// Of the pieces two partners share before a step, those this one keeps and those it gives. The
/// lowest bit of a place decides about the largest halves.
pub(crate) fn halves(
    place: u32,
    other: u32,
    distance: u32,
    count: u32,
) -> (Range<u32>, Range<u32>) {
    let half = count / (2 * distance);
    let start = |place: u32| {
        let mut start = 0;
        let mut bit = 1;
        while bit <= distance {
            if place & bit != 0 {
                start += count / (2 * bit);
            }
            bit *= 2;
        }
        start
    };
    let (kept, given) = (start(place), start(other));
    (kept..kept + half, given..given + half)
}
