//! Reduce through memory that the ranks of a node share.
//!
//! MPICH 4's `release_gather` (Jain et al. 2018): ranks put a piece of their data into cells, the
//! one above them in a tree combines it and sets them free to put the next. Here, looking into a cell
//! is a message over the loopback, and so is the word that it is free, of no bytes.

use super::two_level;
use crate::collective::bcast::release_gather::CELL;
use crate::collective::segments::{segments, whole_elements};
use crate::collective::tree::Tree;
use crate::collective::{Channel, Choice};
use crate::error::Result;
use crate::op::Op;
use crate::payload::Payload;
use crate::request::Request;

/// On a single node; on several, then from leader to leader.
pub(crate) async fn reduce(
    channel: &Channel<'_>,
    choice: Choice,
    data: Payload,
    op: &Op,
    root: u32,
) -> Result<Option<Payload>> {
    if channel.layout().nodes().len() == 1 {
        return on_node(channel, choice, data, op, root).await;
    }
    let choice = Choice { inner: Some(choice.algorithm), ..choice };
    two_level::reduce(channel, choice, data, op, root).await
}

/// Among ranks that share a node.
pub(crate) async fn on_node(
    channel: &Channel<'_>,
    choice: Choice,
    mut data: Payload,
    op: &Op,
    root: u32,
) -> Result<Option<Payload>> {
    let Tree { parent, children } = Tree::kary(channel, choice.radix(4), root);
    let cell = whole_elements(choice.segment(CELL), op.element());
    for range in segments(data.len(), cell) {
        let mut combined = data.slice(range.start, range.end);
        let receives: Result<Vec<Request>> =
            children.iter().map(|child| channel.irecv(*child)).collect();
        let parts = channel.wait_all(&mut receives?).await?;
        for (child, part) in children.iter().zip(&parts) {
            channel.check_size(part, combined.len(), *child)?;
            op.apply(part, &mut combined);
        }
        let mut sends = Vec::with_capacity(children.len());
        for child in &children {
            sends.push(channel.isend(Payload::Size(0), *child).await?);
        }
        match parent {
            Some(parent) => {
                channel.exchange(combined, parent, parent).await?;
            }
            None => data.write(range.start, &combined),
        }
        channel.finish(sends).await?;
    }
    Ok(parent.is_none().then_some(data))
}
