//! Barrier through rank 0: all report to it, it answers all.

use crate::collective::Channel;
use crate::error::Result;
use crate::payload::Payload;
use crate::request::Request;

pub(crate) async fn barrier(channel: &Channel<'_>) -> Result<()> {
    let empty = || Payload::Size(0);
    if channel.rank() > 0 {
        channel.send(empty(), 0).await?;
        return channel.recv(0).await.map(drop);
    }
    let others = 1..channel.size();
    let reports: Result<Vec<Request>> = others.clone().map(|other| channel.irecv(other)).collect();
    channel.wait_all(&mut reports?).await?;
    let mut answers = Vec::new();
    for other in others {
        answers.push(channel.isend(empty(), other).await?);
    }
    channel.wait_all(&mut answers).await.map(drop)
}
