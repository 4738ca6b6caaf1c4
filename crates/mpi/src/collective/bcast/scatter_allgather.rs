//! Bcast of long messages: a scatter down a k-nomial tree, then an allgather of the pieces.
//!
//! MPICH 4's `tsp_scatterv_ring_allgatherv` and `tsp_scatterv_recexch_allgatherv`.

use super::scatter_ring_allgather::pieces;
use crate::collective::Channel;
use crate::collective::allgather::circle;
use crate::collective::allgather::recursive_exchange::{self, First};
use crate::collective::scatter::knomial;
use crate::error::Result;
use crate::payload::Payload;

/// How pieces get to all.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Then {
    /// Around a ring.
    Ring,
    /// By recursive exchange with the radix of the scatter.
    Exchange,
}

pub(crate) async fn bcast(
    channel: &Channel<'_>,
    data: Payload,
    root: u32,
    radix: u32,
    then: Then,
) -> Result<Payload> {
    let turned = channel.turned(root);
    let pieces = pieces(data.len(), turned.size());
    let own = knomial::known(&turned, data, &pieces, radix).await?;
    match then {
        Then::Ring => circle::allgather(&turned, own, &pieces).await,
        Then::Exchange => {
            recursive_exchange::allgather(&turned, own, &pieces, radix, First::Near).await
        }
    }
}
