//! Parts of multidimensional arrays: subarrays and distributed arrays. MPI 4.1 sections 5.1.3
//! and 5.1.4.

use super::Datatype;
use crate::error::{Error, Result};

/// Which index of an array varies fastest in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// The last one: `MPI_ORDER_C`.
    C,
    /// The first one: `MPI_ORDER_FORTRAN`.
    Fortran,
}

/// How one dimension of an array is dealt out to processes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Distribution {
    /// Not at all: `MPI_DISTRIBUTE_NONE`.
    None,
    /// One block for each process: `MPI_DISTRIBUTE_BLOCK`.
    Block,
    /// Blocks in turn: `MPI_DISTRIBUTE_CYCLIC`.
    Cyclic,
}

/// A block of an array, dimension by dimension.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subarray {
    /// Elements of the array.
    pub sizes: Vec<i64>,
    /// Elements of the block.
    pub subsizes: Vec<i64>,
    /// First index of the block, counted from zero.
    pub starts: Vec<i64>,
    /// The array's order in memory.
    pub order: Order,
}

/// The part of an array that belongs to one process of a grid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Darray {
    /// Processes of the grid.
    pub size: i64,
    /// The process in question. Ranks are placed on the grid in row-major order, always.
    pub rank: i64,
    /// Elements of the whole array in each dimension.
    pub sizes: Vec<i64>,
    /// How each dimension is dealt out.
    pub distributions: Vec<Distribution>,
    /// Length of blocks; none for `MPI_DISTRIBUTE_DFLT_DARG`.
    pub arguments: Vec<Option<i64>>,
    /// Processes of the grid in each dimension.
    pub processes: Vec<i64>,
    /// The array's order in memory.
    pub order: Order,
}

impl Order {
    /// The dimensions, fastest first.
    fn dimensions(self, count: usize) -> Box<dyn Iterator<Item = usize>> {
        match self {
            Order::C => Box::new((0..count).rev()),
            Order::Fortran => Box::new(0..count),
        }
    }
}

impl Subarray {
    /// The block as blocks within blocks, each as wide as the array in its dimension.
    pub(super) fn build(&self, of: &Datatype) -> Result<Datatype> {
        let dimensions = self.sizes.len();
        if dimensions == 0 || self.subsizes.len() != dimensions || self.starts.len() != dimensions {
            let given = (dimensions, self.subsizes.len(), self.starts.len());
            let message = format!("{given:?} sizes, subsizes and starts of a subarray");
            return Err(Error::BadArgument(message));
        }
        let mut inner = of.clone();
        for dimension in self.order.dimensions(dimensions) {
            let (size, subsize) = (self.sizes[dimension], self.subsizes[dimension]);
            let start = self.starts[dimension];
            if subsize < 1 || start < 0 || subsize > size || start > size - subsize {
                let message = format!(
                    "a subarray of {subsize} elements from {start} in dimension {dimension}, \
                     which has {size}"
                );
                return Err(Error::BadArgument(message));
            }
            inner = line(size, &[(start, 1, subsize, 0)], &inner)?;
        }
        Ok(inner)
    }
}

impl Darray {
    /// The process's part as cyclic blocks within cyclic blocks.
    pub(super) fn build(&self, of: &Datatype) -> Result<Datatype> {
        let coordinates = self.coordinates()?;
        let mut inner = of.clone();
        for dimension in self.order.dimensions(self.sizes.len()) {
            inner = self.dimension(dimension, coordinates[dimension], &inner)?;
        }
        Ok(inner)
    }

    /// The place of the rank in the grid.
    fn coordinates(&self) -> Result<Vec<i64>> {
        let refuse = |message: String| Err(Error::BadArgument(message));
        let dimensions = self.sizes.len();
        let lengths = [self.distributions.len(), self.arguments.len(), self.processes.len()];
        if dimensions == 0 || lengths.iter().any(|length| *length != dimensions) {
            return refuse(format!(
                "{lengths:?} arguments for {dimensions} dimensions of an array"
            ));
        }
        let multiply = |all: i64, one: &i64| all.checked_mul(*one).filter(|_| *one > 0);
        let processes = self.processes.iter().try_fold(1, multiply);
        if processes != Some(self.size) {
            return refuse(format!("a grid of {:?} for {} processes", self.processes, self.size));
        }
        if !(0..self.size).contains(&self.rank) {
            return refuse(format!("rank {} in a grid of {} processes", self.rank, self.size));
        }
        let mut left = self.size;
        let coordinate = |count: &i64| {
            left /= count;
            self.rank / left % count
        };
        Ok(self.processes.iter().map(coordinate).collect())
    }

    fn dimension(&self, dimension: usize, coordinate: i64, of: &Datatype) -> Result<Datatype> {
        let (size, processes) = (self.sizes[dimension], self.processes[dimension]);
        let block = self.block(dimension)?;
        let blocks = size / block + i64::from(size % block != 0);
        // Blocks of this process, of which the last of all may be shorter than the others.
        let mine = match blocks > coordinate {
            true => (blocks - coordinate - 1) / processes + 1,
            false => 0,
        };
        let has_short = size % block != 0 && mine > 0 && (blocks - 1) % processes == coordinate;
        let full = mine - i64::from(has_short);
        let first = if mine > 0 { coordinate * block } else { 0 };
        let stride = if full > 1 { processes * block } else { 0 };
        let short = match has_short {
            true => ((blocks - 1) * block, 1, size % block, 0),
            false => (0, 0, 0, 0),
        };
        line(size, &[(first, full, block, stride), short], of)
    }

    /// The length of a dimension's blocks.
    fn block(&self, dimension: usize) -> Result<i64> {
        let (size, processes) = (self.sizes[dimension], self.processes[dimension]);
        let given = self.arguments[dimension];
        let block = match (self.distributions[dimension], given) {
            (Distribution::None, _) if processes == 1 => size,
            (Distribution::None, _) => 0,
            (Distribution::Cyclic, given) => given.unwrap_or(1),
            (Distribution::Block, None) => size / processes + i64::from(size % processes != 0),
            // Blocks have to hold the whole dimension between them.
            (Distribution::Block, Some(block)) => match block.checked_mul(processes) {
                Some(room) if room < size => 0,
                _ => block,
            },
        };
        if size < 1 || block < 1 {
            let how = self.distributions[dimension];
            let message = format!(
                "dimension {dimension} of {size} elements cannot be dealt out to {processes} \
                 processes as {how:?} with argument {given:?}"
            );
            return Err(Error::BadArgument(message));
        }
        Ok(block)
    }
}

/// Blocks on a line of `size` elements, with bounds around the whole line. Each is given by the
/// index of its first element, the number of blocks, their length, and the distance between them.
fn line(size: i64, blocks: &[(i64, i64, i64, i64)], of: &Datatype) -> Result<Datatype> {
    let far = || Error::BadArgument("an array of more than 2^63 bytes".into());
    let bytes = |elements: i64| elements.checked_mul(of.extent()).ok_or_else(far);
    let mut displacements = Vec::new();
    let mut types = Vec::new();
    for (first, count, length, stride) in blocks {
        displacements.push(bytes(*first)?);
        types.push(Datatype::hvector(*count, *length, bytes(*stride)?, of)?);
    }
    let ones = vec![1; types.len()];
    Datatype::structure(&ones, &displacements, &types)?.resized(0, bytes(size)?)
}
