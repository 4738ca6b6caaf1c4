//! Generalized requests: operations of the program's own. MPI 4.1 section 13.2.

use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::rc::Rc;

use crate::abi::*;
use crate::call::mpi;
use crate::failure::{Failure, Outcome, bad};
use crate::objects::objects;
use crate::pointer::Out;
use crate::rank::RankContext;
use crate::request::{Kind, RequestObject, empty_status};

mpi! {
    /// `MPI_Grequest_start`.
    local fn MPI_Grequest_start(
        query: MPI_Grequest_query_function,
        free: MPI_Grequest_free_function,
        cancel: MPI_Grequest_cancel_function,
        extra_state: usize,
        request: Out<MPI_Request>,
    ) -> c_int, |here| {
        let (state, functions) = (extra_state, Functions::C { query, free, cancel });
        request.set(start(here, Grequest { functions, state: Cell::new(state) }));
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

/// Begins an operation of the program.
pub(crate) fn start(here: &RankContext, general: Grequest) -> MPI_Request {
    let kind = Kind::General(Rc::new(general));
    RequestObject { request: here.comm.new_event(), comm: None, kind, after: None }.keep()
}

/// An operation of the program: its functions, and what they are handed.
#[derive(Debug)]
pub(crate) struct Grequest {
    pub(crate) functions: Functions,
    pub(crate) state: Cell<usize>,
}

/// The functions of an operation, in the language of the program.
#[derive(Debug)]
pub(crate) enum Functions {
    C {
        query: MPI_Grequest_query_function,
        free: MPI_Grequest_free_function,
        cancel: MPI_Grequest_cancel_function,
    },
    /// Procedures of Fortran; the last argument is the error code. What they make of the extra
    /// state goes back to where the program has it.
    Fortran {
        place: *mut MPI_Aint,
        query: unsafe extern "C" fn(*mut MPI_Aint, *mut MPI_Status, *mut c_int),
        free: unsafe extern "C" fn(*mut MPI_Aint, *mut c_int),
        cancel: unsafe extern "C" fn(*mut MPI_Aint, *mut c_int, *mut c_int),
    },
}

impl Grequest {
    fn query(&self, status: &mut MPI_Status) -> c_int {
        // SAFETY: functions of the program, called as MPI says, with nothing of ours borrowed.
        match self.functions {
            Functions::C { query, .. } => {
                query.map_or(MPI_SUCCESS, |query| unsafe { query(self.pointer(), status) })
            }
            Functions::Fortran { query, place, .. } => {
                self.fortran(place, |state, code| unsafe { query(state, status, code) })
            }
        }
    }

    fn free(&self) -> c_int {
        // SAFETY: as in `query`.
        match self.functions {
            Functions::C { free, .. } => {
                free.map_or(MPI_SUCCESS, |free| unsafe { free(self.pointer()) })
            }
            Functions::Fortran { free, place, .. } => {
                self.fortran(place, |state, code| unsafe { free(state, code) })
            }
        }
    }

    fn cancel(&self, is_complete: bool) -> c_int {
        let mut flag = c_int::from(is_complete);
        // SAFETY: as in `query`.
        match self.functions {
            Functions::C { cancel, .. } => {
                cancel.map_or(MPI_SUCCESS, |cancel| unsafe { cancel(self.pointer(), flag) })
            }
            Functions::Fortran { cancel, place, .. } => {
                self.fortran(place, |state, code| unsafe { cancel(state, &mut flag, code) })
            }
        }
    }

    fn pointer(&self) -> *mut c_void {
        self.state.get() as *mut c_void
    }

    /// Calls a procedure of Fortran with the extra state, and gives its error code.
    fn fortran(&self, place: *mut MPI_Aint, call: impl FnOnce(*mut MPI_Aint, *mut c_int)) -> c_int {
        let old = self.state.get() as MPI_Aint;
        let (mut state, mut code) = (old, MPI_SUCCESS);
        call(&mut state, &mut code);
        if state != old {
            self.state.set(state as usize);
            // SAFETY: a procedure that changes the state has it where it handed it over.
            unsafe { place.write(state) };
        }
        code
    }
}

/// Asks the program for the status of its operation, and lets it free what it has.
pub(crate) fn finish(general: &Grequest) -> (MPI_Status, Outcome) {
    let mut status = empty_status();
    let (asked, freed) = (general.query(&mut status), general.free());
    match if asked == MPI_SUCCESS { freed } else { asked } {
        MPI_SUCCESS => (status, Ok(())),
        code => (status, Err(Failure::new(code, "a generalized request failed"))),
    }
}

/// Tells the program that its operation is not wanted any more.
pub(crate) fn cancel(general: &Grequest, is_complete: bool) -> Outcome {
    match general.cancel(is_complete) {
        MPI_SUCCESS => Ok(()),
        code => bad(code, "a generalized request could not be cancelled"),
    }
}
