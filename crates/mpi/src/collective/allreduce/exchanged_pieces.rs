//! Allreduce of long vectors by recursive exchange: a reduce-scatter, then an allgather, in steps
//! to the base of `k`.
//!
//! MPICH 4's `k_reduce_scatter_allgather`; with `k = 2` it is Rabenseifner's algorithm.

use super::rabenseifner::pieces;
use crate::collective::Channel;
use crate::collective::allgather::recursive_exchange::{self as gathering, First};
use crate::collective::groups::Groups;
use crate::collective::reduce_scatter::recursive_exchange as scattering;
use crate::error::Result;
use crate::op::Op;
use crate::payload::Payload;

/// Ranks past the largest power of `k` lend their vector to one below it.
pub(crate) async fn allreduce(
    channel: &Channel<'_>,
    mut data: Payload,
    op: &Op,
    radix: u32,
) -> Result<Payload> {
    let (rank, bytes) = (channel.rank(), data.len());
    let groups = Groups::new(channel.size(), radix);
    if let Some(guardian) = groups.guardian(rank) {
        channel.send(data, guardian).await?;
        let result = channel.recv(guardian).await?;
        return channel.check_size(&result, bytes, guardian).map(|()| result);
    }
    for ward in groups.wards(rank) {
        let lent = channel.recv(ward).await?;
        channel.check_size(&lent, bytes, ward)?;
        op.apply(&lent, &mut data);
    }
    if let Some(core) = channel.among(0..groups.core()) {
        let pieces = pieces(bytes, op.element(), groups.core());
        let own = scattering::reduce_scatter(&core, data, &pieces, op, radix).await?;
        data = gathering::allgather(&core, own, &pieces, radix, First::Near).await?;
    }
    for ward in groups.wards(rank) {
        channel.send(data.clone(), ward).await?;
    }
    Ok(data)
}
