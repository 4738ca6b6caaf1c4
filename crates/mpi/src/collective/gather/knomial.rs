//! Gather up a k-nomial tree: `log_k(p)` steps, payloads that grow by the factor `k`.
//!
//! MPICH 4's `tsp_tree`; with `k = 2` it is a binomial tree. All children are awaited at once.

use crate::collective::spans::{Spans, heard, told};
use crate::collective::{Channel, Counts};
use crate::error::Result;
use crate::payload::Payload;
use crate::request::Request;

/// Of blocks of one size.
pub(crate) async fn gather(
    channel: &Channel<'_>,
    data: Payload,
    root: u32,
    radix: u32,
) -> Result<Option<Payload>> {
    let turned = channel.turned(root);
    let spans = Spans::new(&turned, radix);
    let block = data.len();
    let blocks = Counts::even(spans.own() as u32, block);
    let mut held = data.blank(blocks.total());
    held.write(0, &data);
    let parts = from_children(&turned, &spans).await?;
    for (child, part) in spans.tree.children.iter().zip(&parts) {
        let start = spans.behind(*child) as u64 * block;
        let end = start + spans.of(*child) as u64 * block;
        turned.store_range(&mut held, start..end, *child, part)?;
    }
    match spans.tree.parent {
        Some(parent) => turned.send(held, parent).await.map(|()| None),
        None => Ok(Some(in_rank_order(channel, &held, &blocks, root))),
    }
}

/// Of blocks of any size, whose counts only the root knows: a message with the sizes of all blocks
/// goes ahead of them.
pub(crate) async fn gatherv(
    channel: &Channel<'_>,
    data: Payload,
    counts: &Counts,
    root: u32,
    radix: u32,
) -> Result<Option<Payload>> {
    let turned = channel.turned(root);
    let spans = Spans::new(&turned, radix);
    let mut sizes = vec![0; spans.own()];
    sizes[0] = data.len();
    for (child, part) in spans.tree.children.iter().zip(from_children(&turned, &spans).await?) {
        let first = spans.behind(*child);
        sizes[first..first + spans.of(*child)].copy_from_slice(&heard(&part));
    }
    if let Some(parent) = spans.tree.parent {
        turned.send(told(&sizes), parent).await?;
    }
    let blocks = Counts::each(sizes);
    let mut held = data.blank(blocks.total());
    held.write(0, &data);
    let parts = from_children(&turned, &spans).await?;
    for (child, part) in spans.tree.children.iter().zip(&parts) {
        let first = spans.behind(*child) as u32;
        let range = blocks.start(first)..blocks.start(first + spans.of(*child) as u32);
        turned.store_range(&mut held, range, *child, part)?;
    }
    if let Some(parent) = spans.tree.parent {
        return turned.send(held, parent).await.map(|()| None);
    }
    for place in 0..turned.size() {
        let owner = channel.rank_at(place, root);
        channel.check_size(&blocks.part(&held, place), counts.of(owner), owner)?;
    }
    Ok(Some(in_rank_order(channel, &held, &blocks, root)))
}

async fn from_children(turned: &Channel<'_>, spans: &Spans) -> Result<Vec<Payload>> {
    let receives: Result<Vec<Request>> =
        spans.tree.children.iter().map(|child| turned.irecv(*child)).collect();
    turned.wait_all(&mut receives?).await
}

/// From the order counted from the root to that of ranks.
fn in_rank_order(channel: &Channel<'_>, held: &Payload, blocks: &Counts, root: u32) -> Payload {
    let (size, wrapped) = (channel.size(), channel.size() - root);
    let turned = [blocks.parts(held, wrapped, size), blocks.parts(held, 0, wrapped)];
    Payload::concat(&turned)
}
