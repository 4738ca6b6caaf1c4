//! Stacks for ranks, all cut from one reservation of address space.
//!
//! A mapping for each stack would end at about 32,000 ranks (`vm.max_map_count`). Here the
//! kernel sees one mapping; pages become real when a rank first touches them, so a stack that
//! nobody has used costs nothing. Stacks given back are handed out again, the latest first: its
//! pages are in the cache.

mod guard;

use std::cell::{Cell, RefCell};
use std::io;
use std::num::NonZeroUsize;
use std::ptr;
use std::rc::Rc;

use corosensei::stack::{Stack as CoroutineStack, StackPointer};

use crate::error::RanksError;
use crate::settings::GuardChoice;

pub(crate) use guard::Guard;

/// Smallest unit of memory that the kernel protects.
pub(crate) const PAGE: usize = 4096;

/// Bytes that one page of the page table covers.
const TABLE_SPAN: usize = 2 << 20;

/// How many places the top of a stack may have, 64 bytes apart.
///
/// Tops at equal distances would all compete for the same few lines of the first-level cache.
/// Half a page of places takes most of the gain and leaves half a page for frames, so that a
/// rank parked in a shallow call keeps one page.
const COLOURS: usize = 32;

/// All stacks of a run.
#[derive(Debug)]
pub(crate) struct Arena {
    start: usize,
    length: usize,
    /// Where the first slot starts: not on a boundary of page tables, see [`first_slot`].
    first: usize,
    guard_size: usize,
    stack_size: usize,
    count: u32,
    guards: Vec<Guard>,
    /// Slots below this one have been used before and have their guards.
    fresh: Cell<u32>,
    free: RefCell<Vec<u32>>,
}

impl Arena {
    /// Reserves `count` stacks of `stack_size` usable bytes, leaving `others` mappings free.
    pub(crate) fn new(
        count: u32,
        stack_size: usize,
        choice: GuardChoice,
        others: usize,
    ) -> Result<Rc<Arena>, RanksError> {
        let stack_size = stack_size.max(2 * PAGE).next_multiple_of(PAGE);
        // Wide enough that a frame with a large array seldom steps over it.
        let guard_size = (stack_size / 4).clamp(PAGE, 16 * PAGE).next_multiple_of(PAGE);
        let guards = guard::plan(choice, count, others)?;
        let length = (guard_size + stack_size) * count as usize + 2 * TABLE_SPAN;
        let start = reserve(length).map_err(|source| RanksError::AddressSpace {
            count,
            stack: stack_size / 1024,
            gib: length as f64 / f64::from(1 << 30),
            source,
        })?;
        Ok(Rc::new(Arena {
            start,
            length,
            first: first_slot(start),
            guard_size,
            stack_size,
            count,
            guards,
            fresh: Cell::new(0),
            free: RefCell::default(),
        }))
    }

    /// Takes a stack, or none if all are in use.
    pub(crate) fn take(self: &Rc<Self>) -> Result<Option<Stack>, RanksError> {
        let used = self.free.borrow_mut().pop();
        let slot = match used {
            Some(slot) => slot,
            None if self.fresh.get() == self.count => return Ok(None),
            None => {
                let slot = self.fresh.get();
                self.guard(slot).install(self.low(slot), self.guard_size)?;
                self.fresh.set(slot + 1);
                slot
            }
        };
        if self.guard(slot) == Guard::Canary {
            guard::write_canary(self.low(slot) + self.guard_size);
        }
        let colour = slot as usize % COLOURS * 64;
        let base = self.low(slot) + self.guard_size + self.stack_size - colour;
        Ok(Some(Stack { arena: Rc::clone(self), slot, base }))
    }

    /// How many stacks the arena has.
    pub(crate) fn count(&self) -> u32 {
        self.count
    }

    fn guard(&self, slot: u32) -> Guard {
        // The plan is a few runs of equal guards at most: the last entry holds for the rest.
        self.guards.get(slot as usize).or(self.guards.last()).copied().unwrap_or(Guard::Canary)
    }

    /// The lowest address of a slot, which is its guard.
    fn low(&self, slot: u32) -> usize {
        self.first + slot as usize * (self.guard_size + self.stack_size)
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        // SAFETY: the reservation is ours, and stacks hold the arena alive.
        unsafe { libc::munmap(self.start as *mut libc::c_void, self.length) };
    }
}

/// One stack, given back to its arena when dropped.
#[derive(Debug)]
pub(crate) struct Stack {
    arena: Rc<Arena>,
    slot: u32,
    /// Where the stack starts, colour included; read at each switch.
    base: usize,
}

impl Stack {
    /// Where the stack lies, for recognising an overflow.
    pub(crate) fn bounds(&self) -> Bounds {
        let low = self.arena.low(self.slot);
        Bounds {
            guard: low,
            limit: low + self.arena.guard_size,
            base: low + self.arena.guard_size + self.arena.stack_size,
            has_canary: self.arena.guard(self.slot) == Guard::Canary,
        }
    }
}

