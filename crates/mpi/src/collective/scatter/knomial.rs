//! Scatter down a k-nomial tree: `log_k(p)` steps, payloads that shrink by the factor `k`.
//!
//! MPICH 4's `tsp_tree`; with `k = 2` it is a binomial tree. All children are served at once.

use crate::collective::spans::{Spans, heard, told};
use crate::collective::{Channel, Counts};
use crate::error::Result;
use crate::payload::Payload;

/// Of blocks of one size. Only the root knows it, the others learn it from what they get.
pub(crate) async fn scatter(
    channel: &Channel<'_>,
    data: Payload,
    blocks: &Counts,
    root: u32,
    radix: u32,
) -> Result<Payload> {
    let turned = channel.turned(root);
    let spans = Spans::new(&turned, radix);
    let held = match spans.tree.parent {
        Some(parent) => turned.recv(parent).await?,
        None => from_rank_order(channel, &data, blocks, root),
    };
    let own = spans.own() as u32;
    let block = Counts::even(own, held.len() / u64::from(own));
    to_children(&turned, &spans, &held, &block).await?;
    Ok(block.part(&held, 0))
}

/// Of blocks of any size, whose counts only the root knows: a message with the sizes of all blocks
/// goes ahead of them.
pub(crate) async fn scatterv(
    channel: &Channel<'_>,
    data: Payload,
    counts: &Counts,
    root: u32,
    radix: u32,
) -> Result<Payload> {
    let turned = channel.turned(root);
    let spans = Spans::new(&turned, radix);
    let sizes: Vec<u64> = match spans.tree.parent {
        Some(parent) => heard(&turned.recv(parent).await?),
        None => (0..channel.size()).map(|place| counts.of(channel.rank_at(place, root))).collect(),
    };
    let mut sends = Vec::with_capacity(spans.tree.children.len());
    for child in &spans.tree.children {
        let first = spans.behind(*child);
        let theirs = told(&sizes[first..first + spans.of(*child)]);
        sends.push(turned.isend(theirs, *child).await?);
    }
    turned.finish(sends).await?;
    let blocks = Counts::each(sizes);
    let held = match spans.tree.parent {
        Some(parent) => {
            let held = turned.recv(parent).await?;
            turned.check_size(&held, blocks.total(), parent)?;
            held
        }
        None => from_rank_order(channel, &data, counts, root),
    };
    to_children(&turned, &spans, &held, &blocks).await?;
    Ok(blocks.part(&held, 0))
}

/// From rank 0 of a channel whose ranks all know the sizes of all blocks.
pub(crate) async fn known(
    channel: &Channel<'_>,
    data: Payload,
    blocks: &Counts,
    radix: u32,
) -> Result<Payload> {
    let spans = Spans::new(channel, radix);
    let (rank, end) = (channel.rank(), channel.rank() + spans.own() as u32);
    let below = Counts::each((rank..end).map(|place| blocks.of(place)));
    let held = match spans.tree.parent {
        Some(parent) => {
            let held = channel.recv(parent).await?;
            channel.check_size(&held, below.total(), parent)?;
            held
        }
        None => data,
    };
    to_children(channel, &spans, &held, &below).await?;
    Ok(below.part(&held, 0))
}

async fn to_children(
    turned: &Channel<'_>,
    spans: &Spans,
    held: &Payload,
    blocks: &Counts,
) -> Result<()> {
    let mut sends = Vec::with_capacity(spans.tree.children.len());
    for child in &spans.tree.children {
        let first = spans.behind(*child) as u32;
        let theirs = blocks.parts(held, first, first + spans.of(*child) as u32);
        sends.push(turned.isend(theirs, *child).await?);
    }
    turned.finish(sends).await
}

/// From the order of ranks to that counted from the root.
fn from_rank_order(channel: &Channel<'_>, data: &Payload, blocks: &Counts, root: u32) -> Payload {
    let turned = [blocks.parts(data, root, channel.size()), blocks.parts(data, 0, root)];
    Payload::concat(&turned)
}
