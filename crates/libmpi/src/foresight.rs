//! Fetching what a rank will touch before its turn comes.
//!
//! With thousands of ranks nothing of a rank is in the processor's caches when its turn comes, and
//! it would wait for one line of memory after the other. Who comes next is known while another
//! rank runs: its lines can be on their way meanwhile. Where they are must be known without looking
//! at them, hence a table.

use std::cell::Cell;

use foretell_mpi::near::{LINE, fetch_lines as fetch};
use foretell_ranks::Rank;

use crate::rank::RankContext;

/// Where the memory of each rank is that a turn touches.
pub(crate) struct Foresight {
    places: Vec<Place>,
}

/// Addresses of one rank.
#[derive(Default)]
struct Place {
    /// Its stack, where it was left; behind the address of a line, how many lines a turn touches.
    stack: Cell<usize>,
    context: Cell<usize>,
    comm: Cell<usize>,
    body: Cell<usize>,
}

impl Foresight {
    /// A table for so many ranks, of which nothing is known yet.
    pub(crate) fn new(ranks: u32) -> Self {
        Self { places: (0..ranks).map(|_| Place::default()).collect() }
    }

    /// Notes where things of a rank are that do not move any more.
    pub(crate) fn note(&self, context: &RankContext, rank: &Rank) {
        let place = &self.places[context.number() as usize];
        place.context.set(std::ptr::from_ref(context).addr());
        place.comm.set(std::rc::Rc::as_ptr(&context.world).addr());
        place.body.set(rank.address());
    }

    /// Notes where a rank has left its stack.
    #[inline]
    pub(crate) fn rests(&self, number: u32, rank: &Rank) {
        let (stack, held) = rank.resting_place();
        let lines = BELOW + ABOVE + usize::from(held).div_ceil(LINE);
        let lowest = (stack - BELOW * LINE) & !(LINE - 1);
        self.places[number as usize].stack.set(lowest | lines.min(MOST));
    }

    /// Lets the memory of a rank come near.
    #[inline]
    pub(crate) fn fetch(&self, number: u32) {
        let Some(place) = self.places.get(number as usize) else { return };
        let stack = place.stack.get();
        if stack == 0 {
            return;
        }
        fetch(place.context.get(), 2);
        fetch(place.comm.get(), 1);
        fetch(place.body.get(), 1);
        fetch(stack & !(LINE - 1), stack % LINE);
    }
}

/// How many lines of the stack a turn touches below and above where it was left, besides what it
/// waits with, and how many are asked for at most.
const BELOW: usize = 4;
const ABOVE: usize = 11;
const MOST: usize = 40;

const _: () = assert!(MOST < LINE);
