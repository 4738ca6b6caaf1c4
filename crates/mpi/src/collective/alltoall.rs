//! `MPI_Alltoall`, `MPI_Alltoallv` and `MPI_Alltoallw`. MPI 4.1 section 6.8.

mod basic_linear;
mod bruck;
mod bruck_radix;
mod carousel;
mod doubling;
mod in_memory;
mod in_order;
mod mesh;
mod pair;
mod put;
mod ring;
mod throttled;
mod two_level;
mod two_phase_bruck;
mod window;

use super::{Call, Channel, Choice, Counts, Nested, Operation, Pending, inter};
use crate::comm::Comm;
use crate::error::Result;
use crate::listener::Collective;
use crate::memory::Landing;
use crate::payload::Payload;

impl Comm {
    /// `MPI_Alltoall`: the payload holds one block for each rank; gives one block from each.
    ///
    /// On an inter-communicator, blocks go to and come from the ranks of the remote group, here and
    /// in the other two forms.
    pub async fn alltoall(&self, payload: impl Into<Payload>) -> Result<Payload> {
        let payload = payload.into();
        let block = payload.len() / u64::from(self.peers().size());
        let run = async |channel: &Channel<'_>| alltoall(channel, payload, None).await;
        let is_told = self.begin_heard();
        let outcome = self.collective(Operation::Alltoall, run).await;
        self.end_heard(is_told, Collective::Alltoall { block });
        outcome
    }

    /// `MPI_Ialltoall`.
    pub fn ialltoall(&self, payload: impl Into<Payload>) -> Pending<Payload> {
        let payload = payload.into();
        let block = payload.len() / u64::from(self.peers().size());
        let run = async move |channel: &Channel<'_>| alltoall(channel, payload, None).await;
        self.collective_later(Operation::Alltoall, Some(Collective::Alltoall { block }), run)
    }

    /// `MPI_Alltoallv`: blocks of any size. `send` says how the payload is cut, `receive` how
    /// many bytes come from each rank.
    pub async fn alltoallv(
        &self,
        payload: impl Into<Payload>,
        send: impl Into<Counts>,
        receive: impl Into<Counts>,
    ) -> Result<Payload> {
        let blocks = Blocks::new(payload, send, receive);
        let (sent, received) = (blocks.send.clone(), blocks.receive.clone());
        let run = async |channel: &Channel<'_>| alltoallv(channel, blocks).await;
        let is_told = self.begin_heard();
        let outcome = self.collective(Operation::Alltoallv, run).await;
        let told = Collective::Alltoallv { sent: &sent, received: &received };
        self.end_heard(is_told, told);
        outcome
    }

    /// `MPI_Ialltoallv`.
    pub fn ialltoallv(
        &self,
        payload: impl Into<Payload>,
        send: impl Into<Counts>,
        receive: impl Into<Counts>,
    ) -> Pending<Payload> {
        let blocks = Blocks::new(payload, send, receive);
        let (sent, received) = (blocks.send.clone(), blocks.receive.clone());
        let told = Collective::Alltoallv { sent: &sent, received: &received };
        let run = async move |channel: &Channel<'_>| alltoallv(channel, blocks).await;
        self.collective_later(Operation::Alltoallv, Some(told), run)
    }

    /// `MPI_Alltoallw`: as [`Comm::alltoallv`], since counts are bytes whatever the types.
    pub async fn alltoallw(
        &self,
        payload: impl Into<Payload>,
        send: impl Into<Counts>,
        receive: impl Into<Counts>,
    ) -> Result<Payload> {
        let blocks = Blocks::new(payload, send, receive);
        let run = async |channel: &Channel<'_>| alltoallw(channel, blocks).await;
        self.collective(Operation::Alltoallw, run).await
    }

