//! Datatypes by the book: a type map is a list, its properties are read off the list.

use super::super::{Basic, Darray, Datatype, Distribution, Order, Recipe, Subarray};

/// An entry of a type map: a basic element or an explicit bound, and its displacement.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Entry {
    Basic(Basic, i64),
    Lower(i64),
    Upper(i64),
}

/// A type map in order.
pub(super) struct Map(pub(super) Vec<Entry>);

impl Entry {
    fn moved(self, by: i64) -> Entry {
        match self {
            Entry::Basic(basic, at) => Entry::Basic(basic, at + by),
            Entry::Lower(at) => Entry::Lower(at + by),
            Entry::Upper(at) => Entry::Upper(at + by),
        }
    }
}

impl Map {
    pub(super) fn of(datatype: &Datatype) -> Map {
        let mut map = Map(Vec::new());
        match datatype.recipe() {
            Recipe::Named(basic) => {
                for (part, offset) in basic.parts() {
                    map.0.push(Entry::Basic(part, offset as i64));
                }
            }
            Recipe::Dup { of } => map = Map::of(of),
            Recipe::Contiguous { count, of } => map.block(0, *count, &Map::of(of)),
            Recipe::Vector { count, block, stride, of } => {
                let of = Map::of(of);
                (0..*count).for_each(|i| map.block(i * stride * of.extent(), *block, &of));
            }
            Recipe::Hvector { count, block, stride, of } => {
                let of = Map::of(of);
                (0..*count).for_each(|i| map.block(i * stride, *block, &of));
            }
            Recipe::Indexed { blocks, displacements, of } => {
                let of = Map::of(of);
                for (block, at) in blocks.iter().zip(displacements) {
                    map.block(at * of.extent(), *block, &of);
                }
            }
            Recipe::Hindexed { blocks, displacements, of } => {
                let of = Map::of(of);
                blocks
                    .iter()
                    .zip(displacements)
                    .for_each(|(block, at)| map.block(*at, *block, &of));
            }
            Recipe::IndexedBlock { block, displacements, of } => {
                let of = Map::of(of);
                displacements.iter().for_each(|at| map.block(at * of.extent(), *block, &of));
            }
            Recipe::HindexedBlock { block, displacements, of } => {
                let of = Map::of(of);
                displacements.iter().for_each(|at| map.block(*at, *block, &of));
            }
            Recipe::Struct { blocks, displacements, types } => {
                for ((block, at), of) in blocks.iter().zip(displacements).zip(types) {
                    map.block(*at, *block, &Map::of(of));
                }
            }
            Recipe::Resized { lower, extent, of } => {
                let data = Map::of(of).0.into_iter();
                map.0.extend(data.filter(|entry| matches!(entry, Entry::Basic(..))));
                map.0.extend([Entry::Lower(*lower), Entry::Upper(lower + extent)]);
            }
            Recipe::Subarray { array, of } => {
                map.array(&array.sizes, array.order, of, |index| subarray_has(array, index))
            }
            Recipe::Darray { array, of } => {
                map.array(&array.sizes, array.order, of, |index| darray_has(array, index))
            }
            recipe => panic!("{recipe:?} has no type map of its own"),
        }
        map
    }

    fn block(&mut self, at: i64, length: i64, of: &Map) {
        for index in 0..length {
            let by = at + index * of.extent();
            self.0.extend(of.0.iter().map(|entry| entry.moved(by)));
        }
    }

    /// The elements of an array that belong to a part of it, in memory order.
    fn array(&mut self, sizes: &[i64], order: Order, of: &Datatype, has: impl Fn(&[i64]) -> bool) {
        let of = Map::of(of);
        let total: i64 = sizes.iter().product();
        for place in 0..total {
            let mut index = vec![0; sizes.len()];
            let mut left = place;
            let mut split = |dimension: usize| {
                index[dimension] = left % sizes[dimension];
                left /= sizes[dimension];
            };
            match order {
                Order::C => (0..sizes.len()).rev().for_each(&mut split),
                Order::Fortran => (0..sizes.len()).for_each(&mut split),
            }
            if has(&index) {
                let data = of.0.iter().filter(|entry| matches!(entry, Entry::Basic(..)));
                self.0.extend(data.map(|entry| entry.moved(place * of.extent())));
            }
        }
        self.0.extend([Entry::Lower(0), Entry::Upper(total * of.extent())]);
    }

    /// Basic elements with their displacements.
    pub(super) fn basics(&self) -> Vec<(Basic, i64)> {
        let basic = |entry: &Entry| match entry {
            Entry::Basic(basic, at) => Some((*basic, *at)),
            _ => None,
        };
        self.0.iter().filter_map(basic).collect()
    }

    pub(super) fn size(&self) -> u64 {
        self.basics().iter().map(|(basic, _)| basic.size()).sum()
    }

    /// First byte of data and the one behind the last.
    pub(super) fn data(&self) -> (i64, i64) {
        let basics = self.basics();
        let lower = basics.iter().map(|(_, at)| *at).min();
        let upper = basics.iter().map(|(basic, at)| at + basic.size() as i64).max();
        (lower.unwrap_or(0), upper.unwrap_or(0))
    }

    /// Lower and upper bound.
    pub(super) fn bounds(&self) -> (i64, i64) {
        let lower = self.0.iter().filter_map(|entry| match entry {
            Entry::Lower(at) => Some(*at),
            _ => None,
        });
        let upper = self.0.iter().filter_map(|entry| match entry {
            Entry::Upper(at) => Some(*at),
            _ => None,
        });
        if let (Some(lower), Some(upper)) = (lower.min(), upper.max()) {
            return (lower, upper);
        }
        let alignment = self.basics().iter().map(|(basic, _)| basic.alignment()).max();
        let (lower, mut upper) = self.data();
        while (upper - lower) % alignment.unwrap_or(1) as i64 != 0 {
            upper += 1;
        }
        (lower, upper)
    }

    pub(super) fn extent(&self) -> i64 {
        self.bounds().1 - self.bounds().0
    }

    /// The address of each packed byte of `count` elements.
    pub(super) fn bytes(&self, count: i64) -> Vec<i64> {
        let mut map = Map(Vec::new());
        map.block(0, count, self);
        let bytes = |(basic, at): (Basic, i64)| at..at + basic.size() as i64;
        map.basics().into_iter().flat_map(bytes).collect()
    }
}

fn subarray_has(array: &Subarray, index: &[i64]) -> bool {
    let has = |(dimension, at): (usize, &i64)| {
        let start = array.starts[dimension];
        (start..start + array.subsizes[dimension]).contains(at)
    };
    index.iter().enumerate().all(has)
}

/// Deals out each dimension like cards.
fn darray_has(array: &Darray, index: &[i64]) -> bool {
    let mut rank = 0;
    for (dimension, at) in index.iter().enumerate() {
        let (size, processes) = (array.sizes[dimension], array.processes[dimension]);
        let owner = match (array.distributions[dimension], array.arguments[dimension]) {
            (Distribution::None, _) => 0,
            (Distribution::Block, None) => at / ((size + processes - 1) / processes),
            (Distribution::Block, Some(block)) => at / block,
            (Distribution::Cyclic, block) => at / block.unwrap_or(1) % processes,
        };
        rank = rank * processes + owner;
    }
    rank == array.rank
}
