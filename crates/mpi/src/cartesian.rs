//! Cartesian topologies. MPI 4.1 section 8.5.

mod dims;

pub use dims::dims_create;

use crate::collective::Fixed;
use crate::comm::{Comm, PROC_NULL};
use crate::error::{Error, Result};
use crate::group::Group;
use crate::topology::Topology;

/// The shape of a Cartesian communicator; row-major, the last dimension varies fastest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cartesian {
    /// Ranks in each dimension.
    pub dims: Vec<u32>,
    /// Which dimensions are closed to a ring.
    pub periods: Vec<bool>,
}

/// Whether a topology may number its ranks anew. They keep their numbers in either case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Reorder {
    /// Ranks keep their numbers.
    #[default]
    Forbidden,
    /// Ranks may get other numbers.
    Allowed,
}

impl Cartesian {
    /// A shape, if there is a period for each dimension and no dimension is empty.
    pub fn new(dims: &[u32], periods: &[bool]) -> Result<Cartesian> {
        if dims.len() != periods.len() {
            let (dims, periods) = (dims.len(), periods.len());
            return Err(Error::BadArgument(format!("{periods} periods for {dims} dimensions")));
        }
        if dims.contains(&0) {
            return Err(Error::BadArgument("a dimension of no ranks".into()));
        }
        Ok(Cartesian { dims: dims.to_vec(), periods: periods.to_vec() })
    }

    /// How many ranks it has; 1 without dimensions.
    pub fn size(&self) -> u64 {
        self.dims.iter().fold(1, |size, dim| size.saturating_mul(u64::from(*dim)))
    }

    /// `MPI_Cart_coords`: the place of a rank in each dimension.
    pub fn coords(&self, rank: u32) -> Vec<u32> {
        let mut left = rank;
        let mut coords = vec![0; self.dims.len()];
        for (coord, dim) in coords.iter_mut().zip(&self.dims).rev() {
            (*coord, left) = (left % dim, left / dim);
        }
        coords
    }

    /// `MPI_Cart_rank`: the rank at a place; none outside of a dimension that is no ring.
    pub fn rank(&self, coords: &[i64]) -> Option<u32> {
        if coords.len() != self.dims.len() {
            return None;
        }
        let mut rank = 0;
        for (dimension, coord) in coords.iter().enumerate() {
            rank = rank * self.dims[dimension] + self.within(dimension, *coord)?;
        }
        Some(rank)
    }

    /// `MPI_Cart_shift`: the ranks `displacement` before and behind in a dimension, source first;
    /// [`PROC_NULL`] past an edge.
    pub fn shift(&self, rank: u32, dimension: usize, displacement: i64) -> (i32, i32) {
        (self.moved(rank, dimension, -displacement), self.moved(rank, dimension, displacement))
    }

    fn moved(&self, rank: u32, dimension: usize, displacement: i64) -> i32 {
        let stride: u32 = self.dims[dimension + 1..].iter().product();
        let coord = rank / stride % self.dims[dimension];
        match self.within(dimension, i64::from(coord) + displacement) {
            Some(to) => (rank - coord * stride + to * stride) as i32,
            None => PROC_NULL,
        }
    }

    fn within(&self, dimension: usize, coord: i64) -> Option<u32> {
        let dim = i64::from(self.dims[dimension]);
        match self.periods[dimension] {
            true => Some(coord.rem_euclid(dim) as u32),
            false => (0..dim).contains(&coord).then_some(coord as u32),
        }
    }

    /// The shape of the dimensions kept, the rank's number among those dropped, and the ranks that
    /// share it, in order.
    fn sub(&self, keep: &[bool], rank: u32) -> (Cartesian, u32, impl Fn() -> Vec<u32>) {
        let kept = |flag: bool| {
            let dims = self.dims.iter().zip(keep).filter(move |(_, keep)| **keep == flag);
            dims.map(|(dim, _)| *dim).collect::<Vec<u32>>()
        };
        let periods = self.periods.iter().zip(keep).filter(|(_, keep)| **keep);
        let shape = Cartesian { dims: kept(true), periods: periods.map(|(p, _)| *p).collect() };
        let coords = self.coords(rank);
        let mut number = 0;
        for ((dim, keep), coord) in self.dims.iter().zip(keep).zip(&coords) {
            if !keep {
                number = number * dim + coord;
            }
        }
        let (whole, keep, inner) = (self.clone(), keep.to_vec(), shape.clone());
        let ranks = move || {
            let place = |index: u32| {
                let mut along = inner.coords(index).into_iter();
                let coord = |(own, keep): (&u32, &bool)| match keep {
                    true => along.next().unwrap_or(*own),
                    false => *own,
                };
                let full = coords.iter().zip(&keep).map(coord);
                full.zip(&whole.dims).fold(0, |rank, (coord, dim)| rank * dim + coord)
            };
            (0..inner.size() as u32).map(place).collect()
        };
        (shape, number, ranks)
    }
}

