//! Numbered slots that are reused: what messages and requests live in.

use foretell_kernel::{FreeSlots, near};

/// A growing array whose freed slots are taken again.
#[derive(Debug)]
pub(crate) struct Slab<T> {
    slots: Vec<T>,
    free: FreeSlots,
}

impl<T> Default for Slab<T> {
    fn default() -> Self {
        Self { slots: Vec::new(), free: FreeSlots::default() }
    }
}

impl<T> Slab<T> {
    // Where it is called, the value is made in its place.
    #[inline(always)]
    pub(crate) fn insert(&mut self, value: T) -> u32 {
        match self.free.pop(self.slots.len()) {
            Some(slot) => {
                self.slots[slot as usize] = value;
                if let Some(next) = self.free.upcoming() {
                    near::fetch(&self.slots[next as usize]);
                }
                slot
            }
            None => {
                self.slots.push(value);
                self.slots.len() as u32 - 1
            }
        }
    }

    /// Gives the slot back; its value stays until the slot is taken again.
    pub(crate) fn remove(&mut self, slot: u32) {
        self.free.push(slot);
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &T)> {
        self.slots.iter().enumerate().map(|(slot, value)| (slot as u32, value))
    }
}

impl<T> std::ops::Index<u32> for Slab<T> {
    type Output = T;

    fn index(&self, slot: u32) -> &T {
        &self.slots[slot as usize]
    }
}

impl<T> std::ops::IndexMut<u32> for Slab<T> {
    fn index_mut(&mut self, slot: u32) -> &mut T {
        &mut self.slots[slot as usize]
    }
}

impl Slab<crate::request::WaitGroup> {
    /// A free group whose list of completions keeps its memory.
    pub(crate) fn insert_reused(&mut self) -> u32 {
        match self.free.pop(self.slots.len()) {
            Some(slot) => {
                self.slots[slot as usize].completed.clear();
                slot
            }
            None => self.insert(crate::request::WaitGroup::default()),
        }
    }
}
