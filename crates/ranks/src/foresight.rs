//! Memory of ranks that go on soon, fetched before they do.
//!
//! With thousands of ranks nothing of a rank is in the processor's caches when its turn comes:
//! its record, its frames. The order of turns is known a little ahead, so that the processor can
//! fetch them while another rank runs.

use std::cell::Cell;
use std::ptr;

use crate::body::Body;

/// Bytes that the processor fetches at once.
const LINE: usize = 64;

/// Frames that a rank returns through when it goes on, in lines: those of a blocking call and of
/// the function that made it.
const FRAMES: usize = 16;

/// The ranks that live, by number.
#[derive(Debug, Default)]
pub(crate) struct Roll {
    bodies: Vec<Cell<*const Body>>,
}

impl Roll {
    pub(crate) fn new(count: u32) -> Self {
        Self { bodies: vec![Cell::new(ptr::null()); count as usize] }
    }

    pub(crate) fn enter(&self, number: u32, body: *const Body) {
        if let Some(place) = self.bodies.get(number as usize) {
            place.set(body);
        }
    }

    pub(crate) fn strike(&self, number: u32) {
        self.enter(number, ptr::null());
    }

    /// Fetches the record of a rank whose turn comes in a few steps.
    #[inline]
    pub(crate) fn fetch_record(&self, number: u32) {
        if let Some(place) = self.bodies.get(number as usize) {
            fetch(place.get(), 1);
        }
    }

    /// Fetches the frames of a rank whose turn is next.
    #[inline]
    pub(crate) fn fetch_frames(&self, number: u32) {
        let Some(place) = self.bodies.get(number as usize) else { return };
        // SAFETY: the pointer is null or of a rank that lives: its drop takes it off the roll.
        if let Some(body) = unsafe { place.get().as_ref() } {
            fetch(body.parked.get() as *const u8, FRAMES);
        }
    }
}

/// Asks the processor for so many lines from an address on, which need not be valid.
#[inline]
pub fn fetch<T>(address: *const T, lines: usize) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    for line in 0..lines {
        // SAFETY: a hint, which never faults.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast::<i8>().wrapping_add(line * LINE)) };
    }
}
