//! Cartesian topologies. MPI 4.1 section 8.5.

/// The shape of a Cartesian communicator; row-major, the last dimension varies fastest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cartesian {
    /// Ranks in each dimension.
    pub dims: Vec<u32>,
    /// Which dimensions are closed to a ring.
    pub periods: Vec<bool>,
}
