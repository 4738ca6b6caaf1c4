//! The engine of foretell: a clock, actors that wait, activities that take time, and resources
//! that activities share.
//!
//! Nothing here knows what a message or an MPI call is. A [`Kernel`] starts activities (move an
//! amount over resources, or wait), says when each ends, and wakes actors. [`run`] polls the
//! actors, which are plain futures, without any executor: one queue of ready actors, one heap of
//! dated events, in an order that depends on the input alone.
//!
//! Guarantees, each shown by a test:
//!
//! - the shares of concurrent activities are the exact weighted max-min solution, whatever the
//!   order of arrivals and departures;
//! - all events of one date are drained before shares are computed once;
//! - no allocation after warm-up on the path of an activity.
#![forbid(unsafe_code)]

mod activity;
mod actors;
mod free_slots;
mod heap;
mod kernel;
mod observer;
mod sharing;

pub use activity::{ActivityId, Execution, Then, Transfer};
pub use actors::{ActorId, Actors, Outcome, World, run};
pub use foretell_near as near;
pub use free_slots::FreeSlots;
pub use heap::EventHeap;
pub use kernel::Kernel;
pub use observer::{Event, Observer};
pub use sharing::{FlowId, Policy, ResourceId, Sharing};
