//! Bcast of two levels in segments: one goes between nodes while the one before it goes on them.
//!
//! Open MPI's HAN (Luo et al. 2020); which algorithms the levels use is a parameter.

use std::ops::Range;

use super::nested_by;
use crate::collective::channel::put;
use crate::collective::segments::segments;
use crate::collective::{Call, Channel, Choice, Library, Operation};
use crate::error::Result;
use crate::payload::Payload;

/// Ranks at the root's place on their nodes pass segments on. Nodes need as many ranks each,
/// otherwise as Open MPI does without HAN.
pub(crate) async fn bcast(
    channel: &Channel<'_>,
    choice: Choice,
    mut data: Payload,
    root: u32,
) -> Result<Payload> {
    let layout = channel.meet().await?;
    let tuned = |channel: &Channel<'_>, bytes: u64| {
        channel.choose_as(Library::OpenMpi4, Call::new(Operation::Bcast, bytes))
    };
    if layout.per_node().is_none() {
        let choice = tuned(channel, data.len());
        return nested_by(channel, choice, data, root).await;
    }
    let (place, top) = (layout.place_of(root), layout.node_of(root));
    let local = channel.on_node(&layout);
    let between = channel.among(layout.at_place(place));
    let ranges: Vec<Range<u64>> = segments(data.len(), choice.segment(64 << 10)).collect();
    let bytes = ranges[0].end;
    let inner = choice.inner(|| tuned(&local, bytes));
    let begin = |between: &Channel<'_>, data: &Payload, range: &Range<u64>| {
        let (part, outer) = (part(data, range), choice.outer(|| tuned(between, bytes)));
        let run = async move |channel: &Channel<'_>| nested_by(channel, outer, part, top).await;
        between.beside(run)
    };
    let mut ahead = between.as_ref().map(|between| begin(between, &data, &ranges[0]));
    for (number, range) in (1..).zip(&ranges) {
        if let (Some(between), Some(pending)) = (&between, ahead.take()) {
            let came = between.complete(pending).await?;
            put(&mut data, range.start, &came);
            ahead = ranges.get(number).map(|next| begin(between, &data, next));
        }
        let came = nested_by(&local, inner, part(&data, range), place).await?;
        put(&mut data, range.start, &came);
    }
    Ok(data)
}

fn part(data: &Payload, range: &Range<u64>) -> Payload {
    data.slice(range.start, range.end)
}
