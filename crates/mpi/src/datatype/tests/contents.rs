//! Envelopes and contents: what went in comes out, in the standard's order.

use proptest::prelude::*;

use super::super::{
    Argument, Combiner, Contents, Darray, Distribution, Order, Precision, Recipe, Signature,
    Subarray,
};
use super::properties::datatype;
use super::*;

/// Numbers of integers, addresses, large counts and datatypes.
fn envelope(datatype: &Datatype) -> (usize, usize, usize, usize) {
    let Contents { integers, addresses, large_counts, datatypes } = datatype.contents();
    (integers.len(), addresses.len(), large_counts.len(), datatypes.len())
}

fn numbers(contents: &Contents) -> Vec<i64> {
    let number = |argument: &Argument| match argument {
        Argument::Number(number) => *number,
        other => panic!("{other:?} is not a number"),
    };
    contents.integers.iter().map(number).collect()
}

#[test]
fn envelopes_have_the_lengths_of_the_table() {
    let check = |datatype: crate::Result<Datatype>, small, large| {
        let datatype = datatype.unwrap();
        assert_eq!(envelope(&datatype), small, "{:?}", datatype.combiner());
        assert_eq!(envelope(&datatype.with_large_counts()), large);
    };
    let (blocks, places) = ([1, 2, 3], [0, 10, 20]);
    let array =
        Subarray { sizes: vec![4; 2], subsizes: vec![2; 2], starts: vec![1; 2], order: Order::C };
    let dealt = Darray {
        size: 4,
        rank: 1,
        sizes: vec![8, 8],
        distributions: vec![Distribution::Block; 2],
        arguments: vec![None; 2],
        processes: vec![2, 2],
        order: Order::C,
    };
    check(Ok(int()), (0, 0, 0, 0), (0, 0, 0, 0));
    check(int().dup(), (0, 0, 0, 1), (0, 0, 0, 1));
    check(Datatype::contiguous(3, &int()), (1, 0, 0, 1), (0, 0, 1, 1));
    check(Datatype::vector(3, 1, 2, &int()), (3, 0, 0, 1), (0, 0, 3, 1));
    check(Datatype::hvector(3, 1, 2, &int()), (2, 1, 0, 1), (0, 0, 3, 1));
    check(Datatype::indexed(&blocks, &places, &int()), (7, 0, 0, 1), (0, 0, 7, 1));
    check(Datatype::hindexed(&blocks, &places, &int()), (4, 3, 0, 1), (0, 0, 7, 1));
    check(Datatype::indexed_block(2, &places, &int()), (5, 0, 0, 1), (0, 0, 5, 1));
    check(Datatype::hindexed_block(2, &places, &int()), (2, 3, 0, 1), (0, 0, 5, 1));
    let types = [int(), char(), double()];
    check(Datatype::structure(&blocks, &places, &types), (4, 3, 0, 3), (0, 0, 7, 3));
    check(Datatype::subarray(array, &int()), (8, 0, 0, 1), (2, 0, 6, 1));
    check(Datatype::darray(dealt, &int()), (12, 0, 0, 1), (10, 0, 2, 1));
    check(int().resized(-4, 12), (0, 2, 0, 1), (0, 0, 2, 1));
    check(Datatype::f90_integer(9), (1, 0, 0, 0), (1, 0, 0, 0));
    check(Datatype::f90_real(Some(9), None), (2, 0, 0, 0), (2, 0, 0, 0));
    check(Datatype::value_index(Basic::Short, Basic::Long), (0, 0, 0, 2), (0, 0, 0, 2));
}

#[test]
fn arguments_come_in_order() {
    let indexed = Datatype::indexed(&[1, 2], &[30, 40], &int()).unwrap();
    assert_eq!(numbers(&indexed.contents()), [2, 1, 2, 30, 40]);
    assert_eq!(indexed.with_large_counts().contents().large_counts, [2, 1, 2, 30, 40]);
    let structure = Datatype::structure(&[1, 2], &[30, 40], &[int(), char()]).unwrap();
    assert_eq!(numbers(&structure.contents()), [2, 1, 2]);
    assert_eq!(structure.contents().addresses, [30, 40]);
    assert_eq!(structure.contents().datatypes[1].as_basic(), Some(Basic::Char));
    let real = Datatype::f90_real(None, Some(30)).unwrap();
    assert_eq!(real.contents().integers, [Argument::Undefined, Argument::Number(30)]);
    assert_eq!(real.combiner(), Combiner::F90Real);
}

/// Reads contents back as a program would.
struct Reader {
    contents: Contents,
    is_large: bool,
}

impl Reader {
    fn integer(&mut self) -> Argument {
        self.contents.integers.remove(0)
    }

    fn number(&mut self) -> i64 {
        match self.integer() {
            Argument::Number(number) => number,
            other => panic!("{other:?} is not a number"),
        }
    }

    fn count(&mut self) -> i64 {
        if self.is_large { self.contents.large_counts.remove(0) } else { self.number() }
    }

    fn counts(&mut self, number: i64) -> Vec<i64> {
        (0..number).map(|_| self.count()).collect()
    }

    fn addresses(&mut self, number: i64) -> Vec<i64> {
        let list = match self.is_large {
            true => &mut self.contents.large_counts,
            false => &mut self.contents.addresses,
        };
        list.drain(..number as usize).collect()
    }

    fn of(&mut self) -> Datatype {
        self.contents.datatypes.remove(0)
    }

    fn order(&mut self) -> Order {
        match self.integer() {
            Argument::Order(order) => order,
            other => panic!("{other:?} is not an order"),
        }
    }

