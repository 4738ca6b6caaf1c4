//! Reduce-scatter by shifting: in step `i`, every rank sends the part of the one `i` further on.
//!
//! Each byte crosses the network once. Thakur et al. 2005, section 4.3.

use crate::collective::{Channel, Counts};
use crate::error::Result;
use crate::op::Op;
use crate::payload::Payload;

/// Parts come from the ranks before in descending order, then from those behind in descending
/// order; kept apart, they are combined in rank order. Empty payloads send nothing.
pub(crate) async fn reduce_scatter(
    channel: &Channel<'_>,
    data: Payload,
    counts: &Counts,
    op: &Op,
) -> Result<Payload> {
    let (rank, size) = (channel.rank(), channel.size());
    let mut own = counts.part(&data, rank);
    let mut behind: Option<Payload> = None;
    let steps = if data.is_empty() { 1..1 } else { 1..size };
    for step in steps {
        let (to, from) = ((rank + step) % size, (rank + size - step) % size);
        let received = channel.exchange(counts.part(&data, to), to, from).await?;
        channel.check_size(&received, own.len(), from)?;
        match &mut behind {
            _ if from < rank => op.apply(&received, &mut own),
            None => behind = Some(received),
            Some(behind) => op.apply(&received, behind),
        }
    }
    match behind {
        Some(mut behind) => {
            op.apply(&own, &mut behind);
            Ok(behind)
        }
        None => Ok(own),
    }
}
