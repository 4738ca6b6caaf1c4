//! Reduce-scatter by recursive halving, from near to far, of blocks laid out with the bits of their
//! numbers in reverse order.
//!
//! MPICH's `noncomm`: operands stay in rank order. The number of ranks is a power of two, and blocks
//! are of one size.

use crate::collective::{Channel, Counts};
use crate::error::Result;
use crate::op::Op;
use crate::payload::Payload;

pub(crate) async fn reduce_scatter(
    channel: &Channel<'_>,
    data: Payload,
    counts: &Counts,
    op: &Op,
) -> Result<Payload> {
    let (rank, size) = (channel.rank(), channel.size());
    let bits = size.trailing_zeros();
    let mirrored = |block: u32| if bits == 0 { 0 } else { block.reverse_bits() >> (32 - bits) };
    let mut held = data.blank(data.len());
    for block in 0..size {
        held.write(counts.start(mirrored(block)), &counts.part(&data, block));
    }
    let (mut first, mut blocks, mut distance) = (0, size, 1);
    while distance < size {
        let partner = rank ^ distance;
        blocks /= 2;
        let (kept, given) = match rank & distance {
            0 => (first, first + blocks),
            _ => (first + blocks, first),
        };
        let outgoing = counts.parts(&held, given, given + blocks);
        let mut received = channel.exchange(outgoing, partner, partner).await?;
        let mut own = counts.parts(&held, kept, kept + blocks);
        channel.check_size(&received, own.len(), partner)?;
        if partner < rank {
            op.apply(&received, &mut own);
        } else {
            op.apply(&own, &mut received);
            own = received;
        }
        held.write(counts.start(kept), &own);
        first = kept;
        distance *= 2;
    }
    Ok(counts.part(&held, first))
}
