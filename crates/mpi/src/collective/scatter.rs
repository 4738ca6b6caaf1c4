//! `MPI_Scatter` and `MPI_Scatterv`. MPI 4.1 section 6.6.

mod basic_linear;
mod binomial;
mod han;
pub(super) mod knomial;
pub(super) mod linear;
mod two_level;

use super::{Call, Channel, Choice, Counts, Nested, Operation, Pending, Root, inter};
use crate::comm::Comm;
use crate::error::Result;
use crate::listener::Collective;
use crate::payload::Payload;

impl Comm {
    /// `MPI_Scatter`: the root's payload holds one block for each rank; each gets its own.
    /// Where rules choose the algorithm, the others tell by theirs how many bytes that is; its
    /// content is not looked at.
    ///
    /// On an inter-communicator, the blocks are for the ranks of the remote group; those of the
    /// root's get nothing.
    pub async fn scatter(
        &self,
        payload: impl Into<Payload>,
        root: impl Into<Root>,
    ) -> Result<Payload> {
        let (payload, root) = (payload.into(), root.into());
        let block = payload.len() / u64::from(self.peers().size());
        let run = async |channel: &Channel<'_>| scatter(channel, payload, root).await;
        let is_told = self.begin_heard();
        let outcome = self.collective(Operation::Scatter.at(root), run).await;
        self.end_heard(is_told, Collective::Scatter { block, root });
        outcome
    }

    /// `MPI_Iscatter`.
    pub fn iscatter(&self, payload: impl Into<Payload>, root: impl Into<Root>) -> Pending<Payload> {
        let (payload, root) = (payload.into(), root.into());
        let block = payload.len() / u64::from(self.peers().size());
        let told = Collective::Scatter { block, root };
        let run = async move |channel: &Channel<'_>| scatter(channel, payload, root).await;
        self.collective_later(Operation::Scatter.at(root), Some(told), run)
    }

    /// `MPI_Scatterv`: parts of any size. Payload and counts matter at the root alone.
    pub async fn scatterv(
        &self,
        payload: impl Into<Payload>,
        counts: impl Into<Counts>,
        root: impl Into<Root>,
    ) -> Result<Payload> {
        let (payload, counts, root) = (payload.into(), counts.into(), root.into());
        let told = counts.clone();
        let run = async |channel: &Channel<'_>| scatterv(channel, payload, counts, root).await;
        let is_told = self.begin_heard();
        let outcome = self.collective(Operation::Scatterv.at(root), run).await;
        let bytes = outcome.as_ref().map_or(0, Payload::len);
        self.end_heard(is_told, Collective::Scatterv { counts: &told, bytes, root });
        outcome
    }

    /// `MPI_Iscatterv`.
    pub fn iscatterv(
        &self,
        payload: impl Into<Payload>,
        counts: impl Into<Counts>,
        root: impl Into<Root>,
    ) -> Pending<Payload> {
        let (payload, counts, root) = (payload.into(), counts.into(), root.into());
        // What the others get is known to the root alone.
        let (own, sizes) = (self.rank(), counts.clone());
        let bytes = if own < sizes.ranks() { sizes.of(own) } else { 0 };
        let told = Collective::Scatterv { counts: &sizes, bytes, root };
        let run = async move |channel: &Channel<'_>| scatterv(channel, payload, counts, root).await;
        self.collective_later(Operation::Scatterv.at(root), Some(told), run)
    }
}

pub(super) async fn scatter(channel: &Channel<'_>, data: Payload, root: Root) -> Result<Payload> {
    if channel.is_inter() {
        return Box::pin(inter::scatter(channel, data, root)).await;
    }
    let root = channel.root(root)?;
    let blocks = match channel.rank() == root {
        true => channel.equal_blocks(&data)?,
        false => Counts::even(channel.size(), 0),
    };
    // Others than the root tell the size of the whole by what they give.
    let bytes = data.len() / u64::from(channel.size());
    let choice = channel.choose(Call::new(Operation::Scatter, bytes));
    if choice.meet {
        Box::pin(channel.meet()).await?;
    }
    by(channel, &choice, data, &blocks, root).await
}

/// By a certain algorithm.
async fn by(
    channel: &Channel<'_>,
    choice: &Choice,
    data: Payload,
    blocks: &Counts,
    root: u32,
) -> Result<Payload> {
    match choice.algorithm {
        "ompi_binomial" => binomial::scatter(channel, data, blocks, root).await,
        "ompi_basic_linear" => basic_linear::scatter(channel, data, blocks, root).await,
        "ompi_linear_nb" => linear::scatter(channel, data, blocks, root).await,
        _ => Box::pin(further(channel, *choice, data, blocks, root)).await,
    }
}

async fn further(
    channel: &Channel<'_>,
    choice: Choice,
    data: Payload,
    blocks: &Counts,
    root: u32,
) -> Result<Payload> {
    match choice.algorithm {
        "mvapich2_two_level_direct" => {
            let outer = Choice::named("ompi_basic_linear");
            two_level::scatter(channel, choice.with_outer(outer), data, blocks, root).await
        }
        "han" => han::scatter(channel, choice, data, blocks, root).await,
        "knomial_tree" => knomial::scatter(channel, data, blocks, root, choice.radix(2)).await,
        "mvapich2_two_level_binomial" | "two_level" => {
            let outer = Choice::named("ompi_binomial");
            two_level::scatter(channel, choice.with_outer(outer), data, blocks, root).await
        }
        // `default_linear`
        _ => linear::scatter(channel, data, blocks, root).await,
    }
}

/// A scatter from rank 0, which alone knows the size of blocks.
pub(super) async fn unannounced(channel: &Channel<'_>, data: Payload) -> Result<Payload> {
    let blocks = match channel.rank() {
        0 => channel.equal_blocks(&data)?,
        _ => Counts::even(channel.size(), 0),
    };
    binomial::scatter(channel, data, &blocks, 0).await
}

/// A scatter within another collective, by the algorithm chosen for scatters. Others than the root
/// tell the size of the whole by what they give.
pub(super) fn nested<'a>(
    channel: &'a Channel<'_>,
    data: Payload,
    root: u32,
) -> Nested<'a, Payload> {
    Box::pin(scatter(channel, data, Root::Rank(root)))
}

/// A scatter within another collective, by a certain algorithm.
fn nested_by<'a>(
    channel: &'a Channel<'_>,
    choice: Choice,
    data: Payload,
    blocks: &'a Counts,
    root: u32,
) -> Nested<'a, Payload> {
    Box::pin(async move { by(channel, &choice, data, blocks, root).await })
}

async fn scatterv(
    channel: &Channel<'_>,
    data: Payload,
    counts: Counts,
    root: Root,
) -> Result<Payload> {
    if channel.is_inter() {
        return Box::pin(inter::scatterv(channel, data, counts, root)).await;
    }
    let root = channel.root(root)?;
    if channel.rank() == root {
        channel.check_cut(&data, &counts)?;
    }
    // Only the root knows all the sizes, so no rule can go by bytes.
    let choice = channel.choose(Call { is_even: false, ..Call::new(Operation::Scatterv, 0) });
    if choice.meet {
        Box::pin(channel.meet()).await?;
    }
    let radix = match choice.algorithm {
        "linear" => return linear::scatter(channel, data, &counts, root).await,
        "binomial" => 2,
        // `knomial_tree`
        _ => choice.radix(4),
    };
    Box::pin(knomial::scatterv(channel, data, &counts, root, radix)).await
}