    /// `MPI_Ialltoallw`.
    pub fn ialltoallw(
        &self,
        payload: impl Into<Payload>,
        send: impl Into<Counts>,
        receive: impl Into<Counts>,
    ) -> Pending<Payload> {
        let blocks = Blocks::new(payload, send, receive);
        let (sent, received) = (blocks.send.clone(), blocks.receive.clone());
        let told = Collective::Alltoallw { sent: &sent, received: &received };
        let run = async move |channel: &Channel<'_>| alltoallw(channel, blocks).await;
        self.collective_later(Operation::Alltoallw, Some(told), run)
    }
}

/// What a rank has for the others, and what they have for it.
struct Blocks {
    data: Payload,
    send: Counts,
    receive: Counts,
    /// Where in a program's memory the result goes; if nowhere, it is handed over.
    into: Option<usize>,
}

impl Blocks {
    fn new(
        data: impl Into<Payload>,
        send: impl Into<Counts>,
        receive: impl Into<Counts>,
    ) -> Blocks {
        Blocks { data: data.into(), send: send.into(), receive: receive.into(), into: None }
    }

    fn check(&self, channel: &Channel<'_>) -> Result<()> {
        channel.check_cut(&self.data, &self.send)?;
        channel.check_counts(&self.receive)
    }

    fn part(&self, to: u32) -> Payload {
        self.send.part(&self.data, to)
    }

    /// Where what a rank sends goes to, and the room there.
    fn landing(&self, from: u32) -> (Landing, u64) {
        match self.into {
            Some(address) => {
                let place = address + self.receive.start(from) as usize;
                (Landing::Memory(place), self.receive.of(from))
            }
            None => (Landing::Payload, u64::MAX),
        }
    }

    /// Whether nothing is left to do when the blocks of this step have come.
    fn ends_with(&self, step: u32, size: u32) -> bool {
        self.into.is_some() && step + 1 == size
    }

    /// The result, with the rank's block for itself in its place and the others blank.
    fn begin(&self, channel: &Channel<'_>) -> Result<Payload> {
        let bytes = self.receive.total();
        let mut result = match self.into {
            Some(address) => Payload::Memory { address, bytes },
            None => self.data.blank(bytes),
        };
        let rank = channel.rank();
        channel.store(&mut result, &self.receive, rank, &self.part(rank))?;
        Ok(result)
    }
}

/// What holds ranks in step while they exchange blocks pairwise or by shifting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pace {
    /// Nothing.
    Free,
    /// A message from the next partner.
    Light,
    /// A barrier before each exchange.
    Barrier,
    /// A barrier at the beginning.
    OneBarrier,
}

impl Pace {
    /// Of `pair_light_barrier` and the like.
    fn of(algorithm: &str) -> Pace {
        match algorithm {
            name if name.ends_with("_light_barrier") => Pace::Light,
            name if name.ends_with("_mpi_barrier") => Pace::Barrier,
            name if name.ends_with("_one_barrier") => Pace::OneBarrier,
            _ => Pace::Free,
        }
    }
}

async fn alltoall(channel: &Channel<'_>, data: Payload, into: Option<usize>) -> Result<Payload> {
    let send = channel.equal_blocks(&data)?;
    if channel.is_inter() {
        return Box::pin(inter::alltoall(channel, &data, &send, None)).await;
    }
    let block = if send.ranks() > 0 { send.of(0) } else { 0 };
    let choice = channel.choose(Call::new(Operation::Alltoall, block));
    let blocks = Blocks { into, ..Blocks::new(data, &send, &send) };
    let blocks = &blocks.for_algorithm(channel, choice.algorithm);
    if choice.meet {
        Box::pin(channel.meet()).await?;
    }
    match choice.algorithm {
        "pair" => pair::alltoall(channel, blocks, Pace::Free).await,
        "ring" => ring::alltoall(channel, blocks, Pace::Free).await,
        "bruck" => bruck::alltoall(channel, blocks).await,
        "basic_linear" => basic_linear::alltoall(channel, blocks).await,
        _ if channel.size() == 1 => blocks.begin(channel),
        _ => Box::pin(further(channel, choice, blocks)).await,
    }
}

