//! Making datatypes of parts of arrays. MPI 4.1 sections 5.1.3 and 5.1.4.

use std::ffi::c_int;

use foretell_mpi::datatype::{Darray, Datatype, Distribution, Order, Subarray};

use super::construct::{base, give};
use super::width::list;
use crate::abi::*;
use crate::call::mpi_large;
use crate::failure::{Failure, bad};
use crate::pointer::{In, Out};

/// The number of dimensions of an array.
fn dimensions(ndims: c_int) -> Result<i64, Failure> {
    match ndims {
        1.. => Ok(i64::from(ndims)),
        _ => bad(MPI_ERR_DIMS, format!("an array has one dimension or more, not {ndims}")),
    }
}

fn order(order: c_int) -> Result<Order, Failure> {
    match order {
        MPI_ORDER_C => Ok(Order::C),
        MPI_ORDER_FORTRAN => Ok(Order::Fortran),
        _ => bad(MPI_ERR_ARG, format!("{order} is neither MPI_ORDER_C nor MPI_ORDER_FORTRAN")),
    }
}

fn distribution(how: c_int) -> Result<Distribution, Failure> {
    match how {
        MPI_DISTRIBUTE_NONE => Ok(Distribution::None),
        MPI_DISTRIBUTE_BLOCK => Ok(Distribution::Block),
        MPI_DISTRIBUTE_CYCLIC => Ok(Distribution::Cyclic),
        _ => bad(MPI_ERR_ARG, format!("{how} is none of MPI_DISTRIBUTE_NONE, _BLOCK and _CYCLIC")),
    }
}

fn distributions(array: In<c_int>, ndims: i64) -> Result<Vec<Distribution>, Failure> {
    let array = array.given(ndims as usize, "array_of_distribs")?;
    array.slice(ndims as usize).iter().map(|how| distribution(*how)).collect()
}

fn distribution_arguments(array: In<c_int>, ndims: i64) -> Result<Vec<Option<i64>>, Failure> {
    let given =
        |argument: i64| (argument != i64::from(MPI_DISTRIBUTE_DFLT_DARG)).then_some(argument);
    Ok(list(array, ndims, "array_of_dargs")?.into_iter().map(given).collect())
}

mpi_large! {
    /// `MPI_Type_create_subarray`.
    local fn MPI_Type_create_subarray(
        ndims: c_int, sizes: In<C>, subsizes: In<C>, starts: In<C>, order: c_int,
        oldtype: MPI_Datatype, newtype: Out<MPI_Datatype>,
    ) -> c_int, |here| {
        let _ = here;
        let ndims = dimensions(ndims)?;
        let array = Subarray {
            sizes: list(sizes, ndims, "array_of_sizes")?,
            subsizes: list(subsizes, ndims, "array_of_subsizes")?,
            starts: list(starts, ndims, "array_of_starts")?,
            order: self::order(order)?,
        };
        give::<LARGE>(Datatype::subarray(array, &base(oldtype)?), newtype)
    }

    /// `MPI_Type_create_darray`.
    local fn MPI_Type_create_darray(
        size: c_int, rank: c_int, ndims: c_int, gsizes: In<C>, distribs: In<c_int>,
        dargs: In<c_int>, psizes: In<c_int>, order: c_int, oldtype: MPI_Datatype,
        newtype: Out<MPI_Datatype>,
    ) -> c_int, |here| {
        let _ = here;
        let ndims = dimensions(ndims)?;
        let array = Darray {
            size: i64::from(size),
            rank: i64::from(rank),
            sizes: list(gsizes, ndims, "array_of_gsizes")?,
            distributions: distributions(distribs, ndims)?,
            arguments: distribution_arguments(dargs, ndims)?,
            processes: list(psizes, ndims, "array_of_psizes")?,
            order: self::order(order)?,
        };
        give::<LARGE>(Datatype::darray(array, &base(oldtype)?), newtype)
    }
}
