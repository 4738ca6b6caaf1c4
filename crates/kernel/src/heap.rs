//! An indexed 4-ary heap of dated events: an event can be moved or withdrawn where it stands.
//!
//! Flow-level sharing moves completion dates all the time, most of them several times before
//! they happen. A heap that can only push and pop would fill up with dead entries; this one keeps
//! for every event id its place in the heap, so that [`EventHeap::schedule`] moves it in
//! O(log n). Four children per node make the tree half as deep as a binary one, and siblings
//! share a cache line.

const ABSENT: u32 = u32::MAX;

/// Dated events, at most one for each id, popped by date; equal dates in order of scheduling.
#[derive(Debug, Default)]
pub struct EventHeap {
    items: Vec<Item>,
    /// Where each id stands in `items`.
    place: Vec<u32>,
    sequence: u32,
}

#[derive(Debug, Clone, Copy)]
struct Item {
    /// Dates are never negative, so their bits order like the numbers and compare as integers.
    date: u64,
    sequence: u32,
    id: u32,
}

impl Item {
    fn before(&self, other: &Item) -> bool {
        (self.date, self.sequence) < (other.date, other.sequence)
    }
}

impl EventHeap {
    /// Sets the date of event `id`, whether or not it is already scheduled.
    ///
    /// # Panics
    ///
    /// Panics if `date` is negative or not a number.
    pub fn schedule(&mut self, id: u32, date: f64) {
        assert!(date >= 0.0, "an event needs a date that is not negative, got {date}");
        self.sequence = self.sequence.wrapping_add(1);
        // Adding zero turns a negative zero, whose bits would sort last, into zero.
        let item = Item { date: (date + 0.0).to_bits(), sequence: self.sequence, id };
        if self.place.len() <= id as usize {
            self.place.resize(id as usize + 1, ABSENT);
        }
        match self.place[id as usize] {
            ABSENT => {
                self.items.push(item);
                self.rise(self.items.len() - 1, item);
            }
            at if item.before(&self.items[at as usize]) => self.rise(at as usize, item),
            at => self.sink(at as usize, item),
        }
    }

    /// Withdraws event `id` if it is scheduled.
    pub fn withdraw(&mut self, id: u32) {
        let Some(at) = self.place.get(id as usize).copied().filter(|at| *at != ABSENT) else {
            return;
        };
        self.place[id as usize] = ABSENT;
        let last = self.items.pop().expect("a placed event is in the heap");
        if last.id == id {
            return;
        }
        let at = at as usize;
        if at > 0 && last.before(&self.items[(at - 1) / 4]) {
            self.rise(at, last);
        } else {
            self.sink(at, last);
        }
    }

    /// The earliest event, as `(date, id)`.
    pub fn first(&self) -> Option<(f64, u32)> {
        self.items.first().map(|item| (f64::from_bits(item.date), item.id))
    }

    /// Takes the earliest event out.
    pub fn pop(&mut self) -> Option<(f64, u32)> {
        let first = self.first()?;
        self.withdraw(first.1);
        Some(first)
    }

    /// How many events are scheduled.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether no event is scheduled.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Whether event `id` is scheduled.
    pub fn contains(&self, id: u32) -> bool {
        self.place.get(id as usize).is_some_and(|at| *at != ABSENT)
    }

    fn rise(&mut self, mut at: usize, item: Item) {
        while at > 0 {
            let parent = (at - 1) / 4;
            if !item.before(&self.items[parent]) {
                break;
            }
            self.put(at, self.items[parent]);
            at = parent;
        }
        self.put(at, item);
    }

    fn sink(&mut self, mut at: usize, item: Item) {
        loop {
            let first_child = 4 * at + 1;
            let Some(children) =
                self.items.get(first_child..self.items.len().min(first_child + 4))
            else {
                break;
            };
            let mut least = 0;
            for i in 1..children.len() {
                if children[i].before(&children[least]) {
                    least = i;
                }
            }
            if children.is_empty() || !children[least].before(&item) {
                break;
            }
            self.put(at, self.items[first_child + least]);
            at = first_child + least;
        }
        self.put(at, item);
    }

    fn put(&mut self, at: usize, item: Item) {
        self.items[at] = item;
        self.place[item.id as usize] = at as u32;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn equal_dates_come_out_in_order_of_scheduling() {
        let mut heap = EventHeap::default();
        for id in [5, 3, 9, 1] {
            heap.schedule(id, 2.0);
        }
        let order: Vec<u32> = std::iter::from_fn(|| heap.pop()).map(|(_, id)| id).collect();
        assert_eq!(order, [5, 3, 9, 1]);
    }

    #[test]
    fn a_moved_event_comes_out_at_its_new_date() {
        let mut heap = EventHeap::default();
        heap.schedule(0, 1.0);
        heap.schedule(1, 2.0);
        heap.schedule(0, 3.0);
        assert_eq!(heap.pop(), Some((2.0, 1)));
        assert_eq!(heap.pop(), Some((3.0, 0)));
        assert_eq!(heap.pop(), None);
    }

    proptest! {
        /// Against a sorted list: any mix of scheduling, moving, withdrawing and popping.
        #[test]
        fn behaves_like_a_sorted_list(steps in prop::collection::vec((0u8..4, 0u32..40, 0u32..50), 0..400)) {
            let mut heap = EventHeap::default();
            let mut list: Vec<(f64, usize, u32)> = Vec::new();
            for (now, (step, id, date)) in steps.into_iter().enumerate() {
                match step {
                    0 | 1 => {
                        heap.schedule(id, f64::from(date));
                        list.retain(|entry| entry.2 != id);
                        list.push((f64::from(date), now, id));
                        list.sort_by(|a, b| a.partial_cmp(b).unwrap());
                    }
                    2 => {
                        heap.withdraw(id);
                        list.retain(|entry| entry.2 != id);
                    }
                    _ => {
                        let expected = (!list.is_empty()).then(|| list.remove(0));
                        prop_assert_eq!(heap.pop(), expected.map(|(date, _, id)| (date, id)));
                    }
                }
                prop_assert_eq!(heap.len(), list.len());
            }
        }
    }
}
