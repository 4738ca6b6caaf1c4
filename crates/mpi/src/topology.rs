//! Virtual topologies: who is whose neighbour. MPI 4.1 chapter 8.
//!
//! Ranks keep their numbers whatever the topology.

mod distributed;
mod graph;

pub(crate) use distributed::Edges;
pub use distributed::{Neighbours, Weights};
pub use graph::Graph;

use crate::cartesian::Cartesian;
use crate::comm::{Comm, PROC_NULL};
use crate::error::{Error, Result};

/// What `MPI_Topo_test` tells of a communicator that has a topology.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Topology {
    /// `MPI_CART`
    Cartesian(Cartesian),
    /// `MPI_GRAPH`
    Graph(Graph),
    /// `MPI_DIST_GRAPH`: each rank knows its own neighbours alone, see [`Comm::neighbours`].
    Distributed,
}

/// Whom a rank hears from and talks to in neighbourhood collectives, in order; some may be
/// [`PROC_NULL`].
pub(crate) struct Neighbourhood {
    pub(crate) sources: Vec<i32>,
    pub(crate) destinations: Vec<i32>,
    /// Whether a message sent in a direction comes from the opposite one.
    is_grid: bool,
}

impl Comm {
    /// `MPI_Topo_test`: the topology, if there is one.
    pub fn topology(&self) -> Option<&Topology> {
        self.shared.topology.as_ref()
    }

    pub(crate) fn neighbourhood(&self) -> Result<Neighbourhood> {
        let ranks = |list: &[u32]| list.iter().map(|rank| *rank as i32).collect::<Vec<i32>>();
        let both = |list: Vec<i32>, is_grid| Neighbourhood {
            sources: list.clone(),
            destinations: list,
            is_grid,
        };
        match (self.topology(), &self.own.neighbours) {
            (Some(Topology::Cartesian(grid)), _) => Ok(both(grid.neighbours(self.rank()), true)),
            (Some(Topology::Graph(graph)), _) => {
                Ok(both(ranks(graph.neighbours(self.rank())), false))
            }
            (Some(Topology::Distributed), Some(own)) => Ok(Neighbourhood {
                sources: ranks(&own.sources),
                destinations: ranks(&own.destinations),
                is_grid: false,
            }),
            _ => Err(Error::BadArgument("a communicator without topology".into())),
        }
    }
}

impl Neighbourhood {
    /// The places of sources, in the order in which they are sent to.
    ///
    /// Several messages of one rank meet in this order. In a grid, what goes to the negative side
    /// comes from the positive one, which tells them apart when both neighbours are the same rank.
    pub(crate) fn order_of_sources(&self) -> impl Iterator<Item = usize> {
        let turn = usize::from(self.is_grid);
        (0..self.sources.len()).map(move |place| place ^ turn)
    }
}

impl Cartesian {
    /// For each dimension, the neighbours on the negative and on the positive side.
    fn neighbours(&self, rank: u32) -> Vec<i32> {
        (0..self.dims.len())
            .flat_map(|dimension| {
                let (negative, positive) = self.shift(rank, dimension, 1);
                [negative, positive]
            })
            .collect()
    }
}

/// Whether there is anybody at that end.
pub(crate) fn is_somebody(rank: i32) -> bool {
    rank != PROC_NULL
}
