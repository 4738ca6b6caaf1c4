//! Collective actions.

use foretell_mpi::{Counts, Payload, Result};
use foretell_trace::{Action, Amount, Counts as Listed};

use crate::rank::Rank;

/// Carries out a collective action; others do nothing here.
pub(crate) async fn act(rank: &Rank<'_>, action: Action<'_>) -> Result<()> {
    let comm = rank.comm();
    match action {
        Action::Barrier => comm.barrier().await,
        Action::Bcast { size, root } => comm.bcast(rank.payload(size), root).await.map(drop),
        Action::Reduce { size, flops, root } => {
            comm.reduce(rank.payload(size), rank.op(size), root).await?;
            comm.compute(flops).await;
            Ok(())
        }
        Action::Allreduce { size, flops } => {
            comm.allreduce(rank.payload(size), rank.op(size)).await?;
            comm.compute(flops).await;
            Ok(())
        }
        Action::Allgather { sent, received } => {
            comm.allgather(Payload::Size(rank.either(sent, received))).await.map(drop)
        }
        Action::Alltoall { sent, received } => {
            let block = rank.either(sent, received);
            let blocks = Payload::Size(block * u64::from(comm.size()));
            comm.alltoall(blocks).await.map(drop)
        }
        Action::Gather { sent, received, root } => {
            comm.gather(Payload::Size(rank.either(sent, received)), root).await.map(drop)
        }
        Action::Scatter { sent, received, root } => {
            // The root alone may know what it gives, the others what they get.
            let block = match comm.rank() == root {
                true => rank.either(sent, received),
                false => rank.either(received, sent),
            };
            let blocks = Payload::Size(block * u64::from(comm.size()));
            comm.scatter(blocks, root).await.map(drop)
        }
        _ => Box::pin(act_on_parts(rank, action)).await,
    }
}

/// Collectives with a count for each rank, and scans.
async fn act_on_parts(rank: &Rank<'_>, action: Action<'_>) -> Result<()> {
    let comm = rank.comm();
    match action {
        Action::Scan { size, flops } => {
            comm.scan(rank.payload(size), rank.op(size)).await?;
            comm.compute(flops).await;
            Ok(())
        }
        Action::Exscan { size, flops } => {
            comm.exscan(rank.payload(size), rank.op(size)).await?;
            comm.compute(flops).await;
            Ok(())
        }
        Action::ReduceScatter { counts, flops } => {
            let op = rank.replay.op(counts.datatype.unwrap_or(rank.usual));
            let counts = rank.counts(counts);
            comm.reduce_scatter(Payload::Size(counts.total()), counts, op).await?;
            comm.compute(flops).await;
            Ok(())
        }
        Action::Alltoallv { sent, received } => {
            let (sent, received) = (rank.counts(sent), rank.counts(received));
            comm.alltoallv(Payload::Size(sent.total()), sent, received).await.map(drop)
        }
        Action::Gatherv { sent, received, root } => {
            comm.gatherv(rank.payload(sent), rank.counts(received), root).await.map(drop)
        }
        Action::Scatterv { sent, root, .. } => {
            let counts = rank.counts(sent);
            comm.scatterv(Payload::Size(counts.total()), counts, root).await.map(drop)
        }
        Action::Allgatherv { received, .. } => {
            // What a rank gives is what the others expect of it.
            let counts = rank.counts(received);
            let own = Payload::Size(counts.of(comm.rank()));
            comm.allgatherv(own, counts).await.map(drop)
        }
        _ => Ok(()),
    }
}

impl Rank<'_> {
    /// The bytes of a block; of the other count where the first is not told, as in calls in place.
    fn either(&self, first: Amount, second: Amount) -> u64 {
        match self.bytes(first) {
            0 => self.bytes(second),
            bytes => bytes,
        }
    }

    fn counts(&self, listed: Listed<'_>) -> Counts {
        // Lists have a count for each rank of the world, the first of them for those of others.
        Counts::each(listed.bytes(self.usual).take(self.comm().size() as usize))
    }

    fn op(&self, size: Amount) -> &foretell_mpi::Op {
        self.replay.op(size.datatype.unwrap_or(self.usual))
    }
}
