//! Taking a program over before its `main`.
//!
//! The first code of an executable, `_start`, calls `__libc_start_main` with the address of
//! `main`. This library exports a function of that name, and the dynamic loader binds the
//! program to it, since the library comes before the C library. By then the constructors of all
//! shared libraries have run, those of the executable have not.

use std::ffi::{c_char, c_int, c_void};

use foretell_launch::Launch;

use crate::report;
use crate::run;

/// `main` as the C library calls it.
pub(crate) type Main = unsafe extern "C" fn(c_int, *mut *mut c_char, *mut *mut c_char) -> c_int;

type StartMain = unsafe extern "C" fn(
    Main,
    c_int,
    *mut *mut c_char,
    *mut c_void,
    *mut c_void,
    *mut c_void,
    *mut c_void,
) -> c_int;

/// Begins the simulation if `foretell run` started this program; otherwise the program itself.
///
/// # Safety
///
/// Called once, by the first code of an executable.
#[unsafe(no_mangle)]
unsafe extern "C" fn __libc_start_main(
    main: Main,
    argc: c_int,
    argv: *mut *mut c_char,
    init: *mut c_void,
    fini: *mut c_void,
    rtld_fini: *mut c_void,
    stack_end: *mut c_void,
) -> c_int {
    // SAFETY: no other thread runs before `main`, and the files are only ours.
    match unsafe { Launch::receive() } {
        None => {}
        Some(Ok((launch, channels))) => run::all(main, (argc, argv), launch, channels),
        Some(Err(error)) => report::fatal(&error.to_string()),
    }
    // SAFETY: looks a name up in the libraries after this one.
    let real = unsafe { libc::dlsym(libc::RTLD_NEXT, c"__libc_start_main".as_ptr()) };
    if real.is_null() {
        report::fatal("the C library has no __libc_start_main; is this the GNU C library?");
    }
    // SAFETY: the C library's function has this type, and gets what it would have got.
    unsafe {
        let real: StartMain = std::mem::transmute(real);
        real(main, argc, argv, init, fini, rtld_fini, stack_end)
    }
}
