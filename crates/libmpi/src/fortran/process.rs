//! Processes that would be started: the C functions refuse, so only what they look at is converted.
//! MPI 4.1 section 11.8.

use std::ffi::{c_char, c_int};

use super::argument::{Argument, Comm, Given, Info, Made, TextIn};
use super::call::{names, tell};
use crate::abi::*;

unsafe extern "C" {
    fn foretell_MPI_Comm_spawn(
        command: *const c_char,
        argv: usize,
        maxprocs: c_int,
        info: MPI_Info,
        root: c_int,
        comm: MPI_Comm,
        intercomm: *mut MPI_Comm,
        errcodes: usize,
    ) -> c_int;
    fn foretell_MPI_Comm_spawn_multiple(
        count: c_int,
        commands: usize,
        argvs: usize,
        maxprocs: usize,
        infos: usize,
        root: c_int,
        comm: MPI_Comm,
        intercomm: *mut MPI_Comm,
        errcodes: usize,
    ) -> c_int;
}

/// `MPI_COMM_SPAWN`.
extern "C" fn comm_spawn(
    command: *const c_char,
    _argv: usize,
    maxprocs: *const c_int,
    info: *const c_int,
    root: *const c_int,
    comm: *const c_int,
    intercomm: *mut c_int,
    _errcodes: usize,
    ierror: *mut c_int,
    command_len: usize,
) {
    let (mut command, info) =
        (TextIn::take(command, command_len), Given::<Info>::take(info, 0).c());
    let (comm, mut made) = (Given::<Comm>::take(comm, 0).c(), Made::<Comm>::take(intercomm, 0));
    // SAFETY: the caller's promise; the C function looks at no arguments of the program.
    let code = unsafe {
        let (maxprocs, root) = (maxprocs.read(), root.read());
        foretell_MPI_Comm_spawn(command.c(), 0, maxprocs, info, root, comm, made.c(), 0)
    };
    made.give_back(code);
    tell(ierror, code);
}
names! { comm_spawn mpi_comm_spawn ["_" "_f08_"] }

/// `MPI_COMM_SPAWN_MULTIPLE`.
extern "C" fn comm_spawn_multiple(
    count: *const c_int,
    _commands: usize,
    _argvs: usize,
    _maxprocs: usize,
    _infos: usize,
    root: *const c_int,
    comm: *const c_int,
    intercomm: *mut c_int,
    _errcodes: usize,
    ierror: *mut c_int,
) {
    let (comm, mut made) = (Given::<Comm>::take(comm, 0).c(), Made::<Comm>::take(intercomm, 0));
    // SAFETY: as above.
    let code = unsafe {
        let (count, root) = (count.read(), root.read());
        foretell_MPI_Comm_spawn_multiple(count, 0, 0, 0, 0, root, comm, made.c(), 0)
    };
    made.give_back(code);
    tell(ierror, code);
}
names! { comm_spawn_multiple mpi_comm_spawn_multiple ["_" "_f08_"] }
