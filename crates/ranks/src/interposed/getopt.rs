//! `getopt` keeps its place in variables of the C library: each rank has its own.
//!
//! `optind`, `optarg`, `opterr` and `optopt` are exchanged at a switch, like thread-locals, if the
//! program uses `getopt` at all. A program may also hold a copy of them in its own data; then the
//! copy is what it reads and writes, and a call here keeps both equal. Not kept apart is the place
//! within a group of letters (`-abc`) of a rank that is suspended in the middle of its loop.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr;

use super::{Entry, table};
use crate::body::{Body, Entry as RankEntry};
use crate::context;
use crate::loaded::Loaded;
use crate::regions::Regions;

pub(super) fn table() -> Vec<Entry> {
    table![
        getopt => our_getopt,
        __posix_getopt => our_getopt,
        getopt_long => our_getopt_long,
        getopt_long_only => our_getopt_long_only,
    ]
}

/// The variables, and what a new process finds in them.
const VARIABLES: [(&CStr, u64, usize); 4] =
    [(c"optind", 1, 4), (c"opterr", 1, 4), (c"optopt", b'?' as u64, 4), (c"optarg", 0, 8)];

/// Whether a name is one of `getopt`'s.
pub(crate) fn is_of(name: &CStr) -> bool {
    let name = name.to_bytes();
    name.starts_with(b"getopt") || name == b"__posix_getopt"
}

/// Makes the variables the rank's own, as a new process finds them.
pub(crate) fn make_private(regions: &mut Regions, loaded: &dyn Loaded) {
    for (name, initial, size) in VARIABLES {
        let initial = &initial.to_le_bytes()[..size];
        if let Some(address) = in_library(name) {
            regions.add(address, initial);
        }
        if let Some(address) = loaded.copied_variable(name) {
            // SAFETY: a variable of this size in the data of a rank that has not begun.
            unsafe { ptr::copy_nonoverlapping(initial.as_ptr(), address as *mut u8, size) };
        }
    }
}

/// Where the C library itself reads and writes a variable.
fn in_library(name: &CStr) -> Option<usize> {
    // SAFETY: a look-up by name in what is loaded.
    let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
    (!found.is_null()).then(|| found.addr())
}

/// Which way variables are copied.
#[derive(Clone, Copy)]
enum Way {
    ToLibrary,
    ToProgram,
}

/// Makes the C library's variables and the copies in the program's data equal.
fn copy(body: &Body, way: Way) {
    let RankEntry::Program(loaded, _) = &body.life.entry else { return };
    for (name, _, size) in VARIABLES {
        let (Some(library), Some(program)) = (in_library(name), loaded.copied_variable(name))
        else {
            continue;
        };
        let (from, to) = match way {
            Way::ToLibrary => (program, library),
            Way::ToProgram => (library, program),
        };
        // SAFETY: both are variables of this size; they may be one and the same.
        unsafe { ptr::copy(from as *const u8, to as *mut u8, size) };
    }
}

/// Calls the C library's function with the variables of the rank.
fn with_variables(call: impl FnOnce() -> c_int) -> c_int {
    context::with_body(|body| {
        copy(body, Way::ToLibrary);
        // Zero makes the library forget the place it keeps beside the variables.
        // SAFETY: a variable of the C library, on the thread of the ranks.
        if !body.life.has_used_getopt.replace(true) && unsafe { optind } == 1 {
            // SAFETY: as above.
            unsafe { optind = 0 };
        }
    });
    let option = call();
    context::with_body(|body| copy(body, Way::ToProgram));
    option
}

type Texts = *const *mut c_char;

unsafe extern "C" fn our_getopt(count: c_int, argv: Texts, letters: *const c_char) -> c_int {
    // SAFETY: passed on as it came.
    with_variables(|| unsafe { libc::getopt(count, argv, letters) })
}

unsafe extern "C" fn our_getopt_long(
    count: c_int,
    argv: Texts,
    letters: *const c_char,
    words: *const c_void,
    index: *mut c_int,
) -> c_int {
    // SAFETY: passed on as it came.
    with_variables(|| unsafe { getopt_long(count, argv, letters, words, index) })
}

unsafe extern "C" fn our_getopt_long_only(
    count: c_int,
    argv: Texts,
    letters: *const c_char,
    words: *const c_void,
    index: *mut c_int,
) -> c_int {
    // SAFETY: passed on as it came.
    with_variables(|| unsafe { getopt_long_only(count, argv, letters, words, index) })
}

unsafe extern "C" {
    static mut optind: c_int;
    fn getopt_long(
        count: c_int,
        argv: Texts,
        letters: *const c_char,
        words: *const c_void,
        index: *mut c_int,
    ) -> c_int;
    fn getopt_long_only(
        count: c_int,
        argv: Texts,
        letters: *const c_char,
        words: *const c_void,
        index: *mut c_int,
    ) -> c_int;
}
