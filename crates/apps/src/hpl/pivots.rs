//! Which rows a panel swaps with which, and what every process row has to move for it.
//!
//! The pivots of a random matrix are close to uniform among the rows that are left, and that is
//! how they are drawn: by the number of the panel, so that all ranks agree without a word. The
//! pivots of a real run may be given instead.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use foretell_mpi::Noise;

use super::blocks::{distance, holder};
use super::configuration::Configuration;

/// Panels whose swaps are remembered: those that ranks may be at.
const REMEMBERED: usize = 128;

/// Where pivots come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pivots {
    /// Drawn, from a seed.
    Random(u64),
    /// Every column has its pivot on the diagonal: no row is moved.
    Diagonal,
    /// The row of each column's pivot, from zero.
    Given(Rc<[usize]>),
}

/// What the rows of processes move in the swaps of one panel.
#[derive(Debug)]
pub(super) struct Swaps {
    /// Rows that each process row sends, by its distance from the current one, in sums from the
    /// left: `sums[d]` are those of distances below `d`.
    sums: Vec<usize>,
    /// Rows of each process row that are moved.
    pub(super) moved: Vec<usize>,
    /// For spreading: where the rows of each process begin among those swapped in, in the order
    /// of `order`, with their number behind the last.
    pub(super) starts: Vec<usize>,
    /// The process rows, those with most to get where the tree serves them first.
    pub(super) order: Vec<usize>,
    /// The place of each process row in `order`.
    pub(super) places: Vec<usize>,
}

impl Swaps {
    /// Rows held after `round` rounds of exchange by the process at a distance.
    pub(super) fn gathered(&self, distance: usize, round: u32) -> usize {
        let group = distance >> round;
        let end = ((group + 1) << round).min(self.sums.len() - 1);
        self.sums[end] - self.sums[group << round]
    }
}

/// The swaps of all panels of one configuration, made when they are asked for.
#[derive(Debug)]
pub(super) struct AllSwaps {
    configuration: Configuration,
    pivots: Pivots,
    lately: RefCell<BTreeMap<usize, Rc<Swaps>>>,
}

impl AllSwaps {
    pub(super) fn new(configuration: Configuration, pivots: Pivots) -> Self {
        Self { configuration, pivots, lately: RefCell::default() }
    }

    /// The swaps of the panel that begins at column `first` and has `width` of them.
    pub(super) fn of(&self, first: usize, width: usize) -> Rc<Swaps> {
        let lately = &mut *self.lately.borrow_mut();
        if let Some(known) = lately.get(&first) {
            return known.clone();
        }
        let made = Rc::new(self.make(first, width));
        lately.insert(first, made.clone());
        if lately.len() > REMEMBERED {
            lately.pop_first();
        }
        made
    }

    fn make(&self, first: usize, width: usize) -> Swaps {
        let Configuration { nb, p, .. } = self.configuration;
        let moves = self.moves(first, width);
        let current = holder(first, nb, p);
        let mut moved = vec![0; p];
        let mut wanted = vec![0; p];
        for (from, to) in &moves {
            let (source, target) = (holder(*from, nb, p), holder(*to, nb, p));
            moved[source] += 1;
            if source == current && (target != current || *to < first + width) {
                wanted[distance(target, current, p)] += 1;
            }
        }
        let (order, starts) = sorted(&wanted, current);
        let mut places = vec![0; p];
        order.iter().enumerate().for_each(|(place, row)| places[*row] = place);
        Swaps { sums: sums(&moved, current), moved, starts, order, places }
    }

    /// Rows of the matrix that are looked at, each with the place it gets. The top of the panel
    /// always belongs to them.
    fn moves(&self, first: usize, width: usize) -> Vec<(usize, usize)> {
        let mut content: BTreeMap<usize, usize> =
            (first..first + width).map(|row| (row, row)).collect();
        let mut noise = match self.pivots {
            Pivots::Random(seed) => Some(Noise::new(!seed, first as u32)),
            _ => None,
        };
        for row in first..first + width {
            let pivot = match (&self.pivots, &mut noise) {
                (Pivots::Given(all), _) => all[row],
                (_, Some(noise)) => row + noise.below((self.configuration.n - row) as u64) as usize,
                _ => row,
            };
            let (upper, lower) = (content[&row], *content.get(&pivot).unwrap_or(&pivot));
            content.insert(pivot, upper);
            content.insert(row, lower);
        }
        content.into_iter().map(|(place, row)| (row, place)).collect()
    }
}

/// Sums from the left over distances. Processes past the power of two lend their rows to one
/// below it before the exchange begins.
fn sums(moved: &[usize], current: usize) -> Vec<usize> {
    let p = moved.len();
    let core = 1 << p.ilog2();
    let mut sums = vec![0];
    for at in 0..core {
        let own = moved[(current + at) % p];
        let lent = if at > 0 && at + core < p { moved[(current + at + core) % p] } else { 0 };
        sums.push(sums[at] + own + lent);
    }
    sums
}

/// The order in which rows are spread: processes that a binary tree reaches in fewer steps take
/// over from others that want more. Gives the process rows, and where each one's share begins.
fn sorted(wanted: &[usize], current: usize) -> (Vec<usize>, Vec<usize>) {
    let p = wanted.len();
    let mut order: Vec<usize> = (0..p).map(|place| (current + place) % p).collect();
    let mut lengths = wanted.to_vec();
    let steps = |place: usize| place.count_ones();
    let most = (0..p).map(steps).max().unwrap_or(0);
    for level in 1..=most {
        for place in (1..p).filter(|place| steps(*place) == level) {
            for other in 2..p {
                if steps(other) > level && lengths[place] < lengths[other] {
                    lengths.swap(place, other);
                    order.swap(place, other);
                }
            }
        }
    }
    let mut starts = vec![0];
    lengths.iter().for_each(|length| starts.push(starts[starts.len() - 1] + length));
    (order, starts)
}
