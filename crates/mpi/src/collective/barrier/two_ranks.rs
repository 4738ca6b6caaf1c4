//! Barrier of two: one exchange. More ranks take recursive doubling, as it is for two.

use super::recursive_doubling;
use crate::collective::Channel;
use crate::error::Result;
use crate::payload::Payload;

pub(crate) async fn barrier(channel: &Channel<'_>) -> Result<()> {
    if channel.size() != 2 {
        return recursive_doubling::barrier(channel).await;
    }
    let other = 1 - channel.rank();
    channel.exchange(Payload::Size(0), other, other).await.map(drop)
}
