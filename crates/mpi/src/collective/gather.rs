//! `MPI_Gather` and `MPI_Gatherv`. MPI 4.1 section 6.5.

mod basic_linear;
mod binomial;
mod han;
mod knomial;
pub(super) mod linear;
mod linear_sync;
mod two_level;

use super::{Call, Channel, Choice, Counts, Nested, Operation, Pending, Root, inter};
use crate::comm::Comm;
use crate::error::Result;
use crate::listener::Collective;
use crate::payload::Payload;

impl Comm {
    /// `MPI_Gather`: the root gets the payloads of all ranks, of equal size, one behind the other;
    /// the others get nothing.
    ///
    /// On an inter-communicator, the root gets those of the remote group; what it gives is not
    /// looked at.
    pub async fn gather(
        &self,
        payload: impl Into<Payload>,
        root: impl Into<Root>,
    ) -> Result<Option<Payload>> {
        let (payload, root) = (payload.into(), root.into());
        let bytes = payload.len();
        let run = async |channel: &Channel<'_>| gather(channel, payload, root).await;
        let is_told = self.begin_heard();
        let outcome = self.collective(Operation::Gather.at(root), run).await;
        self.end_heard(is_told, Collective::Gather { bytes, root });
        outcome
    }

    /// `MPI_Igather`.
    pub fn igather(
        &self,
        payload: impl Into<Payload>,
        root: impl Into<Root>,
    ) -> Pending<Option<Payload>> {
        let (payload, root) = (payload.into(), root.into());
        let told = Collective::Gather { bytes: payload.len(), root };
        let run = async move |channel: &Channel<'_>| gather(channel, payload, root).await;
        self.collective_later(Operation::Gather.at(root), Some(told), run)
    }

    /// `MPI_Gatherv`: payloads of any size. The counts matter at the root alone.
    pub async fn gatherv(
        &self,
        payload: impl Into<Payload>,
        counts: impl Into<Counts>,
        root: impl Into<Root>,
    ) -> Result<Option<Payload>> {
        let (payload, counts, root) = (payload.into(), counts.into(), root.into());
        let (bytes, told) = (payload.len(), counts.clone());
        let run = async |channel: &Channel<'_>| gatherv(channel, payload, counts, root).await;
        let is_told = self.begin_heard();
        let outcome = self.collective(Operation::Gatherv.at(root), run).await;
        self.end_heard(is_told, Collective::Gatherv { bytes, counts: &told, root });
        outcome
    }

    /// `MPI_Igatherv`.
    pub fn igatherv(
        &self,
        payload: impl Into<Payload>,
        counts: impl Into<Counts>,
        root: impl Into<Root>,
    ) -> Pending<Option<Payload>> {
        let (payload, counts, root) = (payload.into(), counts.into(), root.into());
        let (bytes, sizes) = (payload.len(), counts.clone());
        let told = Collective::Gatherv { bytes, counts: &sizes, root };
        let run = async move |channel: &Channel<'_>| gatherv(channel, payload, counts, root).await;
        self.collective_later(Operation::Gatherv.at(root), Some(told), run)
    }
}

pub(super) async fn gather(
    channel: &Channel<'_>,
    data: Payload,
    root: Root,
) -> Result<Option<Payload>> {
    if channel.is_inter() {
        return Box::pin(inter::gather(channel, data, root)).await;
    }
    let root = channel.root(root)?;
    let choice = channel.choose(Call::new(Operation::Gather, data.len()));
    if choice.meet {
        Box::pin(channel.meet()).await?;
    }
    by(channel, &choice, data, root).await
}

/// By a certain algorithm.
async fn by(
    channel: &Channel<'_>,
    choice: &Choice,
    data: Payload,
    root: u32,
) -> Result<Option<Payload>> {
    match choice.algorithm {
        "ompi_binomial" => binomial::gather(channel, data, root).await,
        "ompi_basic_linear" => basic_linear::gather(channel, data, root).await,
        _ => Box::pin(further(channel, *choice, data, root)).await,
    }
}

async fn further(
    channel: &Channel<'_>,
    choice: Choice,
    data: Payload,
    root: u32,
) -> Result<Option<Payload>> {
    match choice.algorithm {
        "ompi_linear_sync" => {
            let usual = linear_sync::usual_segment(data.len());
            let segment = choice.segment_or_all(usual, data.len());
            linear_sync::gather(channel, data, root, segment).await
        }
        "mvapich2_two_level" | "two_level" => two_level::gather(channel, choice, data, root).await,
        "han" => han::gather(channel, choice, data, root).await,
        "knomial_tree" => knomial::gather(channel, data, root, choice.radix(2)).await,
        // `default_linear`
        _ => {
            let blocks = Counts::even(channel.size(), data.len());
            linear::gather(channel, data, &blocks, root).await
        }
    }
}

/// A gather within another collective, by the algorithm chosen for gathers; of uneven blocks as
/// `MPI_Gatherv` does it.
pub(super) fn nested<'a>(
    channel: &'a Channel<'_>,
    data: Payload,
    blocks: &'a Counts,
    root: u32,
) -> Nested<'a, Option<Payload>> {
    match blocks.is_even() {
        true => Box::pin(gather(channel, data, Root::Rank(root))),
        false => Box::pin(uneven(channel, data, blocks, root)),
    }
}

/// A gather within another collective, by a certain algorithm.
pub(super) fn nested_by<'a>(
    channel: &'a Channel<'_>,
    choice: Choice,
    data: Payload,
    root: u32,
) -> Nested<'a, Option<Payload>> {
    Box::pin(async move { by(channel, &choice, data, root).await })
}

async fn gatherv(
    channel: &Channel<'_>,
    data: Payload,
    counts: Counts,
    root: Root,
) -> Result<Option<Payload>> {
    if channel.is_inter() {
        return Box::pin(inter::gatherv(channel, data, counts, root)).await;
    }
    let root = channel.root(root)?;
    if channel.rank() == root {
        channel.check_counts(&counts)?;
    }
    uneven(channel, data, &counts, root).await
}

/// Blocks of any size. Only the root knows them all, so no rule can go by bytes.
async fn uneven(
    channel: &Channel<'_>,
    data: Payload,
    counts: &Counts,
    root: u32,
) -> Result<Option<Payload>> {
    let call = Call { is_even: false, ..Call::new(Operation::Gatherv, 0) };
    let choice = channel.choose_for(call, data.len());
    if choice.meet {
        Box::pin(channel.meet()).await?;
    }
    let radix = match choice.algorithm {
        "linear" => return linear::gather(channel, data, counts, root).await,
        "binomial" => 2,
        // `knomial_tree`
        _ => choice.radix(4),
    };
    Box::pin(knomial::gatherv(channel, data, counts, root, radix)).await
}