/// Where the number of ranks forbids an algorithm, blocks are exchanged by shifting.
async fn further(channel: &Channel<'_>, choice: Choice, blocks: &Blocks) -> Result<Payload> {
    match choice.algorithm {
        "2dmesh" => mesh::two(channel, blocks).await,
        "3dmesh" => mesh::three(channel, blocks).await,
        "rdb" => doubling::alltoall(channel, blocks).await,
        "pair_rma" => put::alltoall(channel, blocks).await,
        "mvapich2_scatter_dest" => {
            throttled::alltoall(channel, blocks, choice.radix(4), throttled::Own::Sent).await
        }
        "linear_sync" => {
            // Without a limit all messages are under way at once.
            let batch = if choice.radix == Some(0) { channel.size() } else { choice.radix(4) };
            throttled::alltoall(channel, blocks, batch, throttled::Own::Copied).await
        }
        "tsp_ring" => carousel::alltoall(channel, blocks).await,
        "tsp_scattered" => window::alltoall(channel, blocks, choice.radix(64)).await,
        "sendrecv_replace" => in_order::alltoall(channel, blocks).await,
        "bruck_radix" => bruck_radix::alltoall(channel, blocks, choice.radix(4)).await,
        "two_level" => two_level::alltoall(channel, blocks).await,
        name if name.starts_with("pair_") => pair::alltoall(channel, blocks, Pace::of(name)).await,
        name => ring::alltoall(channel, blocks, Pace::of(name)).await,
    }
}

/// An alltoall within another collective, by the algorithm chosen for alltoalls.
pub(super) fn nested<'a>(channel: &'a Channel<'_>, data: Payload) -> Nested<'a, Payload> {
    Box::pin(alltoall(channel, data, None))
}

async fn alltoallv(channel: &Channel<'_>, blocks: Blocks) -> Result<Payload> {
    blocks.check(channel)?;
    if channel.is_inter() {
        let Blocks { data, send, receive, .. } = &blocks;
        return Box::pin(inter::alltoall(channel, data, send, Some(receive))).await;
    }
    uneven(channel, Operation::Alltoallv, &blocks).await
}

async fn alltoallw(channel: &Channel<'_>, blocks: Blocks) -> Result<Payload> {
    blocks.check(channel)?;
    if channel.is_inter() {
        let Blocks { data, send, receive, .. } = &blocks;
        return Box::pin(inter::alltoall(channel, data, send, Some(receive))).await;
    }
    uneven(channel, Operation::Alltoallw, &blocks).await
}

/// Blocks of any size. Ranks do not know of each other's, so no rule can go by bytes.
async fn uneven(channel: &Channel<'_>, operation: Operation, blocks: &Blocks) -> Result<Payload> {
    let call = Call { is_even: false, ..Call::new(operation, 0) };
    let mean = blocks.send.total() / u64::from(channel.size().max(1));
    let choice = channel.choose_for(call, mean);
    if choice.meet {
        Box::pin(channel.meet()).await?;
    }
    match choice.algorithm {
        // SimGrid's `ring` of uneven blocks is pairwise too, if the number of ranks allows.
        "pair" | "ring" => pair::alltoall(channel, blocks, Pace::Free).await,
        "ompi_basic_linear" => basic_linear::alltoallv(channel, blocks).await,
        // In SimGrid it has this name, though it is not what Bruck described.
        "bruck" => {
            let run = throttled::alltoall(channel, blocks, choice.radix(4), throttled::Own::Copied);
            Box::pin(run).await
        }
        "two_phase_bruck" => {
            Box::pin(two_phase_bruck::alltoall(channel, blocks, choice.radix(2))).await
        }
        "tsp_scattered" => Box::pin(window::alltoall(channel, blocks, choice.radix(64))).await,
        "sendrecv_replace" => Box::pin(in_order::alltoall(channel, blocks)).await,
        name if name.starts_with("pair_") => {
            Box::pin(pair::alltoall(channel, blocks, Pace::of(name))).await
        }
        name => Box::pin(ring::alltoall(channel, blocks, Pace::of(name))).await,
    }
}
