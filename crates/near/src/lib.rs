//! Memory that will be needed soon.
//!
//! A simulation of many ranks goes from one to the next, and finds nothing of it in the processor's
//! caches. What comes next is often known a little before: asked for then, it is there in time.

/// The size of a cache line.
pub const LINE: usize = 64;

/// Asks for the memory of a value, without waiting for it.
#[inline]
pub fn fetch<T>(value: &T) {
    fetch_lines(std::ptr::from_ref(value).addr(), size_of::<T>().div_ceil(LINE));
}

/// Asks for so many cache lines from an address on. There need not be anything.
#[inline]
pub fn fetch_lines(address: usize, lines: usize) {
    for line in 0..lines {
        let place = std::ptr::without_provenance::<i8>(address.wrapping_add(line * LINE));
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a hint, with which the processor reads nothing for the program and never faults.
        unsafe {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            _mm_prefetch::<_MM_HINT_T0>(place);
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = place;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn asking_for_memory_that_is_not_there_does_nothing() {
        fetch(&[0_u8; 200]);
        fetch_lines(0, 2);
        fetch_lines(usize::MAX - LINE, 4);
    }
}
