//! Where in the source calls stand, for traces with dates that are to tell it.
//!
//! A call has its return address. Each rank has its own image, so that addresses of one place are
//! many: one that was met lately is found by itself, others by where they are in their file. Only
//! what was never met before is looked up in the debug information.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;

use foretell_images::locate;
use foretell_mpi::Place;
use foretell_ranks::work_deeply;

use crate::place;
use crate::rank::RankContext;

/// How many addresses are found at once; a power of two.
const SLOTS: usize = 4096;

/// Places that were met, as the simulation counts them; 0 where nothing is known.
struct Lines {
    /// Return addresses and their places, in slots by the address; one may push out another.
    near: Box<[(usize, u32)]>,
    /// By file and address in it.
    located: BTreeMap<Option<(&'static Path, usize)>, u32>,
}

thread_local! {
    static LINES: RefCell<Lines> = RefCell::new(Lines {
        near: vec![(0, 0); SLOTS].into(),
        located: BTreeMap::new(),
    });
}

/// The place that a call of the rank returns to.
pub(crate) fn place(here: &RankContext, caller: usize) -> u32 {
    // Images lie at multiples of large powers of two.
    let slot = (caller ^ caller >> 21 ^ caller >> 12) % SLOTS;
    LINES.with_borrow_mut(|lines| match lines.near[slot] {
        (known, place) if known == caller => place,
        _ => {
            let place = lines.find(here, caller);
            lines.near[slot] = (caller, place);
            place
        }
    })
}

/// Whether lines of the source were found, if any call was looked up.
pub(crate) fn are_known() -> bool {
    LINES.with_borrow(|lines| {
        lines.located.is_empty() || lines.located.values().any(|place| *place != 0)
    })
}

impl Lines {
    #[cold]
    fn find(&mut self, here: &RankContext, caller: usize) -> u32 {
        let at = locate(caller).map(|found| (found.file, found.address));
        *self.located.entry(at).or_insert_with(|| {
            // Debug information may need more of a stack than the rank has.
            let found =
                at.and_then(|(file, address)| work_deeply(|| place::line_in_file(file, address)));
            let Some((file, line)) = found.as_ref().and_then(|found| found.place.as_ref()) else {
                return 0;
            };
            let function = found.as_ref().and_then(|found| found.function.as_deref());
            let function = function.unwrap_or_default();
            here.comm.number_place(&Place { file, line: *line, function })
        })
    }
}
