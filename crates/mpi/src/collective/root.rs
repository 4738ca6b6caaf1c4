//! Where a collective begins or ends.

/// The root of a collective as one rank names it.
///
/// On an intra-communicator it is a rank. On an inter-communicator, the ranks of the group that
/// has the root say [`Root::Root`] or [`Root::ProcNull`], and the others the root's rank in its
/// group. MPI 4.1 section 6.2.3.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Root {
    /// This rank; of the remote group on an inter-communicator.
    Rank(u32),
    /// `MPI_ROOT`: the caller itself.
    Root,
    /// `MPI_PROC_NULL`: another rank of the caller's group.
    ProcNull,
}

impl From<u32> for Root {
    fn from(rank: u32) -> Self {
        Root::Rank(rank)
    }
}
