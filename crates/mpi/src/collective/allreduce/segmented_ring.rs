//! Allreduce around a ring in segments: a rank passes one on while the next is under way.
//!
//! Open MPI's `ring_segmented`, and NCCL's ring with its chunks.

use std::ops::Range;

use super::ring;
use crate::collective::{Channel, Counts};
use crate::error::Result;
use crate::op::Op;
use crate::payload::Payload;

/// Vectors of less than a segment for each rank go around in one piece.
pub(crate) async fn allreduce(
    channel: &Channel<'_>,
    mut data: Payload,
    op: &Op,
    segment: u64,
) -> Result<Payload> {
    let (rank, size, element) = (channel.rank(), channel.size(), op.element());
    let (elements, ranks) = (data.len() / element, u64::from(size));
    let in_segment = (segment / element).clamp(1, elements.max(1));
    if elements < ranks {
        return super::nested_by(channel, super::Choice::named("redbcast"), data, op).await;
    }
    if elements < ranks * in_segment {
        return ring::allreduce(channel, data, op).await;
    }
    let per_phase = ranks * in_segment;
    let rest = elements % per_phase;
    let phases = elements / per_phase + u64::from(rest >= ranks && rest > per_phase / 2);
    let blocks = Counts::each(even_parts(elements, ranks).map(|count| count * element));
    let part = |block: u32, phase: u64| -> Range<u64> {
        let mut sizes = even_parts(blocks.of(block) / element, phases);
        let before: u64 = sizes.by_ref().take(phase as usize).sum();
        let start = blocks.start(block) + before * element;
        start..start + sizes.next().unwrap_or(0) * element
    };
    let (to, from) = ((rank + 1) % size, (rank + size - 1) % size);
    for phase in 0..phases {
        let mut ahead = channel.irecv(from)?;
        let own = part(rank, phase);
        channel.send(data.slice(own.start, own.end), to).await?;
        for step in 2..=size {
            let block = (rank + size + 1 - step) % size;
            let next = match step < size {
                true => channel.irecv(from)?,
                false => crate::request::Request::NULL,
            };
            let received = channel.wait(ahead).await?;
            let range = part(block, phase);
            channel.check_size(&received, range.end - range.start, from)?;
            let mut combined = data.slice(range.start, range.end);
            op.apply(&received, &mut combined);
            data.write(range.start, &combined);
            if step < size {
                channel.send(combined, to).await?;
            }
            ahead = next;
        }
    }
    for step in 0..size - 1 {
        let (incoming, outgoing) = ((rank + size - step) % size, (rank + 1 + size - step) % size);
        let received = channel.exchange(blocks.part(&data, outgoing), to, from).await?;
        channel.store(&mut data, &blocks, incoming, &received)?;
    }
    Ok(data)
}

/// Nearly equal parts, the larger ones first.
fn even_parts(count: u64, parts: u64) -> impl Iterator<Item = u64> {
    (0..parts).map(move |part| count / parts + u64::from(part < count % parts))
}
