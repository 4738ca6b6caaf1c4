//! Reduce-scatter by recursive halving, from far to near.
//!
//! Open MPI's `basic_recursivehalving`; Thakur et al. 2005, section 4.3. Parts of lenders go with
//! those of the ranks they lend to.

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
    let Some(place) = core.lend(channel, &mut data, op).await? else {
        return match counts.of(rank) {
            0 => Ok(data.blank(0)),
            _ => channel.recv(rank + 1).await,
        };
    };
    // Where the parts of the places from this one on begin.
    let start = |place: u32| match place < core.size() {
        true => counts.start(core.first(place)),
        false => counts.total(),
    };
    let (mut first, mut distance) = (0, core.size() / 2);
    while distance > 0 {
        let partner = core.rank(place ^ distance);
        let (kept, given) = match place & distance {
            0 => (first, first + distance),
            _ => (first + distance, first),
        };
        let keeping = start(kept)..start(kept + distance);
        let giving = start(given)..start(given + distance);
        if !keeping.is_empty() && !giving.is_empty() {
            let receive = channel.irecv(partner)?;
            channel.send(data.slice(giving.start, giving.end), partner).await?;
            combine(&mut data, op, keeping, &channel.wait(receive).await?);
        } else if !keeping.is_empty() {
            combine(&mut data, op, keeping, &channel.recv(partner).await?);
        } else if !giving.is_empty() {
            channel.send(data.slice(giving.start, giving.end), partner).await?;
        }
        first = kept;
        distance /= 2;
    }
    if core.is_lent_to(rank) && counts.of(rank - 1) > 0 {
        channel.send(counts.part(&data, rank - 1), rank - 1).await?;
    }
    Ok(counts.part(&data, rank))
}

fn combine(data: &mut Payload, op: &Op, range: std::ops::Range<u64>, received: &Payload) {
    let mut own = data.slice(range.start, range.end);
    op.apply(received, &mut own);
    data.write(range.start, &own);
}
