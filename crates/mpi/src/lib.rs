//! MPI for ranks that are futures.
//!
//! A [`Simulation`] puts ranks on the hosts of a platform and runs one `async` function for each.
//! A rank gets the world communicator, a [`Comm`], and everything else follows from it:
//! point-to-point calls, requests, collectives, derived communicators. Each call is an `async fn`
//! that returns when simulated time has come to its end; blocking, non-blocking and persistent
//! forms drive the same functions.
//!
//! Payloads are optional: a skeleton sends [`Payload::Size`], a program with data sends bytes.
//!
//! ```
//! use foretell_mpi::{Simulation, Payload};
//! use foretell_platform::Platform;
//!
//! let platform = Platform::named("star-64").unwrap();
//! let simulation = Simulation::new(platform).ranks(2);
//! let report = simulation.run(async |world| {
//!     if world.rank() == 0 {
//!         world.send(Payload::Size(1024), 1, 7).await
//!     } else {
//!         world.recv(0, 7).await.map(drop)
//!     }
//! });
//! assert!(report.unwrap().seconds > 0.0);
//! ```
#![forbid(unsafe_code)]

mod cartesian;
mod collective;
mod comm;
mod compiled;
mod crash;
pub mod datatype;
mod deadlock;
mod direct;
mod error;
mod file;
mod gathering;
mod group;
mod kernels;
mod listener;
mod matcher;
mod memory;
mod observer;
mod op;
mod outlook;
mod partitioned;
mod payload;
mod point_to_point;
mod poll;
mod pstate;
mod queues;
mod request;
mod sending;
mod simulation;
mod slab;
mod threads;
mod topology;
mod transport;
mod turns;
mod wait;
mod window;
mod witness;
mod world;

pub use cartesian::{Cartesian, Reorder, dims_create};
pub use collective::{
    BadRules, Call as CollectiveCall, Choice, Counts, Library, NOTED, Operation, Part, Pending,
    RULES, Root, Rule, Rules, SELECTOR, Selection, Situation, Standing, Used,
};
pub use comm::{ANY_SOURCE, ANY_TAG, Comm, PROC_NULL, SplitType};
pub use compiled::{Matched, SendMode, SendTrace};
pub use deadlock::{Blocked, Deadlock};
pub use direct::{Look, Posted};
pub use error::{Error, Mismatch, Result};
pub use file::{FileCall, FileDeed, FileShare, FileWord};
pub use foretell_kernel::near;
pub use foretell_models::{
    Access, CallEnergy, ComputeKernels, ControlError, EnergyReport, KernelId, LinkEnergy, Mode,
    NetworkEnergy, NodeEnergy, Noise, PowerModel, PstateControl, PstateReport, Pstates, RankEnergy,
    RankKernels, RegionEnergy, Series, SwitchingEnergy,
};
pub use gathering::{Gathering, LoneMessage};
pub use group::{Comparison, Group};
pub use listener::{Collective, Event, Heard, Listener};
pub use memory::{Landing, Memory};
pub use observer::{
    Ear, Happening, Incoming, Interests, Letter, Mark, Name, Notes, Observer, Place, Traffic,
    TrafficLane,
};
pub use op::Op;
pub use partitioned::{Cut, PartitionedReceive, PartitionedSend, Parts};
pub use payload::Payload;
pub use point_to_point::{Persistent, Received, Status};
pub use request::Request;
pub use simulation::{Failure, Mapping, Report, Simulation};
pub use threads::Actor;
pub use topology::{Graph, Neighbours, Topology, Weights};
pub use turns::{Turn, Turns};
pub use wait::Since;
pub use window::{
    Back, LockKind, Memories, Operation as WindowOperation, Region, Window, WindowCall,
};
pub use witness::Meeting;
pub use world::{Computation, Counters, RankTimes, World};
