//! Reaching the memory of ranks, for the simulator that knows it by address only.

use std::cell::RefCell;

use foretell_mpi::Memory;

/// Copies of small messages are kept for the next ones, up to this many bytes each...
const LARGEST: usize = 64 * 1024;
/// ...and this many of a size.
const KEPT: usize = 64;

/// All ranks live in the memory of this process.
#[derive(Debug, Default)]
pub(crate) struct ProcessMemory {
    /// Copies given back, by the length they all have.
    spare: RefCell<Spare>,
}

/// Copies of one length: programs send the same size again and again.
#[derive(Debug, Default)]
struct Spare {
    bytes: usize,
    copies: Vec<Box<[u8]>>,
}

impl Memory for ProcessMemory {
    fn copy(&self, from: usize, to: usize, bytes: usize) {
        // SAFETY: the program named both buffers in MPI calls whose operations are not complete,
        // so they exist and are long enough. They may overlap only in programs that MPI forbids.
        unsafe { std::ptr::copy(from as *const u8, to as *mut u8, bytes) }
    }

    fn read(&self, from: usize, bytes: usize) -> Box<[u8]> {
        // SAFETY: as in `copy`.
        let source = unsafe { std::slice::from_raw_parts(from as *const u8, bytes) };
        let spare = &mut *self.spare.borrow_mut();
        match spare.copies.pop_if(|copy| copy.len() == bytes) {
            Some(mut copy) => {
                copy.copy_from_slice(source);
                copy
            }
            None => source.into(),
        }
    }

    fn write(&self, bytes: &[u8], to: usize) {
        // SAFETY: as in `copy`.
        unsafe { std::ptr::copy(bytes.as_ptr(), to as *mut u8, bytes.len()) }
    }

    fn known(&self, rank: u32) {
        crate::ahead::is_known(rank);
    }

    fn recycle(&self, copy: Box<[u8]>) {
        let spare = &mut *self.spare.borrow_mut();
        if copy.len() != spare.bytes {
            spare.bytes = copy.len();
            spare.copies.clear();
        }
        if copy.len() <= LARGEST && spare.copies.len() < KEPT {
            spare.copies.push(copy);
        }
    }
}
