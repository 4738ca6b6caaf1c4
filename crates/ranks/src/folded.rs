//! Folded memory: large arrays whose content does not matter, kept once instead of once a rank.
//!
//! Either all ranks that ask at one place of the program get the same block, or parts of a rank's
//! block are many views of one small piece of memory. Computations on such memory run as they
//! would, and compute nothing meaningful.

use std::collections::BTreeMap;
use std::ffi::c_void;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::ptr;

use rustc_hash::FxHashMap;

use crate::arena::PAGE;
use crate::mappings;

/// Size of the small piece that large blocks are folded onto, unless set otherwise.
const BLOCK: usize = 1 << 20;

/// Why memory could not be folded.
#[derive(Debug, thiserror::Error)]
pub enum FoldedError {
    /// One view is needed for each piece, and a process may have only so many.
    #[error(
        "folding {size} bytes onto blocks of {block} bytes needs {needed} memory mappings, but \
         only {free} of this machine's {limit} are free; use larger blocks, or raise the limit: \
         sysctl -w vm.max_map_count={advised}"
    )]
    Mappings {
        /// Bytes to fold.
        size: usize,
        /// Size of the piece they are folded onto.
        block: usize,
        /// Mappings needed.
        needed: usize,
        /// Mappings that are left.
        free: usize,
        /// The value of `vm.max_map_count`.
        limit: usize,
        /// A limit that would do.
        advised: usize,
    },
    /// The shared parts do not lie in the block one after the other.
    #[error(
        "shared part {index}, from {start} to {end}, is not after the one before and within {size} bytes"
    )]
    Offsets {
        /// Which part, from 0.
        index: usize,
        /// Where it starts.
        start: usize,
        /// Where it ends.
        end: usize,
        /// Size of the block.
        size: usize,
    },
    /// The kernel refused.
    #[error("cannot map folded memory: {0}")]
    Kernel(#[from] io::Error),
}

/// All folded memory of a process.
#[derive(Debug)]
pub struct Folded {
    block: usize,
    /// The small piece; made when first needed.
    piece: Option<File>,
    /// By address.
    blocks: BTreeMap<usize, Block>,
    /// Blocks that ranks share, by place in the program and size.
    sites: FxHashMap<(u64, usize), usize>,
    /// Folded parts, in order and apart.
    parts: Vec<Range<usize>>,
    budget: Budget,
}

#[derive(Debug)]
struct Block {
    size: usize,
    /// How many ranks hold it, and by which key they find it.
    users: usize,
    site: Option<(u64, usize)>,
    mappings: usize,
}

impl Default for Folded {
    fn default() -> Self {
        Self::new(BLOCK)
    }
}

impl Folded {
    /// No memory yet; `block` is the size of the piece that private blocks are folded onto.
    pub fn new(block: usize) -> Self {
        Self {
            block: block.max(PAGE).next_multiple_of(PAGE),
            piece: None,
            blocks: BTreeMap::new(),
            sites: FxHashMap::default(),
            parts: Vec::new(),
            budget: Budget { left: 0, seen: 0 },
        }
    }

    /// One block for all that ask for as much at the same place of the program.
    ///
    /// # Errors
    ///
    /// When the kernel has no memory or no mapping left.
    pub fn shared_malloc(&mut self, size: usize, site: u64) -> Result<*mut c_void, FoldedError> {
        let key = (site, size);
        if let Some(start) = self.sites.get(&key)
            && let Some(block) = self.blocks.get_mut(start)
        {
            block.users += 1;
            return Ok(*start as *mut c_void);
        }
        let length = size.max(1).next_multiple_of(PAGE);
        self.spend(size, 1)?;
        let start = map_private(length)?;
        self.sites.insert(key, start);
        self.add_part(start..start + length);
        let block = Block { size: length, users: 1, site: Some(key), mappings: 1 };
        self.blocks.insert(start, block);
        Ok(start as *mut c_void)
    }

