//! Datatypes: what an element of a message is and where its bytes lie. MPI 4.1 chapter 5.
//!
//! A [`Datatype`] is a handle to an immutable description: how it was made ([`Recipe`]), its size
//! and bounds, the signature of its basic elements, and the [`Layout`] of its bytes. This module
//! describes memory and does not touch it: [`Layout::for_each_run`] tells the caller what to copy.
//! On slices, [`Datatype::pack_into`] and [`Datatype::unpack`] do it.
//!
//! Sizes and alignments are those of x86-64 Linux. Counts and displacements have 64 bits
//! throughout. What stays outside: handles, commit, names and attributes belong to the binding;
//! so does handing out the same handle for the same Fortran kind.
//!
//! ```
//! use foretell_mpi::datatype::{Basic, Datatype};
//!
//! // A column of a matrix of 3 by 4 doubles.
//! let column = Datatype::vector(3, 1, 4, &Basic::Double.into()).unwrap();
//! assert_eq!((column.size(), column.extent()), (24, 72));
//!
//! let mut runs = Vec::new();
//! column.layout(1).for_each_run(0..24, |offset, bytes| runs.push((offset, bytes)));
//! assert_eq!(runs, [(0, 8), (32, 8), (64, 8)]);
//! ```

mod array;
mod basic;
mod bounds;
mod construct;
mod contents;
mod copy;
mod elements;
mod extended;
mod external;
mod fortran;
mod layout;
mod measure;
mod recipe;
mod represented;
mod signature;
#[cfg(test)]
mod tests;
mod view;

use std::ops::Range;
use std::rc::Rc;

use crate::error::{Error, Result};

pub use array::{Darray, Distribution, Order, Subarray};
pub use basic::{Basic, Format, Kind};
use bounds::Bounds;
pub use contents::{Argument, Combiner, Contents};
pub use fortran::Precision;
pub use layout::{Group, Layout};
use measure::Measure;
use recipe::Body;
pub use recipe::Recipe;
pub use signature::Signature;
pub use view::{View, ViewMistake};

/// A datatype, predefined or derived. Clones share one description.
#[derive(Debug, Clone)]
pub struct Datatype(Rc<Description>);

#[derive(Debug, Clone)]
struct Description {
    recipe: Recipe,
    /// The type whose data this is, if the recipe only renames it or changes its bounds.
    equivalent: Option<Datatype>,
    has_large_counts: bool,
    measure: Measure,
    bounds: Bounds,
}

impl Datatype {
    /// Makes a datatype. The other constructors are shorthands for this one.
    ///
    /// Refuses negative counts, lists of different lengths, and what reaches past 2^63 bytes.
    pub fn new(recipe: Recipe) -> Result<Datatype> {
        let equivalent = recipe.equivalent()?;
        let far = || Error::BadArgument("a datatype with bounds past 2^63 bytes".into());
        let mut measure = match &equivalent {
            Some(of) => of.measure().clone(),
            None => Measure::of(&recipe)?,
        };
        if let Recipe::Resized { lower, extent, .. } = recipe {
            let upper = lower.checked_add(extent).ok_or_else(far)?;
            measure.marks = Some(Bounds { lower, upper });
        }
        let bounds = measure.bounds().ok_or_else(far)?;
        let has_large_counts = false;
        Ok(Datatype(Rc::new(Description { recipe, equivalent, has_large_counts, measure, bounds })))
    }

    /// The same made by the constructor's variant for large counts, which only
    /// [`Datatype::contents`] tells apart.
    pub fn with_large_counts(mut self) -> Datatype {
        Rc::make_mut(&mut self.0).has_large_counts = true;
        self
    }

    /// Whether it was made by a constructor for large counts.
    pub fn has_large_counts(&self) -> bool {
        self.0.has_large_counts
    }

    /// How it was made.
    pub fn recipe(&self) -> &Recipe {
        &self.0.recipe
    }

    /// The predefined type that it is, if it is one.
    pub fn as_basic(&self) -> Option<Basic> {
        match self.recipe() {
            Recipe::Named(basic) => Some(*basic),
            _ => None,
        }
    }

    /// `MPI_Type_size`: bytes of data in one element.
    pub fn size(&self) -> u64 {
        self.0.measure.size
    }

