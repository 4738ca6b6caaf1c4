//! Reduce along a line of ranks in the order in which they arrive, to rank 0.
//!
//! Patarasuk and Yuan 2008; as the bcast of that name, the other way round.

use super::flat_tree;
use crate::collective::Channel;
use crate::collective::bcast::Header;
use crate::collective::segments::{segments, whole_elements};
use crate::error::Result;
use crate::op::Op;
use crate::payload::Payload;
use crate::request::Request;

/// Seconds between two looks for short payloads, as SimGrid has it.
const PAUSE: f64 = 1e-4;

pub(crate) async fn reduce(
    channel: &Channel<'_>,
    mut data: Payload,
    op: &Op,
    root: u32,
    segment: u64,
) -> Result<Option<Payload>> {
    let (rank, bytes) = (channel.rank(), data.len());
    let segment = whole_elements(segment, op.element());
    let whole = if bytes <= segment { bytes } else { bytes / segment * segment };
    let own_rest = data.slice(whole, bytes);
    let is_short = bytes <= segment;
    if rank == 0 {
        let mut missing: Vec<u32> = (1..channel.size()).collect();
        while !missing.is_empty() {
            let come = who_has_come(channel, &mut missing, is_short).await?;
            let (Some(first), Some(last)) = (come.first(), come.last()) else { continue };
            channel.send(Header::naming(&come, 1024), *first).await?;
            for range in segments(whole, segment) {
                let part = channel.recv(*last).await?;
                let mut combined = data.slice(range.start, range.end);
                channel.check_size(&part, combined.len(), *last)?;
                op.apply(&part, &mut combined);
                data.write(range.start, &combined);
            }
        }
    } else {
        follow(channel, &data, op, whole, segment).await?;
    }
    if root != 0 && rank == 0 {
        channel.send(data.slice(0, whole), root).await?;
    }
    if root != 0 && rank == root {
        let received = channel.recv(0).await?;
        data.write(0, &received);
    }
    // Others may still wait for a header from anybody: hence messages apart.
    if whole < bytes
        && let Some(rest) = flat_tree::at_once(&channel.apart(), own_rest, op, root).await?
    {
        data.write(whole, &rest);
    }
    Ok((rank == root).then_some(data))
}

/// Looks once at everybody who is missing.
async fn who_has_come(
    channel: &Channel<'_>,
    missing: &mut Vec<u32>,
    is_short: bool,
) -> Result<Vec<u32>> {
    let mut come = Vec::new();
    let mut place = 0;
    while place < missing.len() {
        let rank = missing[place];
        let has_come = channel.has_come(rank).await?;
        if is_short {
            channel.pause(PAUSE).await;
        }
        if has_come {
            if !is_short {
                channel.recv(rank).await?;
            }
            missing.remove(place);
            come.push(rank);
            // Long payloads: one found makes it look again, but at the first again only later.
            place = if is_short { place } else { usize::from(missing.first() == Some(&1)) };
        } else {
            place += 1;
        }
    }
    come.sort_unstable();
    if is_short {
        for rank in &come {
            channel.recv(*rank).await?;
        }
    }
    Ok(come)
}

async fn follow(
    channel: &Channel<'_>,
    data: &Payload,
    op: &Op,
    whole: u64,
    segment: u64,
) -> Result<()> {
    channel.send(Payload::Size(1), 0).await?;
    let header = channel.recv_any().await?;
    let (before, next) = Header::neighbours(&header, channel.rank());
    if let Some(next) = next {
        channel.send(header, next).await?;
    }
    let to = next.unwrap_or(0);
    let ranges = segments(whole, segment);
    if ranges.len() == 1 {
        let mut combined = data.slice(0, whole);
        if let Some(before) = before {
            let part = channel.recv(before).await?;
            channel.check_size(&part, whole, before)?;
            op.apply(&part, &mut combined);
        }
        return channel.send(combined, to).await;
    }
    let count = before.map_or(0, |_| ranges.len());
    let receives: Result<Vec<Request>> =
        (0..count).map(|_| channel.irecv(before.unwrap_or(0))).collect();
    let mut receives = receives?.into_iter();
    let mut sends = Vec::new();
    for range in ranges {
        let mut combined = data.slice(range.start, range.end);
        if let Some(receive) = receives.next() {
            op.apply(&channel.wait(receive).await?, &mut combined);
        }
        sends.push(channel.isend(combined, to).await?);
    }
    channel.finish(sends).await
}
