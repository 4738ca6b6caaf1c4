//! The end of communicators. MPI 4.1 section 7.4.3.

use crate::abi::*;
use crate::attribute;
use crate::call::mpi;
use crate::failure::{Outcome, bad};
use crate::objects::{no_such, objects};
use crate::pointer::Out;
use crate::rank::RankContext;

/// Takes a communicator from the program. Operations under way keep what they need of it.
fn free(here: &RankContext, comm: Out<MPI_Comm>) -> Outcome {
    let handle = comm.given("comm")?.get();
    if let MPI_COMM_WORLD | MPI_COMM_SELF = handle {
        return bad(MPI_ERR_COMM, "MPI_COMM_WORLD and MPI_COMM_SELF are never freed");
    }
    let object = here.comm(handle)?;
    attribute::delete_each(&object.attributes, handle)?;
    let removed = objects().comms.borrow_mut().remove(handle);
    removed.ok_or_else(|| no_such(MPI_ERR_COMM, "communicator", handle))?;
    comm.set(MPI_COMM_NULL);
    Ok(())
}

/// The communicator whose error handler hears of a failure; none if there is no place to look.
fn named(comm: Out<MPI_Comm>) -> MPI_Comm {
    if comm.is_null() { MPI_COMM_NULL } else { comm.get() }
}

mpi! {
    /// `MPI_Comm_free`.
    timed fn MPI_Comm_free(comm: Out<MPI_Comm>) -> c_int on Comm(named(comm)), |here| {
        free(here, comm)
    }

    /// `MPI_Comm_disconnect`: all ranks were there from the beginning, so it frees.
    timed fn MPI_Comm_disconnect(comm: Out<MPI_Comm>) -> c_int on Comm(named(comm)), |here| {
        free(here, comm)
    }
}