    /// Bytes of data in `count` elements; refuses negative counts and more than 2^63 bytes.
    pub fn packed_size(&self, count: i64) -> Result<u64> {
        let size = u64::try_from(count).ok().and_then(|count| self.size().checked_mul(count));
        size.filter(|size| *size <= i64::MAX as u64).ok_or_else(|| {
            let size = self.size();
            Error::BadArgument(format!("{count} elements of {size} bytes have no size"))
        })
    }

    /// `MPI_Type_get_extent`: from one element of an array to the next. May be negative.
    pub fn extent(&self) -> i64 {
        self.0.bounds.upper - self.0.bounds.lower
    }

    /// `MPI_Type_get_extent`: the lower bound.
    pub fn lower_bound(&self) -> i64 {
        self.0.bounds.lower
    }

    /// `MPI_Type_get_true_extent`: where the data begins.
    pub fn true_lower_bound(&self) -> i64 {
        self.0.measure.data.map_or(0, |data| data.lower)
    }

    /// `MPI_Type_get_true_extent`: from the first byte of data to behind the last one.
    pub fn true_extent(&self) -> i64 {
        self.0.measure.data.map_or(0, |data| data.upper - data.lower)
    }

    /// The offsets between which all data of `count` elements lies; empty without data, nothing
    /// if it reaches past 2^63 bytes.
    pub fn span(&self, count: i64) -> Option<Range<i64>> {
        match self.0.measure.data {
            Some(data) if count > 0 => {
                let all = data.repeated(count as u64, self.extent())?;
                Some(all.lower..all.upper)
            }
            _ => Some(0..0),
        }
    }

    /// Whether any number of elements is one run of bytes that begins at the buffer's address.
    pub fn is_contiguous(&self) -> bool {
        self.0.measure.layout.as_run() == Some(0) && self.extent() == self.size() as i64
    }

    /// How many basic elements one element has; the two of a pair count each.
    pub fn basic_elements(&self) -> u64 {
        self.0.measure.signature.elements()
    }

    /// The strictest alignment of its basic elements.
    pub fn alignment(&self) -> u64 {
        self.0.measure.alignment
    }

    /// The sequence of basic types of `count` elements.
    pub fn signature(&self, count: i64) -> Signature {
        self.0.measure.signature.repeated(count.max(0) as u64)
    }

    /// Where the bytes of `count` elements lie. Costs little whatever the count: the runs are
    /// found while walking. [`Datatype::packed_size`] and [`Datatype::span`] tell beforehand
    /// whether a count is sensible.
    pub fn layout(&self, count: i64) -> Layout {
        self.0.measure.layout.repeated(count.max(0) as u64, self.extent())
    }

    /// Visits the runs of the part `range` of the packed bytes of `count` elements, as
    /// [`Layout::for_each_run`].
    pub fn for_each_run(&self, count: i64, range: Range<u64>, visit: impl FnMut(i64, u64)) {
        self.layout(count).for_each_run(range, visit);
    }

    fn measure(&self) -> &Measure {
        &self.0.measure
    }

    /// The data as blocks of elements, seen through types that only rename others.
    fn body(&self) -> Body<'_> {
        let mut datatype = self;
        while let Some(of) = &datatype.0.equivalent {
            datatype = of;
        }
        datatype.0.recipe.body()
    }
}

impl From<Basic> for Datatype {
    fn from(basic: Basic) -> Datatype {
        Datatype::new(Recipe::Named(basic)).expect("predefined types are small")
    }
}

impl Drop for Description {
    /// Lets go of what it was built on in a loop: a program that keeps deriving from the last
    /// type makes chains too long for the stack.
    fn drop(&mut self) {
        let mut next = release(self);
        while let Some(mut description) = next.and_then(|of| Rc::into_inner(of.0)) {
            next = release(&mut description);
        }
    }
}

/// Takes out the type that a description builds on.
fn release(description: &mut Description) -> Option<Datatype> {
    description.equivalent = None;
    let named = Recipe::Named(Basic::Byte);
    description.recipe.base()?;
    let mut recipe = std::mem::replace(&mut description.recipe, named);
    recipe.base().map(|of| of.clone())
}
