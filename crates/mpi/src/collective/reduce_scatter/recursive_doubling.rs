//! Reduce-scatter by recursive doubling: all parts but those of one's own group are exchanged.
//!
//! MPICH's `rdb`, for short vectors and operations that do not commute; Thakur et al. 2005, section
//! 4.3. When the number of ranks is no power of two, those whose partner does not exist get what it
//! would have sent from their neighbours, down a tree.

use crate::collective::{Channel, Counts};
use crate::error::Result;
use crate::op::Op;
use crate::payload::Payload;

/// What two groups know before a step is combined for all others and for each other.
pub(crate) async fn reduce_scatter(
    channel: &Channel<'_>,
    mut data: Payload,
    counts: &Counts,
    op: &Op,
) -> Result<Payload> {
    let (rank, size) = (channel.rank(), channel.size());
    let mut distance = 1;
    while distance < size {
        let partner = rank ^ distance;
        let (mine, theirs) = (rank & !(distance - 1), partner & !(distance - 1));
        let mut received = None;
        if partner < size {
            let outgoing = without(&data, counts, mine, distance);
            let came = channel.exchange(outgoing, partner, partner).await?;
            channel.check_size(&came, without(&data, counts, theirs, distance).len(), partner)?;
            received = Some(came);
        }
        if theirs + distance > size {
            spread(channel, &mut received, (mine, distance)).await?;
        }
        if let Some(mut received) = received {
            let mut own = without(&data, counts, theirs, distance);
            if theirs < mine {
                op.apply(&received, &mut own);
            } else {
                op.apply(&own, &mut received);
                own = received;
            }
            write_without(&mut data, counts, theirs, distance, &own);
        }
        distance *= 2;
    }
    Ok(counts.part(&data, rank))
}

/// Bytes before and behind the parts of a group.
fn gap(counts: &Counts, first: u32, count: u32) -> (u64, u64) {
    let size = counts.ranks();
    (counts.start(first.min(size)), counts.start((first + count).min(size)))
}

/// All parts but those of a group.
fn without(data: &Payload, counts: &Counts, first: u32, count: u32) -> Payload {
    let (start, end) = gap(counts, first, count);
    let parts = [data.slice(0, start), data.slice(end, data.len())];
    Payload::concat(&parts)
}

fn write_without(data: &mut Payload, counts: &Counts, first: u32, count: u32, part: &Payload) {
    let (start, end) = gap(counts, first, count);
    data.write(0, &part.slice(0, start));
    data.write(end, &part.slice(start, part.len()));
}

/// Within a group whose partner group is short of ranks, those that got something pass it to those
/// that did not.
async fn spread(
    channel: &Channel<'_>,
    received: &mut Option<Payload>,
    (mine, distance): (u32, u32),
) -> Result<()> {
    let (rank, size) = (channel.rank(), channel.size());
    let informed = (size - mine).saturating_sub(distance);
    let mut group = distance;
    while group > 1 {
        let root = rank & !(group - 1);
        let step = group / 2;
        let partner = rank ^ step;
        let has = |rank: u32| rank < root + informed;
        if partner > rank && has(rank) && !has(partner) {
            if let Some(part) = received {
                channel.send(part.clone(), partner).await?;
            }
        } else if partner < rank && has(partner) && !has(rank) {
            *received = Some(channel.recv(partner).await?);
        }
        group = step;
    }
    Ok(())
}
