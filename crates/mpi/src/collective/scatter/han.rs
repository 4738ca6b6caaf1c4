//! Scatter of two levels as Open MPI's HAN does it (Luo et al. 2020): with the algorithms that Open
//! MPI chooses for the levels, if no others are asked for.

use super::{nested_by, two_level};
use crate::collective::{Call, Channel, Choice, Counts, Library, Operation};
use crate::error::Result;
use crate::payload::Payload;

/// Nodes need as many ranks each, otherwise as Open MPI does without HAN.
pub(crate) async fn scatter(
    channel: &Channel<'_>,
    choice: Choice,
    data: Payload,
    blocks: &Counts,
    root: u32,
) -> Result<Payload> {
    let layout = channel.meet().await?;
    let bytes = data.len() / u64::from(channel.size());
    let tuned = |channel: &Channel<'_>, bytes: u64| {
        channel.choose_as(Library::OpenMpi4, Call::new(Operation::Scatter, bytes))
    };
    let Some(count) = layout.per_node() else {
        let choice = tuned(channel, bytes);
        return nested_by(channel, choice, data, blocks, root).await;
    };
    let inner = choice.inner(|| tuned(&channel.on_node(&layout), bytes));
    let above = bytes * u64::from(count);
    let outer = channel.leaders(&layout).map(|leaders| choice.outer(|| tuned(&leaders, above)));
    let levels = Choice {
        inner: Some(inner.algorithm),
        outer: outer.map(|outer| outer.algorithm),
        ..choice
    };
    two_level::scatter(channel, levels, data, blocks, root).await
}
