//! What the `foretell` command tells a compiled program that it starts, and what it hears back.
//!
//! The command (the parent) reads and checks all that the user asked for and writes it down as a
//! [`Launch`], in a file without a name that the program (the child) inherits. The variable
//! [`VARIABLE`] in the child's environment tells the file's number. The library inside the child
//! takes the process over with [`Launch::receive`], runs the ranks, and sends an [`Outcome`] back
//! through a second such file. A third one is the [`Page`]: how far the run has come, for the
//! parent to show.
//!
//! All three are plain memory files, so neither side ever waits for the other, and a child that
//! dies leaves what it has written so far.
// One function takes over file numbers and changes the environment; nothing else may.
#![deny(unsafe_code)]

mod channel;
mod description;
mod energy;
mod error;
mod finding;
mod outcome;
mod page;
mod placement;
mod pstates;
mod receive;
mod report;
mod times;

pub use channel::{Channels, VARIABLE};
pub use description::{
    Clock, Computation, KernelModels, LargePages, Launch, Libraries, Machine, Memory, Privacy,
    Program, Scale, TimedTrace,
};
pub use energy::{
    CallJoules, Energy, EnergyRequest, LinkJoules, NetworkJoules, NodeJoules, NodeSeries,
    RankJoules, Readings, RegionJoules, SwitchingJoules,
};
pub use error::LaunchError;
pub use finding::{Finding, FoundCall};
pub use outcome::{CollectiveUse, Counters, Ended, ExitCode, Outcome};
pub use page::{Page, Progress};
pub use placement::{Piece, Placement};
pub use pstates::{PstateRequest, PstateUse};
pub use times::{MOST_RANKS, RankTimes, Spread, Times};
