//! Calls that are no collective operations themselves, in which all ranks of a communicator meet.

/// What ranks do in such a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Assembly {
    /// They wait for each other, as in a barrier.
    Wait,
    /// They tell each other what they ask of the communicators that they make.
    Claims,
}

impl Assembly {
    /// That of a call, if it is one.
    pub(crate) fn of(call: &str) -> Option<Self> {
        Some(match call {
            "MPI_Finalize" | "MPI_Comm_create_group" => Assembly::Wait,
            "MPI_Comm_split" | "MPI_Comm_split_type" | "MPI_Dist_graph_create" => Assembly::Claims,
            _ => return None,
        })
    }
}
