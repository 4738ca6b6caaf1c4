//! Scans by recursive doubling: `log2(p)` exchanges of the whole payload.

use crate::collective::Channel;
use crate::error::Result;
use crate::op::Op;
use crate::payload::Payload;

/// The combination of what all ranks before this one hold, in rank order; none for rank 0.
///
/// Before the step of `distance`, `group` combines an aligned group of that many ranks. One whose
/// partner does not exist may miss some, but then no rank behind ever asks it.
pub(crate) async fn before(
    channel: &Channel<'_>,
    data: Payload,
    op: &Op,
) -> Result<Option<Payload>> {
    let (rank, size) = (channel.rank(), channel.size());
    let mut group = data;
    let mut before: Option<Payload> = None;
    let mut distance = 1;
    while distance < size {
        let partner = rank ^ distance;
        if partner < size {
            let mut theirs = channel.exchange(group.clone(), partner, partner).await?;
            channel.check_size(&theirs, group.len(), partner)?;
            if partner < rank {
                op.apply(&theirs, &mut group);
                match &mut before {
                    Some(before) => op.apply(&theirs, before),
                    None => before = Some(theirs),
                }
            } else {
                op.apply(&group, &mut theirs);
                group = theirs;
            }
        }
        distance *= 2;
    }
    Ok(before)
}
