//! Beginning, clocks and addresses.

use std::ffi::c_int;

use super::argument::{Argument, Info, Made};
use super::call::{names, tell};
use super::tool::Target;
use crate::abi::*;
use crate::environment::mpi_wtime;

unsafe extern "C" {
    fn foretell_MPI_Init(argc: *mut c_int, argv: *mut usize) -> c_int;
    fn foretell_MPI_Init_thread(
        argc: *mut c_int,
        argv: *mut usize,
        required: c_int,
        provided: *mut c_int,
    ) -> c_int;
    fn foretell_MPI_Pcontrol(level: c_int) -> c_int;
    fn foretell_MPI_Info_create_env(argc: c_int, argv: *mut usize, info: *mut MPI_Info) -> c_int;
    fn PMPI_Wtick() -> f64;
}

/// What a tool has in the place of `MPI_Init`.
type Init = unsafe extern "C" fn(*mut c_int, *mut usize) -> c_int;
/// And of `MPI_Init_thread`.
type InitThread = unsafe extern "C" fn(*mut c_int, *mut usize, c_int, *mut c_int) -> c_int;

static INIT: Target = Target::new("MPI_Init\0");
static INIT_THREAD: Target = Target::new("MPI_Init_thread\0");

/// `MPI_INIT`: the arguments of the program stay its own.
extern "C" fn init(ierror: *mut c_int) {
    let (argc, argv) = (std::ptr::null_mut(), std::ptr::null_mut());
    // SAFETY: the C function takes null pointers, and so must one that stands in for it.
    let code = unsafe {
        match INIT.replaced() {
            None => foretell_MPI_Init(argc, argv),
            Some(tool) => std::mem::transmute::<usize, Init>(tool)(argc, argv),
        }
    };
    tell(ierror, code);
}
names! { init mpi_init ["_" "_f08_"] }

/// `MPI_INIT_THREAD`.
extern "C" fn init_thread(required: *const c_int, provided: *mut c_int, ierror: *mut c_int) {
    let (argc, argv) = (std::ptr::null_mut(), std::ptr::null_mut());
    // SAFETY: as in `init`; the two integers are the caller's promise.
    let code = unsafe {
        let required = required.read();
        match INIT_THREAD.replaced() {
            None => foretell_MPI_Init_thread(argc, argv, required, provided),
            Some(tool) => {
                std::mem::transmute::<usize, InitThread>(tool)(argc, argv, required, provided)
            }
        }
    };
    tell(ierror, code);
}
names! { init_thread mpi_init_thread ["_" "_f08_"] }

/// `MPI_PCONTROL`, which has no error code.
extern "C" fn pcontrol(level: *const c_int) {
    // SAFETY: the caller's promise.
    unsafe { foretell_MPI_Pcontrol(level.read()) };
}
names! { pcontrol mpi_pcontrol ["_" "_f08_"] }

/// `MPI_INFO_CREATE_ENV`, which has no arguments of the program.
extern "C" fn info_create_env(info: *mut c_int, ierror: *mut c_int) {
    let mut info = Made::<Info>::take(info, 0);
    // SAFETY: no arguments are none to read.
    let code = unsafe { foretell_MPI_Info_create_env(0, std::ptr::null_mut(), info.c()) };
    info.give_back(code);
    tell(ierror, code);
}
names! { info_create_env mpi_info_create_env ["_" "_f08_"] }

names! { mpi_wtime mpi_wtime ["_" "_f08_"] }

/// `MPI_WTICK`.
extern "C" fn wtick() -> f64 {
    // SAFETY: a function of our own.
    unsafe { PMPI_Wtick() }
}
names! { wtick mpi_wtick ["_" "_f08_"] }

/// `MPI_AINT_ADD`.
extern "C" fn aint_add(base: *const MPI_Aint, disp: *const MPI_Aint) -> MPI_Aint {
    // SAFETY: the caller's promise.
    unsafe { (*base).wrapping_add(*disp) }
}
names! { aint_add mpi_aint_add ["_" "_f08_"] }

/// `MPI_AINT_DIFF`.
extern "C" fn aint_diff(addr1: *const MPI_Aint, addr2: *const MPI_Aint) -> MPI_Aint {
    // SAFETY: the caller's promise.
    unsafe { (*addr1).wrapping_sub(*addr2) }
}
names! { aint_diff mpi_aint_diff ["_" "_f08_"] }
