//! Copies of communicators, with their attributes. MPI 4.1 section 7.4.2.

use foretell_mpi::Comm;
use foretell_ranks::block_on;

use super::{CommObject, label, new_place};
use crate::abi::*;
use crate::attribute;
use crate::call::mpi;
use crate::failure::{Failure, Outcome};
use crate::info::{self, Info};
use crate::pointer::Out;
use crate::rank::RankContext;
use crate::request::{After, Kind, RequestObject};

/// Keeps the copy of a communicator: its attributes are copied as their keys say.
fn keep_copy(
    parent: &CommObject,
    handle: MPI_Comm,
    comm: Comm,
    hints: Info,
) -> Result<MPI_Comm, Failure> {
    let attributes = attribute::copy_each(&parent.attributes, handle)?;
    let copy = parent.descendant(comm);
    copy.attributes.replace(attributes);
    copy.info.replace(hints);
    Ok(copy.keep())
}

fn duplicate(
    here: &RankContext,
    handle: MPI_Comm,
    info: MPI_Info,
    newcomm: Out<MPI_Comm>,
) -> Outcome {
    let parent = here.comm(handle)?;
    let hints = label::known(info::optional(here, info)?);
    let newcomm = new_place(newcomm, "newcomm")?;
    let comm = block_on(parent.comm.dup())?;
    newcomm.set(keep_copy(&parent, handle, comm, hints)?);
    Ok(())
}

/// The handle is there at once, to be used when the request is complete.
fn duplicate_later(
    here: &RankContext,
    handle: MPI_Comm,
    info: MPI_Info,
    (newcomm, request): (Out<MPI_Comm>, Out<MPI_Request>),
) -> Outcome {
    let parent = here.comm(handle)?;
    let hints = label::known(info::optional(here, info)?);
    let (newcomm, request) = (new_place(newcomm, "newcomm")?, request.given("request")?);
    let (comm, mut pending) = parent.comm.idup_at_once();
    newcomm.set(keep_copy(&parent, handle, comm, hints)?);
    // The error handler of the program hears of them.
    pending.take_errors();
    let (operation, on) = (pending.take_request(), parent.comm.clone());
    let after: After = Box::new(move |_, _| Ok(block_on(on.complete(pending))?));
    let object = RequestObject {
        request: operation,
        comm: Some(parent),
        kind: Kind::Collective,
        after: Some(after),
    };
    request.set(object.keep());
    Ok(())
}

mpi! {
    /// `MPI_Comm_dup`.
    timed fn MPI_Comm_dup(comm: MPI_Comm, newcomm: Out<MPI_Comm>) -> c_int on Comm(comm), |here| {
        duplicate(here, comm, MPI_INFO_NULL, newcomm)
    }

    /// `MPI_Comm_dup_with_info`.
    timed fn MPI_Comm_dup_with_info(comm: MPI_Comm, info: MPI_Info, newcomm: Out<MPI_Comm>) -> c_int
        on Comm(comm), |here| {
        duplicate(here, comm, info, newcomm)
    }

    /// `MPI_Comm_idup`.
    timed fn MPI_Comm_idup(comm: MPI_Comm, newcomm: Out<MPI_Comm>, request: Out<MPI_Request>)
        -> c_int on Comm(comm), |here| {
        duplicate_later(here, comm, MPI_INFO_NULL, (newcomm, request))
    }

    /// `MPI_Comm_idup_with_info`.
    timed fn MPI_Comm_idup_with_info(
        comm: MPI_Comm, info: MPI_Info, newcomm: Out<MPI_Comm>, request: Out<MPI_Request>,
    ) -> c_int on Comm(comm), |here| {
        duplicate_later(here, comm, info, (newcomm, request))
    }
}
