//! Barrier by recursive exchange: in a step, groups of `k` ranks tell each other.
//!
//! MPICH 4's `recexch`; with `k = 2` it is recursive doubling.

use crate::collective::Channel;
use crate::collective::groups::Groups;
use crate::error::Result;
use crate::payload::Payload;

/// Ranks past the largest power of `k` report to one below it, and are told when all have come.
pub(crate) async fn barrier(channel: &Channel<'_>, radix: u32) -> Result<()> {
    let (rank, empty) = (channel.rank(), || Payload::Size(0));
    let groups = Groups::new(channel.size(), radix);
    if let Some(guardian) = groups.guardian(rank) {
        return channel.exchange(empty(), guardian, guardian).await.map(drop);
    }
    for ward in groups.wards(rank) {
        channel.recv(ward).await?;
    }
    for distance in groups.distances() {
        let mut requests = Vec::new();
        for partner in groups.partners(rank, distance) {
            requests.push(channel.irecv(partner)?);
        }
        for partner in groups.partners(rank, distance) {
            requests.push(channel.isend(empty(), partner).await?);
        }
        channel.finish(requests).await?;
    }
    for ward in groups.wards(rank) {
        channel.send(empty(), ward).await?;
    }
    Ok(())
}
