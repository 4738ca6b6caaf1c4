//! Texts with a length besides: Fortran does not count the zero at the end, because it has none.

use std::ffi::{c_char, c_int};

use super::argument::{Argument, Given, Info, KeyIn, Session, TextOut};
use super::call::{names, tell};
use crate::abi::*;

unsafe extern "C" {
    fn foretell_MPI_Info_get(
        info: MPI_Info,
        key: *const c_char,
        valuelen: c_int,
        value: *mut c_char,
        flag: *mut c_int,
    ) -> c_int;
    fn foretell_MPI_Info_get_string(
        info: MPI_Info,
        key: *const c_char,
        buflen: *mut c_int,
        value: *mut c_char,
        flag: *mut c_int,
    ) -> c_int;
    fn foretell_MPI_Session_get_nth_pset(
        session: MPI_Session,
        info: MPI_Info,
        n: c_int,
        pset_len: *mut c_int,
        pset_name: *mut c_char,
    ) -> c_int;
}

/// `MPI_INFO_GET`.
extern "C" fn info_get(
    info: *const c_int,
    key: *const c_char,
    valuelen: *const c_int,
    value: *mut c_char,
    flag: *mut c_int,
    ierror: *mut c_int,
    key_len: usize,
    value_len: usize,
) {
    let (mut key, mut value) = (KeyIn::take(key, key_len), TextOut::take(value, value_len));
    let info = Given::<Info>::take(info, 0).c();
    // SAFETY: the caller's promise; our place for the text is longer than any value.
    let code = unsafe { foretell_MPI_Info_get(info, key.c(), valuelen.read(), value.c(), flag) };
    value.give_back(code);
    tell(ierror, code);
}
names! { info_get mpi_info_get ["_" "_f08_"] }

/// `MPI_INFO_GET_STRING`: the length says how much of the place may be used, and then how long the
/// value is; 0 asks for the length alone.
extern "C" fn info_get_string(
    info: *const c_int,
    key: *const c_char,
    buflen: *mut c_int,
    value: *mut c_char,
    flag: *mut c_int,
    ierror: *mut c_int,
    key_len: usize,
    value_len: usize,
) {
    // SAFETY: the caller's promise.
    let asked = unsafe { buflen.read() };
    let room = (asked.max(0) as usize).min(value_len);
    let (mut key, mut value) = (KeyIn::take(key, key_len), TextOut::take(value, value_len));
    let info = Given::<Info>::take(info, 0).c();
    let mut length = if asked > 0 { room as c_int + 1 } else { 0 };
    // SAFETY: as in `info_get`.
    let code = unsafe {
        let code = foretell_MPI_Info_get_string(info, key.c(), &mut length, value.c(), flag);
        if code == MPI_SUCCESS && flag.read() != 0 {
            buflen.write(length - 1);
        }
        code
    };
    value.give_back(code);
    tell(ierror, code);
}
names! { info_get_string mpi_info_get_string ["_" "_f08_"] }

/// `MPI_SESSION_GET_NTH_PSET`, as `MPI_INFO_GET_STRING`.
extern "C" fn session_get_nth_pset(
    session: *const c_int,
    info: *const c_int,
    n: *const c_int,
    pset_len: *mut c_int,
    pset_name: *mut c_char,
    ierror: *mut c_int,
    name_len: usize,
) {
    let (session, info) =
        (Given::<Session>::take(session, 0).c(), Given::<Info>::take(info, 0).c());
    let mut name = TextOut::take(pset_name, name_len);
    // SAFETY: the caller's promise.
    let code = unsafe {
        let asked = pset_len.read();
        let mut length = if asked > 0 { asked.min(name_len as c_int) + 1 } else { 0 };
        let code =
            foretell_MPI_Session_get_nth_pset(session, info, n.read(), &mut length, name.c());
        if code == MPI_SUCCESS {
            pset_len.write(length - 1);
        }
        code
    };
    name.give_back(code);
    tell(ierror, code);
}
names! { session_get_nth_pset mpi_session_get_nth_pset ["_" "_f08_"] }
