//! Reduce up a k-nomial tree: all children are awaited at once.
//!
//! MVAPICH2's `knomial`.

use crate::collective::Channel;
use crate::collective::tree::Tree;
use crate::error::Result;
use crate::op::Op;
use crate::payload::Payload;
use crate::request::Request;

pub(crate) async fn reduce(
    channel: &Channel<'_>,
    mut data: Payload,
    op: &Op,
    root: u32,
    radix: u32,
) -> Result<Option<Payload>> {
    let Tree { parent, children } = Tree::knomial(channel, radix, root);
    let nearest_first = children.iter().rev();
    let receives: Result<Vec<Request>> =
        nearest_first.clone().map(|child| channel.irecv(*child)).collect();
    let parts = channel.wait_all(&mut receives?).await?;
    for (child, part) in nearest_first.zip(&parts) {
        channel.check_size(part, data.len(), *child)?;
        op.apply(part, &mut data);
    }
    match parent {
        None => Ok(Some(data)),
        Some(parent) => {
            let send = channel.isend(data, parent).await?;
            channel.finish(vec![send]).await?;
            Ok(None)
        }
    }
}
