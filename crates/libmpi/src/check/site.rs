//! Calls of the program: who, what, where.

use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;

use foretell_images::locate;

use crate::place;

/// A call of the program.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Site {
    /// In the world.
    pub(super) rank: u32,
    pub(super) call: &'static str,
    pub(super) spot: Spot,
    /// Its communicator, in words.
    pub(super) comm: Option<Rc<str>>,
}

/// A place in the program, the same for all ranks that come by; a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Spot(u32);

/// All places that were met.
///
/// Each rank has its own image, which is gone when the rank has ended: so return addresses are
/// turned into places of the file at once, and those into lines only when they are told.
#[derive(Default)]
pub(super) struct Spots {
    /// By program and return address.
    known: BTreeMap<(u32, usize), Spot>,
    /// By file and address in it.
    located: BTreeMap<Option<(&'static Path, usize)>, Spot>,
    lines: Vec<Line>,
}

struct Line {
    at: Option<(&'static Path, usize)>,
    /// `file:line`, once it was looked up; none without debug information.
    told: Option<Option<Rc<str>>>,
}

impl Spots {
    /// The place of a call, by its program and return address.
    pub(super) fn spot(&mut self, program: u32, caller: usize) -> Spot {
        if let Some(spot) = self.known.get(&(program, caller)) {
            return *spot;
        }
        let at = locate(caller).map(|found| (found.file, found.address));
        let next = Spot(self.lines.len() as u32);
        let spot = *self.located.entry(at).or_insert(next);
        if spot == next {
            self.lines.push(Line { at, told: None });
        }
        self.known.insert((program, caller), spot);
        spot
    }

    /// `file:line` of a place.
    pub(super) fn place(&mut self, spot: Spot) -> Option<Rc<str>> {
        let line = &mut self.lines[spot.0 as usize];
        let at = line.at;
        let look_up = || at.and_then(|(file, address)| place::in_file(file, address)).map(Rc::from);
        line.told.get_or_insert_with(look_up).clone()
    }
}
