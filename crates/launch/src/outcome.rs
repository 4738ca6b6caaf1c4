//! What a run came to.

use std::os::fd::AsFd;

use serde::{Deserialize, Serialize};

use crate::channel;
use crate::energy::{Energy, NodeSeries};
use crate::error::LaunchError;
use crate::finding::Finding;
use crate::pstates::PstateUse;
use crate::times::{Spread, Times};

/// What a child found, as it tells its parent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// How the run ended.
    pub ended: Ended,
    /// When the last rank ended, in simulated seconds.
    pub seconds: f64,
    /// What was sent.
    pub counters: Counters,
    /// Distinct dates at which something happened.
    pub dates: u64,
    /// Links that carried a message.
    pub links_used: u64,
    /// Which collective algorithms ran; empty unless the launch asks for it.
    pub collectives: Vec<CollectiveUse>,
    /// Where ranks' time went, over all of them.
    pub times: Times<Spread>,
    /// The same for each rank, unless there are very many.
    pub per_rank: Option<Times<Vec<f64>>>,
    /// Every rank whose exit code is not 0.
    pub exit_codes: Vec<ExitCode>,
    /// What a check of the program found; none if it was not checked.
    pub findings: Option<Vec<Finding>>,
    /// What nodes drew; none if that was not asked for.
    pub energy: Option<Energy>,
    /// The power of nodes over time, if that was asked for.
    pub power_series: Vec<NodeSeries>,
    /// Which pstates governors and caps chose; none if there are none.
    pub pstates: Option<PstateUse>,
    /// What the user should know.
    pub warnings: Vec<String>,
    /// Largest resident memory of the child, in bytes, where the system tells it.
    pub peak_rss_bytes: Option<u64>,
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ended {
    /// Every rank came to its end.
    Completed,
    /// A rank met an error: what, where, when.
    Failed(String),
    /// Ranks wait for each other: which, for what.
    Deadlock(String),
    /// A rank called `MPI_Abort`: which, when.
    Aborted(String),
    /// The user ended it.
    Interrupted,
}

/// What was sent, read and written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counters {
    /// Messages, those of collectives included.
    pub messages: u64,
    /// Their payload.
    pub bytes: u64,
    /// Bytes read from files through MPI.
    pub file_bytes_read: u64,
    /// Bytes written to files through MPI.
    pub file_bytes_written: u64,
}

/// A collective algorithm that ran.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CollectiveUse {
    /// The operation.
    pub operation: String,
    /// The algorithm.
    pub algorithm: String,
    /// How many calls it ran for.
    pub calls: u64,
    /// The fewest bytes of a call.
    pub least_bytes: u64,
    /// The most.
    pub most_bytes: u64,
    /// The fewest ranks of a call.
    pub least_ranks: u32,
    /// The most.
    pub most_ranks: u32,
}

/// How a rank ended that did not end well.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExitCode {
    /// The rank in the world.
    pub rank: u32,
    /// What it returned from `main` or gave to `exit`.
    pub code: i32,
}

impl Outcome {
    /// Leaves the outcome for the parent, in place of any before it.
    ///
    /// # Errors
    ///
    /// Fails if the system refuses to write.
    pub fn send(&self, to: impl AsFd) -> Result<(), LaunchError> {
        channel::write(to, "outcome", self)
    }

    /// What the child has left; none if it left nothing.
    ///
    /// # Errors
    ///
    /// Fails if what it left cannot be read.
    pub fn receive(from: impl AsFd) -> Result<Option<Self>, LaunchError> {
        channel::read(from, "outcome")
    }
}