impl Comm {
    /// `MPI_Cart_create`: the first ranks get a communicator of this shape, those left over get
    /// none. No messages.
    pub async fn cart_create(
        &self,
        dims: &[u32],
        periods: &[bool],
        _: Reorder,
    ) -> Result<Option<Comm>> {
        self.require_intra("MPI_Cart_create")?;
        let shape = Cartesian::new(dims, periods)?;
        let (wanted, size) = (shape.size(), self.size());
        if wanted > u64::from(size) {
            return Err(Error::BadArgument(format!("a grid of {wanted} for {size} ranks")));
        }
        if u64::from(self.rank()) >= wanted {
            return self.derive_nothing(Fixed::CartCreate).map(|()| None);
        }
        let made = || (self.group().first(wanted as u32), Some(Topology::Cartesian(shape)));
        self.derive(Fixed::CartCreate, 0, made).map(Some)
    }

    /// `MPI_Cart_map`: the rank this one would have in such a grid, if any.
    pub fn cart_map(&self, dims: &[u32], periods: &[bool]) -> Result<Option<u32>> {
        let wanted = Cartesian::new(dims, periods)?.size();
        Ok((u64::from(self.rank()) < wanted).then_some(self.rank()))
    }

    /// `MPI_Cartdim_get` and `MPI_Cart_get`: the shape, if the communicator has one.
    pub fn cartesian(&self) -> Option<&Cartesian> {
        match self.topology() {
            Some(Topology::Cartesian(shape)) => Some(shape),
            _ => None,
        }
    }

    /// `MPI_Cart_coords`: the place of a rank.
    pub fn cart_coords(&self, rank: u32) -> Result<Vec<u32>> {
        let size = self.size();
        if rank >= size {
            return Err(Error::NoSuchRank { rank: rank as i32, size });
        }
        Ok(self.shape()?.coords(rank))
    }

    /// `MPI_Cart_rank`: the rank at a place, counted around in dimensions that are rings.
    pub fn cart_rank(&self, coords: &[i64]) -> Result<u32> {
        let outside = || Error::BadArgument(format!("{coords:?} is outside of the grid"));
        self.shape()?.rank(coords).ok_or_else(outside)
    }

    /// `MPI_Cart_shift`: whom to receive from and whom to send to, so that data moves by
    /// `displacement` in a dimension; [`PROC_NULL`] past an edge.
    pub fn cart_shift(&self, dimension: usize, displacement: i64) -> Result<(i32, i32)> {
        let shape = self.shape()?;
        if dimension >= shape.dims.len() {
            return Err(Error::BadArgument(format!("the grid has no dimension {dimension}")));
        }
        Ok(shape.shift(self.rank(), dimension, displacement))
    }

    /// `MPI_Cart_sub`: the part of the grid that extends in the dimensions kept. No messages.
    pub async fn cart_sub(&self, keep: &[bool]) -> Result<Comm> {
        let shape = self.shape()?;
        if keep.len() != shape.dims.len() {
            let (given, dims) = (keep.len(), shape.dims.len());
            return Err(Error::BadArgument(format!("{given} answers for {dims} dimensions")));
        }
        let (shape, number, ranks) = shape.sub(keep, self.rank());
        let group =
            || Group::new(ranks().into_iter().map(|rank| self.group().world_rank(rank)).collect());
        let made = || (group(), Some(Topology::Cartesian(shape)));
        self.derive(Fixed::CartSub, number as i32, made)
    }

    fn shape(&self) -> Result<&Cartesian> {
        self.cartesian().ok_or_else(|| Error::BadArgument("a communicator without grid".into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(dims: &[u32], periods: &[bool]) -> Cartesian {
        Cartesian::new(dims, periods).unwrap()
    }

    #[test]
    fn the_last_dimension_varies_fastest() {
        let grid = grid(&[2, 3, 4], &[false; 3]);
        assert_eq!(grid.coords(0), [0, 0, 0]);
        assert_eq!(grid.coords(1), [0, 0, 1]);
        assert_eq!(grid.coords(23), [1, 2, 3]);
        for rank in 0..24 {
            let coords: Vec<i64> = grid.coords(rank).into_iter().map(i64::from).collect();
            assert_eq!(grid.rank(&coords), Some(rank));
        }
    }

    #[test]
    fn rings_wrap_and_edges_end() {
        let grid = grid(&[3, 3], &[true, false]);
        assert_eq!(grid.shift(1, 0, 1), (7, 4));
        assert_eq!(grid.shift(0, 1, 1), (PROC_NULL, 1));
        assert_eq!(grid.shift(5, 1, 1), (4, PROC_NULL));
        assert_eq!(grid.shift(4, 0, -4), (7, 1));
        assert_eq!(grid.rank(&[-1, 2]), Some(8));
        assert_eq!(grid.rank(&[0, 3]), None);
    }

    #[test]
    fn parts_hold_the_ranks_that_share_what_is_dropped() {
        let grid = grid(&[2, 3, 4], &[true, false, true]);
        let (shape, number, ranks) = grid.sub(&[true, false, true], 6);
        assert_eq!((shape.dims, shape.periods, number), (vec![2, 4], vec![true, true], 1));
        assert_eq!(ranks(), [4, 5, 6, 7, 16, 17, 18, 19]);
        assert_eq!(grid.sub(&[false; 3], 6).2(), [6]);
    }

    #[test]
    fn shapes_that_make_no_sense_are_refused() {
        assert!(Cartesian::new(&[2, 0], &[true, true]).is_err());
        assert!(Cartesian::new(&[2], &[]).is_err());
    }
}
