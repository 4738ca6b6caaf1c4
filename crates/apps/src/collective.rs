//! One collective operation, again and again.

use clap::{Args, ValueEnum};
use foretell_mpi::{Comm, Counts, Op, Operation, Payload, Result};

use crate::{Section, limits};

/// Parameters of the collective benchmark.
#[derive(Debug, Clone, Args)]
pub struct Collective {
    /// Which operation
    #[arg(default_value = "barrier")]
    pub operation: Which,
    /// Bytes of one block: per destination for the all-to-all family, else of the whole vector.
    /// Rounded up to whole doubles
    #[arg(default_value_t = 8, value_parser = limits::bytes())]
    pub bytes: u64,
    /// How often
    #[arg(default_value_t = 10)]
    pub iterations: u64,
}

/// A collective operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names say it all")]
pub enum Which {
    Barrier,
    Bcast,
    Reduce,
    Allreduce,
    Gather,
    Scatter,
    Allgather,
    Alltoall,
    Alltoallv,
    ReduceScatter,
    Gatherv,
    Scatterv,
    Allgatherv,
    Alltoallw,
    ReduceScatterBlock,
    Scan,
    Exscan,
}

impl Which {
    /// The operation in MPI's own list; its name there is the same.
    pub fn operation(self) -> Operation {
        match self {
            Which::Barrier => Operation::Barrier,
            Which::Bcast => Operation::Bcast,
            Which::Reduce => Operation::Reduce,
            Which::Allreduce => Operation::Allreduce,
            Which::Gather => Operation::Gather,
            Which::Scatter => Operation::Scatter,
            Which::Allgather => Operation::Allgather,
            Which::Alltoall => Operation::Alltoall,
            Which::Alltoallv => Operation::Alltoallv,
            Which::ReduceScatter => Operation::ReduceScatter,
            Which::Gatherv => Operation::Gatherv,
            Which::Scatterv => Operation::Scatterv,
            Which::Allgatherv => Operation::Allgatherv,
            Which::Alltoallw => Operation::Alltoallw,
            Which::ReduceScatterBlock => Operation::ReduceScatterBlock,
            Which::Scan => Operation::Scan,
            Which::Exscan => Operation::Exscan,
        }
    }
}

impl Collective {
    /// The life of one rank.
    pub async fn main(&self, world: Comm, section: &Section) -> Result<()> {
        world.barrier().await?;
        section.begin(&world).await;
        for _ in 0..self.iterations {
            self.once(&world).await?;
        }
        section.end(&world).await;
        Ok(())
    }

    /// One call of it. Payloads are sizes alone, and rank 0 is the root.
    pub async fn once(&self, world: &Comm) -> Result<()> {
        let bytes = self.bytes.div_ceil(8) * 8;
        let (size, op) = (u64::from(world.size()), Op::sized());
        let block = Payload::Size(bytes);
        let blocks = Payload::Size(bytes * size);
        let counts = Counts::even(world.size(), bytes);
        match self.operation {
            Which::Barrier => world.barrier().await,
            Which::Bcast => world.bcast(block, 0).await.map(drop),
            Which::Reduce => world.reduce(block, &op, 0).await.map(drop),
            Which::Allreduce => world.allreduce(block, &op).await.map(drop),
            Which::Gather => world.gather(block, 0).await.map(drop),
            Which::Scatter => world.scatter(blocks, 0).await.map(drop),
            Which::Allgather => world.allgather(block).await.map(drop),
            Which::Alltoall => world.alltoall(blocks).await.map(drop),
            Which::Alltoallv => world.alltoallv(blocks, &counts, &counts).await.map(drop),
            Which::ReduceScatter => world.reduce_scatter(blocks, &counts, &op).await.map(drop),
            Which::Gatherv => world.gatherv(block, &counts, 0).await.map(drop),
            Which::Scatterv => world.scatterv(blocks, &counts, 0).await.map(drop),
            Which::Allgatherv => world.allgatherv(block, &counts).await.map(drop),
            Which::Alltoallw => world.alltoallw(blocks, &counts, &counts).await.map(drop),
            Which::ReduceScatterBlock => world.reduce_scatter_block(blocks, &op).await.map(drop),
            Which::Scan => world.scan(block, &op).await.map(drop),
            Which::Exscan => world.exscan(block, &op).await.map(drop),
        }
    }
}
