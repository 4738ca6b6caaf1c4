//! Barrier on every node, then of their leaders, who set their nodes free.

use super::bruck;
use crate::collective::Channel;
use crate::collective::bcast::binomial_tree;
use crate::error::Result;
use crate::payload::Payload;

pub(crate) async fn barrier(channel: &Channel<'_>) -> Result<()> {
    let layout = channel.meet().await?;
    let local = channel.on_node(&layout);
    bruck::barrier(&local).await?;
    if let Some(leaders) = channel.leaders(&layout) {
        bruck::barrier(&leaders).await?;
    }
    binomial_tree::bcast(&local, Payload::Size(1), 0).await.map(drop)
}
