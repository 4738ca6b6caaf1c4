//! Graphs of which each rank knows some edges. MPI 4.1 section 8.5.4.

use std::rc::Rc;

use super::Topology;
use crate::cartesian::Reorder;
use crate::collective::{Channel, Fixed, share_claims};
use crate::comm::{Comm, Part, Plan};
use crate::error::{Error, Result};

/// The neighbours of one rank in a distributed graph, in the order of neighbourhood collectives.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Neighbours {
    /// Ranks with an edge to this one.
    pub sources: Vec<u32>,
    /// Ranks that this one has an edge to.
    pub destinations: Vec<u32>,
    /// Weights of the edges, unless the graph is unweighted.
    pub weights: Option<Weights>,
}

/// One weight for each edge of a rank.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Weights {
    /// Of the edges from the sources.
    pub sources: Vec<i32>,
    /// Of the edges to the destinations.
    pub destinations: Vec<i32>,
}

/// What the ranks bring to a graph, and what each gets of it.
#[derive(Debug)]
pub(crate) struct Edges {
    is_weighted: bool,
    /// Who brought it, source, destination, weight.
    brought: Vec<(u32, u32, u32, i32)>,
    neighbours: Vec<Neighbours>,
}

impl Comm {
    /// `MPI_Dist_graph_create`: a communicator with a graph of the edges `(from, to)` that all
    /// ranks bring together. Either all ranks give weights, one for each edge, or none does.
    ///
    /// Neighbours stand in the order of the ranks that brought them. Costs an allgather of eight
    /// bytes.
    pub async fn dist_graph_create(
        &self,
        edges: &[(u32, u32)],
        weights: Option<&[i32]>,
        _: Reorder,
    ) -> Result<Comm> {
        self.require_intra("MPI_Dist_graph_create")?;
        self.check_ranks(edges.iter().flat_map(|(from, to)| [*from, *to]))?;
        if let Some(weights) = weights {
            check_count(weights.len(), edges.len())?;
        }
        let (id, members) = (self.creation_id(), self.size());
        self.bring(edges, weights)?;
        let run = async |channel: &Channel<'_>| share_claims(channel).await;
        self.collective(Fixed::DistGraphCreate, run).await?;
        let state = &mut *self.world.state.borrow_mut();
        let all = state.creation(id).edges.as_mut();
        let own = all.map(|edges| edges.take(self.rank(), members)).unwrap_or_default();
        let part = Part { id, members, color: 0, side: 0 };
        let plan = || Plan::Intra(self.group().clone(), Some(Topology::Distributed));
        let shared = state.take_part(part, |_| plan());
        let shared = shared.expect("a graph is planned for every rank");
        Ok(Comm::with_neighbours(self.world.clone(), shared, self.me, Some(Rc::new(own))))
    }

    /// Adds this rank's edges to those of the graph being made.
    fn bring(&self, edges: &[(u32, u32)], weights: Option<&[i32]>) -> Result<()> {
        let id = self.creation_id();
        let state = &mut *self.world.state.borrow_mut();
        let is_weighted = weights.is_some();
        let all = state.creation(id).edges.get_or_insert_with(|| {
            Box::new(Edges { is_weighted, brought: Vec::new(), neighbours: Vec::new() })
        });
        if all.is_weighted != is_weighted {
            let message = "some ranks give weights to the edges of a graph, and some do not";
            return Err(Error::BadArgument(message.into()));
        }
        let weight = |at: usize| weights.map_or(1, |weights| weights[at]);
        let (rank, edges) = (self.rank(), edges.iter().enumerate());
        all.brought.extend(edges.map(|(at, (from, to))| (rank, *from, *to, weight(at))));
        Ok(())
    }

    /// `MPI_Dist_graph_create_adjacent`: a communicator with a graph of which each rank gives its
    /// own neighbours. No messages.
    pub async fn dist_graph_create_adjacent(
        &self,
        neighbours: Neighbours,
        _: Reorder,
    ) -> Result<Comm> {
        self.require_intra("MPI_Dist_graph_create_adjacent")?;
        let Neighbours { sources, destinations, weights } = &neighbours;
        self.check_ranks(sources.iter().chain(destinations).copied())?;
        if let Some(weights) = weights {
            check_count(weights.sources.len(), sources.len())?;
            check_count(weights.destinations.len(), destinations.len())?;
        }
        let made = || (self.group().clone(), Some(Topology::Distributed));
        let comm = self.derive(Fixed::DistGraphCreateAdjacent, 0, made)?;
        let (world, shared) = (comm.world, comm.shared);
        Ok(Comm::with_neighbours(world, shared, self.me, Some(Rc::new(neighbours))))
    }

    /// `MPI_Dist_graph_neighbors` and `MPI_Dist_graph_neighbors_count`: the neighbours of this rank
    /// in a distributed graph.
    pub fn neighbours(&self) -> Result<&Neighbours> {
        let without = || Error::BadArgument("a communicator without distributed graph".into());
        self.own.neighbours.as_deref().ok_or_else(without)
    }

    fn check_ranks(&self, ranks: impl IntoIterator<Item = u32>) -> Result<()> {
        let size = self.size();
        match ranks.into_iter().find(|rank| *rank >= size) {
            Some(rank) => Err(Error::NoSuchRank { rank: rank as i32, size }),
            None => Ok(()),
        }
    }
}

impl Edges {
    /// The neighbours of a rank, once all ranks have brought their edges.
    fn take(&mut self, rank: u32, size: u32) -> Neighbours {
        if self.neighbours.is_empty() {
            self.sort_out(size);
        }
        std::mem::take(&mut self.neighbours[rank as usize])
    }

    fn sort_out(&mut self, size: u32) {
        let weights = self.is_weighted.then(Weights::default);
        let none = Neighbours { weights, ..Neighbours::default() };
        self.neighbours = vec![none; size as usize];
        let mut edges = std::mem::take(&mut self.brought);
        // Ranks come in any order, each with its edges in the order it gave them.
        edges.sort_by_key(|edge| edge.0);
        for (_, from, to, weight) in edges {
            let source = &mut self.neighbours[from as usize];
            source.destinations.push(to);
            if let Some(weights) = &mut source.weights {
                weights.destinations.push(weight);
            }
            let destination = &mut self.neighbours[to as usize];
            destination.sources.push(from);
            if let Some(weights) = &mut destination.weights {
                weights.sources.push(weight);
            }
        }
    }
}

fn check_count(weights: usize, edges: usize) -> Result<()> {
    match weights == edges {
        true => Ok(()),
        false => Err(Error::BadArgument(format!("{weights} weights for {edges} edges"))),
    }
}
