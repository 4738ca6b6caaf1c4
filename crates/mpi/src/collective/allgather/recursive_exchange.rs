//! Allgather by recursive exchange: groups of `k` ranks exchange all they have, `log_k(p)` times.
//!
//! MPICH 4's `recexch_doubling` and `recexch_halving`.

use crate::collective::groups::Groups;
use crate::collective::{Channel, Counts};
use crate::error::Result;
use crate::payload::Payload;
use crate::request::Request;

/// Which partners come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum First {
    /// Near ones: long messages go far.
    Near,
    /// Far ones: long messages stay near.
    Far,
}

/// Ranks past the largest power of `k` give their block to one below it, and get all from it.
pub(crate) async fn allgather(
    channel: &Channel<'_>,
    data: Payload,
    blocks: &Counts,
    radix: u32,
    first: First,
) -> Result<Payload> {
    let rank = channel.rank();
    let groups = Groups::new(channel.size(), radix);
    if let Some(guardian) = groups.guardian(rank) {
        channel.check_size(&data, blocks.of(rank), rank)?;
        channel.send(data, guardian).await?;
        let whole = channel.recv(guardian).await?;
        return channel.check_size(&whole, blocks.total(), guardian).map(|()| whole);
    }
    let mut whole = channel.with_own_block(blocks, &data)?;
    for ward in groups.wards(rank) {
        let lent = channel.recv(ward).await?;
        channel.store(&mut whole, blocks, ward, &lent)?;
    }
    match first {
        First::Near => {
            for distance in groups.distances() {
                let held = |rank| groups.families(groups.near(rank, distance));
                swap(channel, &mut whole, blocks, groups.partners(rank, distance), held).await?;
            }
        }
        First::Far => {
            for distance in groups.distances().rev() {
                let apart = distance * radix;
                let held = |rank| groups.families(groups.far(rank, apart));
                swap(channel, &mut whole, blocks, groups.partners(rank, distance), held).await?;
            }
        }
    }
    for ward in groups.wards(rank) {
        channel.send(whole.clone(), ward).await?;
    }
    Ok(whole)
}

/// Gives partners all the blocks that this rank has, and takes those that they have.
async fn swap<Held: Iterator<Item = u32> + Clone>(
    channel: &Channel<'_>,
    whole: &mut Payload,
    blocks: &Counts,
    partners: impl Iterator<Item = u32> + Clone,
    held: impl Fn(u32) -> Held,
) -> Result<()> {
    let receives: Result<Vec<Request>> =
        partners.clone().map(|partner| channel.irecv(partner)).collect();
    let mut requests = receives?;
    let own = blocks.pick(whole, held(channel.rank()));
    for partner in partners.clone() {
        requests.push(channel.isend(own.clone(), partner).await?);
    }
    let parts = channel.wait_all(&mut requests).await?;
    for (partner, part) in partners.zip(&parts) {
        channel.store_picked(whole, blocks, held(partner), (partner, part))?;
    }
    Ok(())
}
