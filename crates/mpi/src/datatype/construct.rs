//! The constructors. MPI 4.1 section 5.1.

use super::Datatype;
use super::array::{Darray, Subarray};
use super::recipe::Recipe;
use crate::error::Result;

impl Datatype {
    /// `MPI_Type_dup`: the same once more.
    pub fn dup(&self) -> Result<Datatype> {
        Datatype::new(Recipe::Dup { of: self.clone() })
    }

    /// `MPI_Type_contiguous`: `count` elements one behind the other.
    pub fn contiguous(count: i64, of: &Datatype) -> Result<Datatype> {
        Datatype::new(Recipe::Contiguous { count, of: of.clone() })
    }

    /// `MPI_Type_vector`: `count` blocks of `block` elements, `stride` extents from one block to
    /// the next.
    pub fn vector(count: i64, block: i64, stride: i64, of: &Datatype) -> Result<Datatype> {
        Datatype::new(Recipe::Vector { count, block, stride, of: of.clone() })
    }

    /// `MPI_Type_create_hvector`: as [`Datatype::vector`] with the stride in bytes.
    pub fn hvector(count: i64, block: i64, stride: i64, of: &Datatype) -> Result<Datatype> {
        Datatype::new(Recipe::Hvector { count, block, stride, of: of.clone() })
    }

    /// `MPI_Type_indexed`: blocks of elements, displaced by multiples of the extent.
    pub fn indexed(blocks: &[i64], displacements: &[i64], of: &Datatype) -> Result<Datatype> {
        let (blocks, displacements) = (blocks.into(), displacements.into());
        Datatype::new(Recipe::Indexed { blocks, displacements, of: of.clone() })
    }

    /// `MPI_Type_create_hindexed`: as [`Datatype::indexed`] with displacements in bytes.
    pub fn hindexed(blocks: &[i64], displacements: &[i64], of: &Datatype) -> Result<Datatype> {
        let (blocks, displacements) = (blocks.into(), displacements.into());
        Datatype::new(Recipe::Hindexed { blocks, displacements, of: of.clone() })
    }

    /// `MPI_Type_create_indexed_block`: blocks of one length, displaced by multiples of the
    /// extent.
    pub fn indexed_block(block: i64, displacements: &[i64], of: &Datatype) -> Result<Datatype> {
        let displacements = displacements.into();
        Datatype::new(Recipe::IndexedBlock { block, displacements, of: of.clone() })
    }

    /// `MPI_Type_create_hindexed_block`: as [`Datatype::indexed_block`] with displacements in
    /// bytes.
    pub fn hindexed_block(block: i64, displacements: &[i64], of: &Datatype) -> Result<Datatype> {
        let displacements = displacements.into();
        Datatype::new(Recipe::HindexedBlock { block, displacements, of: of.clone() })
    }

    /// `MPI_Type_create_struct`: blocks of elements of different types, displacements in bytes.
    pub fn structure(
        blocks: &[i64],
        displacements: &[i64],
        types: &[Datatype],
    ) -> Result<Datatype> {
        let (blocks, displacements) = (blocks.into(), displacements.into());
        Datatype::new(Recipe::Struct { blocks, displacements, types: types.into() })
    }

    /// `MPI_Type_create_subarray`: a block of a multidimensional array.
    pub fn subarray(array: Subarray, of: &Datatype) -> Result<Datatype> {
        Datatype::new(Recipe::Subarray { array: Box::new(array), of: of.clone() })
    }

    /// `MPI_Type_create_darray`: one process's part of a distributed array.
    pub fn darray(array: Darray, of: &Datatype) -> Result<Datatype> {
        Datatype::new(Recipe::Darray { array: Box::new(array), of: of.clone() })
    }

    /// `MPI_Type_create_resized`: the same data with explicit bounds, which also count in what is
    /// built on it.
    pub fn resized(&self, lower: i64, extent: i64) -> Result<Datatype> {
        Datatype::new(Recipe::Resized { lower, extent, of: self.clone() })
    }
}
