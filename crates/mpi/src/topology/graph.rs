//! Graphs that every rank knows as a whole. MPI 4.1 section 8.5.3.

use std::rc::Rc;

use super::Topology;
use crate::cartesian::Reorder;
use crate::collective::Fixed;
use crate::comm::Comm;
use crate::error::{Error, Result};

/// A graph as `MPI_Graph_create` describes it. Cloning is cheap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Graph {
    /// How many edges the nodes up to each one have.
    index: Rc<[u32]>,
    /// The neighbours of node 0, of node 1, …
    edges: Rc<[u32]>,
}

impl Graph {
    /// A graph of as many nodes as there are numbers in `index`: its `i`th says how many edges
    /// the first `i + 1` nodes have, and `edges` lists where these lead to.
    pub fn new(index: &[u32], edges: &[u32]) -> Result<Graph> {
        let nodes = index.len();
        if !index.is_sorted() {
            return Err(Error::BadArgument("the index of a graph decreases".into()));
        }
        let counted = index.last().copied().unwrap_or(0) as usize;
        if counted != edges.len() {
            let given = edges.len();
            return Err(Error::BadArgument(format!("{given} edges where {counted} are counted")));
        }
        match edges.iter().find(|to| **to as usize >= nodes) {
            Some(to) => Err(Error::BadArgument(format!("an edge to {to} among {nodes} nodes"))),
            None => Ok(Graph { index: index.into(), edges: edges.into() }),
        }
    }

    /// `MPI_Graphdims_get`: how many nodes and edges there are.
    pub fn dims(&self) -> (u32, u32) {
        (self.index.len() as u32, self.edges.len() as u32)
    }

    /// `MPI_Graph_get`: how many edges the nodes up to each one have.
    pub fn index(&self) -> &[u32] {
        &self.index
    }

    /// `MPI_Graph_get`: the neighbours of all nodes, one behind the other.
    pub fn edges(&self) -> &[u32] {
        &self.edges
    }

    /// The neighbours of a node.
    pub(super) fn neighbours(&self, node: u32) -> &[u32] {
        let start = match node {
            0 => 0,
            node => self.index[node as usize - 1],
        };
        &self.edges[start as usize..self.index[node as usize] as usize]
    }
}

impl Comm {
    /// `MPI_Graph_create`: the first ranks get a communicator with this graph, which all ranks
    /// give alike; those left over get none. No messages.
    pub async fn graph_create(
        &self,
        index: &[u32],
        edges: &[u32],
        _: Reorder,
    ) -> Result<Option<Comm>> {
        self.require_intra("MPI_Graph_create")?;
        let graph = Graph::new(index, edges)?;
        let (nodes, size) = (graph.dims().0, self.size());
        if nodes > size {
            return Err(Error::BadArgument(format!("a graph of {nodes} for {size} ranks")));
        }
        if self.rank() >= nodes {
            return self.derive_nothing(Fixed::GraphCreate).map(|()| None);
        }
        let made = || (self.group().first(nodes), Some(Topology::Graph(graph)));
        self.derive(Fixed::GraphCreate, 0, made).map(Some)
    }

    /// The graph, if the communicator has one.
    pub fn graph(&self) -> Option<&Graph> {
        match self.topology() {
            Some(Topology::Graph(graph)) => Some(graph),
            _ => None,
        }
    }

    /// `MPI_Graph_neighbors`, and by its length `MPI_Graph_neighbors_count`: the neighbours of any
    /// rank.
    pub fn graph_neighbours(&self, rank: u32) -> Result<&[u32]> {
        let without = || Error::BadArgument("a communicator without graph".into());
        let (graph, size) = (self.graph().ok_or_else(without)?, self.size());
        match rank < size {
            true => Ok(graph.neighbours(rank)),
            false => Err(Error::NoSuchRank { rank: rank as i32, size }),
        }
    }

    /// `MPI_Graph_map`: the rank this one would have in such a graph, if any.
    pub fn graph_map(&self, index: &[u32], edges: &[u32]) -> Result<Option<u32>> {
        let nodes = Graph::new(index, edges)?.dims().0;
        Ok((self.rank() < nodes).then_some(self.rank()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of MPI 4.1 section 8.5.3.
    #[test]
    fn neighbours_stand_one_behind_the_other() {
        let graph = Graph::new(&[2, 3, 4, 6], &[1, 3, 0, 3, 0, 2]).unwrap();
        assert_eq!(graph.dims(), (4, 6));
        let lists: [&[u32]; 4] = [&[1, 3], &[0], &[3], &[0, 2]];
        for (node, list) in (0..).zip(lists) {
            assert_eq!(graph.neighbours(node), list);
        }
        assert_eq!(Graph::new(&[], &[]).unwrap().dims(), (0, 0));
    }

    #[test]
    fn graphs_that_make_no_sense_are_refused() {
        assert!(Graph::new(&[2, 1], &[0]).is_err());
        assert!(Graph::new(&[1, 2], &[0]).is_err());
        assert!(Graph::new(&[1], &[1]).is_err());
    }
}
