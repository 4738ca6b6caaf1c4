//! Allreduces that end in an allgather, by the algorithm chosen for that: every rank first gets
//! the combination of its piece of the vector.
//!
//! STAR-MPI's `rab1` and `rab2` (Faraj and Yuan 2006). A vector that cannot be cut evenly is sent
//! with room behind it.

use crate::collective::{Channel, allgather, alltoall};
use crate::error::Result;
use crate::op::Op;
use crate::payload::Payload;

/// By recursive halving; the number of ranks is a power of two.
pub(crate) async fn halving(channel: &Channel<'_>, data: Payload, op: &Op) -> Result<Payload> {
    let (rank, size, bytes) = (channel.rank(), u64::from(channel.size()), data.len());
    let piece = piece(bytes, op.element(), size, 1);
    let mut data = padded(data, piece * size);
    let mut start = 0;
    let mut distance = channel.size() / 2;
    while distance > 0 {
        let partner = rank ^ distance;
        let half = u64::from(distance) * piece;
        let (kept, given) = match rank & distance {
            0 => (start, start + half),
            _ => (start + half, start),
        };
        let outgoing = data.slice(given, given + half);
        let received = channel.exchange(outgoing, partner, partner).await?;
        channel.check_size(&received, half, partner)?;
        let mut own = data.slice(kept, kept + half);
        combine(op, &received, &mut own, kept, bytes);
        data.write(kept, &own);
        start = kept;
        distance /= 2;
    }
    let own = data.slice(start, start + piece);
    Ok(allgather::nested(channel, own).await?.slice(0, bytes))
}

/// By an alltoall of the pieces.
pub(crate) async fn alltoall(channel: &Channel<'_>, data: Payload, op: &Op) -> Result<Payload> {
    let (rank, size, bytes) = (u64::from(channel.rank()), u64::from(channel.size()), data.len());
    let piece = piece(bytes, op.element(), size, size);
    let all = alltoall::nested(channel, padded(data, piece * size)).await?;
    let mut own = all.slice(0, piece);
    for other in 1..size {
        let part = all.slice(other * piece, (other + 1) * piece);
        combine(op, &part, &mut own, rank * piece, bytes);
    }
    Ok(allgather::nested(channel, own).await?.slice(0, bytes))
}

/// Bytes of each rank's piece. If there is less than an element for each, `least` elements.
fn piece(bytes: u64, element: u64, size: u64, least: u64) -> u64 {
    let elements = bytes / element;
    match elements {
        elements if elements.is_multiple_of(size) => elements / size * element,
        elements if elements < size => least.max((elements + size) / size) * element,
        elements => (elements + size) / size * element,
    }
}

fn padded(data: Payload, room: u64) -> Payload {
    match room > data.len() {
        true => Payload::concat([&data, &data.blank(room - data.len())]),
        false => data,
    }
}

/// Combines as far as there are true elements: the first `bytes` of the whole vector, where both
/// parts begin at `start`.
fn combine(op: &Op, received: &Payload, own: &mut Payload, start: u64, bytes: u64) {
    let count = bytes.saturating_sub(start).min(own.len());
    if count > 0 {
        let mut true_part = own.slice(0, count);
        op.apply(&received.slice(0, count), &mut true_part);
        own.write(0, &true_part);
    }
}
