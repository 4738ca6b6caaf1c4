//! CG: the smallest eigenvalue of a sparse matrix by inverse iteration, each step of which solves
//! a system with 25 steps of conjugate gradients.
//!
//! The matrix is dealt out over a grid with as many columns as rows, or twice as many. Products
//! are summed along rows of ranks by exchanges at halving distances, then sent to the rank at the
//! transposed place; sums of scalars go along rows in the same way.

use clap::Args;
use foretell_mpi::{Comm, Error, KernelId, Payload, Result};

use super::{Class, Nas};
use crate::Section;

/// Steps of conjugate gradients for one step of the inverse iteration.
const INNER_STEPS: u32 = 25;

/// Parameters of CG.
#[derive(Debug, Clone, Args)]
pub struct NasCg {
    #[command(flatten)]
    nas: Nas,
    /// Steps of the inverse iteration [default: those of the class]
    #[arg(long, value_name = "N")]
    iterations: Option<u32>,
}

/// The problem of a class.
struct Problem {
    order: u64,
    /// Rows are sums of outer products of vectors with so many elements.
    nonzero: u64,
    iterations: u32,
}

impl NasCg {
    /// The life of one rank.
    pub async fn main(&self, world: Comm, section: &Section) -> Result<()> {
        if !world.size().is_power_of_two() {
            return Err(Error::BadArgument(format!(
                "CG runs on a power of two of ranks, not on {}",
                world.size()
            )));
        }
        let problem = problem(self.nas.class);
        let share = Share::new(&problem, world.rank(), world.size());
        let iterations = self.iterations.unwrap_or(problem.iterations);
        let rank = Rank { nas: self.nas, share, world };
        rank.world.bcast(Payload::Size(4), 0).await?;
        rank.iterate().await?;
        rank.world.barrier().await?;
        section.begin(&rank.world).await;
        for _ in 0..iterations {
            rank.iterate().await?;
        }
        section.end(&rank.world).await;
        rank.world.reduce(Payload::Size(8), &foretell_mpi::Op::sized(), 0).await?;
        rank.world.barrier().await
    }
}

/// One rank.
struct Rank {
    nas: Nas,
    share: Share,
    world: Comm,
}

impl Rank {
    /// One step of the inverse iteration.
    async fn iterate(&self) -> Result<()> {
        self.conjugate_gradients().await?;
        self.on_vectors(3).await;
        self.sum(2).await
    }

    async fn conjugate_gradients(&self) -> Result<()> {
        self.on_vectors(1).await;
        self.sum(1).await?;
        for _ in 0..INNER_STEPS {
            self.product().await?;
            self.on_vectors(1).await;
            self.sum(1).await?;
            self.on_vectors(3).await;
            self.sum(1).await?;
            self.on_vectors(1).await;
        }
        self.product().await?;
        self.on_vectors(2).await;
        self.sum(1).await
    }

    /// The product of the matrix and a vector, summed along the row of ranks and sent where it is
    /// needed next.
    async fn product(&self) -> Result<()> {
        let Share { partners, transposed, .. } = &self.share;
        self.nas.compute(&self.world, KernelId::NAS_CG_MATRIX, 2.0 * self.share.nonzeros).await;
        for (step, partner) in partners.iter().enumerate().rev() {
            let doubles = self.share.summed(step);
            self.exchange(*partner, step as i32 + 1, doubles).await?;
        }
        if !partners.is_empty() {
            self.exchange(*transposed, 1, self.share.sent).await?;
        }
        Ok(())
    }

    /// Sums of scalars over the row of ranks.
    async fn sum(&self, doubles: u64) -> Result<()> {
        for (step, partner) in self.share.partners.iter().enumerate() {
            self.exchange(*partner, step as i32 + 1, doubles).await?;
        }
        Ok(())
    }

    async fn exchange(&self, partner: i32, tag: i32, doubles: u64) -> Result<()> {
        let arriving = self.world.irecv(partner, tag)?;
        self.world.send(Payload::Size(8 * doubles), partner, tag).await?;
        self.world.wait(arriving).await.map(drop)
    }

    /// So many products and sums for each element of the rank's part of a vector.
    async fn on_vectors(&self, times: u32) {
        let operations = 2.0 * f64::from(times) * self.share.columns as f64;
        self.nas.compute(&self.world, KernelId::NAS_CG_VECTOR, operations).await;
    }
}

