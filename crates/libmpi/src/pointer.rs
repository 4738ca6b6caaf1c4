//! Pointers that C programs hand in.
//!
//! What they point to is the caller's promise: MPI says for each argument what must be there. The
//! methods are therefore as safe as the C call that the pointer came with, and not safer. They are
//! not marked unsafe, because all they could say at each of a thousand places is this paragraph.

use std::ffi::{CStr, c_char};

use crate::abi::MPI_ERR_ARG;
use crate::failure::{Failure, bad};

/// A place for a result.
#[repr(transparent)]
#[derive(Debug)]
pub(crate) struct Out<T>(*mut T);

/// Something to read, or an array of it.
#[repr(transparent)]
#[derive(Debug)]
pub(crate) struct In<T>(*const T);

impl<T> Clone for Out<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Out<T> {}

impl<T> Clone for In<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for In<T> {}

impl<T: Copy> Out<T> {
    /// Writes the result, unless the program does not want it.
    pub(crate) fn set(self, value: T) {
        if !self.0.is_null() {
            // SAFETY: the caller's promise, see the module.
            unsafe { self.0.write_unaligned(value) }
        }
    }

    /// Writes into an array.
    pub(crate) fn set_at(self, at: usize, value: T) {
        if !self.0.is_null() {
            // SAFETY: the caller's promise: the array is long enough.
            unsafe { self.0.add(at).write_unaligned(value) }
        }
    }

    /// Reads what is there.
    pub(crate) fn get(self) -> T {
        // SAFETY: the caller's promise, see the module.
        unsafe { self.0.read_unaligned() }
    }

    /// The array, to be changed in place.
    pub(crate) fn slice<'a>(self, count: usize) -> &'a mut [T] {
        if count == 0 || self.0.is_null() {
            return &mut [];
        }
        // SAFETY: the caller's promise: the array is long enough, and nobody else uses it.
        unsafe { std::slice::from_raw_parts_mut(self.0, count) }
    }
}

impl<T: Copy> In<T> {
    /// Reads what is there.
    pub(crate) fn get(self) -> T {
        // SAFETY: the caller's promise, see the module.
        unsafe { self.0.read_unaligned() }
    }

    /// The array.
    pub(crate) fn slice<'a>(self, count: usize) -> &'a [T] {
        if count == 0 || self.0.is_null() {
            return &[];
        }
        // SAFETY: the caller's promise: the array is long enough, and stays as it is meanwhile.
        unsafe { std::slice::from_raw_parts(self.0, count) }
    }
}

impl<T> Out<T> {
    /// The place, which a call cannot do without.
    pub(crate) fn given(self, argument: &str) -> Result<Self, Failure> {
        if self.is_null() {
            return bad(MPI_ERR_ARG, format!("the argument {argument} is a null pointer"));
        }
        Ok(self)
    }

    pub(crate) fn is_null(self) -> bool {
        self.0.is_null()
    }

    pub(crate) fn address(self) -> usize {
        self.0 as usize
    }
}

impl<T> In<T> {
    /// An array of `count`, which may be absent only if it is empty.
    pub(crate) fn given(self, count: usize, argument: &str) -> Result<Self, Failure> {
        if count > 0 && self.is_null() {
            return bad(MPI_ERR_ARG, format!("the argument {argument} is a null pointer"));
        }
        Ok(self)
    }

    pub(crate) fn is_null(self) -> bool {
        self.0.is_null()
    }

    pub(crate) fn address(self) -> usize {
        self.0 as usize
    }
}

impl In<c_char> {
    /// A C string; what is not UTF-8 in it is replaced.
    pub(crate) fn text(self) -> String {
        if self.0.is_null() {
            return String::new();
        }
        // SAFETY: the caller's promise: the string ends with a zero.
        unsafe { CStr::from_ptr(self.0) }.to_string_lossy().into_owned()
    }
}

impl Out<c_char> {
    /// Writes a C string of at most `room` bytes with its final zero; gives its length.
    pub(crate) fn write_text(self, text: &str, room: usize) -> usize {
        let length = text.len().min(room.saturating_sub(1));
        if self.0.is_null() || room == 0 {
            return length;
        }
        let place = self.slice(length + 1);
        for (to, from) in place.iter_mut().zip(text.as_bytes()) {
            *to = *from as c_char;
        }
        place[length] = 0;
        length
    }
}
