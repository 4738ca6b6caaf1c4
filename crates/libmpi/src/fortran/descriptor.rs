//! Descriptors of buffers, as gfortran passes them to procedures of C: `CFI_cdesc_t` of Fortran
//! 2018, section 18.5.3.

use std::ffi::c_int;

use crate::abi::*;
use crate::datatype;

/// Arrays have at most so many dimensions.
const MOST: usize = 15;

/// Where the elements of a buffer are.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct Descriptor {
    /// The address of the first element.
    pub(super) base: usize,
    /// Bytes of an element.
    pub(super) element: usize,
    version: c_int,
    rank: i8,
    attribute: u8,
    kind: i16,
    /// So many as the rank says.
    dimensions: [Dimension; MOST],
}

/// One dimension of an array.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
struct Dimension {
    lower: isize,
    /// Number of elements; -1 for the last one of an array of unknown size.
    extent: isize,
    /// Bytes from one element to the next.
    step: isize,
}

impl Descriptor {
    fn dimensions(&self) -> &[Dimension] {
        &self.dimensions[..(self.rank.max(0) as usize).min(MOST)]
    }

    /// Whether the elements lie one after the other.
    pub(super) fn is_dense(&self) -> bool {
        let mut expected = self.element as isize;
        for dimension in self.dimensions() {
            if dimension.extent == 0 {
                return true;
            }
            if dimension.extent != 1 && dimension.step != expected {
                return false;
            }
            expected *= dimension.extent;
        }
        true
    }

    /// Calls `f` with the distance of each element from the first, in Fortran's order, until it
    /// says that it has enough.
    fn each(&self, mut f: impl FnMut(isize) -> bool) {
        let dimensions = self.dimensions();
        let mut index = [0_isize; MOST];
        loop {
            let parts = index.iter().zip(dimensions).map(|(at, one)| at * one.step);
            if !f(parts.sum()) {
                return;
            }
            let mut level = 0;
            loop {
                let Some(dimension) = dimensions.get(level) else { return };
                index[level] += 1;
                if index[level] < dimension.extent {
                    break;
                }
                index[level] = 0;
                level += 1;
            }
        }
    }

    fn count(&self) -> usize {
        self.dimensions().iter().map(|one| one.extent.max(0) as usize).product()
    }

    /// A copy of the elements, one after the other.
    pub(super) fn gather(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.count() * self.element);
        self.each(|distance| {
            let place = self.base.wrapping_add_signed(distance) as *const u8;
            // SAFETY: the descriptor says that there is an element, and the compiler wrote it.
            bytes.extend_from_slice(unsafe { std::slice::from_raw_parts(place, self.element) });
            true
        });
        bytes
    }

    /// Writes a copy back to the elements.
    pub(super) fn scatter(&self, bytes: &[u8]) {
        let mut elements = bytes.chunks_exact(self.element);
        self.each(|distance| {
            let Some(element) = elements.next() else { return false };
            let place = self.base.wrapping_add_signed(distance) as *mut u8;
            // SAFETY: as in `gather`; the program passed the buffer to be written.
            unsafe { std::ptr::copy_nonoverlapping(element.as_ptr(), place, element.len()) };
            true
        });
    }
}

unsafe extern "C" {
    fn foretell_MPI_Type_create_hindexed_block_c(
        count: MPI_Count,
        blocklength: MPI_Count,
        displacements: *const MPI_Count,
        oldtype: MPI_Datatype,
        newtype: *mut MPI_Datatype,
    ) -> c_int;
    fn foretell_MPI_Type_commit(datatype: *mut MPI_Datatype) -> c_int;
    fn foretell_MPI_Type_free(datatype: *mut MPI_Datatype) -> c_int;
}

/// No datatype describes the elements of a buffer.
pub(super) const NONE: MPI_Datatype = MPI_Datatype::MAX;

/// A datatype for `count` elements of type `old` of a buffer whose elements lie apart; 0 if `old` is
/// not valid, of which the call will complain.
pub(super) fn datatype(buffer: &Descriptor, count: usize, old: MPI_Datatype) -> MPI_Datatype {
    let Ok(found) = datatype::lookup(old) else { return 0 };
    let size = found.datatype.size() as usize;
    if found.dense.is_none() || size == 0 {
        return NONE;
    }
    // An element of the array is a number of the datatype's, or bytes of them.
    let (block, base) = match buffer.element.is_multiple_of(size) {
        true => (buffer.element / size, old),
        false => (buffer.element, MPI_BYTE),
    };
    let wanted = (count * size).div_ceil(buffer.element);
    let mut places: Vec<MPI_Count> = Vec::with_capacity(wanted);
    buffer.each(|distance| {
        if places.len() < wanted {
            places.push(distance as MPI_Count);
        }
        places.len() < wanted
    });
    let mut new = MPI_DATATYPE_NULL;
    // SAFETY: functions of our own; the array has as many places as said.
    unsafe {
        foretell_MPI_Type_create_hindexed_block_c(
            places.len() as MPI_Count,
            block as MPI_Count,
            places.as_ptr(),
            base,
            &mut new,
        );
        foretell_MPI_Type_commit(&mut new);
    }
    new
}

/// Frees a datatype that was made here.
pub(super) fn release(mut datatype: MPI_Datatype) {
    // SAFETY: a function of our own.
    unsafe { foretell_MPI_Type_free(&mut datatype) };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn descriptor(base: usize, element: usize, dimensions: &[(isize, isize)]) -> Descriptor {
        let mut all = [Dimension { lower: 0, extent: 0, step: 0 }; MOST];
        for (to, (extent, step)) in all.iter_mut().zip(dimensions) {
            *to = Dimension { lower: 0, extent: *extent, step: *step };
        }
        let rank = dimensions.len() as i8;
        Descriptor { base, element, version: 1, rank, attribute: 0, kind: 0, dimensions: all }
    }

    #[test]
    fn sections_are_told_from_whole_arrays() {
        assert!(descriptor(0, 4, &[]).is_dense());
        assert!(descriptor(0, 4, &[(10, 4), (3, 40)]).is_dense());
        assert!(descriptor(0, 4, &[(10, 4), (-1, 40)]).is_dense());
        assert!(descriptor(0, 4, &[(10, 4), (1, 999)]).is_dense());
        assert!(!descriptor(0, 4, &[(5, 8)]).is_dense());
        assert!(!descriptor(0, 4, &[(9, 4), (3, 40)]).is_dense());
        assert!(descriptor(0, 4, &[(0, 8)]).is_dense());
    }

    #[test]
    fn sections_are_gathered_and_scattered() {
        let mut array: Vec<u8> = (0..24).collect();
        let section = descriptor(array.as_mut_ptr() as usize, 2, &[(2, 4), (2, 12)]);
        assert_eq!(section.gather(), [0, 1, 4, 5, 12, 13, 16, 17]);
        section.scatter(&[100; 8]);
        assert_eq!(array[..6], [100, 100, 2, 3, 100, 100]);
        let backwards = descriptor(array.as_ptr() as usize + 23, 1, &[(3, -1)]);
        assert_eq!(backwards.gather(), [23, 22, 21]);
    }
}
