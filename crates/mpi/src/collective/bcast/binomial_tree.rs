//! Bcast down a binomial tree: `log2(p)` steps, the whole payload in each.

use crate::collective::Channel;
use crate::error::Result;
use crate::payload::Payload;

/// Ranks are counted from the root; one with lowest set bit `b` hears from the one without it,
/// and passes on to those `b / 2`, `b / 4`, … further. What has the wrong size is passed on all
/// the same: others may wait for it.
pub(crate) async fn bcast(channel: &Channel<'_>, mut data: Payload, root: u32) -> Result<Payload> {
    let (size, place) = (channel.size(), channel.place(root));
    let mut distance = channel.subtree(place);
    let mut is_due = Ok(());
    if place > 0 {
        let parent = channel.rank_at(place - distance, root);
        let received = channel.recv(parent).await?;
        is_due = channel.check_size(&received, data.len(), parent);
        data = received;
    }
    distance /= 2;
    while distance > 0 {
        if place + distance < size {
            channel.send(data.clone(), channel.rank_at(place + distance, root)).await?;
        }
        distance /= 2;
    }
    is_due.map(|()| data)
}
