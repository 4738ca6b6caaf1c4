//! Ranks that may go ahead, in the order in which they came to that: one thread puts them in, many
//! take them out.

use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering, fence};

use super::futex;

/// A ring of numbers. An entry may be stale: whoever takes it out looks at the seat.
pub(super) struct Queue {
    places: Box<[AtomicU32]>,
    /// The next to take out. On a line of its own, like what follows.
    first: Line<AtomicUsize>,
    /// Where the next goes in.
    end: Line<AtomicUsize>,
    /// Changes with each entry, for those that sleep until there is one.
    news: Line<AtomicU32>,
    sleepers: AtomicU32,
}

#[derive(Default)]
#[repr(align(64))]
struct Line<T>(T);

impl Queue {
    pub(super) fn new(ranks: usize) -> Self {
        // Stale entries take places too.
        let size = (4 * ranks).next_power_of_two().clamp(64, 1 << 20);
        Self {
            places: (0..size).map(|_| AtomicU32::new(0)).collect(),
            first: Line::default(),
            end: Line::default(),
            news: Line::default(),
            sleepers: AtomicU32::new(0),
        }
    }

    /// Puts a number in; false if there is no room. Only ever called by one thread.
    pub(super) fn push(&self, number: u32) -> bool {
        let end = self.end.0.load(Ordering::Relaxed);
        if end - self.first.0.load(Ordering::Acquire) == self.places.len() {
            return false;
        }
        self.places[end & (self.places.len() - 1)].store(number, Ordering::Relaxed);
        self.end.0.store(end + 1, Ordering::Release);
        // Either this sees a sleeper, or the sleeper sees what came before it sleeps.
        fence(Ordering::SeqCst);
        if self.sleepers.load(Ordering::Relaxed) > 0 {
            self.news.0.fetch_add(1, Ordering::Relaxed);
            futex::wake(&self.news.0, 1);
        }
        true
    }

    /// Takes the first number out.
    pub(super) fn pop(&self) -> Option<u32> {
        let mut first = self.first.0.load(Ordering::Relaxed);
        loop {
            if first == self.end.0.load(Ordering::Acquire) {
                return None;
            }
            let number = self.places[first & (self.places.len() - 1)].load(Ordering::Relaxed);
            let next = first + 1;
            match self.first.0.compare_exchange_weak(
                first,
                next,
                Ordering::AcqRel,
                Ordering::Relaxed,
            ) {
                // The place cannot have been written over before it was taken.
                Ok(_) => return Some(number),
                Err(now) => first = now,
            }
        }
    }

    /// Sleeps until something is put in, unless something is there.
    pub(super) fn sleep(&self) {
        let news = self.news.0.load(Ordering::Relaxed);
        self.sleepers.fetch_add(1, Ordering::Relaxed);
        fence(Ordering::SeqCst);
        if self.first.0.load(Ordering::Relaxed) == self.end.0.load(Ordering::Relaxed) {
            futex::wait(&self.news.0, news);
        }
        self.sleepers.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_out_in_their_order() {
        let queue = Queue::new(1);
        for number in 0..64 {
            assert!(queue.push(number));
        }
        assert!(!queue.push(64), "there is room for 64");
        for number in 0..64 {
            assert_eq!(queue.pop(), Some(number));
        }
        assert_eq!(queue.pop(), None);
    }

    #[test]
    fn each_number_is_taken_once() {
        let queue = Queue::new(1000);
        let sums: Vec<u64> = std::thread::scope(|scope| {
            let take = || {
                let mut sum = 0;
                loop {
                    match queue.pop() {
                        Some(0) => return sum,
                        Some(number) => sum += u64::from(number),
                        None => queue.sleep(),
                    }
                }
            };
            let takers: Vec<_> = (0..3).map(|_| scope.spawn(take)).collect();
            for number in (1..=1000).chain([0, 0, 0]) {
                assert!(queue.push(number));
            }
            takers.into_iter().map(|taker| taker.join().expect("no taker fails")).collect()
        });
        assert_eq!(sums.iter().sum::<u64>(), 500_500);
    }
}
