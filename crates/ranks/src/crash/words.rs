//! Crash signals in words.

use std::ffi::c_int;
use std::fmt::{self, Write};

/// The kernel tells of a fault without saying at which address.
const SI_KERNEL: c_int = 0x80;

/// Says what a signal means.
pub(super) fn write(
    to: &mut impl Write,
    signal: c_int,
    code: c_int,
    address: usize,
) -> fmt::Result {
    if signal == libc::SIGABRT {
        return write!(
            to,
            "SIGABRT: it called abort, an assertion failed, or the C library found its memory damaged"
        );
    }
    write!(to, "{}", name(signal))?;
    // Codes up to zero are those of `kill` and `raise`: there is no address.
    if code <= 0 {
        return write!(to, ", sent by a program");
    }
    match (signal, code) {
        (_, SI_KERNEL) => write!(to, ", through an address that cannot exist"),
        (libc::SIGSEGV, 1) if address < 4096 => {
            write!(to, ": null pointer, address {address:#x}")
        }
        (libc::SIGSEGV, 1) => write!(to, ": nothing is mapped at address {address:#x}"),
        (libc::SIGSEGV, 2) => write!(to, ": access to address {address:#x} is not allowed"),
        (libc::SIGFPE, 1) => write!(to, ": integer division by zero"),
        (libc::SIGFPE, 2) => write!(to, ": integer overflow"),
        (libc::SIGFPE, 3) => write!(to, ": floating-point division by zero"),
        (libc::SIGFPE, 4) => write!(to, ": floating-point overflow"),
        (libc::SIGFPE, 5) => write!(to, ": floating-point underflow"),
        (libc::SIGFPE, 6) => write!(to, ": inexact floating-point result"),
        (libc::SIGFPE, 7) => write!(to, ": invalid floating-point operation"),
        _ => write!(to, " at address {address:#x}"),
    }
}

fn name(signal: c_int) -> &'static str {
    match signal {
        libc::SIGSEGV => "segmentation fault (SIGSEGV)",
        libc::SIGBUS => "bus error (SIGBUS)",
        libc::SIGFPE => "arithmetic error (SIGFPE)",
        libc::SIGILL => "illegal instruction (SIGILL)",
        _ => "signal",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(signal: c_int, code: c_int, address: usize, expected: &str) {
        let mut text = String::new();
        write(&mut text, signal, code, address).unwrap();
        assert_eq!(text, expected);
    }

    #[test]
    fn signals_are_told_in_words() {
        check(libc::SIGSEGV, 1, 0x10, "segmentation fault (SIGSEGV): null pointer, address 0x10");
        check(libc::SIGFPE, 1, 0x40_0000, "arithmetic error (SIGFPE): integer division by zero");
        check(libc::SIGSEGV, -6, 0, "segmentation fault (SIGSEGV), sent by a program");
        check(libc::SIGBUS, 2, 0x7000, "bus error (SIGBUS) at address 0x7000");
        check(
            libc::SIGABRT,
            -6,
            0,
            "SIGABRT: it called abort, an assertion failed, or the C library found its memory damaged",
        );
    }
}
