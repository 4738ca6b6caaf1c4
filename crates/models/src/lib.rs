//! What things cost: how long a message takes on its way, and a computation on its node.
//!
//! A [`Network`] belongs to one simulation. It knows the platform, keeps the kernel's resources
//! for the links in use, and asks its [`TransferModel`] to turn messages into activities:
//! [`Hybrid`] shares links among flows, [`LogGps`] knows delays only, [`Constant`] a single
//! figure. The protocol (eager, detached, rendezvous) and the processor overheads around a
//! transfer come from the platform's tables, whatever the model. [`Nodes`] does the same for
//! computation, [`ComputeKernels`] for calls of named routines, [`Disks`] for files; [`Energy`] adds
//! up what nodes draw, [`Profiles`] changes speeds and bandwidths while time passes.
#![forbid(unsafe_code)]

mod constant;
mod dimemas;
mod disks;
mod energy;
mod hybrid;
mod kernels;
mod links;
mod load;
mod loggps;
mod network;
mod nodes;
mod profiles;
mod pstates;

pub use constant::Constant;
pub use dimemas::Dimemas;
pub use disks::{Access, Disks};
pub use energy::{
    CallEnergy, Energy, EnergyReport, LinkEnergy, NetworkEnergy, NodeEnergy, PowerModel,
    RankEnergy, RegionEnergy, Series, SwitchingEnergy,
};
pub use hybrid::Hybrid;
pub use kernels::{
    ClusterModel, Coefficient, ComputeKernels, Drawing, FitError, KernelId, KernelScope, Kind, Law,
    MOST_DIMENSIONS, Monomial, Noise, Numbering, Observation, Observations, Part, Polynomial,
    RankKernels, Symmetric, UnknownKernel, expanded_hosts, half_normal,
};
pub use links::Links;
pub use load::Change;
pub use loggps::LogGps;
pub use network::{Gathering, Message, Mode, Network, SendKind, TransferModel};
pub use nodes::Nodes;
pub use profiles::Profiles;
pub use pstates::{CapError, ControlError, PstateControl, PstateReport, Pstates};
