//! Dated events that can be moved or withdrawn: an indexed 4-ary heap of dates.
//!
//! Flow-level sharing moves completion dates all the time, most of them several times before
//! they happen. A heap that can only push and pop would fill up with dead entries; this one knows
//! where each event stands, so that [`EventHeap::schedule`] moves it in O(log n). Four children
//! per node make the tree half as deep as a binary one, and siblings share a cache line.
//!
//! In regular programs thousands of events fall on the very same date. They are kept as one list,
//! and the heap holds the list: scheduling one more event at a date just used costs a few writes.
//! Events that come in the order of their dates anyway have a queue of their own.

mod lane;

use lane::Lane;

const NONE: u32 = u32::MAX;
/// Stands for the bucket of an event that is in the lane; its place there is told by its sequence.
const LANE: u32 = NONE - 1;

/// Dated events, at most one for each id, popped by date; equal dates in order of scheduling.
#[derive(Debug)]
pub struct EventHeap {
    /// The heap proper: one entry for each bucket.
    items: Vec<Item>,
    buckets: Vec<Bucket>,
    free: Vec<u32>,
    /// For each event id: its bucket, and its neighbours there.
    links: Vec<Link>,
    lane: Lane,
    /// The buckets last used, latest first: where the next event probably belongs.
    recent: [u32; 2],
    sequence: u32,
    count: usize,
}

/// Date, sequence and bucket in one number, so that comparing two takes no branch that the
/// processor could guess wrong. Dates are never negative: their bits order like the numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Item(u128);

/// Events of one date, in order of scheduling.
#[derive(Debug, Clone, Copy)]
struct Bucket {
    date: u64,
    head: u32,
    tail: u32,
    /// Where the bucket stands in the heap.
    place: u32,
}

#[derive(Debug, Clone, Copy)]
struct Link {
    bucket: u32,
    before: u32,
    after: u32,
}

impl Default for EventHeap {
    fn default() -> Self {
        Self {
            items: Vec::new(),
            buckets: Vec::new(),
            free: Vec::new(),
            links: Vec::new(),
            lane: Lane::default(),
            recent: [NONE; 2],
            sequence: 0,
            count: 0,
        }
    }
}

impl Item {
    fn new(date: u64, sequence: u32, bucket: u32) -> Self {
        Self(u128::from(date) << 64 | u128::from(sequence) << 32 | u128::from(bucket))
    }

    fn date(self) -> f64 {
        f64::from_bits(self.bits())
    }

    fn bits(self) -> u64 {
        (self.0 >> 64) as u64
    }

    fn sequence(self) -> u32 {
        (self.0 >> 32) as u32
    }

    fn bucket(self) -> u32 {
        self.0 as u32
    }

    /// Of an item in the lane.
    fn event(self) -> u32 {
        self.0 as u32
    }
}

impl Link {
    /// Whether it is that of an event that stands there in the lane.
    fn is_in_lane(self, entry: Item) -> bool {
        self.bucket == LANE && self.before == entry.sequence()
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
        // Adding zero turns a negative zero, whose bits would sort last, into zero.
        let date = (date + 0.0).to_bits();
        self.make_link(id);
        let current = self.links[id as usize].bucket;
        if let Some(bucket) = self.recent_bucket(date) {
            // An event that is alone at this date already stands where it should.
            if bucket != current || self.buckets[bucket as usize].tail != id {
                self.withdraw(id);
                self.append(id, bucket);
            }
        } else if current < LANE && self.is_alone(id) {
            self.move_bucket(current, date);
        } else {
            self.withdraw(id);
            self.schedule_alone(id, date);
        }
    }

    /// The same for an event that is probably later than all others of its kind.
    ///
    /// # Panics
    ///
    /// Panics if `date` is negative or not a number.
    pub fn schedule_in_order(&mut self, id: u32, date: f64) {
        let bits = (date + 0.0).to_bits();
        self.make_link(id);
        if self.links[id as usize].bucket != NONE || !self.lane.takes(bits) {
            return self.schedule(id, date);
        }
        assert!(date >= 0.0, "an event needs a date that is not negative, got {date}");
        self.count += 1;
        self.sequence = self.sequence.wrapping_add(1);
        self.links[id as usize] = Link { bucket: LANE, before: self.sequence, after: NONE };
        self.lane.push(Item::new(bits, self.sequence, id));
    }

    #[inline]
    fn make_link(&mut self, id: u32) {
        if self.links.len() <= id as usize {
            let absent = Link { bucket: NONE, before: NONE, after: NONE };
            self.links.resize(id as usize + 1, absent);
        }
    }

