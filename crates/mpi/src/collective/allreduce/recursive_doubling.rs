//! Allreduce by recursive doubling: `log2(p)` exchanges of the whole payload.
//!
//! Latency-optimal, so libraries pick it for short messages. Thakur et al. 2005, section 4.5.

use crate::collective::Channel;
use crate::collective::channel::Core;
use crate::error::Result;
use crate::op::Op;
use crate::payload::Payload;

/// Operands are combined in rank order.
pub(crate) async fn allreduce(
    channel: &Channel<'_>,
    mut data: Payload,
    op: &Op,
) -> Result<Payload> {
    let core = Core::new(channel);
    let Some(place) = core.lend(channel, &mut data, op).await? else {
        return channel.recv(channel.rank() + 1).await;
    };
    let mut distance = 1;
    while distance < core.size() {
        let partner = core.rank(place ^ distance);
        let mut theirs = channel.exchange(data.clone(), partner, partner).await?;
        channel.check_size(&theirs, data.len(), partner)?;
        if partner < channel.rank() {
            op.apply(&theirs, &mut data);
        } else {
            op.apply(&data, &mut theirs);
            data = theirs;
        }
        distance *= 2;
    }
    core.give_back(channel, &data).await?;
    Ok(data)
}
