//! Generalized requests: operations of the program's own. MPI 4.1 section 13.2.

use std::ffi::{c_int, c_void};
use std::rc::Rc;

use crate::abi::*;
use crate::call::mpi;
use crate::failure::{Failure, Outcome, bad};
use crate::objects::objects;
use crate::pointer::Out;
use crate::request::{Grequest, Kind, RequestObject, empty_status};

mpi! {
    /// `MPI_Grequest_start`.
    local fn MPI_Grequest_start(
        query: MPI_Grequest_query_function,
        free: MPI_Grequest_free_function,
        cancel: MPI_Grequest_cancel_function,
        extra_state: usize,
        request: Out<MPI_Request>,
    ) -> c_int, |here| {
        let general = Rc::new(Grequest { query, free, cancel, state: extra_state });
        let object = RequestObject {
            request: here.comm.new_event(),
            comm: None,
            kind: Kind::General(general),
            after: None,
        };
        request.set(object.keep());
        Ok(())
    }

    /// `MPI_Grequest_complete`.
    local fn MPI_Grequest_complete(request: MPI_Request) -> c_int, |here| {
        let table = objects().requests.borrow();
        match table.get(request) {
            Some(RequestObject { request, kind: Kind::General(_), .. }) => {
                here.comm.complete_event(request);
                Ok(())
            }
            _ => bad(MPI_ERR_REQUEST, "this is not a generalized request"),
        }
    }
}

/// Asks the program for the status of its operation, and lets it free what it has.
pub(crate) fn finish(general: &Grequest) -> (MPI_Status, Outcome) {
    let mut status = empty_status();
    let state = general.state as *mut c_void;
    // SAFETY: functions of the program, called as MPI says, with nothing of ours borrowed.
    let code = unsafe {
        let asked = general.query.map_or(MPI_SUCCESS, |query| query(state, &mut status));
        let freed = general.free.map_or(MPI_SUCCESS, |free| free(state));
        if asked == MPI_SUCCESS { freed } else { asked }
    };
    match code {
        MPI_SUCCESS => (status, Ok(())),
        code => (status, Err(Failure::new(code, "a generalized request failed"))),
    }
}

/// Tells the program that its operation is not wanted any more.
pub(crate) fn cancel(general: &Grequest, is_complete: bool) -> Outcome {
    let state = general.state as *mut c_void;
    let flag = c_int::from(is_complete);
    // SAFETY: as above.
    match unsafe { general.cancel.map_or(MPI_SUCCESS, |cancel| cancel(state, flag)) } {
        MPI_SUCCESS => Ok(()),
        code => bad(code, "a generalized request could not be cancelled"),
    }
}
