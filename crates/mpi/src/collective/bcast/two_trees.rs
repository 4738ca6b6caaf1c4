//! Bcast down two binary trees at once, each of which carries every other segment.
//!
//! Sanders, Speck and Traff 2009: both directions of every rank's link are busy.

use crate::collective::Channel;
use crate::collective::segments::segments;
use crate::collective::tree::Tree;
use crate::error::Result;
use crate::payload::Payload;
use crate::request::Request;

pub(crate) async fn bcast(
    channel: &Channel<'_>,
    mut data: Payload,
    root: u32,
    segment: u64,
) -> Result<Payload> {
    let trees = Tree::double(channel, root);
    let bytes = data.len();
    // At least one segment for each tree.
    let ranges = segments(bytes, segment.min(bytes.div_ceil(2)).max(1));
    let mut receives: Vec<Option<Request>> = Vec::with_capacity(ranges.len());
    for number in 0..ranges.len() {
        let parent = trees[number % 2].parent;
        receives.push(parent.map(|parent| channel.irecv(parent)).transpose()?);
    }
    let mut sends = Vec::new();
    for ((number, range), receive) in (0usize..).zip(ranges).zip(receives) {
        let tree = &trees[number % 2];
        if let (Some(receive), Some(parent)) = (receive, tree.parent) {
            let part = channel.wait(receive).await?;
            channel.store_range(&mut data, range.clone(), parent, &part)?;
        }
        for child in &tree.children {
            sends.push(channel.isend(data.slice(range.start, range.end), *child).await?);
        }
    }
    channel.finish(sends).await?;
    Ok(data)
}
