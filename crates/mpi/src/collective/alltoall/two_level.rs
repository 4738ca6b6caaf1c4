//! Alltoall of two levels: leaders collect what their nodes have, exchange it, and deal it out.
//!
//! For short blocks on nodes of many ranks: messages between nodes are few and long.

use super::Blocks;
use crate::collective::Channel;
use crate::collective::Counts;
use crate::collective::gather::linear as gathers;
use crate::collective::scatter::linear as scatters;
use crate::error::Result;
use crate::payload::Payload;

pub(super) async fn alltoall(channel: &Channel<'_>, blocks: &Blocks) -> Result<Payload> {
    let (size, block) = (u64::from(channel.size()), blocks.send.of(0));
    let layout = channel.meet().await?;
    let local = channel.on_node(&layout);
    let members = u64::from(local.size());
    let each = Counts::even(local.size(), blocks.data.len());
    let gathered = gathers::gather(&local, blocks.data.clone(), &each, 0).await?;
    let mut dealt = Payload::Size(0);
    if let (Some(leaders), Some(gathered)) = (channel.leaders(&layout), gathered) {
        let nodes = layout.nodes();
        let (own, count) = (leaders.rank(), leaders.size());
        // For each rank of a node, what each rank of this one has for it.
        let due = |node: u32| {
            let part = |to: u32, from: u64| {
                let start = from * blocks.data.len() + u64::from(to) * block;
                gathered.slice(start, start + block)
            };
            let ranks = nodes[node as usize].iter();
            let parts: Vec<Payload> =
                ranks.flat_map(|to| (0..members).map(|from| part(*to, from))).collect();
            Payload::concat(&parts)
        };
        let mut came = vec![Payload::Size(0); count as usize];
        came[own as usize] = due(own);
        for step in 1..count {
            let (to, from) = ((own + step) % count, (own + count - step) % count);
            let received = leaders.exchange(due(to), to, from).await?;
            let expected = nodes[from as usize].len() as u64 * members * block;
            leaders.check_size(&received, expected, from)?;
            came[from as usize] = received;
        }
        // For each rank of this node, a block from every rank, in rank order.
        let mut parts = vec![gathered.blank(0); (members * size) as usize];
        for (node, part) in nodes.iter().zip(&came) {
            for to in 0..members {
                for (place, from) in (0..).zip(node) {
                    let start = (to * node.len() as u64 + place) * block;
                    let at = to * size + u64::from(*from);
                    parts[at as usize] = part.slice(start, start + block);
                }
            }
        }
        dealt = Payload::concat(&parts);
    }
    scatters::scatter(&local, dealt, &Counts::even(local.size(), size * block), 0).await
}
