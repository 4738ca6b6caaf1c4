//! Allreduce along two binary trees: up, and down again, each with half of the vector.
//!
//! NCCL's double binary tree; Sanders, Speck and Traff 2009. Segments of both halves take turns.

use crate::collective::reduce::interleaved;
use crate::collective::tree::Tree;
use crate::collective::{Channel, Choice};
use crate::error::Result;
use crate::op::Op;
use crate::payload::Payload;
use crate::request::Request;

pub(crate) async fn allreduce(
    channel: &Channel<'_>,
    mut data: Payload,
    op: &Op,
    choice: Choice,
) -> Result<Payload> {
    let trees = Tree::double(channel, 0);
    let parts = interleaved(data.len(), op.element(), choice.segment(128 << 10), &trees);
    let mut sends = Vec::new();
    for (range, tree) in parts.iter().cloned() {
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
    // Two ranks may be above each other, each in one tree: what goes up comes before what goes down.
    for (range, tree) in parts {
        if let Some(parent) = tree.parent {
            let part = channel.recv(parent).await?;
            channel.store_range(&mut data, range.clone(), parent, &part)?;
        }
        for child in &tree.children {
            sends.push(channel.isend(data.slice(range.start, range.end), *child).await?);
        }
    }
    channel.finish(sends).await?;
    Ok(data)
}
