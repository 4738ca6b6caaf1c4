//! Buffers of programs: so many elements of a datatype at an address.

mod copy;

use std::rc::Rc;

use foretell_mpi::{Landing, Payload};

use crate::abi::*;
use crate::datatype::{self, TypeObject};
use crate::failure::{Failure, bad};
use crate::folding;

/// Nothing of a program lies below: the first page of memory is kept free.
const LOWEST: i64 = 4096;

/// A buffer that a call names.
#[derive(Clone)]
pub(crate) struct Buffer {
    pub(crate) address: usize,
    pub(crate) count: i64,
    pub(crate) datatype: Rc<TypeObject>,
}

impl Buffer {
    /// A buffer for communication, its arguments checked.
    #[inline]
    pub(crate) fn new(address: usize, count: i64, handle: MPI_Datatype) -> Result<Self, Failure> {
        let datatype = match handle {
            // As in MPICH, nothing needs no datatype.
            MPI_DATATYPE_NULL if count == 0 => datatype::committed(MPI_BYTE)?,
            _ => datatype::committed(handle)?,
        };
        if count < 0 {
            return bad(
                MPI_ERR_COUNT,
                format!("a count of {count} is negative: counts are 0 or more"),
            );
        }
        if address == 0 && count > 0 && is_relative(&datatype) {
            return bad(MPI_ERR_BUFFER, format!("a null buffer for {count} elements"));
        }
        let size = element_bytes(&datatype);
        match size.checked_mul(count as u64) {
            Some(0..=MOST) => Ok(Self { address, count, datatype }),
            _ => bad(MPI_ERR_COUNT, format!("{count} elements of {size} bytes are too much data")),
        }
    }

    /// Bytes of data in it.
    #[inline]
    pub(crate) fn bytes(&self) -> u64 {
        element_bytes(&self.datatype) * self.count as u64
    }

    /// What a point-to-point send carries: the place itself, where data lies without holes.
    /// Folded memory has nothing worth carrying.
    #[inline]
    pub(crate) fn payload(&self) -> Payload {
        if self.is_folded() {
            return Payload::Size(self.bytes());
        }
        match self.datatype.dense {
            Some(_) => Payload::Memory { address: self.address, bytes: self.bytes() },
            None => Payload::Bytes(self.pack()),
        }
    }

    /// Where a receive puts what comes. What has holes is handed over, and unpacked afterwards.
    #[inline]
    pub(crate) fn landing(&self) -> Landing {
        if self.is_folded() {
            return Landing::Nowhere;
        }
        match self.datatype.dense {
            Some(_) => Landing::Memory(self.address),
            None => Landing::Payload,
        }
    }

    /// What a collective carries: a copy, which the buffer's owner cannot change meanwhile.
    pub(crate) fn copied(&self) -> Payload {
        if self.is_folded() { Payload::Size(self.bytes()) } else { Payload::Bytes(self.pack()) }
    }

    /// Whether all of it lies in folded memory.
    #[inline]
    pub(crate) fn is_folded(&self) -> bool {
        folding::is_folded(
            self.address,
            self.count.saturating_mul(self.datatype.datatype.extent()) as u64,
        )
    }

    /// The data, side by side.
    pub(crate) fn pack(&self) -> Box<[u8]> {
        let mut packed = Vec::new();
        self.pack_onto(&mut packed);
        packed.into()
    }

    /// Appends the data, side by side.
    pub(crate) fn pack_onto(&self, packed: &mut Vec<u8>) {
        let bytes = self.bytes() as usize;
        packed.reserve_exact(bytes);
        self.pack_to(packed.spare_capacity_mut().as_mut_ptr() as usize);
        // SAFETY: so many bytes were written behind the others just now.
        unsafe { packed.set_len(packed.len() + bytes) };
    }

    /// Writes the data, side by side, to another place of the process, where there is room for it.
    pub(crate) fn pack_to(&self, place: usize) {
        let mut at = place;
        self.datatype.datatype.layout(self.count).for_each_group(0..self.bytes(), |group| {
            let from = self.address.wrapping_add_signed(group.offset as isize);
            // SAFETY: the program says that its buffer holds so many elements of this datatype.
            at = unsafe { copy::gather(from, &group, at) };
        });
        debug_assert_eq!(at - place, self.bytes() as usize);
    }

    /// Puts data in its places; there may be less than the buffer holds.
    pub(crate) fn unpack(&self, packed: &[u8]) {
        self.unpack_from(packed.as_ptr() as usize, packed.len() as u64);
    }

    /// Puts data in its places that lies side by side somewhere in the process.
    pub(crate) fn unpack_from(&self, place: usize, bytes: u64) {
        let mut at = place;
        let length = bytes.min(self.bytes());
        self.datatype.datatype.layout(self.count).for_each_group(0..length, |group| {
            let to = self.address.wrapping_add_signed(group.offset as isize);
            // SAFETY: as in `pack_to`; the buffer is the program's to overwrite by this call.
            at = unsafe { copy::scatter(at, &group, to) };
        });
    }

    /// Puts data in its places, from byte `offset` of the packed data on.
    pub(crate) fn unpack_at(&self, offset: u64, packed: &[u8]) {
        let mut at = packed.as_ptr() as usize;
        let range = offset..(offset + packed.len() as u64).min(self.bytes());
        self.datatype.datatype.layout(self.count).for_each_group(range, |group| {
            let to = self.address.wrapping_add_signed(group.offset as isize);
            // SAFETY: as in `unpack_from`.
            at = unsafe { copy::scatter(at, &group, to) };
        });
    }

    /// The same buffer, `elements` elements further on.
    pub(crate) fn at(&self, elements: i64, count: i64) -> Buffer {
        let shift = elements.wrapping_mul(self.datatype.datatype.extent());
        let address = self.address.wrapping_add_signed(shift as isize);
        Buffer { address, count, datatype: self.datatype.clone() }
    }
}

/// The most data that a buffer can hold.
const MOST: u64 = i64::MAX as u64;

/// Bytes of data in one element; most often those are at hand.
#[inline]
fn element_bytes(datatype: &TypeObject) -> u64 {
    datatype.dense.unwrap_or_else(|| datatype.datatype.size())
}

/// Whether a datatype needs a buffer: its data does not lie at absolute addresses.
fn is_relative(datatype: &TypeObject) -> bool {
    let datatype = &datatype.datatype;
    datatype.size() > 0 && (0..LOWEST).contains(&datatype.true_lower_bound())
}
