//! Texts: filled up with blanks in Fortran, ended by a zero in C.

use std::ffi::{CString, c_char, c_int};

use super::Argument;
use crate::abi::*;

/// Room for the longest text that MPI gives.
const ROOM: usize = MPI_MAX_LIBRARY_VERSION_STRING as usize;
/// What is in a place that nothing was written to.
const UNTOUCHED: c_char = -1;

/// The bytes of a text of Fortran.
pub(crate) fn bytes<'a>(raw: *const c_char, length: usize) -> &'a [u8] {
    if length == 0 {
        return &[];
    }
    // SAFETY: the caller's promise, see `argument.rs`.
    unsafe { std::slice::from_raw_parts(raw.cast(), length) }
}

/// A text for C, up to the first zero.
pub(crate) fn c_text(bytes: &[u8]) -> CString {
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    CString::new(&bytes[..end]).unwrap_or_default()
}

/// Writes a text, with blanks behind it.
pub(crate) fn write(raw: *mut c_char, length: usize, text: &[u8]) {
    for at in 0..length {
        let byte = text.get(at).copied().unwrap_or(b' ');
        // SAFETY: the caller's promise, see `argument.rs`.
        unsafe { raw.add(at).write(byte as c_char) };
    }
}

/// A text without the blanks at its end; `with` is its length.
pub(crate) struct TextIn(CString);

impl Argument for TextIn {
    type Raw = *const c_char;
    type C = *const c_char;

    fn take(raw: *const c_char, with: usize) -> Self {
        Self(c_text(bytes(raw, with).trim_ascii_end()))
    }

    fn c(&mut self) -> *const c_char {
        self.0.as_ptr()
    }
}

/// A key or a value, without the blanks at both ends; `with` is its length.
pub(crate) struct KeyIn(CString);

impl Argument for KeyIn {
    type Raw = *const c_char;
    type C = *const c_char;

    fn take(raw: *const c_char, with: usize) -> Self {
        Self(c_text(bytes(raw, with).trim_ascii()))
    }

    fn c(&mut self) -> *const c_char {
        self.0.as_ptr()
    }
}

/// A place for a text; `with` is its length.
pub(crate) struct TextOut {
    place: *mut c_char,
    length: usize,
    text: Vec<c_char>,
}

impl Argument for TextOut {
    type Raw = *mut c_char;
    type C = *mut c_char;

    fn take(place: *mut c_char, length: usize) -> Self {
        Self { place, length, text: vec![UNTOUCHED; ROOM] }
    }

    fn c(&mut self) -> *mut c_char {
        self.text.as_mut_ptr()
    }

    fn give_back(self, _code: c_int) {
        if self.text[0] == UNTOUCHED {
            return;
        }
        let text = self.text.iter().take_while(|byte| **byte != 0).map(|byte| *byte as u8);
        write(self.place, self.length, &text.collect::<Vec<u8>>());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_come_and_go() {
        let given = b"  key   ";
        let raw = given.as_ptr().cast();
        assert_eq!(TextIn::take(raw, given.len()).0.as_bytes(), b"  key");
        assert_eq!(KeyIn::take(raw, given.len()).0.as_bytes(), b"key");
        let mut place = [b'x'; 6];
        write(place.as_mut_ptr().cast(), place.len(), b"abc");
        assert_eq!(&place, b"abc   ");
        write(place.as_mut_ptr().cast(), place.len(), b"too long");
        assert_eq!(&place, b"too lo");
    }
}
