//! Clusters that might be: how the coefficients of a kernel's model vary between processors and
//! from day to day, learnt from a real cluster and drawn again for one of any size.
//!
//! The coefficients of processor `p` on day `d` are a vector `x(p, d)`, normal around the vector
//! `m(p)` of the processor with covariance `T`; and `m(p)` is normal around a mean with covariance
//! `S` (Cornebize and Legrand 2022, section 5.1). Where some nodes are of another kind, such as
//! slow ones, there are several means and `S`, and a node is of each kind with some probability.

mod draw;
mod file;
mod fit;
mod kinds;
mod symmetric;
mod table;

#[cfg(test)]
mod tests;

pub use draw::Drawing;
pub use fit::FitError;
pub use symmetric::Symmetric;
pub use table::{Coefficient, Observation, Observations, Part};

/// How the models of one kernel vary in a cluster.
#[derive(Debug, Clone, PartialEq)]
pub struct ClusterModel {
    /// The kernel's name.
    pub kernel: String,
    /// Processors of a node.
    pub cpus: u32,
    /// What the places of vectors and matrices stand for.
    pub coefficients: Vec<Coefficient>,
    /// The covariance from day to day, `T`.
    pub daily: Symmetric,
    /// The kinds of nodes, the most frequent first.
    pub kinds: Vec<Kind>,
}

/// One kind of nodes.
#[derive(Debug, Clone, PartialEq)]
pub struct Kind {
    /// The part of all nodes that are of this kind.
    pub weight: f64,
    /// The mean of all processors.
    pub mean: Vec<f64>,
    /// The covariance between processors, `S`.
    pub spatial: Symmetric,
}
