//! Reduce of long vectors: reduce-scatter by recursive halving, then gather up a binomial tree.
//!
//! Rabenseifner's algorithm; Thakur et al. 2005, section 4.6. Vectors with less than an element
//! for each rank are sent with room for one each.

use crate::collective::Channel;
use crate::collective::allreduce::rabenseifner::{halves, pieces};
use crate::collective::channel::previous_power_of_two;
use crate::error::Result;
use crate::op::Op;
use crate::payload::Payload;

/// The odd ones of the first ranks lend their data to the even ones and are done, unless one of
/// them is the root: it then takes the place of rank 0.
pub(crate) async fn reduce(
    channel: &Channel<'_>,
    data: Payload,
    op: &Op,
    root: u32,
) -> Result<Option<Payload>> {
    let (rank, size, bytes) = (channel.rank(), channel.size(), data.len());
    let count = previous_power_of_two(size);
    let lenders = size - count;
    let room = bytes.max(u64::from(size) * op.element());
    let mut data = if room > bytes { padded(data, room) } else { data };
    let mut place = match rank {
        rank if rank >= 2 * lenders => Some(rank - lenders),
        rank if rank % 2 == 1 => {
            channel.send(data.clone(), rank - 1).await?;
            None
        }
        rank => {
            let lent = channel.recv(rank + 1).await?;
            channel.check_size(&lent, room, rank + 1)?;
            combine(op, &mut data, 0, &lent, bytes);
            Some(rank / 2)
        }
    };
    let pieces = pieces(room, op.element(), count);
    let at = |place: u32| if place < lenders { 2 * place } else { place + lenders };
    let mut distance = 1;
    while let (Some(place), true) = (place, distance < count) {
        let other = place ^ distance;
        let (kept, given) = halves(place, other, distance, count);
        let outgoing = pieces.parts(&data, given.start, given.end);
        let received = channel.exchange(outgoing, at(other), at(other)).await?;
        combine(op, &mut data, pieces.start(kept.start), &received, bytes);
        distance *= 2;
    }
    let root_lends = root < 2 * lenders && root % 2 == 1;
    let top = match root {
        _ if root_lends => 0,
        root if root < 2 * lenders => root / 2,
        root => root - lenders,
    };
    if root_lends && place == Some(0) {
        channel.send(pieces.part(&data, 0), root).await?;
        place = None;
    } else if root_lends && rank == root {
        let received = channel.recv(0).await?;
        data.write(0, &received);
        place = Some(0);
    }
    let at = |place: u32| if root_lends && place == 0 { root } else { at(place) };
    let mut distance = count / 2;
    while let (Some(place), true) = (place, distance > 0) {
        let other = place ^ distance;
        let (kept, given) = halves(place, other, distance, count);
        let shift = distance.trailing_zeros();
        if other >> shift == top >> shift {
            let outgoing = pieces.parts(&data, kept.start, kept.end);
            channel.send(outgoing, at(other)).await?;
            break;
        }
        let received = channel.recv(at(other)).await?;
        data.write(pieces.start(given.start), &received);
        distance /= 2;
    }
    Ok((rank == root).then(|| data.slice(0, bytes)))
}

/// With zeros behind.
fn padded(data: Payload, room: u64) -> Payload {
    let rest = data.blank(room - data.len());
    Payload::concat([&data, &rest])
}

/// Combines what came with what is there, as far as there are true elements.
fn combine(op: &Op, data: &mut Payload, start: u64, received: &Payload, bytes: u64) {
    let end = (start + received.len()).min(bytes);
    if start < end {
        let mut own = data.slice(start, end);
        op.apply(&received.slice(0, end - start), &mut own);
        data.write(start, &own);
    }
}
