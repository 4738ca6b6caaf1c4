//! Reduce-scatter by recursive exchange: in a step, each of a group of `k` ranks keeps one part in
//! `k` of what it has, and gives the others theirs.
//!
//! MPICH 4's `recexch`. Operands change places.

use crate::collective::groups::Groups;
use crate::collective::{Channel, Counts};
use crate::error::Result;
use crate::op::Op;
use crate::payload::Payload;
use crate::request::Request;

/// Ranks past the largest power of `k` lend their vector to one below it, and get their part from
/// it.
pub(crate) async fn reduce_scatter(
    channel: &Channel<'_>,
    mut data: Payload,
    counts: &Counts,
    op: &Op,
    radix: u32,
) -> Result<Payload> {
    let rank = channel.rank();
    let groups = Groups::new(channel.size(), radix);
    if let Some(guardian) = groups.guardian(rank) {
        channel.send(data, guardian).await?;
        let part = channel.recv(guardian).await?;
        return channel.check_size(&part, counts.of(rank), guardian).map(|()| part);
    }
    for ward in groups.wards(rank) {
        let lent = channel.recv(ward).await?;
        channel.check_size(&lent, data.len(), ward)?;
        op.apply(&lent, &mut data);
    }
    for distance in groups.distances().rev() {
        let kept = |rank| groups.families(groups.near(rank, distance));
        let partners = groups.partners(rank, distance);
        let receives: Result<Vec<Request>> =
            partners.clone().map(|partner| channel.irecv(partner)).collect();
        let mut requests = receives?;
        for partner in partners.clone() {
            let theirs = counts.pick(&data, kept(partner));
            requests.push(channel.isend(theirs, partner).await?);
        }
        let parts = channel.wait_all(&mut requests).await?;
        let mut own = counts.pick(&data, kept(rank));
        for (partner, part) in partners.zip(&parts) {
            channel.check_size(part, own.len(), partner)?;
            op.apply(part, &mut own);
        }
        channel.store_picked(&mut data, counts, kept(rank), (rank, &own))?;
    }
    for ward in groups.wards(rank) {
        channel.send(counts.part(&data, ward), ward).await?;
    }
    Ok(counts.part(&data, rank))
}
