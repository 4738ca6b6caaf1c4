//! Making datatypes of others. MPI 4.1 section 5.1.2.

use foretell_mpi::datatype::Datatype;

use super::width::{Width, count as checked, list};
use super::{TypeObject, lookup};
use crate::abi::*;
use crate::call::{mpi, mpi_large};
use crate::failure::{Failure, Outcome};
use crate::pointer::{In, Out};

/// Hands a new datatype to the program.
pub(super) fn give<const LARGE: bool>(
    made: foretell_mpi::Result<Datatype>,
    newtype: Out<MPI_Datatype>,
) -> Outcome {
    let newtype = newtype.given("newtype")?;
    let datatype = if LARGE { made?.with_large_counts() } else { made? };
    newtype.set(TypeObject::new(datatype).keep());
    Ok(())
}

/// The description of a handle's datatype, to build on.
pub(super) fn base(handle: MPI_Datatype) -> Result<Datatype, Failure> {
    lookup(handle).map(|found| found.datatype.clone())
}

/// The descriptions of several handles.
pub(super) fn bases(types: In<MPI_Datatype>, count: i64) -> Result<Vec<Datatype>, Failure> {
    let types = types.given(count as usize, "array_of_types")?;
    types.slice(count as usize).iter().map(|handle| base(*handle)).collect()
}

mpi_large! {
    /// `MPI_Type_contiguous`.
    local fn MPI_Type_contiguous(
        count: C, oldtype: MPI_Datatype, newtype: Out<MPI_Datatype>,
    ) -> c_int, |here| {
        let _ = here;
        give::<LARGE>(Datatype::contiguous(checked(count)?, &base(oldtype)?), newtype)
    }

    /// `MPI_Type_vector`.
    local fn MPI_Type_vector(
        count: C, blocklength: C, stride: C, oldtype: MPI_Datatype, newtype: Out<MPI_Datatype>,
    ) -> c_int, |here| {
        let _ = here;
        let (count, block, stride) = (checked(count)?, blocklength.wide(), stride.wide());
        give::<LARGE>(Datatype::vector(count, block, stride, &base(oldtype)?), newtype)
    }

    /// `MPI_Type_create_hvector`.
    local fn MPI_Type_create_hvector(
        count: C, blocklength: C, stride: A, oldtype: MPI_Datatype, newtype: Out<MPI_Datatype>,
    ) -> c_int, |here| {
        let _ = here;
        let (count, block, stride) = (checked(count)?, blocklength.wide(), stride.wide());
        give::<LARGE>(Datatype::hvector(count, block, stride, &base(oldtype)?), newtype)
    }

    /// `MPI_Type_indexed`.
    local fn MPI_Type_indexed(
        count: C, blocklengths: In<C>, displacements: In<C>, oldtype: MPI_Datatype,
        newtype: Out<MPI_Datatype>,
    ) -> c_int, |here| {
        let _ = here;
        let count = checked(count)?;
        let blocks = list(blocklengths, count, "array_of_blocklengths")?;
        let displacements = list(displacements, count, "array_of_displacements")?;
        give::<LARGE>(Datatype::indexed(&blocks, &displacements, &base(oldtype)?), newtype)
    }

    /// `MPI_Type_create_hindexed`.
    local fn MPI_Type_create_hindexed(
        count: C, blocklengths: In<C>, displacements: In<A>, oldtype: MPI_Datatype,
        newtype: Out<MPI_Datatype>,
    ) -> c_int, |here| {
        let _ = here;
        let count = checked(count)?;
        let blocks = list(blocklengths, count, "array_of_blocklengths")?;
        let displacements = list(displacements, count, "array_of_displacements")?;
        give::<LARGE>(Datatype::hindexed(&blocks, &displacements, &base(oldtype)?), newtype)
    }

    /// `MPI_Type_create_indexed_block`.
    local fn MPI_Type_create_indexed_block(
        count: C, blocklength: C, displacements: In<C>, oldtype: MPI_Datatype,
        newtype: Out<MPI_Datatype>,
    ) -> c_int, |here| {
        let _ = here;
        let displacements = list(displacements, checked(count)?, "array_of_displacements")?;
        let block = blocklength.wide();
        give::<LARGE>(Datatype::indexed_block(block, &displacements, &base(oldtype)?), newtype)
    }

    /// `MPI_Type_create_hindexed_block`.
    local fn MPI_Type_create_hindexed_block(
        count: C, blocklength: C, displacements: In<A>, oldtype: MPI_Datatype,
        newtype: Out<MPI_Datatype>,
    ) -> c_int, |here| {
        let _ = here;
        let displacements = list(displacements, checked(count)?, "array_of_displacements")?;
        let block = blocklength.wide();
        give::<LARGE>(Datatype::hindexed_block(block, &displacements, &base(oldtype)?), newtype)
    }

    /// `MPI_Type_create_struct`.
    local fn MPI_Type_create_struct(
        count: C, blocklengths: In<C>, displacements: In<A>, types: In<MPI_Datatype>,
        newtype: Out<MPI_Datatype>,
    ) -> c_int, |here| {
        let _ = here;
        let count = checked(count)?;
        let blocks = list(blocklengths, count, "array_of_blocklengths")?;
        let displacements = list(displacements, count, "array_of_displacements")?;
        let types = bases(types, count)?;
        give::<LARGE>(Datatype::structure(&blocks, &displacements, &types), newtype)
    }

    /// `MPI_Type_create_resized`.
    local fn MPI_Type_create_resized(
        oldtype: MPI_Datatype, lb: A, extent: A, newtype: Out<MPI_Datatype>,
    ) -> c_int, |here| {
        let _ = here;
        give::<LARGE>(base(oldtype)?.resized(lb.wide(), extent.wide()), newtype)
    }
}

mpi! {
    /// `MPI_Type_dup`: the same with copies of its attributes.
    local fn MPI_Type_dup(oldtype: MPI_Datatype, newtype: Out<MPI_Datatype>) -> c_int, |here| {
        let _ = here;
        // What a program gets when an attribute cannot be copied.
        newtype.given("newtype")?.set(MPI_DATATYPE_NULL);
        let old = lookup(oldtype)?;
        let mut copy = TypeObject::new(old.datatype.dup()?);
        copy.attributes = crate::attribute::copy_each(&old.attributes, oldtype)?.into();
        copy.is_committed.set(old.is_committed.get());
        newtype.set(copy.keep());
        Ok(())
    }
}
