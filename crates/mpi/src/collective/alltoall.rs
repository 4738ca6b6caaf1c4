//! `MPI_Alltoall`, `MPI_Alltoallv` and `MPI_Alltoallw`. MPI 4.1 section 6.8.

mod basic_linear;
mod bruck;
mod in_memory;
mod pair;
mod ring;

use super::{Channel, Counts, Operation, Pending, inter};
use crate::comm::Comm;
use crate::error::Result;
use crate::payload::Payload;

impl Comm {
    /// `MPI_Alltoall`: the payload holds one block for each rank; gives one block from each.
    ///
    /// On an inter-communicator, blocks go to and come from the ranks of the remote group, here and
    /// in the other two forms.
    pub async fn alltoall(&self, payload: impl Into<Payload>) -> Result<Payload> {
        let payload = payload.into();
        let run = async |channel: &Channel<'_>| alltoall(channel, payload, None).await;
        self.collective(Operation::Alltoall, run).await
    }

    /// `MPI_Ialltoall`.
    pub fn ialltoall(&self, payload: impl Into<Payload>) -> Pending<Payload> {
        let payload = payload.into();
        let run = async move |channel: &Channel<'_>| alltoall(channel, payload, None).await;
        self.collective_later(Operation::Alltoall, run)
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
        let run = async |channel: &Channel<'_>| alltoallv(channel, blocks).await;
        self.collective(Operation::Alltoallv, run).await
    }

    /// `MPI_Ialltoallv`.
    pub fn ialltoallv(
        &self,
        payload: impl Into<Payload>,
        send: impl Into<Counts>,
        receive: impl Into<Counts>,
    ) -> Pending<Payload> {
        let blocks = Blocks::new(payload, send, receive);
        let run = async move |channel: &Channel<'_>| alltoallv(channel, blocks).await;
        self.collective_later(Operation::Alltoallv, run)
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
        let run = async move |channel: &Channel<'_>| alltoallw(channel, blocks).await;
        self.collective_later(Operation::Alltoallw, run)
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

async fn alltoall(channel: &Channel<'_>, data: Payload, into: Option<usize>) -> Result<Payload> {
    let send = channel.equal_blocks(&data)?;
    if channel.is_inter() {
        return Box::pin(inter::alltoall(channel, &data, &send, None)).await;
    }
    let algorithm = channel.algorithm(Operation::Alltoall);
    let blocks = Blocks { into, ..Blocks::new(data, &send, &send) };
    let blocks = &blocks.for_algorithm(channel, algorithm);
    match algorithm {
        "ring" => ring::alltoall(channel, blocks).await,
        "bruck" => bruck::alltoall(channel, blocks).await,
        "basic_linear" => basic_linear::alltoall(channel, blocks).await,
        _ => pair::alltoall(channel, blocks).await,
    }
}

async fn alltoallv(channel: &Channel<'_>, blocks: Blocks) -> Result<Payload> {
    blocks.check(channel)?;
    if channel.is_inter() {
        let Blocks { data, send, receive, .. } = &blocks;
        return Box::pin(inter::alltoall(channel, data, send, Some(receive))).await;
    }
    match channel.algorithm(Operation::Alltoallv) {
        "ring" => ring::alltoall(channel, &blocks).await,
        "ompi_basic_linear" => basic_linear::alltoallv(channel, &blocks).await,
        _ => pair::alltoall(channel, &blocks).await,
    }
}

async fn alltoallw(channel: &Channel<'_>, blocks: Blocks) -> Result<Payload> {
    blocks.check(channel)?;
    if channel.is_inter() {
        let Blocks { data, send, receive, .. } = &blocks;
        return Box::pin(inter::alltoall(channel, data, send, Some(receive))).await;
    }
    basic_linear::alltoallv(channel, &blocks).await
}
