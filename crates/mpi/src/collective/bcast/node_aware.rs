//! Bcast among the leaders of nodes and on the nodes at once.
//!
//! STAR-MPI's trees for machines of many-core nodes (Faraj and Yuan 2006). Where nodes have not
//! all as many ranks, as MPICH does it.

use super::non_topology::to_first;
use super::{binomial_tree, nested, nested_by};
use crate::collective::layout::Layout;
use crate::collective::segments::segments;
use crate::collective::{Call, Channel, Library, Operation};
use crate::error::Result;
use crate::payload::Payload;
use crate::request::Request;

/// Along binary trees: of the leaders, and on each node.
pub(crate) async fn binary(
    channel: &Channel<'_>,
    data: Payload,
    root: u32,
    segment: u64,
) -> Result<Payload> {
    let layout = channel.meet().await?;
    if layout.per_node().is_none() {
        return as_mpich(channel, data, root).await;
    }
    let links = Links::new(
        channel,
        &layout,
        |place| [2 * place + 1, 2 * place + 2].to_vec(),
        |p| (p - 1) / 2,
    );
    pass(channel, data, root, &links, segment).await
}

/// From leader to leader, and from rank to rank on each node.
pub(crate) async fn linear(
    channel: &Channel<'_>,
    data: Payload,
    root: u32,
    segment: u64,
) -> Result<Payload> {
    let layout = channel.meet().await?;
    if layout.per_node().is_none() {
        return as_mpich(channel, data, root).await;
    }
    if layout.nodes().len() == 1 {
        return binomial_tree::bcast(channel, data, root).await;
    }
    let links = Links::new(channel, &layout, |place| vec![place + 1], |place| place - 1);
    pass(channel, data, root, &links, segment).await
}

/// Down a binomial tree of the leaders, then down one on each node.
pub(crate) async fn binomial(channel: &Channel<'_>, data: Payload, root: u32) -> Result<Payload> {
    let layout = channel.meet().await?;
    if layout.per_node().is_none() {
        return as_mpich(channel, data, root).await;
    }
    let mut data = to_first(channel, data, root).await?;
    if let Some(leaders) = channel.leaders(&layout) {
        data = binomial_tree::bcast(&leaders, data, 0).await?;
    }
    binomial_tree::bcast(&channel.on_node(&layout), data, 0).await
}

pub(super) async fn as_mpich(channel: &Channel<'_>, data: Payload, root: u32) -> Result<Payload> {
    let choice = channel.choose_as(Library::SimgridMpich, Call::new(Operation::Bcast, data.len()));
    nested_by(channel, choice, data, root).await
}

/// Who a rank hears from, and whom it tells.
struct Links {
    parent: u32,
    children: Vec<u32>,
}

impl Links {
    /// The same shape among leaders and on each node; leaders first.
    fn new(
        channel: &Channel<'_>,
        layout: &Layout,
        children: impl Fn(u32) -> Vec<u32>,
        parent: impl Fn(u32) -> u32,
    ) -> Links {
        let rank = channel.rank();
        let local = layout.local(rank);
        let place = local.iter().position(|other| *other == rank).unwrap_or(0) as u32;
        let at = |places: Vec<u32>, ranks: &[u32]| -> Vec<u32> {
            places.iter().filter_map(|place| ranks.get(*place as usize).copied()).collect()
        };
        let mut all = Vec::new();
        let mut above = rank;
        if place == 0 {
            let leaders: Vec<u32> = layout.leaders().collect();
            let node = layout.node_of(rank);
            all.extend(at(children(node), &leaders));
            if node > 0 {
                above = leaders[parent(node) as usize];
            }
        } else {
            above = local[parent(place) as usize];
        }
        all.extend(at(children(place), local));
        Links { parent: above, children: all }
    }
}

async fn pass(
    channel: &Channel<'_>,
    data: Payload,
    root: u32,
    links: &Links,
    segment: u64,
) -> Result<Payload> {
    let mut data = to_first(channel, data, root).await?;
    let bytes = data.len();
    let whole = if bytes <= segment { bytes } else { bytes / segment * segment };
    let ranges = segments(whole, segment);
    let count = if channel.rank() > 0 { ranges.len() } else { 0 };
    let receives: Result<Vec<Request>> = (0..count).map(|_| channel.irecv(links.parent)).collect();
    let mut receives = receives?.into_iter();
    for range in ranges {
        if let Some(receive) = receives.next() {
            let part = channel.wait(receive).await?;
            channel.store_range(&mut data, range.clone(), links.parent, &part)?;
        }
        for child in &links.children {
            channel.send(data.slice(range.start, range.end), *child).await?;
        }
    }
    if whole < bytes {
        let rest = nested(channel, data.slice(whole, bytes), root).await?;
        crate::collective::channel::put(&mut data, whole, &rest);
    }
    Ok(data)
}
