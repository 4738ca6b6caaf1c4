//! Reduce up two binary trees at once, each of which carries half of the vector.
//!
//! Sanders, Speck and Traff 2009.

use std::ops::Range;

use crate::collective::segments::{segments, whole_elements};
use crate::collective::tree::Tree;
use crate::collective::{Channel, Choice};
use crate::error::Result;
use crate::op::Op;
use crate::payload::Payload;
use crate::request::Request;

pub(crate) async fn reduce(
    channel: &Channel<'_>,
    data: Payload,
    op: &Op,
    root: u32,
    choice: Choice,
) -> Result<Option<Payload>> {
    let trees = Tree::double(channel, root);
    let mut data = data;
    let mut sends = Vec::new();
    for (range, tree) in interleaved(data.len(), op.element(), choice.segment(16_384), &trees) {
        let mut combined = data.slice(range.start, range.end);
        let receives: Result<Vec<Request>> =
            tree.children.iter().map(|child| channel.irecv(*child)).collect();
        for part in channel.wait_all(&mut receives?).await? {
            op.apply(&part, &mut combined);
        }
        match tree.parent {
            Some(parent) => sends.push(channel.isend(combined, parent).await?),
            None => data.write(range.start, &combined),
        }
    }
    channel.finish(sends).await?;
    Ok((channel.rank() == root).then_some(data))
}

/// Segments of both halves in turn, each with its tree.
pub(crate) fn interleaved(
    bytes: u64,
    element: u64,
    segment: u64,
    trees: &[Tree; 2],
) -> Vec<(Range<u64>, &Tree)> {
    let segment = whole_elements(segment, element);
    let middle = bytes / element / 2 * element;
    let cut = |half: Range<u64>| {
        let start = half.start;
        segments(half.end - start, segment).map(move |r| start + r.start..start + r.end)
    };
    let (mut low, mut high) = (cut(0..middle), cut(middle..bytes));
    let mut all = Vec::new();
    for _ in 0..low.len().max(high.len()) {
        all.extend(low.next().map(|range| (range, &trees[0])));
        all.extend(high.next().map(|range| (range, &trees[1])));
    }
    all.retain(|(range, _)| !range.is_empty());
    all
}
