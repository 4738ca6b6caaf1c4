//! `MPI_Allgather` and `MPI_Allgatherv`. MPI 4.1 section 6.7.

mod at_once;
mod bruck;
pub(super) mod circle;
mod han;
mod mesh;
mod neighbour_exchange;
mod node_aware;
mod node_lines;
mod pair;
pub(super) mod recursive_doubling;
pub(super) mod recursive_exchange;
mod recursive_halving;
pub(super) mod ring;
mod sparbit;
mod uneven_bruck;
mod uneven_circle;

use super::{Call, Channel, Choice, Counts, Nested, Operation, Pending, bcast, gather, inter};
use crate::comm::Comm;
use crate::error::Result;
use crate::listener::Collective;
use crate::payload::Payload;
use recursive_exchange::First;

impl Comm {
    /// `MPI_Allgather`: every rank gets the payloads of all, of equal size, one behind the other.
    ///
    /// On an inter-communicator, those of the remote group.
    pub async fn allgather(&self, payload: impl Into<Payload>) -> Result<Payload> {
        let payload = payload.into();
        let bytes = payload.len();
        let run = async |channel: &Channel<'_>| allgather(channel, payload).await;
        let is_told = self.begin_heard();
        let outcome = self.collective(Operation::Allgather, run).await;
        self.end_heard(is_told, Collective::Allgather { bytes });
        outcome
    }

    /// `MPI_Iallgather`.
    pub fn iallgather(&self, payload: impl Into<Payload>) -> Pending<Payload> {
        let payload = payload.into();
        let told = Collective::Allgather { bytes: payload.len() };
        let run = async move |channel: &Channel<'_>| allgather(channel, payload).await;
        self.collective_later(Operation::Allgather, Some(told), run)
    }

    /// `MPI_Allgatherv`: payloads of any size, which all ranks know. On an inter-communicator,
    /// the counts are those of the remote group.
    pub async fn allgatherv(
        &self,
        payload: impl Into<Payload>,
        counts: impl Into<Counts>,
    ) -> Result<Payload> {
        let (payload, counts) = (payload.into(), counts.into());
        let (bytes, told) = (payload.len(), counts.clone());
        let run = async |channel: &Channel<'_>| allgatherv(channel, payload, counts).await;
        let is_told = self.begin_heard();
        let outcome = self.collective(Operation::Allgatherv, run).await;
        self.end_heard(is_told, Collective::Allgatherv { bytes, counts: &told });
        outcome
    }

    /// `MPI_Iallgatherv`.
    pub fn iallgatherv(
        &self,
        payload: impl Into<Payload>,
        counts: impl Into<Counts>,
    ) -> Pending<Payload> {
        let (payload, counts) = (payload.into(), counts.into());
        let (bytes, sizes) = (payload.len(), counts.clone());
        let told = Collective::Allgatherv { bytes, counts: &sizes };
        let run = async move |channel: &Channel<'_>| allgatherv(channel, payload, counts).await;
        self.collective_later(Operation::Allgatherv, Some(told), run)
    }
}

pub(crate) async fn allgather(channel: &Channel<'_>, data: Payload) -> Result<Payload> {
    if channel.is_inter() {
        return Box::pin(inter::allgather(channel, data)).await;
    }
    let choice = channel.choose(Call::new(Operation::Allgather, data.len()));
    if choice.meet {
        Box::pin(channel.meet()).await?;
    }
    by(channel, &choice, data).await
}

/// By a certain algorithm.
async fn by(channel: &Channel<'_>, choice: &Choice, data: Payload) -> Result<Payload> {
    let blocks = Counts::even(channel.size(), data.len());
    match choice.algorithm {
        "rdb" => recursive_doubling::allgather(channel, data, &blocks).await,
        "bruck" => bruck::allgather(channel, data).await,
        "ring" => ring::allgather(channel, data, &blocks).await,
        _ if channel.size() == 1 => Ok(data),
        _ => Box::pin(further(channel, *choice, data, &blocks)).await,
    }
}

