//! Standard input belongs to rank 0, as under a real launcher: the others find its end at once.
//!
//! What the program and its private libraries call is seen here, Fortran's run-time library
//! included. A library that ranks share reads by itself: C++'s `std::cin` is not seen.

use std::ffi::{CStr, c_int};
use std::sync::atomic::{AtomicUsize, Ordering};

use super::Entry;
use crate::context;

/// The file descriptor of standard input.
const INPUT: c_int = 0;

/// Whether standard input has ended for the rank that calls.
extern "C" fn is_at_end() -> bool {
    context::current().or_else(context::made_by).is_some_and(|rank| rank != 0)
}

/// The same, if a stream is standard input.
extern "C" fn is_at_end_of_stream(stream: *mut libc::FILE) -> bool {
    // SAFETY: reads the C library's variable.
    stream == unsafe { stdin } && is_at_end()
}

/// The same, if a file descriptor is standard input.
extern "C" fn is_at_end_of_file(descriptor: c_int) -> bool {
    descriptor == INPUT && is_at_end()
}

unsafe extern "C" {
    static stdin: *mut libc::FILE;
}

/// Functions that read: what tells whether input has ended, where its argument is, and what the
/// function gives at the end. Otherwise the C library's function goes on with the arguments as
/// they are, however many there are.
macro_rules! readers {
    ($($check:ident $register:literal, gives $end:literal: $($name:ident)*;)*) => {
        /// All of them that this C library has.
        pub(super) fn table() -> Vec<Entry> {
            let mut all = Vec::new();
            $($({
                let name = concat!(stringify!($name), "\0");
                if let Ok(c_name) = CStr::from_bytes_with_nul(name.as_bytes())
                    && $name::REAL.find(c_name)
                {
                    all.push((stringify!($name), $name::guarded as *const () as usize));
                }
            })*)*
            all
        }

        $($(
            #[allow(non_snake_case)]
            mod $name {
                /// The C library's function.
                pub(super) static REAL: super::Real = super::Real::new();

                #[unsafe(naked)]
                pub(super) extern "C" fn guarded() {
                    std::arch::naked_asm!(
                        // Seven words and the return address: the stack stays aligned.
                        "push rdi",
                        "push rsi",
                        "push rdx",
                        "push rcx",
                        "push r8",
                        "push r9",
                        "push rax",
                        concat!("mov rdi, ", $register),
                        "call {check}",
                        "test al, al",
                        "pop rax",
                        "pop r9",
                        "pop r8",
                        "pop rcx",
                        "pop rdx",
                        "pop rsi",
                        "pop rdi",
                        "jne 2f",
                        "jmp qword ptr [rip + {real}]",
                        "2:",
                        concat!("mov rax, ", $end),
                        "ret",
                        check = sym super::$check,
                        real = sym REAL,
                    )
                }
            }
        )*)*
    };
}

readers! {
    is_at_end "rdi", gives "-1": getchar getchar_unlocked getwchar getwchar_unlocked scanf vscanf
        __isoc99_scanf __isoc99_vscanf __isoc23_scanf __isoc23_vscanf wscanf vwscanf
        __isoc99_wscanf __isoc99_vwscanf __isoc23_wscanf __isoc23_vwscanf;
    is_at_end_of_stream "rdi", gives "-1": getc _IO_getc getc_unlocked fgetc fgetc_unlocked getwc
        fgetwc fgetwc_unlocked getw __uflow __underflow fscanf vfscanf __isoc99_fscanf
        __isoc99_vfscanf __isoc23_fscanf __isoc23_vfscanf fwscanf vfwscanf __isoc99_fwscanf
        __isoc99_vfwscanf __isoc23_fwscanf __isoc23_vfwscanf;
    is_at_end_of_stream "rdi", gives "1": feof feof_unlocked;
    is_at_end_of_stream "rdx", gives "0": fgets fgets_unlocked fgetws fgetws_unlocked;
    is_at_end_of_stream "rcx", gives "0": __fgets_chk __fgets_unlocked_chk __fgetws_chk fread
        fread_unlocked;
    is_at_end_of_stream "r8", gives "0": __fread_chk __fread_unlocked_chk;
    is_at_end_of_stream "rdx", gives "-1": getline __getline;
    is_at_end_of_stream "rcx", gives "-1": getdelim __getdelim;
    is_at_end_of_file "rdi", gives "0": read __read __read_chk readv;
}

/// Where a function of the C library is.
#[repr(transparent)]
struct Real(AtomicUsize);

impl Real {
    const fn new() -> Self {
        Self(AtomicUsize::new(0))
    }

    /// Looks the function up; whether there is one.
    fn find(&self, name: &CStr) -> bool {
        // SAFETY: a look-up by name behind this library, where nothing stands in for it.
        let address = unsafe { libc::dlsym(libc::RTLD_NEXT, name.as_ptr()) } as usize;
        self.0.store(address, Ordering::Relaxed);
        address != 0
    }
}
