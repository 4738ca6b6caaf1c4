//! What can go wrong in an MPI call.

/// An MPI error, as a rank sees it.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// `MPI_ERR_TRUNCATE`: the message is longer than the receive allows.
    #[error(
        "a message of {sent} bytes from rank {source_rank} does not fit the receive of {room} bytes"
    )]
    Truncated {
        /// Sender, by its rank in the world.
        source_rank: u32,
        /// Tag of the message; negative in collectives, whose messages have none.
        tag: i32,
        /// Bytes sent.
        sent: u64,
        /// Bytes the receive allows.
        room: u64,
    },
    /// `MPI_ERR_RANK`: no such rank in the communicator.
    #[error("rank {rank} is not in a communicator of {size} ranks")]
    NoSuchRank {
        /// The rank asked for.
        rank: i32,
        /// Ranks in the communicator.
        size: u32,
    },
    /// `MPI_ERR_TAG`: tags of messages are not negative.
    #[error("tag {0} is negative: tags are 0 or more, up to MPI_TAG_UB")]
    BadTag(i32),
    /// `MPI_ERR_ARG`: an argument makes no sense.
    #[error("{0}")]
    BadArgument(String),
    /// `MPI_ERR_RMA_SYNC`: the window is not in the epoch that the call needs.
    #[error("{0}")]
    RmaSync(String),
    /// `MPI_ERR_RMA_RANGE`: an access to memory that the target has not opened.
    #[error("{0}")]
    RmaRange(String),
    /// Ranks of a communicator called different collectives in the same place.
    #[error("{0}")]
    Mismatch(Box<Mismatch>),
    /// The machine does not connect the two hosts.
    #[error("{0}")]
    NoRoute(String),
    /// Ranks look for messages again and again that nobody sends.
    #[error("it polls for ever")]
    PolledInVain,
    /// A compiled program met an error and has no handler for it.
    #[error("{0}")]
    Unhandled(String),
    /// A compiled program ended before it was through with MPI, with an exit code that is not 0.
    #[error("ended with exit code {0} without MPI_Finalize")]
    Left(i32),
    /// The program gave up.
    #[error("aborted with code {0}")]
    Aborted(i32),
}

/// Two collectives that do not belong together.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{own} where rank {rank} called {other}: all ranks call the collectives of a communicator in \
     the same order"
)]
pub struct Mismatch {
    /// What this rank called, with its root if that is what differs.
    pub own: String,
    /// What the other rank called.
    pub other: String,
    /// The other rank, in the world.
    pub rank: u32,
}

/// The outcome of an MPI call.
pub type Result<T> = std::result::Result<T, Error>;
