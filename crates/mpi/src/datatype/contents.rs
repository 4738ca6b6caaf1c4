//! Taking a datatype apart: `MPI_Type_get_envelope` and `MPI_Type_get_contents`. MPI 4.1 section
//! 5.1.13.

use super::Datatype;
use super::array::{Darray, Distribution, Order, Subarray};
use super::fortran::Precision;
use super::recipe::Recipe;

/// Which constructor made a datatype.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the variants are the MPI_COMBINER constants")]
pub enum Combiner {
    Named,
    Dup,
    Contiguous,
    Vector,
    Hvector,
    Indexed,
    Hindexed,
    IndexedBlock,
    HindexedBlock,
    Struct,
    Subarray,
    Darray,
    Resized,
    F90Real,
    F90Complex,
    F90Integer,
    ValueIndex,
}

/// An argument of type `int`. Symbolic constants stay symbolic: their values belong to the
/// binding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Argument {
    /// A number.
    Number(i64),
    /// `MPI_ORDER_C` or `MPI_ORDER_FORTRAN`.
    Order(Order),
    /// `MPI_DISTRIBUTE_NONE`, `_BLOCK` or `_CYCLIC`.
    Distribution(Distribution),
    /// `MPI_DISTRIBUTE_DFLT_DARG`.
    DefaultArgument,
    /// `MPI_UNDEFINED`.
    Undefined,
}

/// The arguments of a constructor, in the arrays and the order that the standard's tables
/// prescribe. The numbers of an envelope are the lengths of the lists.
#[derive(Debug, Clone, Default)]
pub struct Contents {
    /// Of type `int`.
    pub integers: Vec<Argument>,
    /// Of type `MPI_Aint`.
    pub addresses: Vec<i64>,
    /// Of type `MPI_Count`, for datatypes made with large counts.
    pub large_counts: Vec<i64>,
    /// The types built on.
    pub datatypes: Vec<Datatype>,
}

impl Recipe {
    /// Which constructor it names.
    pub fn combiner(&self) -> Combiner {
        match self {
            Recipe::Named(_) => Combiner::Named,
            Recipe::Dup { .. } => Combiner::Dup,
            Recipe::Contiguous { .. } => Combiner::Contiguous,
            Recipe::Vector { .. } => Combiner::Vector,
            Recipe::Hvector { .. } => Combiner::Hvector,
            Recipe::Indexed { .. } => Combiner::Indexed,
            Recipe::Hindexed { .. } => Combiner::Hindexed,
            Recipe::IndexedBlock { .. } => Combiner::IndexedBlock,
            Recipe::HindexedBlock { .. } => Combiner::HindexedBlock,
            Recipe::Struct { .. } => Combiner::Struct,
            Recipe::Subarray { .. } => Combiner::Subarray,
            Recipe::Darray { .. } => Combiner::Darray,
            Recipe::Resized { .. } => Combiner::Resized,
            Recipe::F90Real(_) => Combiner::F90Real,
            Recipe::F90Complex(_) => Combiner::F90Complex,
            Recipe::F90Integer(_) => Combiner::F90Integer,
            Recipe::ValueIndex { .. } => Combiner::ValueIndex,
        }
    }
}

impl Datatype {
    /// Which constructor made it.
    pub fn combiner(&self) -> Combiner {
        self.recipe().combiner()
    }

    /// The constructor's arguments; empty for a predefined type, which has none.
    pub fn contents(&self) -> Contents {
        let mut list = Writer { large: self.has_large_counts(), contents: Contents::default() };
        match self.recipe() {
            Recipe::Named(_) => (),
            Recipe::Dup { of } => list.of(of),
            Recipe::Contiguous { count, of } => {
                list.count(*count);
                list.of(of);
            }
            Recipe::Vector { count, block, stride, of } => {
                list.counts(&[*count, *block, *stride]);
                list.of(of);
            }
            Recipe::Hvector { count, block, stride, of } => {
                list.counts(&[*count, *block]);
                list.addresses(&[*stride]);
                list.of(of);
            }
            Recipe::Indexed { blocks, displacements, of } => {
                list.count(displacements.len() as i64);
                list.counts(blocks);
                list.counts(displacements);
                list.of(of);
            }
            Recipe::Hindexed { blocks, displacements, of } => {
                list.blocks(blocks, displacements);
                list.of(of);
            }
            Recipe::IndexedBlock { block, displacements, of } => {
                list.counts(&[displacements.len() as i64, *block]);
                list.counts(displacements);
                list.of(of);
            }
            Recipe::HindexedBlock { block, displacements, of } => {
                list.counts(&[displacements.len() as i64, *block]);
                list.addresses(displacements);
                list.of(of);
            }
            Recipe::Struct { blocks, displacements, types } => {
                list.blocks(blocks, displacements);
                types.iter().for_each(|of| list.of(of));
            }
            Recipe::Subarray { array, of } => {
                list.subarray(array);
                list.of(of);
            }
            Recipe::Darray { array, of } => {
                list.darray(array);
                list.of(of);
            }
            Recipe::Resized { lower, extent, of } => {
                list.addresses(&[*lower, *extent]);
                list.of(of);
            }
            Recipe::F90Real(Precision { digits, range })
            | Recipe::F90Complex(Precision { digits, range }) => {
                list.optional(*digits);
                list.optional(*range);
            }
            Recipe::F90Integer(digits) => list.integer(Argument::Number(i64::from(*digits))),
            Recipe::ValueIndex { value, index } => {
                list.of(value);
                list.of(index);
            }
        }
        list.contents
    }
}

/// Puts arguments where the standard wants them. With large counts, all that may be large is of
/// type `MPI_Count`, byte displacements included.
struct Writer {
    large: bool,
    contents: Contents,
}

impl Writer {
    fn integer(&mut self, argument: Argument) {
        self.contents.integers.push(argument);
    }

    fn number(&mut self, number: i64) {
        self.integer(Argument::Number(number));
    }

    fn optional(&mut self, number: Option<i32>) {
        let number = number.map(|number| Argument::Number(i64::from(number)));
        self.integer(number.unwrap_or(Argument::Undefined));
    }

    fn count(&mut self, count: i64) {
        match self.large {
            true => self.contents.large_counts.push(count),
            false => self.number(count),
        }
    }

    fn counts(&mut self, counts: &[i64]) {
        counts.iter().for_each(|count| self.count(*count));
    }

    fn addresses(&mut self, addresses: &[i64]) {
        match self.large {
            true => self.contents.large_counts.extend(addresses),
            false => self.contents.addresses.extend(addresses),
        }
    }

    fn blocks(&mut self, blocks: &[i64], displacements: &[i64]) {
        self.count(displacements.len() as i64);
        self.counts(blocks);
        self.addresses(displacements);
    }

    fn of(&mut self, of: &Datatype) {
        self.contents.datatypes.push(of.clone());
    }

    fn subarray(&mut self, array: &Subarray) {
        self.number(array.sizes.len() as i64);
        self.counts(&array.sizes);
        self.counts(&array.subsizes);
        self.counts(&array.starts);
        self.integer(Argument::Order(array.order));
    }

    fn darray(&mut self, array: &Darray) {
        self.number(array.size);
        self.number(array.rank);
        self.number(array.sizes.len() as i64);
        self.counts(&array.sizes);
        array.distributions.iter().for_each(|how| self.integer(Argument::Distribution(*how)));
        for argument in &array.arguments {
            self.integer(argument.map_or(Argument::DefaultArgument, Argument::Number));
        }
        array.processes.iter().for_each(|count| self.number(*count));
        self.integer(Argument::Order(array.order));
    }
}
