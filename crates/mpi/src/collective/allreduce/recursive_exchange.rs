//! Allreduce by recursive exchange: in a step, groups of `k` ranks exchange the whole vector.
//!
//! MPICH 4's `recexch`; `log_k(p)` steps of `k - 1` messages each. With `k = 2` it is recursive
//! doubling.

use crate::collective::Channel;
use crate::collective::groups::Groups;
use crate::error::Result;
use crate::op::Op;
use crate::payload::Payload;
use crate::request::Request;

/// Ranks past the largest power of `k` lend their data to one below it.
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
    for distance in groups.distances() {
        let partners = groups.partners(rank, distance);
        let receives: Result<Vec<Request>> =
            partners.clone().map(|partner| channel.irecv(partner)).collect();
        let mut requests = receives?;
        for partner in partners.clone() {
            requests.push(channel.isend(data.clone(), partner).await?);
        }
        let parts = channel.wait_all(&mut requests).await?;
        for (partner, part) in partners.zip(&parts) {
            channel.check_size(part, bytes, partner)?;
            op.apply(part, &mut data);
        }
    }
    for ward in groups.wards(rank) {
        channel.send(data.clone(), ward).await?;
    }
    Ok(data)
}
