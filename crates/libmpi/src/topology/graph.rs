//! Graphs that every rank knows as a whole. MPI 4.1 section 8.5.3.

use std::ffi::c_int;

use foretell_mpi::Graph;
use foretell_ranks::block_on;

use super::{hand, length, numbers, reorder, require_intra};
use crate::abi::*;
use crate::call::mpi;
use crate::comm::{CommObject, new_place};
use crate::failure::{Failure, bad};
use crate::pointer::{In, Out};

/// The graph of a communicator.
fn graph(comm: &CommObject) -> Result<&Graph, Failure> {
    match comm.comm.graph() {
        Some(graph) => Ok(graph),
        None => bad(MPI_ERR_TOPOLOGY, "the communicator has no graph topology"),
    }
}

/// A graph as the program describes it, which has to fit the communicator.
fn described(
    comm: &CommObject,
    nnodes: c_int,
    index: In<c_int>,
    edges: In<c_int>,
) -> Result<(Vec<u32>, Vec<u32>), Failure> {
    let nodes = length(nnodes, MPI_ERR_ARG, "nodes")?;
    let size = comm.comm.size();
    if nodes > size as usize {
        return bad(MPI_ERR_ARG, format!("a graph of {nodes} nodes for {size} ranks"));
    }
    let index = numbers(index, nodes, MPI_ERR_ARG, "index")?;
    let count = index.last().map_or(0, |last| *last as usize);
    let edges = numbers(edges, count, MPI_ERR_ARG, "edges")?;
    Graph::new(&index, &edges)?;
    Ok((index, edges))
}

/// The neighbours of a rank.
fn neighbours(comm: &CommObject, rank: c_int) -> Result<&[u32], Failure> {
    graph(comm)?;
    if rank == MPI_PROC_NULL {
        return bad(MPI_ERR_RANK, "MPI_PROC_NULL has no neighbours");
    }
    comm.check_target(rank)?;
    Ok(comm.comm.graph_neighbours(rank as u32)?)
}

mpi! {
    /// `MPI_Graph_create`.
    timed fn MPI_Graph_create(
        comm_old: MPI_Comm, nnodes: c_int, index: In<c_int>, edges: In<c_int>, reordered: c_int,
        comm_graph: Out<MPI_Comm>,
    ) -> c_int on Comm(comm_old), |here| {
        let parent = here.comm(comm_old)?;
        let comm_graph = new_place(comm_graph, "comm_graph")?;
        require_intra(&parent)?;
        let (index, edges) = described(&parent, nnodes, index, edges)?;
        let made = block_on(parent.comm.graph_create(&index, &edges, reorder(reordered)))?;
        comm_graph.set(parent.child_or_null(made));
        Ok(())
    }

    /// `MPI_Graphdims_get`.
    local fn MPI_Graphdims_get(comm: MPI_Comm, nnodes: Out<c_int>, nedges: Out<c_int>) -> c_int
        on Comm(comm), |here| {
        let comm = here.comm(comm)?;
        let (nodes, edges) = graph(&comm)?.dims();
        nnodes.given("nnodes")?.set(nodes as c_int);
        nedges.given("nedges")?.set(edges as c_int);
        Ok(())
    }

    /// `MPI_Graph_get`.
    local fn MPI_Graph_get(
        comm: MPI_Comm, maxindex: c_int, maxedges: c_int, index: Out<c_int>, edges: Out<c_int>,
    ) -> c_int on Comm(comm), |here| {
        let comm = here.comm(comm)?;
        let graph = graph(&comm)?;
        let (nodes, count) = graph.dims();
        if i64::from(maxindex) < i64::from(nodes) || i64::from(maxedges) < i64::from(count) {
            return bad(
                MPI_ERR_ARG,
                format!("room for {maxindex} nodes and {maxedges} edges of {nodes} and {count}"),
            );
        }
        hand(index, maxindex, graph.index());
        hand(edges, maxedges, graph.edges());
        Ok(())
    }

    /// `MPI_Graph_map`: ranks keep their numbers.
    local fn MPI_Graph_map(
        comm: MPI_Comm, nnodes: c_int, index: In<c_int>, edges: In<c_int>, newrank: Out<c_int>,
    ) -> c_int on Comm(comm), |here| {
        let comm = here.comm(comm)?;
        require_intra(&comm)?;
        let (index, edges) = described(&comm, nnodes, index, edges)?;
        let rank = comm.comm.graph_map(&index, &edges)?;
        newrank.given("newrank")?.set(rank.map_or(MPI_UNDEFINED, |rank| rank as c_int));
        Ok(())
    }

    /// `MPI_Graph_neighbors_count`.
    local fn MPI_Graph_neighbors_count(comm: MPI_Comm, rank: c_int, nneighbors: Out<c_int>) -> c_int
        on Comm(comm), |here| {
        let comm = here.comm(comm)?;
        nneighbors.given("nneighbors")?.set(neighbours(&comm, rank)?.len() as c_int);
        Ok(())
    }

    /// `MPI_Graph_neighbors`.
    local fn MPI_Graph_neighbors(
        comm: MPI_Comm, rank: c_int, maxneighbors: c_int, list: Out<c_int>,
    ) -> c_int on Comm(comm), |here| {
        let comm = here.comm(comm)?;
        hand(list, maxneighbors, neighbours(&comm, rank)?);
        Ok(())
    }
}