    /// Withdraws event `id` if it is scheduled.
    pub fn withdraw(&mut self, id: u32) {
        let Some(&Link { bucket, before, after }) = self.links.get(id as usize) else { return };
        if bucket == NONE {
            return;
        }
        self.count -= 1;
        self.links[id as usize].bucket = NONE;
        if bucket == LANE {
            let is_first = self.lane.first().is_some_and(|first| first.sequence() == before);
            let links = &self.links;
            let is_there = |entry: &Item| links[entry.event() as usize].is_in_lane(*entry);
            return self.lane.withdraw(is_first, is_there);
        }
        match before {
            NONE => self.buckets[bucket as usize].head = after,
            before => self.links[before as usize].after = after,
        }
        match after {
            NONE => self.buckets[bucket as usize].tail = before,
            after => self.links[after as usize].before = before,
        }
        if self.buckets[bucket as usize].head == NONE {
            self.remove_bucket(bucket);
        }
    }

    /// The earliest event, as `(date, id)`.
    #[inline]
    pub fn first(&self) -> Option<(f64, u32)> {
        match (self.items.first(), self.lane.first()) {
            (Some(item), Some(entry)) if entry < *item => Some((entry.date(), entry.event())),
            (Some(item), _) => Some((item.date(), self.buckets[item.bucket() as usize].head)),
            (None, entry) => entry.map(|entry| (entry.date(), entry.event())),
        }
    }

    /// The event that comes after the earliest.
    pub(crate) fn second(&self) -> Option<u32> {
        let in_lane = |skipped: usize| {
            self.lane.iter().filter(|entry| self.is_there(**entry)).nth(skipped).copied()
        };
        let head = |item: Item| self.buckets[item.bucket() as usize].head;
        match (self.items.first(), self.lane.first()) {
            (Some(first), Some(entry)) if entry < *first => match in_lane(1) {
                Some(next) if next < *first => Some(next.event()),
                _ => Some(head(*first)),
            },
            (Some(first), entry) => match self.links[head(*first) as usize].after {
                NONE => match (self.items[1..self.items.len().min(5)].iter().min(), entry) {
                    (Some(item), Some(entry)) if entry < *item => Some(entry.event()),
                    (Some(item), _) => Some(head(*item)),
                    (None, entry) => entry.map(Item::event),
                },
                after => Some(after),
            },
            (None, _) => in_lane(1).map(Item::event),
        }
    }

    /// Some of the events that come soon after the earliest, of those that are not in the lane.
    pub(crate) fn later(&self) -> impl Iterator<Item = u32> {
        let later = self.items.get(1..5).unwrap_or_default();
        later.iter().map(|item| self.buckets[item.bucket() as usize].head)
    }

    /// Whether an entry of the lane was not withdrawn.
    fn is_there(&self, entry: Item) -> bool {
        self.links[entry.event() as usize].is_in_lane(entry)
    }

    /// Takes the earliest event out.
    pub fn pop(&mut self) -> Option<(f64, u32)> {
        let (date, id) = self.first()?;
        self.withdraw(id);
        Some((date, id))
    }

    /// Takes the earliest event out if it comes before a date.
    #[inline]
    pub fn pop_before(&mut self, limit: f64) -> Option<u32> {
        match (self.items.first(), self.lane.first()) {
            (Some(item), Some(entry)) if entry < *item => self.pop_of_lane(entry, limit),
            (Some(item), _) => self.pop_of_bucket(*item, limit),
            (None, entry) => self.pop_of_lane(entry?, limit),
        }
    }

    #[inline]
    fn pop_of_lane(&mut self, entry: Item, limit: f64) -> Option<u32> {
        if entry.date() >= limit {
            return None;
        }
        self.count -= 1;
        self.links[entry.event() as usize].bucket = NONE;
        let links = &self.links;
        self.lane.withdraw(true, |entry| links[entry.event() as usize].is_in_lane(*entry));
        Some(entry.event())
    }

    #[inline]
    fn pop_of_bucket(&mut self, item: Item, limit: f64) -> Option<u32> {
        if item.date() >= limit {
            return None;
        }
        let bucket = &mut self.buckets[item.bucket() as usize];
        let id = bucket.head;
        let link = &mut self.links[id as usize];
        (link.bucket, bucket.head) = (NONE, link.after);
        self.count -= 1;
        match bucket.head {
            NONE => self.remove_bucket(item.bucket()),
            after => self.links[after as usize].before = NONE,
        }
        Some(id)
    }

    /// How many events are scheduled.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether no event is scheduled.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Whether event `id` is scheduled.
    pub fn contains(&self, id: u32) -> bool {
        self.links.get(id as usize).is_some_and(|link| link.bucket != NONE)
    }

    /// The latest bucket of this date, if it was used a moment ago. What is put into it must not
    /// come before an event of the lane that was there before.
    fn recent_bucket(&mut self, date: u64) -> Option<u32> {
        for bucket in self.recent {
            if let Some(state) = self.buckets.get(bucket as usize)
                && state.date == date
                && state.head != NONE
            {
                return (!self.lane.may_have(date)).then_some(bucket);
            }
        }
        None
    }

    fn is_alone(&self, id: u32) -> bool {
        let link = self.links[id as usize];
        link.before == NONE && link.after == NONE
    }

    fn append(&mut self, id: u32, bucket: u32) {
        self.count += 1;
        let tail = std::mem::replace(&mut self.buckets[bucket as usize].tail, id);
        self.links[tail as usize].after = id;
        self.links[id as usize] = Link { bucket, before: tail, after: NONE };
    }

