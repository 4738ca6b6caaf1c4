//! Address space for images: long rows of slots of one size, so that neighbours share page tables
//! and the image of an address is found by a division.

use std::ops::Range;
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering};

use rustix::mm::{MapFlags, ProtFlags, mmap_anonymous};

use crate::ImageError;
use crate::limits;
use crate::program::Inner;

/// Address space that one row takes at most: 1 TiB of the 128 TiB there are.
const ROW: usize = 1 << 40;
/// Slots in a row at most.
const SLOTS: usize = 1 << 16;

/// A slot without an image.
const FREE: u32 = 0;
/// A slot with an image that has no label yet; labels are stored two above.
const UNLABELLED: u32 = 1;

/// A row of slots. Rows are never given back, so a signal handler may walk them at any time.
#[derive(Debug)]
pub(crate) struct Row {
    base: usize,
    stride: usize,
    labels: Box<[AtomicU32]>,
    pub(crate) program: &'static Inner,
    next: *const Row,
}

// SAFETY: rows are immutable but for atomics, and `next` points to another row that lives forever.
unsafe impl Sync for Row {}
// SAFETY: as above.
unsafe impl Send for Row {}

/// The last row made; the others follow through `next`.
static ROWS: AtomicPtr<Row> = AtomicPtr::new(ptr::null_mut());

impl Row {
    fn reserve(program: &'static Inner) -> Result<&'static Row, ImageError> {
        let stride = program.size;
        let mut slots = (ROW / stride).clamp(1, SLOTS);
        let base = loop {
            match reserve(slots * stride, program.align) {
                Ok(base) => break base,
                // A limit on address space (`ulimit -v`) may leave room for a shorter row.
                Err(_) if slots > 1 => slots /= 2,
                Err(source) => return Err(limits::refused(stride, program.mappings(), source)),
            }
        };
        let labels = (0..slots).map(|_| AtomicU32::new(FREE)).collect();
        let row = Box::leak(Box::new(Row { base, stride, labels, program, next: ptr::null() }));
        let mut head = ROWS.load(Ordering::Acquire);
        loop {
            row.next = head;
            match ROWS.compare_exchange(head, row, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => return Ok(row),
                Err(other) => head = other,
            }
        }
    }
}

/// The place of one image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Slot {
    row: usize,
    number: usize,
}

/// All rows of a program and which of their slots are free.
#[derive(Debug, Default)]
pub(crate) struct Slots {
    rows: Vec<&'static Row>,
    /// Slots given back; the lowest are taken first, to keep images close together.
    free: std::collections::BTreeSet<Slot>,
    /// Slots taken in the last row.
    taken: usize,
}

impl Slots {
    /// Takes a slot; its address range is reserved but not mapped yet.
    pub(crate) fn take(&mut self, program: &'static Inner) -> Result<Taken, ImageError> {
        if let Some(slot) = self.free.pop_first() {
            return Ok(self.taken(slot));
        }
        if self.rows.last().is_none_or(|row| self.taken == row.labels.len()) {
            self.rows.push(Row::reserve(program)?);
            self.taken = 0;
        }
        self.taken += 1;
        Ok(self.taken(Slot { row: self.rows.len() - 1, number: self.taken - 1 }))
    }

    /// Gives a slot back.
    pub(crate) fn give_back(&mut self, slot: Slot) {
        self.free.insert(slot);
    }

    fn taken(&self, slot: Slot) -> Taken {
        let row = self.rows[slot.row];
        Taken { slot, base: row.base + slot.number * row.stride, row }
    }
}

/// A slot that was taken for an image.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Taken {
    pub(crate) slot: Slot,
    /// Address of its first byte.
    pub(crate) base: usize,
    row: &'static Row,
}

impl Taken {
    /// Address range of the slot.
    pub(crate) fn range(&self) -> Range<usize> {
        self.base..self.base + self.row.stride
    }

    /// Lets addresses in the slot be found, or no longer.
    pub(crate) fn set_live(&self, live: bool) {
        self.store(if live { UNLABELLED } else { FREE });
    }

    /// Says whose image this is.
    pub(crate) fn set_label(&self, label: u32) {
        self.store(label.saturating_add(2));
    }

    fn store(&self, value: u32) {
        self.row.labels[self.slot.number].store(value, Ordering::Release);
    }

    /// Makes the range empty again, merged with the reserved space around it.
    pub(crate) fn clear(&self) {
        // SAFETY: the range is the slot's own, and its image is gone.
        let _ = unsafe {
            mmap_anonymous(
                self.base as *mut _,
                self.row.stride,
                ProtFlags::empty(),
                MapFlags::PRIVATE | MapFlags::NORESERVE | MapFlags::FIXED,
            )
        };
    }
}

/// The image that holds an address.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Found {
    pub(crate) program: &'static Inner,
    /// Address of the image's first byte.
    pub(crate) base: usize,
    pub(crate) label: Option<u32>,
}

/// Finds the image that holds an address; no locks, no allocation.
pub(crate) fn find(address: usize) -> Option<Found> {
    let mut row = ROWS.load(Ordering::Acquire).cast_const();
    // SAFETY: rows live forever, and the list ends with null.
    while let Some(here) = unsafe { row.as_ref() } {
        let offset = address.wrapping_sub(here.base);
        if offset < here.stride * here.labels.len() {
            let number = offset / here.stride;
            let label = here.labels[number].load(Ordering::Acquire);
            return (label != FREE).then(|| Found {
                program: here.program,
                base: here.base + number * here.stride,
                label: label.checked_sub(UNLABELLED + 1),
            });
        }
        row = here.next;
    }
    None
}

/// Reserves address space at a multiple of `align`.
fn reserve(size: usize, align: usize) -> Result<usize, std::io::Error> {
    // The first image should start where a page of the page table does, to share it with many.
    let align = align.max(2 << 20);
    let flags = MapFlags::PRIVATE | MapFlags::NORESERVE;
    // SAFETY: a new mapping of the kernel's choice, without access rights.
    let start =
        unsafe { mmap_anonymous(ptr::null_mut(), size + align, ProtFlags::empty(), flags) }?;
    Ok((start as usize).next_multiple_of(align))
}
