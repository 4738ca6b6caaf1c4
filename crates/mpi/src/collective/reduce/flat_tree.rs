//! Reduce without a tree: all ranks send to the root.

use crate::collective::Channel;
use crate::error::Result;
use crate::op::Op;
use crate::payload::Payload;
use crate::request::Request;

/// The root takes one after the other, the last rank's first, so that the order of operands is
/// kept.
pub(crate) async fn reduce(
    channel: &Channel<'_>,
    data: Payload,
    op: &Op,
    root: u32,
) -> Result<Option<Payload>> {
    let (rank, size) = (channel.rank(), channel.size());
    if rank != root {
        channel.send(data, root).await?;
        return Ok(None);
    }
    let mut result: Option<Payload> = None;
    for from in (0..size).rev() {
        let part = if from == rank { data.clone() } else { channel.recv(from).await? };
        channel.check_size(&part, data.len(), from)?;
        match &mut result {
            Some(result) => op.apply(&part, result),
            None => result = Some(part),
        }
    }
    Ok(result)
}

/// The root awaits all at once: what SimGrid does if it is told nothing.
pub(crate) async fn at_once(
    channel: &Channel<'_>,
    data: Payload,
    op: &Op,
    root: u32,
) -> Result<Option<Payload>> {
    let (rank, size) = (channel.rank(), channel.size());
    if rank != root {
        let send = channel.isend(data, root).await?;
        channel.finish(vec![send]).await?;
        return Ok(None);
    }
    let others = (0..size).filter(|from| *from != rank);
    let receives: Result<Vec<Request>> = others.map(|from| channel.irecv(from)).collect();
    let mut parts = channel.wait_all(&mut receives?).await?;
    parts.insert(rank as usize, data);
    let mut result: Option<Payload> = None;
    for part in parts.into_iter().rev() {
        match &mut result {
            Some(result) => op.apply(&part, result),
            None => result = Some(part),
        }
    }
    Ok(result)
}
