//! Graphs of which each rank knows some edges. MPI 4.1 section 8.5.4.

use std::ffi::c_int;

use foretell_mpi::{Neighbours, Weights};
use foretell_ranks::block_on;

use super::{hand, length, numbers, reorder, require_intra};
use crate::abi::*;
use crate::call::mpi;
use crate::comm::{CommObject, new_place};
use crate::failure::{Failure, bad};
use crate::info;
use crate::pointer::{In, Out};

/// Whether an array of weights is one.
fn is_weighted(weights: In<c_int>) -> bool {
    weights.address() != MPI_UNWEIGHTED
}

/// Weights of so many edges; `MPI_WEIGHTS_EMPTY` is an array of none.
fn weights(list: In<c_int>, n: usize, argument: &str) -> Result<Vec<i32>, Failure> {
    if list.address() == MPI_WEIGHTS_EMPTY && n == 0 {
        return Ok(Vec::new());
    }
    if list.address() == MPI_WEIGHTS_EMPTY {
        return bad(MPI_ERR_ARG, format!("MPI_WEIGHTS_EMPTY for {n} edges"));
    }
    let given = list.given(n, argument)?.slice(n);
    if let Some(negative) = given.iter().find(|weight| **weight < 0) {
        return bad(MPI_ERR_ARG, format!("a weight of {negative} is negative"));
    }
    Ok(given.to_vec())
}

/// Ranks of a communicator that the program lists.
fn ranks(comm: &CommObject, list: In<c_int>, n: usize, what: &str) -> Result<Vec<u32>, Failure> {
    let size = comm.comm.size();
    let ranks = numbers(list, n, MPI_ERR_RANK, what)?;
    match ranks.iter().find(|rank| **rank >= size) {
        Some(rank) => bad(MPI_ERR_RANK, format!("rank {rank} is not among {size} ranks")),
        None => Ok(ranks),
    }
}

/// The neighbours of this rank.
fn neighbours(comm: &CommObject) -> Result<&Neighbours, Failure> {
    match comm.comm.neighbours() {
        Ok(neighbours) => Ok(neighbours),
        Err(_) => bad(MPI_ERR_TOPOLOGY, "the communicator has no distributed graph topology"),
    }
}

/// Hands weights to the program, unless it does not want them.
fn hand_weights(list: Out<c_int>, room: c_int, weights: &[i32]) {
    if list.address() == MPI_UNWEIGHTED || list.address() == MPI_WEIGHTS_EMPTY {
        return;
    }
    for (at, weight) in weights.iter().take(room.max(0) as usize).enumerate() {
        list.set_at(at, *weight);
    }
}

/// That a list has room for what there is.
fn check_room(room: c_int, what: &str) -> Result<(), Failure> {
    match room {
        0.. => Ok(()),
        _ => bad(MPI_ERR_ARG, format!("room for {room} {what}")),
    }
}

mpi! {
    /// `MPI_Dist_graph_create`.
    timed fn MPI_Dist_graph_create(
        comm_old: MPI_Comm, n: c_int, sources: In<c_int>, degrees: In<c_int>,
        destinations: In<c_int>, weight: In<c_int>, hints: MPI_Info, reordered: c_int,
        newcomm: Out<MPI_Comm>,
    ) -> c_int on Comm(comm_old), |here| {
        let parent = here.comm(comm_old)?;
        let newcomm = new_place(newcomm, "comm_dist_graph")?;
        require_intra(&parent)?;
        info::optional(here, hints)?;
        let n = length(n, MPI_ERR_ARG, "sources")?;
        let sources = ranks(&parent, sources, n, "sources")?;
        let degrees = numbers(degrees, n, MPI_ERR_ARG, "degrees")?;
        let count = degrees.iter().map(|degree| *degree as usize).sum();
        let destinations = ranks(&parent, destinations, count, "destinations")?;
        let given = match is_weighted(weight) {
            true => Some(weights(weight, count, "weights")?),
            false => None,
        };
        let froms = sources.iter().zip(&degrees);
        let froms = froms.flat_map(|(from, degree)| std::iter::repeat_n(*from, *degree as usize));
        let edges: Vec<(u32, u32)> = froms.zip(destinations).collect();
        let make = parent.comm.dist_graph_create(&edges, given.as_deref(), reorder(reordered));
        newcomm.set(parent.child(block_on(make)?));
        Ok(())
    }

    /// `MPI_Dist_graph_create_adjacent`.
    timed fn MPI_Dist_graph_create_adjacent(
        comm_old: MPI_Comm, indegree: c_int, sources: In<c_int>, source_weights: In<c_int>,
        outdegree: c_int, destinations: In<c_int>, destination_weights: In<c_int>, hints: MPI_Info,
        reordered: c_int, newcomm: Out<MPI_Comm>,
    ) -> c_int on Comm(comm_old), |here| {
        let parent = here.comm(comm_old)?;
        let newcomm = new_place(newcomm, "comm_dist_graph")?;
        require_intra(&parent)?;
        info::optional(here, hints)?;
        let ins = length(indegree, MPI_ERR_ARG, "sources")?;
        let outs = length(outdegree, MPI_ERR_ARG, "destinations")?;
        let weights = match (is_weighted(source_weights), is_weighted(destination_weights)) {
            (true, true) => Some(Weights {
                sources: weights(source_weights, ins, "sourceweights")?,
                destinations: weights(destination_weights, outs, "destweights")?,
            }),
            (false, false) => None,
            _ => return bad(MPI_ERR_ARG, "only one of two lists of weights is MPI_UNWEIGHTED"),
        };
        let neighbours = Neighbours {
            sources: ranks(&parent, sources, ins, "sources")?,
            destinations: ranks(&parent, destinations, outs, "destinations")?,
            weights,
        };
        let make = parent.comm.dist_graph_create_adjacent(neighbours, reorder(reordered));
        newcomm.set(parent.child(block_on(make)?));
        Ok(())
    }

    /// `MPI_Dist_graph_neighbors_count`.
    local fn MPI_Dist_graph_neighbors_count(
        comm: MPI_Comm, indegree: Out<c_int>, outdegree: Out<c_int>, weighted: Out<c_int>,
    ) -> c_int on Comm(comm), |here| {
        let comm = here.comm(comm)?;
        let own = neighbours(&comm)?;
        indegree.given("indegree")?.set(own.sources.len() as c_int);
        outdegree.given("outdegree")?.set(own.destinations.len() as c_int);
        weighted.given("weighted")?.set(c_int::from(own.weights.is_some()));
        Ok(())
    }

    /// `MPI_Dist_graph_neighbors`.
    local fn MPI_Dist_graph_neighbors(
        comm: MPI_Comm, maxindegree: c_int, sources: Out<c_int>, source_weights: Out<c_int>,
        maxoutdegree: c_int, destinations: Out<c_int>, destination_weights: Out<c_int>,
    ) -> c_int on Comm(comm), |here| {
        let comm = here.comm(comm)?;
        let own = neighbours(&comm)?;
        check_room(maxindegree, "sources")?;
        check_room(maxoutdegree, "destinations")?;
        hand(sources, maxindegree, &own.sources);
        hand(destinations, maxoutdegree, &own.destinations);
        if let Some(weights) = &own.weights {
            hand_weights(source_weights, maxindegree, &weights.sources);
            hand_weights(destination_weights, maxoutdegree, &weights.destinations);
        }
        Ok(())
    }
}
