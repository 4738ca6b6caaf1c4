//! How a datatype was made: a constructor and its arguments.

use super::Datatype;
use super::array::{Darray, Subarray};
use super::basic::Basic;
use super::fortran::{self, Precision};

/// A constructor of MPI 4.1 section 5.1 with its arguments.
///
/// The constructors with `H` count displacements and strides in bytes, the others in extents of
/// the type they build on.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the fields are the arguments, under the names of the standard")]
pub enum Recipe {
    /// A predefined type.
    Named(Basic),
    /// `MPI_Type_dup`.
    Dup { of: Datatype },
    /// `MPI_Type_contiguous`.
    Contiguous { count: i64, of: Datatype },
    /// `MPI_Type_vector`.
    Vector { count: i64, block: i64, stride: i64, of: Datatype },
    /// `MPI_Type_create_hvector`.
    Hvector { count: i64, block: i64, stride: i64, of: Datatype },
    /// `MPI_Type_indexed`.
    Indexed { blocks: Box<[i64]>, displacements: Box<[i64]>, of: Datatype },
    /// `MPI_Type_create_hindexed`.
    Hindexed { blocks: Box<[i64]>, displacements: Box<[i64]>, of: Datatype },
    /// `MPI_Type_create_indexed_block`.
    IndexedBlock { block: i64, displacements: Box<[i64]>, of: Datatype },
    /// `MPI_Type_create_hindexed_block`.
    HindexedBlock { block: i64, displacements: Box<[i64]>, of: Datatype },
    /// `MPI_Type_create_struct`.
    Struct { blocks: Box<[i64]>, displacements: Box<[i64]>, types: Box<[Datatype]> },
    /// `MPI_Type_create_subarray`.
    Subarray { array: Box<Subarray>, of: Datatype },
    /// `MPI_Type_create_darray`.
    Darray { array: Box<Darray>, of: Datatype },
    /// `MPI_Type_create_resized`.
    Resized { lower: i64, extent: i64, of: Datatype },
    /// `MPI_Type_create_f90_real`.
    F90Real(Precision),
    /// `MPI_Type_create_f90_complex`.
    F90Complex(Precision),
    /// `MPI_Type_create_f90_integer`, with the number of decimal digits.
    F90Integer(i32),
    /// `MPI_Type_get_value_index`, for a pair without a name of its own.
    ValueIndex { value: Datatype, index: Datatype },
}

impl Recipe {
    /// The type whose data this one has, when only bounds or the way of saying it differ.
    pub(super) fn equivalent(&self) -> crate::Result<Option<Datatype>> {
        Ok(Some(match self {
            Recipe::Dup { of }
            | Recipe::Resized { of, .. }
            | Recipe::Contiguous { count: 1, of } => of.clone(),
            Recipe::Subarray { array, of } => array.build(of)?,
            Recipe::Darray { array, of } => array.build(of)?,
            Recipe::F90Real(precision) => fortran::real(*precision)?.into(),
            Recipe::F90Complex(precision) => fortran::complex(*precision)?.into(),
            Recipe::F90Integer(digits) => fortran::integer(*digits)?.into(),
            Recipe::ValueIndex { value, index } => fortran::value_index(value, index)?,
            _ => return Ok(None),
        }))
    }

    /// The data as blocks of elements; nothing for a recipe that has an equivalent.
    pub(super) fn body(&self) -> Body<'_> {
        match self {
            Recipe::Named(basic) => Body::Basic(*basic),
            Recipe::Contiguous { count, of } => {
                Body::Strided { count: 1, block: *count, stride: 0, of }
            }
            Recipe::Vector { count, block, stride, of } => {
                let stride = stride.wrapping_mul(of.extent());
                Body::Strided { count: *count, block: *block, stride, of }
            }
            Recipe::Hvector { count, block, stride, of } => {
                Body::Strided { count: *count, block: *block, stride: *stride, of }
            }
            Recipe::Indexed { blocks, displacements, of } => {
                Body::blocks(blocks, displacements, of.extent(), std::slice::from_ref(of))
            }
            Recipe::Hindexed { blocks, displacements, of } => {
                Body::blocks(blocks, displacements, 1, std::slice::from_ref(of))
            }
            Recipe::IndexedBlock { block, displacements, of } => {
                let (block, of) = (std::slice::from_ref(block), std::slice::from_ref(of));
                Body::blocks(block, displacements, of[0].extent(), of)
            }
            Recipe::HindexedBlock { block, displacements, of } => {
                let (block, of) = (std::slice::from_ref(block), std::slice::from_ref(of));
                Body::blocks(block, displacements, 1, of)
            }
            Recipe::Struct { blocks, displacements, types } => {
                Body::blocks(blocks, displacements, 1, types)
            }
            _ => Body::blocks(&[], &[], 1, &[]),
        }
    }

    /// The one type it builds on, for those that build on one.
    pub(super) fn base(&mut self) -> Option<&mut Datatype> {
        match self {
            Recipe::Dup { of }
            | Recipe::Contiguous { of, .. }
            | Recipe::Vector { of, .. }
            | Recipe::Hvector { of, .. }
            | Recipe::Indexed { of, .. }
            | Recipe::Hindexed { of, .. }
            | Recipe::IndexedBlock { of, .. }
            | Recipe::HindexedBlock { of, .. }
            | Recipe::Subarray { of, .. }
            | Recipe::Darray { of, .. }
            | Recipe::Resized { of, .. } => Some(of),
            _ => None,
        }
    }
}

/// The data of a datatype as blocks of elements of others: what all constructors come down to.
#[derive(Clone, Copy)]
pub(super) enum Body<'a> {
    /// One element, or the two of a pair.
    Basic(Basic),
    /// `count` blocks of `block` elements each, `stride` bytes from one block to the next.
    Strided { count: i64, block: i64, stride: i64, of: &'a Datatype },
    /// Blocks anywhere.
    Blocks(Blocks<'a>),
}

impl<'a> Body<'a> {
    fn blocks(
        lengths: &'a [i64],
        displacements: &'a [i64],
        scale: i64,
        types: &'a [Datatype],
    ) -> Self {
        Body::Blocks(Blocks { lengths, displacements, scale, types })
    }
}

/// Blocks at given places. A single length or type stands for all.
#[derive(Clone, Copy)]
pub(super) struct Blocks<'a> {
    pub(super) lengths: &'a [i64],
    pub(super) displacements: &'a [i64],
    /// Bytes of a displacement of one.
    pub(super) scale: i64,
    pub(super) types: &'a [Datatype],
}

impl<'a> Blocks<'a> {
    /// Displacement in bytes, number of elements and their type, block by block; empty blocks are
    /// left out.
    pub(super) fn iter(self) -> impl Iterator<Item = (i64, u64, &'a Datatype)> {
        let block = move |(index, displacement): (usize, &i64)| {
            let length = self.lengths[index.min(self.lengths.len() - 1)];
            let of = &self.types[index.min(self.types.len() - 1)];
            (displacement.wrapping_mul(self.scale), length as u64, of)
        };
        self.displacements.iter().enumerate().map(block).filter(|(_, length, _)| *length > 0)
    }
}
