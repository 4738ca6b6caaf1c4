//! Cartesian grids. MPI 4.1 sections 8.5.1 and 8.5.5 to 8.5.7.

use std::ffi::c_int;

use foretell_mpi::{Cartesian, Comm, Reorder};
use foretell_ranks::block_on;

use super::{flags, hand, length, numbers, reorder, require_intra};
use crate::abi::*;
use crate::call::mpi;
use crate::comm::{CommObject, new_place};
use crate::failure::{Failure, bad};
use crate::pointer::{In, Out};

/// The grid of a communicator.
fn grid(comm: &CommObject) -> Result<&Cartesian, Failure> {
    match comm.comm.cartesian() {
        Some(grid) => Ok(grid),
        None => bad(MPI_ERR_TOPOLOGY, "the communicator has no Cartesian topology"),
    }
}

/// A grid as the program describes it, which has to fit the communicator.
fn described(
    comm: &CommObject,
    ndims: c_int,
    dims: In<c_int>,
    periods: In<c_int>,
) -> Result<(Vec<u32>, Vec<bool>), Failure> {
    let n = length(ndims, MPI_ERR_DIMS, "dimensions")?;
    let dims = numbers(dims, n, MPI_ERR_DIMS, "dims")?;
    let wanted = dims.iter().fold(1, |size: u64, dim| size.saturating_mul(u64::from(*dim)));
    let size = comm.comm.size();
    if wanted > u64::from(size) {
        return bad(MPI_ERR_DIMS, format!("a grid of {wanted} ranks for {size} ranks"));
    }
    Ok((dims, flags(periods, n, "periods")?))
}

/// That the program gives room for all dimensions.
fn check_room(grid: &Cartesian, maxdims: c_int) -> Result<(), Failure> {
    let dims = grid.dims.len();
    match usize::try_from(maxdims) {
        Ok(room) if room >= dims => Ok(()),
        _ => bad(MPI_ERR_DIMS, format!("room for {maxdims} of {dims} dimensions")),
    }
}

/// The part of a grid in which this rank is. Without dimensions it is a point, which the first rank
/// alone gets, as from `MPI_Cart_create`.
fn part(comm: &CommObject, keep: &[bool]) -> Result<Option<Comm>, Failure> {
    if keep.contains(&true) {
        return Ok(Some(block_on(comm.comm.cart_sub(keep))?));
    }
    Ok(block_on(comm.comm.cart_create(&[], &[], Reorder::Forbidden))?)
}

