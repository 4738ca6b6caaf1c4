//! Slots in the order of their dates.
//!
//! A slot gets its place when it begins, so that nothing has to be sorted, and goes when it is
//! complete and all before it have gone. Slots that are in the way of too many others are put
//! aside, and those that are told of only when they are over come late; both go with others that
//! are sorted again (`runs.rs`).

use std::collections::BTreeMap;

use foretell_near as near;

use super::print::Printer;
use super::slot::{NONE, Slot, Texts};

/// How many slots ahead memory is asked for.
const AHEAD: u64 = 6;

/// Numbers from here on are of slots that came late.
const LATE: u64 = 1 << 63;

/// A message that has come.
#[derive(Debug, Clone, Copy)]
pub(super) struct Came {
    pub(super) departed: u64,
    pub(super) posted: u64,
    pub(super) arrived: u64,
    pub(super) bytes: u64,
    pub(super) to: u32,
    pub(super) tag: u32,
}

/// Slots that have not gone.
#[derive(Debug, Default)]
pub(super) struct Queue {
    slots: Ring,
    /// Those from before them that are not complete.
    aside: BTreeMap<u64, Slot>,
    /// Those that came late.
    late: Vec<Slot>,
    texts: Texts,
    messages: Messages,
}

impl Queue {
    /// How many slots there are in a row.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.slots.count
    }

    /// Whether there is none, not counting those that came late.
    pub(super) fn is_empty(&self) -> bool {
        self.slots.count == 0 && self.aside.is_empty()
    }

    /// How many came late.
    pub(super) fn late(&self) -> usize {
        self.late.len()
    }

    /// A rank begins something now; gives the number of its slot.
    #[inline]
    pub(super) fn open(&mut self, rank: u32, now: u64) -> u64 {
        self.slots.push(Slot::new(rank, now))
    }

    /// The same for what is told later than it began.
    pub(super) fn open_late(&mut self, rank: u32, begin: u64) -> u64 {
        self.late.push(Slot::new(rank, begin));
        LATE + self.late.len() as u64 - 1
    }

    /// A slot that has not gone, with the words of all.
    #[inline(always)]
    pub(super) fn slot(&mut self, number: u64) -> (&mut Slot, &mut Texts) {
        let slot = match self.slots.get_mut(number) {
            Some(slot) => slot,
            None => far(&mut self.aside, &mut self.late, number),
        };
        (slot, &mut self.texts)
    }

    /// A message that was sent in a slot has come.
    #[inline]
    pub(super) fn deliver(&mut self, number: u64, came: Came) {
        let message = self.messages.add(came);
        let (slot, _) = self.slot(number);
        slot.awaits -= 1;
        let newest = std::mem::replace(&mut slot.newest, message);
        self.messages.link(newest, message);
    }

    /// Prints slots that are complete, up to the first that is not; tells the date of each.
    pub(super) fn go(&mut self, printer: &mut Printer, mut printed: impl FnMut(u64, &mut Printer)) {
        let Self { slots, messages, texts, .. } = self;
        while let Some(slot) = slots.get(slots.first).filter(|slot| slot.awaits == 0) {
            if let Some(later) = slots.get(slots.first + AHEAD) {
                messages.foresee(later.newest);
            }
            messages.print(slot, texts, printer);
            printed(slot.begin, printer);
            slots.drop_first();
        }
    }

    /// Prints all slots that are complete and puts the others aside; at the end all of them are as
    /// complete as they will be.
    pub(super) fn clear(
        &mut self,
        is_end: bool,
        printer: &mut Printer,
        mut printed: impl FnMut(u64, &mut Printer),
    ) {
        let Self { slots, messages, texts, .. } = self;
        let aside = std::mem::take(&mut self.aside).into_iter();
        for (number, slot) in aside.chain(std::iter::from_fn(|| slots.take_first())) {
            if slot.awaits == 0 || is_end {
                messages.print(&slot, texts, printer);
                printed(slot.begin, printer);
            } else {
                self.aside.insert(number, slot);
            }
        }
    }

    /// Prints the slots that came late.
    pub(super) fn clear_late(
        &mut self,
        printer: &mut Printer,
        mut printed: impl FnMut(u64, &mut Printer),
    ) {
        self.late.sort_by_key(|slot| slot.begin);
        for slot in self.late.drain(..) {
            self.messages.print(&slot, &mut self.texts, printer);
            printed(slot.begin, printer);
        }
    }
}