    fn optional(&mut self) -> Option<i32> {
        match self.integer() {
            Argument::Undefined => None,
            Argument::Number(number) => Some(number as i32),
            other => panic!("{other:?} is not optional"),
        }
    }

    fn precision(&mut self) -> Precision {
        Precision { digits: self.optional(), range: self.optional() }
    }

    fn subarray(&mut self) -> Subarray {
        let dimensions = self.number();
        Subarray {
            sizes: self.counts(dimensions),
            subsizes: self.counts(dimensions),
            starts: self.counts(dimensions),
            order: self.order(),
        }
    }

    fn darray(&mut self) -> Darray {
        let (size, rank, dimensions) = (self.number(), self.number(), self.number());
        let sizes = self.counts(dimensions);
        let distributions = (0..dimensions).map(|_| match self.integer() {
            Argument::Distribution(how) => how,
            other => panic!("{other:?} is not a distribution"),
        });
        let distributions = distributions.collect();
        let arguments = (0..dimensions).map(|_| match self.integer() {
            Argument::DefaultArgument => None,
            Argument::Number(number) => Some(number),
            other => panic!("{other:?} is not an argument"),
        });
        let arguments = arguments.collect();
        let processes = (0..dimensions).map(|_| self.number()).collect();
        Darray { size, rank, sizes, distributions, arguments, processes, order: self.order() }
    }

    fn recipe(&mut self, combiner: Combiner) -> Recipe {
        match combiner {
            Combiner::Named => panic!("a predefined type has no contents"),
            Combiner::Dup => Recipe::Dup { of: self.of() },
            Combiner::Contiguous => Recipe::Contiguous { count: self.count(), of: self.of() },
            Combiner::Vector => {
                let (count, block, stride) = (self.count(), self.count(), self.count());
                Recipe::Vector { count, block, stride, of: self.of() }
            }
            Combiner::Hvector => {
                let (count, block, stride) = (self.count(), self.count(), self.addresses(1)[0]);
                Recipe::Hvector { count, block, stride, of: self.of() }
            }
            Combiner::Indexed => {
                let count = self.count();
                let (blocks, displacements) = (self.counts(count), self.counts(count));
                Recipe::Indexed {
                    blocks: blocks.into(),
                    displacements: displacements.into(),
                    of: self.of(),
                }
            }
            Combiner::Hindexed => {
                let count = self.count();
                let (blocks, displacements) = (self.counts(count), self.addresses(count));
                Recipe::Hindexed {
                    blocks: blocks.into(),
                    displacements: displacements.into(),
                    of: self.of(),
                }
            }
            Combiner::IndexedBlock => {
                let (count, block) = (self.count(), self.count());
                let displacements = self.counts(count).into();
                Recipe::IndexedBlock { block, displacements, of: self.of() }
            }
            Combiner::HindexedBlock => {
                let (count, block) = (self.count(), self.count());
                let displacements = self.addresses(count).into();
                Recipe::HindexedBlock { block, displacements, of: self.of() }
            }
            Combiner::Struct => {
                let count = self.count();
                let (blocks, displacements) = (self.counts(count), self.addresses(count));
                let types = (0..count).map(|_| self.of()).collect();
                Recipe::Struct { blocks: blocks.into(), displacements: displacements.into(), types }
            }
            Combiner::Subarray => {
                Recipe::Subarray { array: Box::new(self.subarray()), of: self.of() }
            }
            Combiner::Darray => Recipe::Darray { array: Box::new(self.darray()), of: self.of() },
            Combiner::Resized => {
                let bounds = self.addresses(2);
                Recipe::Resized { lower: bounds[0], extent: bounds[1], of: self.of() }
            }
            Combiner::F90Real => Recipe::F90Real(self.precision()),
            Combiner::F90Complex => Recipe::F90Complex(self.precision()),
            Combiner::F90Integer => Recipe::F90Integer(self.number() as i32),
            Combiner::ValueIndex => Recipe::ValueIndex { value: self.of(), index: self.of() },
        }
    }
}

/// What two equal datatypes have in common.
fn facts(datatype: &Datatype) -> (i64, i64, Vec<(i64, u64)>, Signature, String) {
    let bounds = (datatype.lower_bound(), datatype.extent());
    let recipe = format!("{:?}", datatype.recipe());
    (bounds.0, bounds.1, runs(datatype, 2), datatype.signature(1), recipe)
}

fn check_rebuilt(datatype: Datatype) {
    if datatype.combiner() == Combiner::Named {
        return;
    }
    let mut reader =
        Reader { contents: datatype.contents(), is_large: datatype.has_large_counts() };
    let rebuilt = Datatype::new(reader.recipe(datatype.combiner())).unwrap();
    assert_eq!(facts(&rebuilt), facts(&datatype));
    let Contents { integers, addresses, large_counts, datatypes } = reader.contents;
    let is_used = integers.is_empty() && addresses.is_empty() && large_counts.is_empty();
    assert!(is_used && datatypes.is_empty());
}

#[test]
fn types_that_are_looked_up_are_rebuilt_from_their_contents() {
    check_rebuilt(Datatype::f90_integer(12).unwrap());
    check_rebuilt(Datatype::f90_real(None, Some(100)).unwrap());
    check_rebuilt(Datatype::f90_complex(Some(7), None).unwrap());
    check_rebuilt(Datatype::value_index(Basic::Short, Basic::Long).unwrap());
}

proptest! {
    #[test]
    fn contents_rebuild_the_type(datatype in datatype()) {
        check_rebuilt(datatype.clone());
        check_rebuilt(datatype.with_large_counts());
    }
}