/// The part of the matrix that a rank has, and whom it exchanges with.
struct Share {
    /// Elements of vectors.
    columns: u64,
    rows: u64,
    /// Elements of the matrix, on average.
    nonzeros: f64,
    /// Elements of a product that it sends to the transposed place.
    sent: u64,
    is_square: bool,
    /// In the order of sums of scalars.
    partners: Vec<i32>,
    transposed: i32,
}

impl Share {
    fn new(problem: &Problem, rank: u32, ranks: u32) -> Self {
        let log = ranks.ilog2();
        let (grid_rows, grid_columns) = (1 << (log / 2), 1 << log.div_ceil(2));
        let is_square = grid_rows == grid_columns;
        let (row, column) = (rank / grid_columns, rank % grid_columns);
        let rows = dealt(problem.order, row, grid_rows);
        let is_even = rank.is_multiple_of(2);
        let half = |all: u64| if is_even { all.div_ceil(2) } else { all / 2 };
        let columns = match is_square || problem.order.is_multiple_of(u64::from(grid_columns)) {
            true => dealt(problem.order, column, grid_columns),
            // Not even: a column of the square grid is cut in two.
            false => half(dealt(problem.order, column / 2, grid_columns / 2)),
        };
        let transposed = match is_square {
            true => rank % grid_rows * grid_rows + rank / grid_rows,
            false => 2 * (rank / 2 % grid_rows * grid_rows + rank / 2 / grid_rows) + rank % 2,
        };
        let per_row = (problem.nonzero * (problem.nonzero + 1)) as f64;
        Self {
            columns,
            rows,
            nonzeros: rows as f64 * per_row / f64::from(grid_columns),
            sent: if is_square { rows } else { half(rows) },
            is_square,
            partners: partners(row, column, grid_columns),
            transposed: transposed as i32,
        }
    }

    /// Elements of a product that are sent in a step of the sum along the row.
    fn summed(&self, step: usize) -> u64 {
        let is_first = step + 1 == self.partners.len();
        if is_first && !self.is_square { self.rows - self.sent } else { self.sent }
    }
}

/// The ranks of a row that one at this place exchanges with: half a row away, then a quarter, and
/// so on.
fn partners(row: u32, column: u32, columns: u32) -> Vec<i32> {
    let spans = std::iter::successors(Some(columns), |span| Some(span / 2));
    let spans = spans.take_while(|span| *span > 1);
    let partner = |span: u32| (column + span / 2) % span + column / span * span;
    spans.map(|span| (row * columns + partner(span)) as i32).collect()
}

/// How many of `all` the one with this number gets when they are dealt out to so many.
fn dealt(all: u64, number: u32, count: u32) -> u64 {
    all / u64::from(count) + u64::from(u64::from(number) < all % u64::from(count))
}

fn problem(class: Class) -> Problem {
    let (order, nonzero, iterations) = match class {
        Class::S => (1400, 7, 15),
        Class::W => (7000, 8, 15),
        Class::A => (14_000, 11, 15),
        Class::B => (75_000, 13, 75),
        Class::C => (150_000, 15, 75),
        Class::D => (1_500_000, 21, 100),
    };
    Problem { order, nonzero, iterations }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_ranks_are_the_whole_matrix() {
        for (class, ranks) in [(Class::S, 8), (Class::W, 32), (Class::A, 64), (Class::B, 128)] {
            let problem = problem(class);
            let share = |rank| Share::new(&problem, rank, ranks);
            let columns = 1 << ranks.ilog2().div_ceil(2);
            let row: u64 = (0..columns).map(|rank| share(rank).columns).sum();
            let column: u64 = (0..ranks).step_by(columns as usize).map(|r| share(r).rows).sum();
            assert_eq!((row, column), (problem.order, problem.order), "{class:?}");
        }
    }

    #[test]
    fn partners_are_mutual() {
        for (rank, ranks) in (0..32).map(|rank| (rank, 32)).chain((0..16).map(|rank| (rank, 16))) {
            let problem = problem(Class::S);
            let share = Share::new(&problem, rank, ranks);
            for (step, partner) in share.partners.iter().enumerate() {
                let other = Share::new(&problem, *partner as u32, ranks);
                assert_eq!(other.partners[step], rank as i32);
            }
            let other = Share::new(&problem, share.transposed as u32, ranks);
            assert_eq!(other.transposed, rank as i32);
        }
    }
}