/// The algorithms that do not mind whether blocks are of one size. Where the number of ranks
/// forbids one, or where they are forbids it, blocks are sent around by shifting.
async fn further(
    channel: &Channel<'_>,
    choice: Choice,
    data: Payload,
    blocks: &Counts,
) -> Result<Payload> {
    match choice.algorithm {
        "2dmesh" => mesh::two(channel, data, blocks).await,
        "3dmesh" => mesh::three(channel, data, blocks).await,
        "GB" => by_root(channel, data, blocks).await,
        "NTSLR" => circle::allgather(channel, data, blocks).await,
        "NTSLR_NB" => circle::posted(channel, data, blocks).await,
        "pair" => pair::allgather(channel, data, blocks).await,
        "rhv" => recursive_halving::allgather(channel, data, blocks).await,
        "SMP_NTS" => node_lines::allgather(channel, data, blocks).await,
        "smp_simple" => node_aware::simple(channel, data, blocks).await,
        "loosely_lr" => node_aware::loose(channel, data, blocks).await,
        "mvapich2_smp" | "two_level" => node_aware::two_level(channel, data, blocks).await,
        "han" => han::allgather(channel, choice, data).await,
        "recexch_doubling" => {
            let radix = choice.radix(2);
            recursive_exchange::allgather(channel, data, blocks, radix, First::Near).await
        }
        "recexch_halving" => {
            let radix = choice.radix(2);
            recursive_exchange::allgather(channel, data, blocks, radix, First::Far).await
        }
        "sparbit" => sparbit::allgather(channel, data, blocks).await,
        "spreading_simple" => at_once::spreading(channel, data, blocks).await,
        "default_linear" => at_once::allgather(channel, data, blocks).await,
        "ompi_neighborexchange" => neighbour_exchange::allgather(channel, data, blocks).await,
        "ompi_bruck" => uneven_bruck::allgather(channel, data, blocks, 2).await,
        "bruck_radix" => uneven_bruck::allgather(channel, data, blocks, choice.radix(4)).await,
        "mpich_ring" => {
            let segment = choice.segment(256 << 10);
            uneven_circle::allgather(channel, data, blocks, segment).await
        }
        "mpich_rdb" => recursive_doubling::allgather(channel, data, blocks).await,
        _ => ring::allgather(channel, data, blocks).await,
    }
}

/// Gather to rank 0 and bcast from there, each by the algorithm chosen for it.
async fn by_root(channel: &Channel<'_>, data: Payload, blocks: &Counts) -> Result<Payload> {
    let expected = Payload::Size(blocks.total());
    let gathered = gather::nested(channel, data, blocks, 0).await?;
    bcast::nested(channel, gathered.unwrap_or(expected), 0).await
}

/// An allgather within another collective, by the algorithm chosen for allgathers.
pub(super) fn nested<'a>(channel: &'a Channel<'_>, data: Payload) -> Nested<'a, Payload> {
    Box::pin(allgather(channel, data))
}

/// An allgather within another collective, by a certain algorithm.
pub(super) fn nested_by<'a>(
    channel: &'a Channel<'_>,
    choice: Choice,
    data: Payload,
) -> Nested<'a, Payload> {
    Box::pin(async move { by(channel, &choice, data).await })
}

async fn allgatherv(channel: &Channel<'_>, data: Payload, counts: Counts) -> Result<Payload> {
    channel.check_counts(&counts)?;
    if channel.is_inter() {
        return Box::pin(inter::allgatherv(channel, data, &counts)).await;
    }
    let mean = counts.total() / u64::from(channel.size().max(1));
    let call = Call { is_even: counts.is_even(), ..Call::new(Operation::Allgatherv, mean) };
    let choice = channel.choose_for(call, counts.of(channel.rank()));
    if choice.meet {
        Box::pin(channel.meet()).await?;
    }
    // The part of the rank itself is checked where it is stored.
    match choice.algorithm {
        "ring" => ring::allgather(channel, data, &counts).await,
        _ => Box::pin(further(channel, choice, data, &counts)).await,
    }
}

/// What a split costs: all ranks learn the color and key of all.
pub(crate) async fn share_claims(channel: &Channel<'_>) -> Result<()> {
    if channel.is_inter() {
        return Box::pin(share_claims_of_both(channel)).await;
    }
    bruck::allgather(channel, Payload::Size(8)).await.map(drop)
}

/// Each group among itself, then both: whoever is through knows that all have come.
async fn share_claims_of_both(channel: &Channel<'_>) -> Result<()> {
    let inside = channel.inside();
    let own = bruck::allgather(&channel.within(&inside), Payload::Size(8)).await?;
    inter::swap(channel, own).await.map(drop)
}
