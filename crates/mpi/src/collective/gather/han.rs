//! Gather of two levels as Open MPI's HAN does it (Luo et al. 2020): with the algorithms that Open
//! MPI chooses for the levels, if no others are asked for.

use super::{nested_by, two_level};
use crate::collective::{Call, Channel, Choice, Library, Operation};
use crate::error::Result;
use crate::payload::Payload;

/// Nodes need as many ranks each, otherwise as Open MPI does without HAN.
pub(crate) async fn gather(
    channel: &Channel<'_>,
    choice: Choice,
    data: Payload,
    root: u32,
) -> Result<Option<Payload>> {
    let layout = channel.meet().await?;
    let tuned = |channel: &Channel<'_>, bytes: u64| {
        channel.choose_as(Library::OpenMpi4, Call::new(Operation::Gather, bytes))
    };
    let Some(count) = layout.per_node() else {
        let choice = tuned(channel, data.len());
        return nested_by(channel, choice, data, root).await;
    };
    let inner = choice.inner(|| tuned(&channel.on_node(&layout), data.len()));
    let above = data.len() * u64::from(count);
    let outer = channel.leaders(&layout).map(|leaders| choice.outer(|| tuned(&leaders, above)));
    let levels = Choice {
        inner: Some(inner.algorithm),
        outer: outer.map(|outer| outer.algorithm),
        ..choice
    };
    two_level::gather(channel, levels, data, root).await
}
