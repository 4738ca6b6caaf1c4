//! Checks of arguments that collectives have in common.

use std::ffi::c_int;

use foretell_mpi::{Comm, Payload, Root};

use crate::abi::*;
use crate::buffer::Buffer;
use crate::failure::{Failure, Outcome, bad, ensure};

/// What a rank does in a collective with a root.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub(super) root: Root,
    /// Whether the rank is the root.
    pub(super) is_root: bool,
    /// Whether it is one of those that the root gives to or gets from. On an intra-communicator,
    /// the root is one of them; on an inter-communicator, they are the remote group.
    pub(super) is_member: bool,
}

impl Place {
    pub(super) fn new(comm: &Comm, root: c_int) -> Result<Place, Failure> {
        let count = comm.target_count();
        match (comm.is_inter(), root) {
            (true, MPI_ROOT) => Ok(Place { root: Root::Root, is_root: true, is_member: false }),
            (true, MPI_PROC_NULL) => {
                Ok(Place { root: Root::ProcNull, is_root: false, is_member: false })
            }
            (is_inter, rank @ 0..) if (rank as u32) < count => {
                let is_root = !is_inter && rank as u32 == comm.rank();
                Ok(Place { root: Root::Rank(rank as u32), is_root, is_member: true })
            }
            _ => bad(MPI_ERR_ROOT, format!("root {root} is not one of {count} ranks")),
        }
    }
}

/// Whether data is taken from or left in the other buffer. It can be where `is_allowed`.
pub(super) fn is_in_place(address: usize, is_allowed: bool) -> Result<bool, Failure> {
    match address == MPI_IN_PLACE {
        true if !is_allowed => bad(MPI_ERR_BUFFER, "MPI_IN_PLACE cannot be used for this buffer"),
        is_in_place => Ok(is_in_place),
    }
}

/// That a buffer is a place and not `MPI_IN_PLACE`.
pub(super) fn is_place(address: usize) -> Outcome {
    is_in_place(address, false).map(drop)
}

/// That two buffers are not the same. Overlaps of other sorts are not looked for.
pub(super) fn are_apart(one: &Buffer, other: &Buffer) -> Outcome {
    let is_same = one.address == other.address && one.bytes() > 0 && other.bytes() > 0;
    ensure(!is_same, MPI_ERR_BUFFER, || {
        "the send and the receive buffer are the same; MPI_IN_PLACE says that on purpose".into()
    })
}

/// That the communicator has one group.
pub(super) fn is_intra(comm: &Comm) -> Outcome {
    ensure(!comm.is_inter(), MPI_ERR_COMM, || {
        "an inter-communicator cannot be used for this operation".into()
    })
}

/// Unpacks what came into the buffer for it, if it has the size that the buffer says.
pub(super) fn land(buffer: &Buffer, brought: &Payload) -> Outcome {
    check_length(brought.len(), buffer.bytes())?;
    buffer.unpack(brought.bytes());
    Ok(())
}

/// That as many bytes came as there is room for.
pub(super) fn check_length(sent: u64, room: u64) -> Outcome {
    match sent.cmp(&room) {
        std::cmp::Ordering::Equal => Ok(()),
        std::cmp::Ordering::Greater => {
            bad(MPI_ERR_TRUNCATE, format!("{sent} bytes were sent for a buffer of {room}"))
        }
        std::cmp::Ordering::Less => {
            bad(MPI_ERR_COUNT, format!("{sent} bytes were sent where {room} are due"))
        }
    }
}
