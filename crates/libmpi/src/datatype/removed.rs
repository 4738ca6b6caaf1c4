//! Functions of MPI-1 that MPI 3.0 removed and programs still call.

use std::ffi::c_int;

use foretell_mpi::datatype::Datatype;

use super::construct::{base, bases, give};
use super::lookup;
use super::width::{Width, count as checked, list};
use crate::abi::*;
use crate::call::mpi;
use crate::pointer::{In, Out};

mpi! {
    /// `MPI_Type_hvector`, today `MPI_Type_create_hvector`.
    local fn MPI_Type_hvector(
        count: c_int, blocklength: c_int, stride: MPI_Aint, oldtype: MPI_Datatype,
        newtype: Out<MPI_Datatype>,
    ) -> c_int, |here| {
        let _ = here;
        let (count, block, stride) = (checked(count)?, blocklength.wide(), stride.wide());
        give::<false>(Datatype::hvector(count, block, stride, &base(oldtype)?), newtype)
    }

    /// `MPI_Type_hindexed`, today `MPI_Type_create_hindexed`.
    local fn MPI_Type_hindexed(
        count: c_int, blocklengths: In<c_int>, displacements: In<MPI_Aint>,
        oldtype: MPI_Datatype, newtype: Out<MPI_Datatype>,
    ) -> c_int, |here| {
        let _ = here;
        let count = checked(count)?;
        let blocks = list(blocklengths, count, "blocklengths")?;
        let displacements = list(displacements, count, "displacements")?;
        give::<false>(Datatype::hindexed(&blocks, &displacements, &base(oldtype)?), newtype)
    }

    /// `MPI_Type_struct`, today `MPI_Type_create_struct`.
    local fn MPI_Type_struct(
        count: c_int, blocklengths: In<c_int>, displacements: In<MPI_Aint>,
        types: In<MPI_Datatype>, newtype: Out<MPI_Datatype>,
    ) -> c_int, |here| {
        let _ = here;
        let count = checked(count)?;
        let blocks = list(blocklengths, count, "blocklengths")?;
        let displacements = list(displacements, count, "displacements")?;
        let types = bases(types, count)?;
        give::<false>(Datatype::structure(&blocks, &displacements, &types), newtype)
    }

    /// `MPI_Type_extent`, today `MPI_Type_get_extent`.
    local fn MPI_Type_extent(datatype: MPI_Datatype, extent: Out<MPI_Aint>) -> c_int, |here| {
        let _ = here;
        extent.given("extent")?.set(lookup(datatype)?.datatype.extent() as MPI_Aint);
        Ok(())
    }

    /// `MPI_Type_lb`, today `MPI_Type_get_extent`.
    local fn MPI_Type_lb(datatype: MPI_Datatype, displacement: Out<MPI_Aint>) -> c_int, |here| {
        let _ = here;
        let lower = lookup(datatype)?.datatype.lower_bound();
        displacement.given("displacement")?.set(lower as MPI_Aint);
        Ok(())
    }

    /// `MPI_Type_ub`, today `MPI_Type_get_extent`.
    local fn MPI_Type_ub(datatype: MPI_Datatype, displacement: Out<MPI_Aint>) -> c_int, |here| {
        let _ = here;
        let found = lookup(datatype)?;
        let upper = found.datatype.lower_bound() + found.datatype.extent();
        displacement.given("displacement")?.set(upper as MPI_Aint);
        Ok(())
    }
}
