//! A number that stands for the bytes of a buffer.

use libc::{c_void, iovec};

use crate::buffer::Buffer;

/// So many runs of bytes are read at once...
const RUNS: usize = 512;
/// ...or so many bytes.
const BYTES: usize = 1 << 18;

/// The sum of a buffer; none if it is not there to be read.
///
/// The system reads it: a program that has given the memory back meanwhile must not crash here.
pub(super) fn of(buffer: &Buffer) -> Option<u64> {
    if buffer.is_folded() {
        return None;
    }
    let mut reader = Reader { places: Vec::new(), bytes: 0, space: Vec::new(), sum: Some(0) };
    buffer.datatype.datatype.for_each_run(buffer.count, 0..buffer.bytes(), |offset, bytes| {
        let (mut at, mut left) = (buffer.address.wrapping_add_signed(offset as isize), bytes);
        while left > 0 {
            let now = left.min(BYTES as u64) as usize;
            reader.add(at, now);
            at = at.wrapping_add(now);
            left -= now as u64;
        }
    });
    reader.flush();
    reader.sum
}

struct Reader {
    places: Vec<iovec>,
    bytes: usize,
    space: Vec<u8>,
    sum: Option<u64>,
}

impl Reader {
    fn add(&mut self, at: usize, bytes: usize) {
        if self.places.len() == RUNS || self.bytes + bytes > BYTES {
            self.flush();
        }
        self.places.push(iovec { iov_base: at as *mut c_void, iov_len: bytes });
        self.bytes += bytes;
    }

    fn flush(&mut self) {
        if self.bytes == 0 {
            return;
        }
        self.space.resize(self.bytes, 0);
        let local =
            iovec { iov_base: self.space.as_mut_ptr().cast::<c_void>(), iov_len: self.bytes };
        // SAFETY: the system writes so many bytes to a vector that has them; it refuses to read
        // what is not there.
        let read = unsafe {
            let (places, count) = (self.places.as_ptr(), self.places.len() as u64);
            libc::process_vm_readv(libc::getpid(), &local, 1, places, count, 0)
        };
        let is_whole = read == self.bytes as isize;
        self.sum = self.sum.filter(|_| is_whole).map(|sum| summed(sum, &self.space));
        self.places.clear();
        self.bytes = 0;
    }
}

/// Takes more bytes into a sum: multiplication spreads each word, the rotation brings it down.
fn summed(sum: u64, bytes: &[u8]) -> u64 {
    const ODD: u64 = 0x9E37_79B9_7F4A_7C15;
    let add = |sum: u64, word: u64| (sum.rotate_left(23) ^ word).wrapping_mul(ODD);
    let (words, rest) = bytes.as_chunks::<8>();
    let sum = words.iter().fold(sum, |sum, word| add(sum, u64::from_ne_bytes(*word)));
    rest.iter().fold(sum, |sum, byte| add(sum, u64::from(*byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_counts() {
        let mut bytes = [7_u8; 21];
        let before = summed(0, &bytes);
        for at in 0..bytes.len() {
            bytes[at] ^= 1;
            assert_ne!(summed(0, &bytes), before);
            bytes[at] ^= 1;
        }
    }
}
