//! Allreduce up a tree and down again, in segments.
//!
//! MPICH 4's `tsp_tree`: rank 0 sends a segment down as soon as it has it.

use crate::collective::Channel;
use crate::collective::segments::{segments, whole_elements};
use crate::collective::tree::Tree;
use crate::error::Result;
use crate::op::Op;
use crate::payload::Payload;
use crate::request::Request;

/// A segment of 0 bytes is the whole.
pub(crate) async fn allreduce(
    channel: &Channel<'_>,
    mut data: Payload,
    op: &Op,
    Tree { parent, children }: Tree,
    segment: u64,
) -> Result<Payload> {
    let bytes = data.len();
    let segment = if segment == 0 { bytes } else { whole_elements(segment, op.element()) };
    let mut sends = Vec::new();
    for range in segments(bytes, segment) {
        let mut combined = data.slice(range.start, range.end);
        let receives: Result<Vec<Request>> =
            children.iter().map(|child| channel.irecv(*child)).collect();
        for (child, part) in children.iter().zip(channel.wait_all(&mut receives?).await?) {
            channel.check_size(&part, combined.len(), *child)?;
            op.apply(&part, &mut combined);
        }
        if let Some(parent) = parent {
            sends.push(channel.isend(combined, parent).await?);
            continue;
        }
        for child in &children {
            sends.push(channel.isend(combined.clone(), *child).await?);
        }
        data.write(range.start, &combined);
    }
    for range in segments(bytes, segment) {
        let Some(parent) = parent else { break };
        let part = channel.recv(parent).await?;
        channel.store_range(&mut data, range, parent, &part)?;
        for child in &children {
            sends.push(channel.isend(part.clone(), *child).await?);
        }
    }
    channel.finish(sends).await?;
    Ok(data)
}
