//! Balanced grids. MPI 4.1 section 8.5.2.

use std::ffi::c_int;

use foretell_mpi::dims_create;

use super::length;
use crate::abi::*;
use crate::call::mpi;
use crate::failure::{Failure, bad};
use crate::pointer::Out;

mpi! {
    /// `MPI_Dims_create`.
    early fn MPI_Dims_create(nnodes: c_int, ndims: c_int, dims: Out<c_int>) -> c_int, |here| {
        let _ = here;
        let n = length(ndims, MPI_ERR_DIMS, "dimensions")?;
        if n == 0 {
            return Ok(());
        }
        let place = dims.given("dims")?.slice(n);
        if let Some(negative) = place.iter().find(|dim| **dim < 0) {
            return bad(MPI_ERR_DIMS, format!("a dimension of {negative} ranks"));
        }
        let nodes = length(nnodes, MPI_ERR_ARG, "nodes")? as u32;
        let mut wanted: Vec<u32> = place.iter().map(|dim| *dim as u32).collect();
        dims_create(nodes, &mut wanted)
            .map_err(|error| Failure::new(MPI_ERR_DIMS, error.to_string()))?;
        for (to, from) in place.iter_mut().zip(wanted) {
            *to = from as c_int;
        }
        Ok(())
    }
}
