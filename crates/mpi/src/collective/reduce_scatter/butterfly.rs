//! Reduce-scatter along a butterfly, from near to far, in rank order; then parts go where they
//! belong.
//!
//! Open MPI's `butterfly`; Traff 2005. Works for operations that do not commute.

use crate::collective::channel::Core;
use crate::collective::{Channel, Counts};
use crate::error::Result;
use crate::op::Op;
use crate::payload::Payload;

pub(crate) async fn reduce_scatter(
    channel: &Channel<'_>,
    mut data: Payload,
    counts: &Counts,
    op: &Op,
) -> Result<Payload> {
    let rank = channel.rank();
    let core = Core::new(channel);
    let bits = core.size().trailing_zeros();
    let mirrored = |place: u32| match bits {
        0 => 0,
        bits => place.reverse_bits() >> (32 - bits),
    };
    let start = |place: u32| match place < core.size() {
        true => counts.start(core.first(place)),
        false => counts.total(),
    };
    let Some(place) = core.lend(channel, &mut data, op).await? else {
        // Who ends with the part of this rank and of the one it lends to.
        return channel.recv(core.rank(mirrored(rank / 2))).await;
    };
    let (mut first, mut blocks, mut distance) = (0, core.size(), 1);
    while distance < core.size() {
        let partner = core.rank(place ^ distance);
        blocks /= 2;
        let (kept, given) = match place & distance {
            0 => (first, first + blocks),
            _ => (first + blocks, first),
        };
        let outgoing = data.slice(start(given), start(given + blocks));
        let mut received = channel.exchange(outgoing, partner, partner).await?;
        let mut own = data.slice(start(kept), start(kept + blocks));
        channel.check_size(&received, own.len(), partner)?;
        if place & distance == 0 {
            op.apply(&own, &mut received);
            own = received;
        } else {
            op.apply(&received, &mut own);
        }
        data.write(start(kept), &own);
        first = kept;
        distance *= 2;
    }
    // This rank now has the part of the place with the bits in reverse order.
    let owner = mirrored(place);
    let partner = core.rank(owner);
    if core.is_lent_to(partner) {
        channel.send(counts.part(&data, partner - 1), partner - 1).await?;
    }
    let part = counts.part(&data, partner);
    if owner == place { Ok(part) } else { channel.exchange(part, partner, partner).await }
}
