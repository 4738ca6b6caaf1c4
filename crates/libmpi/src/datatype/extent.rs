//! Sizes and bounds. MPI 4.1 sections 5.1.5 to 5.1.8.

use super::lookup;
use super::width::Width;
use crate::abi::*;
use crate::call::{mpi, mpi_large};
use crate::failure::Outcome;
use crate::pointer::Out;

fn size<T: Width>(handle: MPI_Datatype, size: Out<T>) -> Outcome {
    let found = lookup(handle)?;
    size.given("size")?.set(T::told(found.datatype.size() as i64));
    Ok(())
}

fn extent<T: Width>(handle: MPI_Datatype, lower: Out<T>, extent: Out<T>) -> Outcome {
    let found = lookup(handle)?;
    lower.given("lb")?.set(T::told(found.datatype.lower_bound()));
    extent.given("extent")?.set(T::told(found.datatype.extent()));
    Ok(())
}

fn true_extent<T: Width>(handle: MPI_Datatype, lower: Out<T>, extent: Out<T>) -> Outcome {
    let found = lookup(handle)?;
    lower.given("true_lb")?.set(T::told(found.datatype.true_lower_bound()));
    extent.given("true_extent")?.set(T::told(found.datatype.true_extent()));
    Ok(())
}

mpi_large! {
    /// `MPI_Type_size`.
    local fn MPI_Type_size(datatype: MPI_Datatype, size: Out<C>) -> c_int, |here| {
        let _ = here;
        self::size(datatype, size)
    }

    /// `MPI_Type_get_extent`.
    local fn MPI_Type_get_extent(
        datatype: MPI_Datatype, lb: Out<A>, extent: Out<A>,
    ) -> c_int, |here| {
        let _ = here;
        self::extent(datatype, lb, extent)
    }

    /// `MPI_Type_get_true_extent`.
    local fn MPI_Type_get_true_extent(
        datatype: MPI_Datatype, true_lb: Out<A>, true_extent: Out<A>,
    ) -> c_int, |here| {
        let _ = here;
        self::true_extent(datatype, true_lb, true_extent)
    }
}

mpi! {
    /// `MPI_Type_size_x`, from before `MPI_Type_size_c`.
    local fn MPI_Type_size_x(datatype: MPI_Datatype, size: Out<MPI_Count>) -> c_int, |here| {
        let _ = here;
        self::size(datatype, size)
    }

    /// `MPI_Type_get_extent_x`, from before `MPI_Type_get_extent_c`.
    local fn MPI_Type_get_extent_x(
        datatype: MPI_Datatype, lb: Out<MPI_Count>, extent: Out<MPI_Count>,
    ) -> c_int, |here| {
        let _ = here;
        self::extent(datatype, lb, extent)
    }

    /// `MPI_Type_get_true_extent_x`, from before `MPI_Type_get_true_extent_c`.
    local fn MPI_Type_get_true_extent_x(
        datatype: MPI_Datatype, true_lb: Out<MPI_Count>, true_extent: Out<MPI_Count>,
    ) -> c_int, |here| {
        let _ = here;
        self::true_extent(datatype, true_lb, true_extent)
    }
}
