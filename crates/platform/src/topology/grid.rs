//! Tori and meshes of any number of dimensions, routed dimension by dimension.

use super::{Hop, product};

/// Most dimensions a grid may have.
pub(crate) const MAX_DIMENSIONS: usize = 32;

/// Whether the ends of each dimension are joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ends {
    /// A torus.
    Joined,
    /// A mesh.
    Open,
}

/// A grid of nodes; the first dimension varies fastest with the node number.
///
/// Torus: cable `node * dimensions + d` leads from the node to its next neighbour in dimension
/// `d`. Mesh: the cables of dimension 0 come first, then those of dimension 1, and so on, since
/// the last node of a row has none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Grid {
    sizes: Vec<u32>,
    ends: Ends,
    nodes: u32,
    cables: u32,
}

/// Why a grid cannot be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BadGrid {
    NoDimension,
    TooManyDimensions,
    EmptyDimension,
    TooLarge,
}

impl Grid {
    /// Checks the sizes and counts nodes and cables.
    pub(crate) fn new(sizes: &[u32], ends: Ends) -> Result<Self, BadGrid> {
        match sizes.len() {
            0 => return Err(BadGrid::NoDimension),
            n if n > MAX_DIMENSIONS => return Err(BadGrid::TooManyDimensions),
            _ => {}
        }
        if sizes.contains(&0) {
            return Err(BadGrid::EmptyDimension);
        }
        let nodes = product(sizes.iter().copied()).ok_or(BadGrid::TooLarge)?;
        let total: u64 = match ends {
            Ends::Joined => u64::from(nodes) * sizes.len() as u64,
            Ends::Open => sizes.iter().map(|size| u64::from(nodes / size * (size - 1))).sum(),
        };
        let cables = u32::try_from(total).map_err(|_| BadGrid::TooLarge)?;
        Ok(Self { sizes: sizes.to_vec(), ends, nodes, cables })
    }

    pub(crate) fn nodes(&self) -> u32 {
        self.nodes
    }

    pub(crate) fn cables(&self) -> u32 {
        self.cables
    }

    /// Walks from one node to another, the first dimension first.
    ///
    /// Each dimension goes the shorter way round. Exactly half way round, SimGrid's rule decides:
    /// upwards from the lower half, and downwards to it, except that sources past the middle wrap.
    pub(crate) fn route(&self, from: u32, to: u32, mut visit: impl FnMut(Hop)) {
        let mut here = from;
        let mut stride = 1;
        for (dimension, size) in self.sizes.iter().copied().enumerate() {
            let (start, target) = (from / stride % size, to / stride % size);
            let upwards = self.goes_up(start, target, size);
            let mut place = start;
            while place != target {
                visit(Hop::Limiter(here));
                let next = if upwards { (place + 1) % size } else { (place + size - 1) % size };
                let there = here - place * stride + next * stride;
                visit(match upwards {
                    true => Hop::Up(self.cable(here, dimension, stride)),
                    false => Hop::Down(self.cable(there, dimension, stride)),
                });
                (here, place) = (there, next);
            }
            stride *= size;
        }
        visit(Hop::Limiter(to));
    }

    fn goes_up(&self, start: u32, target: u32, size: u32) -> bool {
        let half = size / 2;
        match self.ends {
            Ends::Open => target > start,
            Ends::Joined => {
                let ahead = target > start && target - start <= half;
                // In 64 bits: `start + half` may pass the largest size.
                let wrapped = (u64::from(start) + u64::from(half)) % u64::from(size);
                ahead || (start > half && wrapped >= u64::from(target))
            }
        }
    }

    /// The cable from a node upwards in one dimension.
    fn cable(&self, node: u32, dimension: usize, stride: u32) -> u32 {
        if self.ends == Ends::Joined {
            return node * self.sizes.len() as u32 + dimension as u32;
        }
        let before: u32 = self.sizes[..dimension].iter().map(|s| self.nodes / s * (s - 1)).sum();
        // The node's number in the grid without the last row of this dimension.
        let size = self.sizes[dimension];
        let (low, place, high) = (node % stride, node / stride % size, node / stride / size);
        before + low + stride * (place + (size - 1) * high)
    }

    /// The two nodes a cable joins, lower end first.
    pub(crate) fn cable_ends(&self, cable: u32) -> (u32, u32) {
        let dimensions = self.sizes.len() as u32;
        let (node, dimension) = match self.ends {
            Ends::Joined => (cable / dimensions, (cable % dimensions) as usize),
            Ends::Open => self.mesh_cable_start(cable),
        };
        let stride: u32 = self.sizes[..dimension].iter().product();
        let size = self.sizes[dimension];
        let place = node / stride % size;
        (node, node - place * stride + (place + 1) % size * stride)
    }

    fn mesh_cable_start(&self, cable: u32) -> (u32, usize) {
        let mut index = cable;
        let mut stride = 1;
        for (dimension, size) in self.sizes.iter().copied().enumerate() {
            let count = self.nodes / size * (size - 1);
            if index < count {
                let (low, rest) = (index % stride, index / stride);
                let (place, high) = (rest % (size - 1), rest / (size - 1));
                return (low + stride * (place + size * high), dimension);
            }
            index -= count;
            stride *= size;
        }
        unreachable!("a cable number is below the number of cables")
    }