impl Drop for Stack {
    fn drop(&mut self) {
        self.arena.free.borrow_mut().push(self.slot);
    }
}

// SAFETY: base and limit are aligned to 16 bytes, lie within one slot of the reservation, and at
// least one page lies between them; below the usable part there is a guard, or the user accepted
// a canary instead.
unsafe impl CoroutineStack for Stack {
    #[inline]
    fn base(&self) -> StackPointer {
        NonZeroUsize::new(self.base).expect("a mapping never starts at address zero")
    }

    fn limit(&self) -> StackPointer {
        NonZeroUsize::new(self.bounds().guard).expect("a mapping never starts at address zero")
    }
}

/// The addresses of one stack: `guard <= limit < base`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Bounds {
    /// Lowest address of the guard.
    pub(crate) guard: usize,
    /// Lowest usable address.
    pub(crate) limit: usize,
    /// One past the highest address.
    pub(crate) base: usize,
    /// Whether the lowest words must be checked, because nothing guards the stack.
    pub(crate) has_canary: bool,
}

impl Bounds {
    /// Bounds of a stack that is not ours and is never checked: the main stack of the process.
    pub(crate) const NONE: Bounds = Bounds { guard: 0, limit: 0, base: 0, has_canary: false };

    /// Whether an access to `address` is what a stack overflow looks like.
    pub(crate) fn overflowed_at(&self, address: usize) -> bool {
        (self.guard..self.limit).contains(&address)
    }

    /// Whether the rank on this stack has stayed within it, as far as a canary can tell.
    pub(crate) fn is_intact(&self) -> bool {
        !self.has_canary || guard::canary_lives(self.limit)
    }

    /// Usable bytes.
    pub(crate) fn size(&self) -> usize {
        self.base - self.limit
    }
}

fn reserve(length: usize) -> io::Result<usize> {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | libc::MAP_STACK;
    let access = libc::PROT_READ | libc::PROT_WRITE;
    // SAFETY: a new mapping at an address of the kernel's choice touches nothing that exists.
    let start = unsafe { libc::mmap(ptr::null_mut(), length, access, flags, -1, 0) };
    if start == libc::MAP_FAILED {
        return Err(io::Error::last_os_error());
    }
    // A huge page per stack top would cost 2 MiB a rank. Kernels without huge pages refuse: fine.
    // SAFETY: the range was just mapped and is ours.
    unsafe { libc::madvise(start, length, libc::MADV_NOHUGEPAGE) };
    Ok(start as usize)
}

/// Where the first slot starts: in the middle of what one page of the page table covers.
///
/// The guard of a slot touches the top of the slot below. Were slots aligned to page tables, as
/// stacks of 2 MiB and more would be, each guard would need a page table of its own.
fn first_slot(start: usize) -> usize {
    start.next_multiple_of(TABLE_SPAN) + TABLE_SPAN / 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stacks_do_not_overlap_and_are_aligned() {
        let arena = Arena::new(3, 10_000, GuardChoice::Sure, 0).unwrap();
        let stacks: Vec<_> = (0..3).map(|_| arena.take().unwrap().unwrap()).collect();
        for pair in stacks.windows(2) {
            assert!(pair[0].bounds().base <= pair[1].bounds().guard);
        }
        for stack in &stacks {
            assert_eq!(stack.base().get() % 16, 0);
            assert!(stack.bounds().size() >= 10_000);
        }
        assert!(arena.take().unwrap().is_none());
    }

    #[test]
    fn the_stack_given_back_last_is_taken_first() {
        let arena = Arena::new(2, 65_536, GuardChoice::Sure, 0).unwrap();
        let (a, b) = (arena.take().unwrap().unwrap(), arena.take().unwrap().unwrap());
        let (place_a, place_b) = (a.bounds(), b.bounds());
        drop(b);
        drop(a);
        let again = [arena.take().unwrap().unwrap(), arena.take().unwrap().unwrap()];
        assert_eq!(again.map(|stack| stack.bounds()), [place_a, place_b]);
    }

    #[test]
    fn more_ranks_than_mappings_are_refused_unless_canaries_are_accepted() {
        let error = Arena::new(10_000_000, 8192, GuardChoice::Pages, 0).unwrap_err();
        assert!(matches!(error, RanksError::Mappings { .. }), "{error}");
        let arena = Arena::new(200_000, 65_536, GuardChoice::Canary, 0).unwrap();
        let stack = arena.take().unwrap().unwrap();
        assert!(stack.bounds().is_intact());
        // SAFETY: the lowest word of a stack that nobody runs on.
        unsafe { (stack.bounds().limit as *mut u64).write(0) };
        assert!(!stack.bounds().is_intact());
    }

    #[test]
    fn a_million_stacks_can_be_reserved() {
        let arena = Arena::new(1_000_000, 65_536, GuardChoice::CanaryAccepted, 0).unwrap();
        assert_eq!(arena.count(), 1_000_000);
    }
}
