//! `==` and `/=` between handles of `mpi_f08`.

use std::ffi::c_int;

/// Defines both operators for a kind of handle.
macro_rules! equality {
    ($($equal:ident $differs:ident;)*) => {$(
        #[unsafe(no_mangle)]
        extern "C" fn $equal(left: *const c_int, right: *const c_int) -> c_int {
            // SAFETY: the compiler passes the addresses of two handles.
            unsafe { c_int::from(*left == *right) }
        }

        #[unsafe(no_mangle)]
        extern "C" fn $differs(left: *const c_int, right: *const c_int) -> c_int {
            // SAFETY: as above.
            unsafe { c_int::from(*left != *right) }
        }
    )*};
}

equality! {
    foretell_comm_eq_ foretell_comm_ne_;
    foretell_group_eq_ foretell_group_ne_;
    foretell_request_eq_ foretell_request_ne_;
    foretell_message_eq_ foretell_message_ne_;
    foretell_errhandler_eq_ foretell_errhandler_ne_;
    foretell_info_eq_ foretell_info_ne_;
    foretell_session_eq_ foretell_session_ne_;
    foretell_win_eq_ foretell_win_ne_;
    foretell_file_eq_ foretell_file_ne_;
    foretell_op_eq_ foretell_op_ne_;
    foretell_datatype_eq_ foretell_datatype_ne_;
}