    /// A block for one rank, of which some parts are folded: `shared` holds where each starts and
    /// ends, in order. Parts are rounded inwards to whole pages.
    ///
    /// # Errors
    ///
    /// When `shared` is not in order, or the kernel has no memory or mapping left.
    pub fn partial_shared_malloc(
        &mut self,
        size: usize,
        shared: &[Range<usize>],
    ) -> Result<*mut c_void, FoldedError> {
        check_order(size, shared)?;
        let whole = |part: &Range<usize>| {
            let start = part.start.next_multiple_of(PAGE);
            start..(part.end / PAGE * PAGE).max(start)
        };
        let parts: Vec<_> = shared.iter().map(whole).filter(|part| !part.is_empty()).collect();
        let views: usize = parts.iter().map(|part| part.len().div_ceil(self.block)).sum();
        // Each folded part may leave a private one before it, and there may be one at the end.
        let mappings = views + parts.len() + 1;
        self.spend(size, mappings)?;
        let length = size.max(1).next_multiple_of(PAGE);
        let start = map_private(length)?;
        for part in &parts {
            if let Err(error) = self.fold(start + part.start..start + part.end) {
                unmap(start, length);
                return Err(error.into());
            }
        }
        for part in parts {
            self.add_part(start + part.start..start + part.end);
        }
        self.blocks.insert(start, Block { size: length, users: 1, site: None, mappings });
        Ok(start as *mut c_void)
    }

    /// Gives a block back, or one rank's share of it; false if the address is not of a block.
    pub fn free(&mut self, address: *mut c_void) -> bool {
        let start = address.addr();
        let Some(block) = self.blocks.get_mut(&start) else { return false };
        block.users -= 1;
        if block.users > 0 {
            return true;
        }
        if let Some(Block { size, site, mappings, .. }) = self.blocks.remove(&start) {
            if let Some(site) = site {
                self.sites.remove(&site);
            }
            self.parts.retain(|part| !(start..start + size).contains(&part.start));
            self.budget.left += mappings;
            unmap(start, size);
        }
        true
    }

    /// Whether all of `length` bytes from `address` are folded, so that copying them is idle.
    #[inline]
    pub fn is_folded(&self, address: usize, length: usize) -> bool {
        // Most memory is not folded, and lies above or below all that is.
        let (Some(first), Some(last)) = (self.parts.first(), self.parts.last()) else {
            return false;
        };
        if address < first.start || address >= last.end {
            return false;
        }
        let after = self.parts.partition_point(|part| part.end <= address);
        self.parts
            .get(after)
            .is_some_and(|part| part.start <= address && address.saturating_add(length) <= part.end)
    }

    /// Lays views of the small piece over a range.
    fn fold(&mut self, range: Range<usize>) -> io::Result<()> {
        let piece = piece(&mut self.piece, self.block)?;
        for start in range.clone().step_by(self.block) {
            let length = self.block.min(range.end - start);
            let access = libc::PROT_READ | libc::PROT_WRITE;
            let flags = libc::MAP_SHARED | libc::MAP_FIXED | libc::MAP_NORESERVE;
            // SAFETY: the range lies in a mapping that was just made and that nobody knows yet.
            let view = unsafe {
                libc::mmap(start as *mut c_void, length, access, flags, piece.as_raw_fd(), 0)
            };
            if view == libc::MAP_FAILED {
                return Err(io::Error::last_os_error());
            }
        }
        Ok(())
    }

    fn add_part(&mut self, part: Range<usize>) {
        let place = self.parts.partition_point(|other| other.start < part.start);
        self.parts.insert(place, part);
    }

    fn spend(&mut self, size: usize, needed: usize) -> Result<(), FoldedError> {
        if self.budget.spend(needed) {
            return Ok(());
        }
        let (free, limit) = (self.budget.left, mappings::limit());
        let advised = (limit + needed - free).div_ceil(10_000) * 10_000;
        Err(FoldedError::Mappings { size, block: self.block, needed, free, limit, advised })
    }
}

/// How many mappings are left, without asking the kernel each time: that takes milliseconds.
#[derive(Debug)]
struct Budget {
    left: usize,
    /// What was left when the kernel was last asked.
    seen: usize,
}

impl Budget {
    /// Takes `needed` mappings, or says that there are too few.
    fn spend(&mut self, needed: usize) -> bool {
        // Others make mappings too, so look again once half of what was seen is spent.
        if needed > self.left || self.left < self.seen / 2 || self.seen == 0 {
            self.left = mappings::free();
            self.seen = self.left;
        }
        let is_enough = needed <= self.left;
        self.left -= if is_enough { needed } else { 0 };
        is_enough
    }
}

fn check_order(size: usize, shared: &[Range<usize>]) -> Result<(), FoldedError> {
    let mut before = 0;
    for (index, &Range { start, end }) in shared.iter().enumerate() {
        if start < before || end < start || end > size {
            return Err(FoldedError::Offsets { index, start, end, size });
        }
        before = end;
    }
    Ok(())
}

