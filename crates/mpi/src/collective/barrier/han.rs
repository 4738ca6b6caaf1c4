//! Barrier of two levels: on every node, among the leaders, and on every node again.
//!
//! Open MPI's HAN; which algorithms the levels use is a parameter.

use super::nested_by;
use crate::collective::{Call, Channel, Choice, Library, Operation};
use crate::error::Result;

/// Nodes need as many ranks each, otherwise as Open MPI does without HAN.
pub(crate) async fn barrier(channel: &Channel<'_>, choice: Choice) -> Result<()> {
    let layout = channel.meet().await?;
    let call = Call::new(Operation::Barrier, 0);
    let tuned = |channel: &Channel<'_>| channel.choose_as(Library::OpenMpi4, call);
    if layout.per_node().is_none() {
        return nested_by(channel, tuned(channel)).await;
    }
    let local = channel.on_node(&layout);
    let inner = choice.inner(|| tuned(&local));
    nested_by(&local, inner).await?;
    if let Some(leaders) = channel.leaders(&layout) {
        nested_by(&leaders, choice.outer(|| tuned(&leaders))).await?;
    }
    nested_by(&local, inner).await
}
