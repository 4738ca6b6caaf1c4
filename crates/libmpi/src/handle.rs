//! Handles of objects that programs make: numbers that look like pointers to C.
//!
//! A handle is a slot and the generation of what is in it, so that a handle used after its object
//! was freed is found out. Slots begin above the numbers that the ABI reserves.

use crate::abi::Handle;
use crate::rank::RankContext;

/// The first number that is not reserved for predefined objects.
const FIRST: usize = 0x1000;

/// Objects of one kind, by handle.
#[derive(Debug)]
pub(crate) struct Table<T> {
    slots: Vec<Slot<T>>,
    free: Vec<u32>,
}

#[derive(Debug)]
struct Slot<T> {
    generation: u32,
    value: Option<T>,
    /// The return address of the call that freed what was here before.
    freed_at: usize,
}

impl<T> Table<T> {
    pub(crate) const fn new() -> Self {
        Self { slots: Vec::new(), free: Vec::new() }
    }

    /// Keeps an object and gives its handle.
    pub(crate) fn insert(&mut self, value: T) -> Handle {
        let slot = match self.free.pop() {
            Some(slot) => {
                self.slots[slot as usize].value = Some(value);
                slot
            }
            None => {
                self.slots.push(Slot { generation: 0, value: Some(value), freed_at: 0 });
                self.slots.len() as u32 - 1
            }
        };
        (self.slots[slot as usize].generation as usize) << 32 | (slot as usize + FIRST)
    }

    /// The object of a handle, unless it was freed or never was.
    pub(crate) fn get(&self, handle: Handle) -> Option<&T> {
        let slot = self.slots.get((handle & 0xFFFF_FFFF).wrapping_sub(FIRST))?;
        if slot.generation as usize != handle >> 32 {
            return None;
        }
        slot.value.as_ref()
    }

    /// The object of a handle, to be changed.
    pub(crate) fn get_mut(&mut self, handle: Handle) -> Option<&mut T> {
        let slot = self.slots.get_mut((handle & 0xFFFF_FFFF).wrapping_sub(FIRST))?;
        if slot.generation as usize != handle >> 32 {
            return None;
        }
        slot.value.as_mut()
    }

    /// Lets `f` at every object.
    pub(crate) fn each_mut(&mut self, f: impl FnMut(&mut T)) {
        self.slots.iter_mut().filter_map(|slot| slot.value.as_mut()).for_each(f);
    }

    /// Takes the object out: its handle is worth nothing any more.
    pub(crate) fn remove(&mut self, handle: Handle) -> Option<T> {
        let at = (handle & 0xFFFF_FFFF).wrapping_sub(FIRST);
        let slot = self.slots.get_mut(at)?;
        if slot.generation as usize != handle >> 32 {
            return None;
        }
        let value = slot.value.take()?;
        slot.freed_at = RankContext::peek().map_or(0, |here| here.caller.get());
        // Bit 31 stays clear, so that a handle is never negative as a number.
        slot.generation = (slot.generation + 1) & 0x7FFF_FFFF;
        self.free.push(at as u32);
        Some(value)
    }

    /// Where an object was freed, as a return address, unless its slot was freed again since.
    pub(crate) fn freed_at(&self, handle: Handle) -> Option<usize> {
        let slot = self.slots.get((handle & 0xFFFF_FFFF).wrapping_sub(FIRST))?;
        let is_next = slot.generation as usize == (handle >> 32) + 1;
        is_next.then_some(slot.freed_at)
    }

    /// The handle of what is in a slot now, by the low half of a handle: what Fortran keeps.
    pub(crate) fn current(&self, low: u32) -> Option<Handle> {
        let slot = self.slots.get((low as usize).wrapping_sub(FIRST))?;
        slot.value.as_ref()?;
        Some((slot.generation as usize) << 32 | low as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_freed_handle_is_found_out_even_when_its_slot_is_used_again() {
        let mut table = Table::new();
        let first = table.insert("a");
        assert_eq!(table.remove(first), Some("a"));
        let second = table.insert("b");
        assert_ne!(first, second);
        assert_eq!((table.get(first), table.get(second)), (None, Some(&"b")));
        assert_eq!(table.remove(first), None);
    }

    #[test]
    fn the_low_half_of_a_handle_finds_what_is_there_now() {
        let mut table = Table::new();
        let first = table.insert("a");
        assert_eq!(table.current(first as u32), Some(first));
        table.remove(first);
        assert_eq!(table.current(first as u32), None);
        let second = table.insert("b");
        assert_eq!(table.current(first as u32), Some(second));
    }

    #[test]
    fn reserved_numbers_are_nobodys() {
        let mut table = Table::new();
        assert!(table.insert(1) >= FIRST);
        assert_eq!(table.get(0x101), None);
        assert_eq!(table.get(0), None);
    }
}
