//! Bcast from the root to each rank.

use crate::collective::Channel;
use crate::collective::segments::segments;
use crate::error::Result;
use crate::payload::Payload;

/// All at once.
pub(crate) async fn bcast(channel: &Channel<'_>, data: Payload, root: u32) -> Result<Payload> {
    let (rank, size) = (channel.rank(), channel.size());
    if rank != root {
        let received = channel.recv(root).await?;
        return channel.check_size(&received, data.len(), root).map(|()| received);
    }
    let mut sends = Vec::with_capacity(size as usize);
    for to in (0..size).filter(|to| *to != root) {
        sends.push(channel.isend(data.clone(), to).await?);
    }
    channel.finish(sends).await?;
    Ok(data)
}

/// In segments, one rank after the other.
pub(crate) async fn pipeline(
    channel: &Channel<'_>,
    mut data: Payload,
    root: u32,
    segment: u64,
) -> Result<Payload> {
    let (rank, size, bytes) = (channel.rank(), channel.size(), data.len());
    if bytes < segment {
        return bcast(channel, data, root).await;
    }
    if rank == root {
        for to in (0..size).filter(|to| *to != root) {
            for range in segments(bytes, segment) {
                channel.send(data.slice(range.start, range.end), to).await?;
            }
        }
        return Ok(data);
    }
    let receives: Result<Vec<_>> = segments(bytes, segment).map(|_| channel.irecv(root)).collect();
    let parts = channel.wait_all(&mut receives?).await?;
    for (range, part) in segments(bytes, segment).zip(&parts) {
        channel.store_range(&mut data, range, root, part)?;
    }
    Ok(data)
}
