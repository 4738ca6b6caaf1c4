//! Compute kernels: how long a call of a named routine takes, given its dimensions.
//!
//! The duration of a call is a random variable `H(mu, sigma)`: a half-normal shifted so that its
//! mean is `mu` and its standard deviation `sigma`, both polynomials in the dimensions of the
//! call. Both may differ from node to node, from processor to processor and from day to day
//! (Cornebize and Legrand 2022, equation 1). Each rank draws from a random stream of its own, so
//! that what one rank draws never depends on what others do.

mod cluster;
mod csv;
mod known;
mod law;
mod noise;
mod polynomial;
mod rank;
mod spec;
mod toml;

#[cfg(test)]
mod tests;

pub use cluster::{
    ClusterModel, Coefficient, Drawing, FitError, Kind, Observation, Observations, Part, Symmetric,
};
pub use known::{KernelId, MOST_DIMENSIONS};
pub use law::Law;
pub use noise::{Noise, half_normal};
pub use polynomial::{Monomial, Polynomial};
pub use rank::{RankKernels, UnknownKernel};
pub use spec::{ComputeKernels, Numbering, Scope as KernelScope, expanded as expanded_hosts};
