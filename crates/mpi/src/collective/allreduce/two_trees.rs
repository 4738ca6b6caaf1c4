//! Allreduce along two binary trees: up, and down again, each with half of the vector.
//!
//! NCCL's double binary tree; Sanders, Speck and Traff 2009. Segments come down while others go
//! up.

use crate::collective::reduce::interleaved;
use crate::collective::tree::Tree;
use crate::collective::{Channel, Choice};
use crate::error::Result;
use crate::op::Op;
use crate::payload::Payload;
use crate::request::Request;

pub(crate) async fn allreduce(
    channel: &Channel<'_>,
    mut data: Payload,
    op: &Op,
    choice: Choice,
) -> Result<Payload> {
    let trees = Tree::double(channel, 0);
    let parts = interleaved(data.len(), op.element(), choice.segment(128 << 10), &trees);
    let mut downs = Vec::new();
    let mut sends = Vec::new();
    for (range, tree) in parts {
        let mut combined = data.slice(range.start, range.end);
        let receives: Result<Vec<Request>> =
            tree.children.iter().map(|child| channel.irecv(*child)).collect();
        for part in channel.wait_all(&mut receives?).await? {
            op.apply(&part, &mut combined);
        }
        match tree.parent {
            Some(parent) => {
                // What comes down follows, on the same way, what has come down before.
                downs.push((range, tree, Some((parent, channel.irecv(parent)?))));
                sends.push(channel.isend(combined, parent).await?);
            }
            None => {
                data.write(range.start, &combined);
                downs.push((range, tree, None));
            }
        }
    }
    for (range, tree, down) in downs {
        if let Some((parent, receive)) = down {
            let part = channel.wait(receive).await?;
            channel.store_range(&mut data, range.clone(), parent, &part)?;
        }
        for child in &tree.children {
            sends.push(channel.isend(data.slice(range.start, range.end), *child).await?);
        }
    }
    channel.finish(sends).await?;
    Ok(data)
}