mpi! {
    /// `MPI_Cart_create`.
    timed fn MPI_Cart_create(
        comm_old: MPI_Comm, ndims: c_int, dims: In<c_int>, periods: In<c_int>, reordered: c_int,
        comm_cart: Out<MPI_Comm>,
    ) -> c_int on Comm(comm_old), |here| {
        let parent = here.comm(comm_old)?;
        let comm_cart = new_place(comm_cart, "comm_cart")?;
        require_intra(&parent)?;
        let (dims, periods) = described(&parent, ndims, dims, periods)?;
        if dims.contains(&0) {
            return bad(MPI_ERR_DIMS, "a dimension of 0 ranks");
        }
        let made = block_on(parent.comm.cart_create(&dims, &periods, reorder(reordered)))?;
        comm_cart.set(parent.child_or_null(made));
        Ok(())
    }

    /// `MPI_Cart_sub`.
    timed fn MPI_Cart_sub(comm: MPI_Comm, remain_dims: In<c_int>, newcomm: Out<MPI_Comm>) -> c_int
        on Comm(comm), |here| {
        let parent = here.comm(comm)?;
        let newcomm = new_place(newcomm, "newcomm")?;
        let dims = grid(&parent)?.dims.len();
        let keep = flags(remain_dims, dims, "remain_dims")?;
        newcomm.set(parent.child_or_null(part(&parent, &keep)?));
        Ok(())
    }

    /// `MPI_Cartdim_get`.
    local fn MPI_Cartdim_get(comm: MPI_Comm, ndims: Out<c_int>) -> c_int on Comm(comm), |here| {
        let comm = here.comm(comm)?;
        ndims.given("ndims")?.set(grid(&comm)?.dims.len() as c_int);
        Ok(())
    }

    /// `MPI_Cart_get`.
    local fn MPI_Cart_get(
        comm: MPI_Comm, maxdims: c_int, dims: Out<c_int>, periods: Out<c_int>, coords: Out<c_int>,
    ) -> c_int on Comm(comm), |here| {
        let comm = here.comm(comm)?;
        let grid = grid(&comm)?;
        check_room(grid, maxdims)?;
        hand(dims, maxdims, &grid.dims);
        hand(periods, maxdims, &grid.periods.iter().map(|ring| u32::from(*ring)).collect::<Vec<_>>());
        hand(coords, maxdims, &grid.coords(comm.comm.rank()));
        Ok(())
    }

    /// `MPI_Cart_coords`.
    local fn MPI_Cart_coords(comm: MPI_Comm, rank: c_int, maxdims: c_int, coords: Out<c_int>)
        -> c_int on Comm(comm), |here| {
        let comm = here.comm(comm)?;
        let grid = grid(&comm)?;
        if rank == MPI_PROC_NULL {
            return bad(MPI_ERR_RANK, "MPI_PROC_NULL has no place in a grid");
        }
        comm.check_target(rank)?;
        check_room(grid, maxdims)?;
        hand(coords, maxdims, &grid.coords(rank as u32));
        Ok(())
    }

    /// `MPI_Cart_rank`.
    local fn MPI_Cart_rank(comm: MPI_Comm, coords: In<c_int>, rank: Out<c_int>) -> c_int
        on Comm(comm), |here| {
        let comm = here.comm(comm)?;
        let grid = grid(&comm)?;
        let dims = grid.dims.len();
        let given = coords.given(dims, "coords")?.slice(dims);
        let coords: Vec<i64> = given.iter().map(|coord| i64::from(*coord)).collect();
        match grid.rank(&coords) {
            Some(found) => {
                rank.given("rank")?.set(found as c_int);
                Ok(())
            }
            None => bad(
                MPI_ERR_ARG,
                format!("the place {given:?} is outside of a grid of {:?}", grid.dims),
            ),
        }
    }

    /// `MPI_Cart_shift`.
    local fn MPI_Cart_shift(
        comm: MPI_Comm, direction: c_int, disp: c_int, source: Out<c_int>, dest: Out<c_int>,
    ) -> c_int on Comm(comm), |here| {
        let comm = here.comm(comm)?;
        let grid = grid(&comm)?;
        let dims = grid.dims.len();
        let Some(dimension) = usize::try_from(direction).ok().filter(|at| *at < dims) else {
            return bad(MPI_ERR_DIMS, format!("direction {direction} of a grid of {dims} dimensions"));
        };
        let (from, to) = grid.shift(comm.comm.rank(), dimension, i64::from(disp));
        source.given("rank_source")?.set(from);
        dest.given("rank_dest")?.set(to);
        Ok(())
    }

    /// `MPI_Cart_map`: ranks keep their numbers; in a grid without places nobody has one.
    local fn MPI_Cart_map(
        comm: MPI_Comm, ndims: c_int, dims: In<c_int>, periods: In<c_int>, newrank: Out<c_int>,
    ) -> c_int on Comm(comm), |here| {
        let comm = here.comm(comm)?;
        require_intra(&comm)?;
        let (dims, periods) = described(&comm, ndims, dims, periods)?;
        let rank = match dims.contains(&0) {
            true => None,
            false => comm.comm.cart_map(&dims, &periods)?,
        };
        newrank.given("newrank")?.set(rank.map_or(MPI_UNDEFINED, |rank| rank as c_int));
        Ok(())
    }
}
