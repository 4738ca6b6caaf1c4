//! Reduce of two levels in segments: one goes between nodes while the one behind it is combined on
//! them.
//!
//! Open MPI's HAN (Luo et al. 2020); which algorithms the levels use is a parameter.

use std::ops::Range;

use super::nested_by;
use crate::collective::segments::{segments, whole_elements};
use crate::collective::{Call, Channel, Choice, Library, Operation, Pending};
use crate::error::Result;
use crate::op::Op;
use crate::payload::Payload;

/// Ranks at the root's place on their nodes combine what these have. Nodes need as many ranks each,
/// otherwise as Open MPI does without HAN. Operands change places.
pub(crate) async fn reduce(
    channel: &Channel<'_>,
    choice: Choice,
    mut data: Payload,
    op: &Op,
    root: u32,
) -> Result<Option<Payload>> {
    let layout = channel.meet().await?;
    let segment = whole_elements(choice.segment(64 << 10), op.element()).min(data.len());
    let tuned = |channel: &Channel<'_>, bytes: u64| {
        channel.choose_as(Library::OpenMpi4, Call::with(Operation::Reduce, bytes, op))
    };
    if layout.per_node().is_none() {
        let choice = tuned(channel, data.len());
        return nested_by(channel, choice, data, op, root).await;
    }
    let (place, top) = (layout.place_of(root), layout.node_of(root));
    let local = channel.on_node(&layout);
    let between = channel.among(layout.at_place(place));
    let inner = choice.inner(|| tuned(&local, segment));
    let mut above: Option<(Range<u64>, Pending<Option<Payload>>)> = None;
    for range in segments(data.len(), segment) {
        let part = data.slice(range.start, range.end);
        let combined = nested_by(&local, inner, part, op, place).await?;
        let (Some(between), Some(combined)) = (&between, combined) else { continue };
        keep(between, &mut data, above.take()).await?;
        let (outer, op) = (choice.outer(|| tuned(between, segment)), op.clone());
        let run =
            async move |channel: &Channel<'_>| nested_by(channel, outer, combined, &op, top).await;
        above = Some((range, between.beside(run)));
    }
    keep(channel, &mut data, above).await?;
    Ok((channel.rank() == root).then_some(data))
}

/// Takes a segment of the result in, if there is one for this rank.
async fn keep(
    channel: &Channel<'_>,
    data: &mut Payload,
    above: Option<(Range<u64>, Pending<Option<Payload>>)>,
) -> Result<()> {
    if let Some((range, pending)) = above
        && let Some(result) = channel.complete(pending).await?
    {
        data.write(range.start, &result);
    }
    Ok(())
}
