//! Bcast through memory that the ranks of a node share.
//!
//! MPICH 4's `release_gather` (Jain et al. 2018): the root puts a piece of the data into one of a few
//! cells, sets the others free down a tree to take it, and hears up the tree that they have. Here,
//! taking a piece is a message over the loopback, and so are the words about it, of no bytes.

use std::collections::VecDeque;

use super::two_level;
use crate::collective::segments::segments;
use crate::collective::tree::Tree;
use crate::collective::{Channel, Choice};
use crate::error::Result;
use crate::payload::Payload;
use crate::request::Request;

/// How many pieces may be in memory at once.
const CELLS: usize = 4;
/// Bytes of a cell, as MPICH has them.
pub(crate) const CELL: u64 = 8 << 10;

/// On a single node; on several, first from leader to leader.
pub(crate) async fn bcast(
    channel: &Channel<'_>,
    choice: Choice,
    data: Payload,
    root: u32,
) -> Result<Payload> {
    if channel.layout().nodes().len() == 1 {
        return on_node(channel, choice, data, root).await;
    }
    let choice = Choice { inner: Some(choice.algorithm), ..choice };
    two_level::between_nodes(channel, choice, data, root, true).await
}

/// Among ranks that share a node.
pub(crate) async fn on_node(
    channel: &Channel<'_>,
    choice: Choice,
    mut data: Payload,
    root: u32,
) -> Result<Payload> {
    // So wide that on most nodes all are children of the root.
    let Tree { parent, children } = Tree::kary(channel, choice.radix(64), root);
    let mut cells: VecDeque<Vec<Request>> = VecDeque::with_capacity(CELLS);
    let mut sends = Vec::new();
    for range in segments(data.len(), choice.segment(CELL)) {
        if cells.len() == CELLS {
            empty(channel, &mut cells, parent).await?;
        }
        if let Some(parent) = parent {
            let part = channel.recv(parent).await?;
            channel.store_range(&mut data, range.clone(), parent, &part)?;
        }
        let mut words = Vec::with_capacity(children.len());
        for child in &children {
            sends.push(channel.isend(data.slice(range.start, range.end), *child).await?);
            words.push(channel.irecv(*child)?);
        }
        cells.push_back(words);
        if children.is_empty() {
            empty(channel, &mut cells, parent).await?;
        }
    }
    while !cells.is_empty() {
        empty(channel, &mut cells, parent).await?;
    }
    channel.finish(sends).await?;
    Ok(data)
}

/// Waits until all below have taken the oldest piece, and tells the parent.
async fn empty(
    channel: &Channel<'_>,
    cells: &mut VecDeque<Vec<Request>>,
    parent: Option<u32>,
) -> Result<()> {
    if let Some(mut words) = cells.pop_front() {
        channel.wait_all(&mut words).await?;
    }
    if let Some(parent) = parent {
        let word = channel.isend(Payload::Size(0), parent).await?;
        channel.finish(vec![word]).await?;
    }
    Ok(())
}
