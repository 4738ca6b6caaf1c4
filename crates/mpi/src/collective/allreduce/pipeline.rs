//! Allreduce of two levels in segments: four stages, each a segment behind the one before.
//!
//! STAR-MPI's `smp_binomial_pipeline` (Faraj and Yuan 2006): reduce on the node, reduce among the
//! leaders, bcast among them, bcast on the node.

use std::ops::Range;

use crate::collective::Channel;
use crate::collective::bcast::binomial_tree;
use crate::collective::reduce::binomial;
use crate::collective::segments::{segments, whole_elements};
use crate::error::Result;
use crate::op::Op;
use crate::payload::Payload;

/// Segments have 4096 elements if not told otherwise.
pub(crate) async fn allreduce(
    channel: &Channel<'_>,
    mut data: Payload,
    op: &Op,
    segment: Option<u64>,
) -> Result<Payload> {
    let layout = channel.meet().await?;
    let (local, leaders) = match layout.per_node() {
        Some(_) => (channel.on_node(&layout), channel.leaders(&layout)),
        None => {
            let all = channel.among(0..channel.size());
            (channel.among([channel.rank()]).unwrap_or_else(|| channel.on_node(&layout)), all)
        }
    };
    let segment = segment.map_or(4096 * op.element(), |bytes| whole_elements(bytes, op.element()));
    let segment = segment.min(data.len());
    let mut ranges: Vec<Range<u64>> = segments(data.len() / segment * segment, segment).collect();
    // What is no whole segment goes with the last.
    if let Some(last) = ranges.last_mut() {
        last.end = data.len();
    }
    for phase in 0..ranges.len() + 3 {
        if let Some(range) = ranges.get(phase) {
            up(&local, &mut data, op, range).await?;
        }
        if let (Some(leaders), Some(range)) = (&leaders, behind(&ranges, phase, 1)) {
            up(leaders, &mut data, op, range).await?;
        }
        if let (Some(leaders), Some(range)) = (&leaders, behind(&ranges, phase, 2)) {
            down(leaders, &mut data, range).await?;
        }
        if let Some(range) = behind(&ranges, phase, 3) {
            down(&local, &mut data, range).await?;
        }
    }
    Ok(data)
}

fn behind(ranges: &[Range<u64>], phase: usize, by: usize) -> Option<&Range<u64>> {
    phase.checked_sub(by).and_then(|number| ranges.get(number))
}

async fn up(channel: &Channel<'_>, data: &mut Payload, op: &Op, range: &Range<u64>) -> Result<()> {
    let part = data.slice(range.start, range.end);
    if let Some(reduced) = binomial::reduce(channel, part, op, 0).await? {
        data.write(range.start, &reduced);
    }
    Ok(())
}

async fn down(channel: &Channel<'_>, data: &mut Payload, range: &Range<u64>) -> Result<()> {
    let part = data.slice(range.start, range.end);
    let part = binomial_tree::bcast(channel, part, 0).await?;
    data.write(range.start, &part);
    Ok(())
}