/// Slots in a row, each found by its number.
#[derive(Debug, Default)]
struct Ring {
    /// A power of two of them, or none; the place of a slot is its number, from the beginning again
    /// behind the last.
    places: Vec<Slot>,
    /// The number of the first, and how many there are.
    first: u64,
    count: usize,
}

impl Ring {
    #[inline]
    fn push(&mut self, slot: Slot) -> u64 {
        if self.count == self.places.len() {
            self.grow();
        }
        let number = self.first + self.count as u64;
        let at = self.place(number);
        self.places[at] = slot;
        self.count += 1;
        number
    }

    #[cold]
    fn grow(&mut self) {
        let mut places = vec![Slot::new(0, 0); (2 * self.count).max(64)];
        for number in self.first..self.first + self.count as u64 {
            let at = number as usize % places.len();
            places[at] = self.places[self.place(number)];
        }
        self.places = places;
    }

    #[inline(always)]
    fn place(&self, number: u64) -> usize {
        number as usize & self.places.len().wrapping_sub(1)
    }

    #[inline(always)]
    fn get(&self, number: u64) -> Option<&Slot> {
        let is_there = number.wrapping_sub(self.first) < self.count as u64;
        if is_there { self.places.get(self.place(number)) } else { None }
    }

    #[inline(always)]
    fn get_mut(&mut self, number: u64) -> Option<&mut Slot> {
        let is_there = number.wrapping_sub(self.first) < self.count as u64;
        let at = self.place(number);
        if is_there { self.places.get_mut(at) } else { None }
    }

    #[inline]
    fn drop_first(&mut self) {
        self.first += 1;
        self.count -= 1;
    }

    fn take_first(&mut self) -> Option<(u64, Slot)> {
        let (number, slot) = (self.first, *self.get(self.first)?);
        self.drop_first();
        Some((number, slot))
    }
}

/// A slot that is not in its place any more.
#[cold]
#[inline(never)]
fn far<'a>(aside: &'a mut BTreeMap<u64, Slot>, late: &'a mut [Slot], number: u64) -> &'a mut Slot {
    match number.checked_sub(LATE) {
        Some(at) => &mut late[at as usize],
        None => aside.get_mut(&number).expect("a slot that waits for something is kept"),
    }
}

/// Messages that have come, of slots that have not gone. Those of a slot are a circle, in which the
/// newest is followed by the oldest.
#[derive(Debug, Default)]
struct Messages {
    all: Vec<(Came, u32)>,
    free: Vec<u32>,
}

impl Messages {
    #[inline]
    fn add(&mut self, came: Came) -> u32 {
        match self.free.pop() {
            Some(at) => {
                self.all[at as usize] = (came, at);
                at
            }
            None => {
                let at = self.all.len() as u32;
                self.all.push((came, at));
                at
            }
        }
    }

    /// One becomes the newest of those that another was the newest of.
    #[inline]
    fn link(&mut self, former: u32, newest: u32) {
        if former != NONE {
            let oldest = std::mem::replace(&mut self.all[former as usize].1, newest);
            self.all[newest as usize].1 = oldest;
        }
    }

    #[inline]
    fn foresee(&self, message: u32) {
        if let Some(message) = self.all.get(message as usize) {
            near::fetch(message);
        }
    }

    /// Prints a slot, which is gone then.
    #[inline]
    fn print(&mut self, slot: &Slot, texts: &mut Texts, printer: &mut Printer) {
        printer.print(slot, slot.words(texts));
        slot.free(texts);
        if slot.newest == NONE {
            return;
        }
        let mut at = self.all[slot.newest as usize].1;
        loop {
            let (came, next) = &self.all[at as usize];
            printer.message(slot.rank, slot.begin, came);
            self.free.push(at);
            if at == slot.newest {
                break;
            }
            at = *next;
        }
    }
}