    /// SimGrid's name of a cable.
    pub(crate) fn cable_name(&self, cable: u32, cluster: &str) -> String {
        let (low, high) = self.cable_ends(cable);
        format!("{cluster}_link_from_{low}_to_{high}")
    }

    /// The cable of this name, without `_UP` or `_DOWN`.
    pub(crate) fn find_cable(&self, name: &str, cluster: &str) -> Option<u32> {
        let rest = name.strip_prefix(cluster)?.strip_prefix("_link_from_")?;
        let node: u32 = rest.split('_').next()?.parse().ok().filter(|n| *n < self.nodes)?;
        let mut stride = 1;
        for (dimension, size) in self.sizes.iter().copied().enumerate() {
            let open_end = self.ends == Ends::Open && node / stride % size == size - 1;
            if !open_end {
                let cable = self.cable(node, dimension, stride);
                if self.cable_name(cable, cluster) == name {
                    return Some(cable);
                }
            }
            stride *= size;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn cables(grid: &Grid, from: u32, to: u32) -> Vec<Hop> {
        let mut hops = Vec::new();
        grid.route(from, to, |hop| hops.push(hop));
        hops.retain(|hop| !matches!(hop, Hop::Limiter(_)));
        hops
    }

    fn ring(size: u32) -> Grid {
        Grid::new(&[size], Ends::Joined).unwrap()
    }

    #[test]
    fn half_way_round_goes_up_from_the_lower_half_and_down_from_the_middle() {
        assert_eq!(cables(&ring(4), 0, 2), [Hop::Up(0), Hop::Up(1)]);
        assert_eq!(cables(&ring(4), 2, 0), [Hop::Down(1), Hop::Down(0)]);
        assert_eq!(cables(&ring(4), 3, 1), [Hop::Up(3), Hop::Up(0)]);
    }

    #[test]
    fn the_first_dimension_comes_first() {
        let torus = Grid::new(&[3, 3], Ends::Joined).unwrap();
        assert_eq!(cables(&torus, 0, 4), [Hop::Up(0), Hop::Up(3)]);
    }

    #[test]
    fn a_mesh_never_wraps() {
        let mesh = Grid::new(&[4], Ends::Open).unwrap();
        assert_eq!(cables(&mesh, 3, 0), [Hop::Down(2), Hop::Down(1), Hop::Down(0)]);
        assert_eq!(mesh.cables(), 3);
    }

    #[test]
    fn impossible_sizes_are_refused() {
        assert_eq!(Grid::new(&[], Ends::Open), Err(BadGrid::NoDimension));
        assert_eq!(Grid::new(&[4, 0], Ends::Open), Err(BadGrid::EmptyDimension));
        assert_eq!(Grid::new(&[1 << 16; 3], Ends::Joined), Err(BadGrid::TooLarge));
        assert_eq!(Grid::new(&[1; 99], Ends::Joined), Err(BadGrid::TooManyDimensions));
    }

    fn grids() -> impl Strategy<Value = Grid> {
        let ends = prop_oneof![Just(Ends::Joined), Just(Ends::Open)];
        (prop::collection::vec(1u32..7, 1..4), ends)
            .prop_map(|(sizes, ends)| Grid::new(&sizes, ends).unwrap())
    }

    proptest! {
        #[test]
        fn routes_are_connected_shortest_and_of_one_length_both_ways(
            grid in grids(), a in any::<u32>(), b in any::<u32>()
        ) {
            let (a, b) = (a % grid.nodes(), b % grid.nodes());
            let route = cables(&grid, a, b);
            let mut here = a;
            for hop in &route {
                let (cable, forwards) = match hop {
                    Hop::Up(cable) => (*cable, true),
                    Hop::Down(cable) => (*cable, false),
                    Hop::Limiter(_) => unreachable!("limiters were left out"),
                };
                let (low, high) = grid.cable_ends(cable);
                let (start, end) = if forwards { (low, high) } else { (high, low) };
                prop_assert_eq!(start, here);
                here = end;
            }
            prop_assert_eq!(here, b);
            prop_assert_eq!(cables(&grid, b, a).len(), route.len());
            let mut stride = 1;
            let mut distance = 0;
            for size in &grid.sizes {
                let gap = (a / stride % size).abs_diff(b / stride % size);
                distance += if grid.ends == Ends::Joined { gap.min(size - gap) } else { gap };
                stride *= size;
            }
            prop_assert_eq!(route.len() as u32, distance);
        }

        #[test]
        fn cables_are_found_by_name(grid in grids(), cable in any::<u32>()) {
            prop_assume!(grid.cables() > 0);
            let cable = cable % grid.cables();
            let name = grid.cable_name(cable, "c");
            let found = grid.find_cable(&name, "c").expect("the name was just made");
            // Two cables of a two-node ring may share a name across dimensions of size one.
            prop_assert_eq!(grid.cable_name(found, "c"), name);
        }
    }
}