/// The small piece of memory, made on first use.
fn piece(piece: &mut Option<File>, size: usize) -> io::Result<&File> {
    if piece.is_none() {
        // SAFETY: makes a file in memory.
        let descriptor = unsafe { libc::memfd_create(c"folded".as_ptr(), libc::MFD_CLOEXEC) };
        if descriptor < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the descriptor was just made and belongs to nobody else.
        let file = File::from(unsafe { OwnedFd::from_raw_fd(descriptor) });
        file.set_len(size as u64)?;
        *piece = Some(file);
    }
    piece.as_ref().ok_or_else(|| io::ErrorKind::NotFound.into())
}

fn map_private(length: usize) -> io::Result<usize> {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    let access = libc::PROT_READ | libc::PROT_WRITE;
    // SAFETY: a new mapping at an address of the kernel's choice touches nothing that exists.
    let start = unsafe { libc::mmap(ptr::null_mut(), length, access, flags, -1, 0) };
    if start == libc::MAP_FAILED { Err(io::Error::last_os_error()) } else { Ok(start.addr()) }
}

fn unmap(start: usize, length: usize) {
    // SAFETY: the range is a block of ours that its last user gave back.
    unsafe { libc::munmap(start as *mut c_void, length) };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(address: usize, value: u8) {
        // SAFETY: tests write to blocks that they hold.
        unsafe { (address as *mut u8).write_volatile(value) };
    }

    fn read(address: usize) -> u8 {
        // SAFETY: as above.
        unsafe { (address as *const u8).read_volatile() }
    }

    #[test]
    fn ranks_that_ask_at_one_site_share_a_block() {
        let mut folded = Folded::default();
        let a = folded.shared_malloc(10_000, 1).unwrap();
        let b = folded.shared_malloc(10_000, 1).unwrap();
        let c = folded.shared_malloc(10_000, 2).unwrap();
        assert_eq!(a, b);
        assert_ne!(a, c);
        assert!(folded.is_folded(a.addr(), 10_000));
        assert!(folded.free(a) && folded.free(b));
        assert!(!folded.free(a), "given back twice");
        assert!(!folded.is_folded(a.addr(), 1));
    }

    #[test]
    fn only_the_shared_parts_are_folded() {
        let mut folded = Folded::new(2 * PAGE);
        let shared = [3 * PAGE..9 * PAGE, 10 * PAGE + 1..12 * PAGE];
        let start = folded.partial_shared_malloc(13 * PAGE, &shared).unwrap().addr();
        write(start, 1);
        write(start + 3 * PAGE, 2);
        assert_eq!(read(start), 1);
        assert_eq!(read(start + 5 * PAGE), 2, "two pages on it is the same memory");
        assert_eq!(read(start + 11 * PAGE), 2, "another part, the same memory");
        write(start + 9 * PAGE, 7);
        assert_eq!(read(start + 3 * PAGE), 2, "the private part is not");
        assert!(folded.is_folded(start + 3 * PAGE, 6 * PAGE));
        assert!(!folded.is_folded(start + 3 * PAGE, 6 * PAGE + 1));
        assert!(!folded.is_folded(start + 10 * PAGE + 1, 1), "rounded inwards");
        assert!(!folded.is_folded(start, PAGE));
        assert!(folded.free(start as *mut c_void));
    }

    #[test]
    fn a_block_larger_than_memory_costs_little() {
        let mut folded = Folded::default();
        let size = 4 << 30;
        let all = 0..size;
        let start = folded.partial_shared_malloc(size, &[all]).unwrap().addr();
        for place in (0..size).step_by(1 << 20) {
            write(start + place, 1);
        }
        assert_eq!(read(start + size - (1 << 20)), 1);
    }

    #[test]
    fn too_many_views_are_refused_with_what_to_change() {
        let mut folded = Folded::new(PAGE);
        let size = 1 << 40;
        let all = 0..size;
        let error = folded.partial_shared_malloc(size, &[all]).unwrap_err();
        let text = error.to_string();
        assert!(text.contains("blocks of 4096 bytes"), "{text}");
        assert!(text.contains("vm.max_map_count"), "{text}");
    }

    #[test]
    fn parts_out_of_order_are_refused() {
        let mut folded = Folded::default();
        let shared = [5..9, 7..8];
        let error = folded.partial_shared_malloc(100, &shared).unwrap_err();
        assert!(matches!(error, FoldedError::Offsets { index: 1, .. }), "{error}");
    }
}
