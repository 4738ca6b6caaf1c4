//! The grid of ranks and the part of the cube that each has.

/// Sides of a pencil, which are also the tags of what comes from there; those in the north and
/// the south are even.
pub(super) const NORTH: usize = 0;
pub(super) const WEST: usize = 1;
pub(super) const SOUTH: usize = 2;
pub(super) const EAST: usize = 3;

/// The side across.
pub(super) fn opposite(side: usize) -> usize {
    (side + 2) % 4
}

/// A grid of ranks: consecutive ones from north to south.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Grid {
    pub(super) rows: u32,
    pub(super) columns: u32,
}

impl Grid {
    /// As square as so many ranks allow, if that is at most twice as long as wide.
    pub(super) fn new(ranks: u32) -> Option<Self> {
        let columns = (1..=ranks.isqrt()).rev().find(|columns| ranks.is_multiple_of(*columns))?;
        let rows = ranks / columns;
        (rows <= 2 * columns).then_some(Self { rows, columns })
    }
}

/// What one rank has.
#[derive(Debug, Clone)]
pub(super) struct Share {
    /// Points from north to south, from west to east, and down.
    pub(super) nx: u64,
    pub(super) ny: u64,
    pub(super) nz: u64,
    /// Points that lie before its own in the whole cube.
    pub(super) before_x: u64,
    pub(super) before_y: u64,
    /// Points from north to south that are not on the border of the cube.
    pub(super) inner_x: u64,
    /// The same from west to east.
    pub(super) inner_y: u64,
    pub(super) neighbours: [Option<i32>; 4],
}

impl Share {
    /// The share of a rank in a cube of `side` points along an edge.
    pub(super) fn new(grid: Grid, side: u64, rank: u32) -> Self {
        let (row, column) = (rank % grid.rows, rank / grid.rows);
        let rank = rank as i32;
        let neighbours = [
            (row > 0).then_some(rank - 1),
            (column > 0).then_some(rank - grid.rows as i32),
            (row + 1 < grid.rows).then_some(rank + 1),
            (column + 1 < grid.columns).then_some(rank + grid.rows as i32),
        ];
        let ((nx, before_x), (ny, before_y)) =
            (dealt(side, row, grid.rows), dealt(side, column, grid.columns));
        let borders = |sides: [usize; 2]| {
            sides.iter().filter(|side| neighbours[**side].is_none()).count() as u64
        };
        Self {
            nx,
            ny,
            nz: side,
            before_x,
            before_y,
            inner_x: nx.saturating_sub(borders([NORTH, SOUTH])),
            inner_y: ny.saturating_sub(borders([WEST, EAST])),
            neighbours,
        }
    }

    /// Points of a plane that are not on the border of the cube.
    pub(super) fn inner_points(&self) -> f64 {
        (self.inner_x * self.inner_y) as f64
    }
}

/// How many of `all` the one with this number gets, and how many those before it.
fn dealt(all: u64, number: u32, count: u32) -> (u64, u64) {
    let (number, count) = (u64::from(number), u64::from(count));
    let (each, rest) = (all / count, all % count);
    (each + u64::from(number < rest), number * each + number.min(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grids_are_at_most_twice_as_long_as_wide() {
        let shape = |ranks| Grid::new(ranks).map(|grid| (grid.rows, grid.columns));
        assert_eq!([4, 8, 12, 64].map(shape), [(2, 2), (4, 2), (4, 3), (8, 8)].map(Some));
        assert_eq!([3, 7, 22].map(shape), [None; 3]);
    }

    #[test]
    fn pencils_make_up_the_cube() {
        let grid = Grid::new(12).unwrap();
        let shares: Vec<Share> = (0..12).map(|rank| Share::new(grid, 33, rank)).collect();
        assert_eq!(shares.iter().map(|share| share.nx * share.ny).sum::<u64>(), 33 * 33);
        assert_eq!(shares.iter().map(Share::inner_points).sum::<f64>(), 31.0 * 31.0);
        let last = &shares[11];
        assert_eq!((last.before_x + last.nx, last.before_y + last.ny), (33, 33));
    }
}
