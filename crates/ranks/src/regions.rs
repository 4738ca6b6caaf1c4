//! Memory at fixed addresses that each rank must believe to be its own: thread-locals of the
//! program, and the variables of `getopt`.
//!
//! Contents are exchanged only when another rank with such memory runs, not at every switch.

use std::cell::RefCell;
use std::ptr;

/// A piece of memory that belongs to whichever rank runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Region {
    /// Where it lies, for all ranks.
    pub(crate) address: usize,
    /// How long it is.
    pub(crate) size: usize,
}

/// The regions of one rank, and their contents while another rank runs.
#[derive(Debug, Default)]
pub(crate) struct Regions {
    places: Vec<Region>,
    contents: RefCell<Vec<u8>>,
}

impl Regions {
    /// Adds a region with the content that the rank shall find there.
    pub(crate) fn add(&mut self, address: usize, content: &[u8]) {
        if !content.is_empty() {
            self.places.push(Region { address, size: content.len() });
            self.contents.get_mut().extend_from_slice(content);
        }
    }

    /// Whether there is nothing to exchange.
    pub(crate) fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Those at given distances from the thread pointer, with their contents, and the others.
    ///
    /// Thread-locals come first, in the order in which they are given.
    pub(crate) fn split(
        &self,
        locals: impl Iterator<Item = (isize, usize)>,
    ) -> (Vec<(isize, Vec<u8>)>, Regions) {
        let contents = self.contents.borrow();
        let mut rest = contents.as_slice();
        let mut places = self.places.iter();
        let mut taken = Vec::new();
        for (distance, size) in locals.filter(|(_, size)| *size > 0) {
            let (now, later) = rest.split_at(size);
            taken.push((distance, now.to_vec()));
            places.next();
            rest = later;
        }
        let mut others = Regions::default();
        for place in places {
            let (now, later) = rest.split_at(place.size);
            others.add(place.address, now);
            rest = later;
        }
        (taken, others)
    }

    /// Takes the contents from their places.
    pub(crate) fn save(&self) {
        let mut contents = self.contents.borrow_mut();
        let mut rest = contents.as_mut_slice();
        for place in &self.places {
            let (now, later) = rest.split_at_mut(place.size);
            // SAFETY: regions are memory of this thread that lives as long as the program, and no
            // rank runs meanwhile.
            unsafe { ptr::copy_nonoverlapping(place.address as _, now.as_mut_ptr(), place.size) };
            rest = later;
        }
    }

    /// Puts the contents back to their places.
    pub(crate) fn load(&self) {
        let contents = self.contents.borrow();
        let mut rest = contents.as_slice();
        for place in &self.places {
            let (now, later) = rest.split_at(place.size);
            // SAFETY: as in `save`.
            unsafe { ptr::copy_nonoverlapping(now.as_ptr(), place.address as _, place.size) };
            rest = later;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contents_follow_their_rank() {
        let mut place = [0_u8; 8];
        let place = place.as_mut_ptr().expose_provenance();
        let mut a = Regions::default();
        let mut b = Regions::default();
        a.add(place, &[1; 8]);
        b.add(place, &[2; 4]);
        b.add(place + 4, &[3; 4]);
        a.load();
        a.save();
        b.load();
        b.save();
        assert_eq!(*b.contents.borrow(), [2, 2, 2, 2, 3, 3, 3, 3]);
        a.load();
        a.save();
        assert_eq!(*a.contents.borrow(), [1; 8]);
    }
}