    fn schedule_alone(&mut self, id: u32, date: u64) {
        self.count += 1;
        let place = self.items.len() as u32;
        let state = Bucket { date, head: id, tail: id, place };
        let bucket = match self.free.pop() {
            Some(bucket) => {
                self.buckets[bucket as usize] = state;
                bucket
            }
            None => {
                self.buckets.push(state);
                self.buckets.len() as u32 - 1
            }
        };
        self.links[id as usize] = Link { bucket, before: NONE, after: NONE };
        let item = self.fresh_item(bucket, date);
        self.items.push(item);
        self.rise(place as usize, item);
    }

    fn move_bucket(&mut self, bucket: u32, date: u64) {
        self.buckets[bucket as usize].date = date;
        let item = self.fresh_item(bucket, date);
        let at = self.buckets[bucket as usize].place as usize;
        if item < self.items[at] {
            self.rise(at, item);
        } else {
            self.sink(at, item);
        }
    }

    fn fresh_item(&mut self, bucket: u32, date: u64) -> Item {
        self.sequence = self.sequence.wrapping_add(1);
        if self.recent[0] != bucket {
            self.recent = [bucket, self.recent[0]];
        }
        Item::new(date, self.sequence, bucket)
    }

    fn remove_bucket(&mut self, bucket: u32) {
        let at = self.buckets[bucket as usize].place as usize;
        self.free.push(bucket);
        let last = self.items.pop().expect("a bucket in use is in the heap");
        if last.bucket() == bucket {
            return;
        }
        if at > 0 && last < self.items[(at - 1) / 4] {
            self.rise(at, last);
        } else {
            self.sink(at, last);
        }
    }

    fn rise(&mut self, mut at: usize, item: Item) {
        while at > 0 {
            let parent = (at - 1) / 4;
            if item >= self.items[parent] {
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
            let (least, child) = match self.items.get(first_child..) {
                Some(&[a, b, c, d, ..]) => {
                    let (x, left) = if b < a { (1, b) } else { (0, a) };
                    let (y, right) = if d < c { (3, d) } else { (2, c) };
                    if right < left { (y, right) } else { (x, left) }
                }
                Some(few) => match few.iter().enumerate().min_by_key(|(_, child)| **child) {
                    Some((least, child)) => (least, *child),
                    None => break,
                },
                None => break,
            };
            if child >= item {
                break;
            }
            self.put(at, child);
            at = first_child + least;
        }
        self.put(at, item);
    }

    fn put(&mut self, at: usize, item: Item) {
        self.items[at] = item;
        self.buckets[item.bucket() as usize].place = at as u32;
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

    #[test]
    fn events_in_order_mix_with_others() {
        let mut heap = EventHeap::default();
        heap.schedule_in_order(0, 1.0);
        heap.schedule_in_order(1, 3.0);
        heap.schedule(2, 2.0);
        // This one comes too late for the lane, the next at a date that both have.
        heap.schedule_in_order(3, 2.5);
        heap.schedule(4, 3.0);
        heap.withdraw(1);
        let order: Vec<u32> = std::iter::from_fn(|| heap.pop()).map(|(_, id)| id).collect();
        assert_eq!(order, [0, 2, 3, 4]);
    }

    proptest! {
        /// Against a sorted list: any mix of scheduling, moving, withdrawing and popping.
        #[test]
        fn behaves_like_a_sorted_list(steps in prop::collection::vec((0u8..7, 0u32..40, 0u32..50), 0..400)) {
            let mut heap = EventHeap::default();
            let mut list: Vec<(f64, usize, u32)> = Vec::new();
            for (now, (step, id, date)) in steps.into_iter().enumerate() {
                match step {
                    0..4 => {
                        match step {
                            0 | 1 => heap.schedule(id, f64::from(date)),
                            _ => heap.schedule_in_order(id, f64::from(date)),
                        }
                        list.retain(|entry| entry.2 != id);
                        list.push((f64::from(date), now, id));
                        list.sort_by(|a, b| a.partial_cmp(b).unwrap());
                    }
                    4 => {
                        heap.withdraw(id);
                        list.retain(|entry| entry.2 != id);
                    }
                    5 => {
                        let limit = f64::from(date);
                        let is_due = list.first().is_some_and(|(date, ..)| *date < limit);
                        let expected = is_due.then(|| list.remove(0).2);
                        prop_assert_eq!(heap.pop_before(limit), expected);
                    }
                    _ => {
                        let expected = (!list.is_empty()).then(|| list.remove(0));
                        prop_assert_eq!(heap.pop(), expected.map(|(date, _, id)| (date, id)));
                    }
                }
                prop_assert_eq!(heap.len(), list.len());
                prop_assert_eq!(heap.second(), list.get(1).map(|(_, _, id)| *id));
                for id in heap.later() {
                    prop_assert!(heap.contains(id));
                }
            }
        }
    }
}
