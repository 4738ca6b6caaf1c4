//! Virtual topologies: grids and graphs of ranks. MPI 4.1 chapter 8.

mod cartesian;
mod dims;
mod distributed;
mod graph;

use std::ffi::c_int;

use foretell_mpi::{Reorder, Topology};

use crate::abi::*;
use crate::call::mpi;
use crate::comm::CommObject;
use crate::failure::{Failure, bad};
use crate::pointer::{In, Out};

/// What a topology may do with the numbers of ranks.
fn reorder(flag: c_int) -> Reorder {
    if flag == 0 { Reorder::Forbidden } else { Reorder::Allowed }
}

/// A length of an array of the program.
fn length(n: c_int, code: c_int, what: &str) -> Result<usize, Failure> {
    match usize::try_from(n) {
        Ok(n) => Ok(n),
        Err(_) => bad(code, format!("{n} {what}")),
    }
}

/// Numbers of the program that are not negative.
fn numbers(list: In<c_int>, n: usize, code: c_int, argument: &str) -> Result<Vec<u32>, Failure> {
    let given = list.given(n, argument)?.slice(n);
    let number = |number: &c_int| match u32::try_from(*number) {
        Ok(number) => Ok(number),
        Err(_) => bad(code, format!("{number} in the argument {argument} is negative")),
    };
    given.iter().map(number).collect()
}

/// Flags of the program.
fn flags(list: In<c_int>, n: usize, argument: &str) -> Result<Vec<bool>, Failure> {
    Ok(list.given(n, argument)?.slice(n).iter().map(|flag| *flag != 0).collect())
}

/// Hands numbers to the program, as many as it has room for.
fn hand<'a>(list: Out<c_int>, room: c_int, values: impl IntoIterator<Item = &'a u32>) {
    for (at, value) in values.into_iter().take(room.max(0) as usize).enumerate() {
        list.set_at(at, *value as c_int);
    }
}

/// That topologies are made of communicators with one group.
fn require_intra(comm: &CommObject) -> Result<(), Failure> {
    match comm.comm.is_inter() {
        true => bad(MPI_ERR_COMM, "an inter-communicator cannot have a topology"),
        false => Ok(()),
    }
}

mpi! {
    /// `MPI_Topo_test`.
    local fn MPI_Topo_test(comm: MPI_Comm, status: Out<c_int>) -> c_int on Comm(comm), |here| {
        let comm = here.comm(comm)?;
        status.given("status")?.set(match comm.comm.topology() {
            Some(Topology::Cartesian(_)) => MPI_CART,
            Some(Topology::Graph(_)) => MPI_GRAPH,
            Some(Topology::Distributed) => MPI_DIST_GRAPH,
            None => MPI_UNDEFINED,
        });
        Ok(())
    }
}
