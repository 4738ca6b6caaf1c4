//! A master hands out tasks to whoever asks: `MPI_ANY_SOURCE`, probing and polling.
//!
//! A worker asks (tag 1, with its last result), gets a task (tag 2) or is stopped (tag 3).

use clap::Args;
use foretell_mpi::{ANY_SOURCE, ANY_TAG, Comm, Payload, Result};

use crate::{Section, limits};

/// Parameters of the task farm.
#[derive(Debug, Clone, Args)]
pub struct MasterWorker {
    /// Tasks to hand out
    #[arg(default_value_t = 1000)]
    pub tasks: u64,
    /// Bytes of a request and of a task
    #[arg(default_value_t = 64, value_parser = limits::bytes())]
    pub bytes: u64,
    /// How the master receives: 0 from anybody, 1 polling, 2 after a probe
    #[arg(default_value = "1")]
    pub mode: Receive,
}

/// How the master gets the next request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Receive {
    /// A receive from any source
    #[value(name = "0")]
    AnySource,
    /// `MPI_Iprobe` until something is there
    #[value(name = "1")]
    Poll,
    /// `MPI_Probe`
    #[value(name = "2")]
    Probe,
}

const ASK: i32 = 1;
const TASK: i32 = 2;
const STOP: i32 = 3;

impl MasterWorker {
    /// The life of one rank.
    pub async fn main(&self, world: Comm, section: &Section) -> Result<()> {
        world.barrier().await?;
        section.begin(&world).await;
        if world.rank() == 0 {
            self.master(&world).await?;
        } else {
            self.worker(&world).await?;
        }
        section.end(&world).await;
        world.barrier().await
    }

    async fn master(&self, world: &Comm) -> Result<()> {
        let mut left = self.tasks;
        let mut workers = world.size() - 1;
        while workers > 0 {
            let source = self.next_source(world).await?;
            let asking = world.recv(source, ANY_TAG).await?.status.source;
            if left > 0 {
                left -= 1;
                world.send(Payload::Size(self.bytes.max(8)), asking, TASK).await?;
            } else {
                workers -= 1;
                world.send(Payload::Size(0), asking, STOP).await?;
            }
        }
        Ok(())
    }

    async fn next_source(&self, world: &Comm) -> Result<i32> {
        match self.mode {
            Receive::AnySource => Ok(ANY_SOURCE),
            Receive::Probe => Ok(world.probe(ANY_SOURCE, ANY_TAG).await?.source),
            Receive::Poll => loop {
                if let Some(status) = world.iprobe(ANY_SOURCE, ANY_TAG).await? {
                    return Ok(status.source);
                }
            },
        }
    }

    async fn worker(&self, world: &Comm) -> Result<()> {
        loop {
            world.send(Payload::Size(self.bytes.max(8)), 0, ASK).await?;
            if world.recv(0, ANY_TAG).await?.status.tag == STOP {
                return Ok(());
            }
        }
    }
}
