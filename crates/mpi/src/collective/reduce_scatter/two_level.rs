//! Reduce-scatter of two levels: reduce on every node, reduce-scatter among the leaders, scatter on
//! every node. Which algorithm leaders use is a parameter.

use super::nested_by;
use crate::collective::reduce::binomial;
use crate::collective::scatter::linear;
use crate::collective::{Channel, Choice, Counts};
use crate::error::Result;
use crate::op::Op;
use crate::payload::Payload;

pub(crate) async fn reduce_scatter(
    channel: &Channel<'_>,
    choice: Choice,
    data: Payload,
    counts: &Counts,
    op: &Op,
) -> Result<Payload> {
    let layout = channel.meet().await?;
    // From the order of ranks to that of nodes.
    let order = || layout.nodes().iter().flatten().copied();
    let parts: Vec<Payload> = order().map(|owner| counts.part(&data, owner)).collect();
    let sorted = Payload::concat(&parts);
    let local = channel.on_node(&layout);
    let reduced = binomial::reduce(&local, sorted, op, 0).await?;
    let mut of_node = Payload::Size(0);
    if let (Some(leaders), Some(reduced)) = (channel.leaders(&layout), reduced) {
        let size = |node: &Vec<u32>| node.iter().map(|rank| counts.of(*rank)).sum();
        let nodes = Counts::each(layout.nodes().iter().map(size));
        of_node = match leaders.size() {
            1 => reduced,
            _ => {
                let outer = choice.outer(|| Choice::named("ompi_ring"));
                nested_by(&leaders, outer, reduced, &nodes, op).await?
            }
        };
    }
    let of_ranks = layout.local(channel.rank()).iter().map(|rank| counts.of(*rank));
    linear::scatter(&local, of_node, &Counts::each(of_ranks), 0).await
}
