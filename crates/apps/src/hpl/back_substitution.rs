//! Backward substitution, block by block from the last.
//!
//! The process with a block of the diagonal solves it; its column passes the result upwards and
//! subtracts it first from the rows that the next columns need, then from the rest.

use foretell_mpi::{KernelId, Result};

use super::blocks::held;
use super::configuration::Configuration;
use super::process::Process;
use super::solve::right_hand_side;

/// Tags along rows are odd, along columns even, both in turn.
const TAGS: std::ops::RangeInclusive<i32> = 3001..=4000;

/// Where the substitution has come to.
struct Place {
    row: usize,
    column: usize,
    /// Columns of its block.
    width: usize,
    /// Rows of the process among those that the next columns need.
    urgent: usize,
}

struct Substitution<'a> {
    process: &'a Process,
    row_tag: i32,
    column_tag: i32,
    /// Rows above the current block that the process holds.
    rows: usize,
}

/// Solves the triangle that the factorisation has left.
pub(super) async fn back_substitution(process: &Process) -> Result<()> {
    let Configuration { n, nb, p, .. } = process.configuration;
    let (row_tag, column_tag) = (*TAGS.start(), *TAGS.start() + 1);
    let rows = held(n, 0, nb, process.my_row, p);
    let mut work = Substitution { process, row_tag, column_tag, rows };
    work.run(n, nb).await
}

impl Substitution<'_> {
    async fn run(&mut self, n: usize, nb: usize) -> Result<()> {
        let last = (n - 1) / nb;
        let mut here = self.place(last, n - last * nb, n);
        self.bring_right_hand_side(here.column).await?;
        self.row_tag = next(self.row_tag);
        self.solve_block(&here);
        let mut left = n - here.width;
        for block in (0..last).rev() {
            let there = self.place(block, nb, left);
            self.step(&here, &there).await?;
            left -= nb;
            here = there;
            (self.row_tag, self.column_tag) = (next(self.row_tag), next(self.column_tag));
        }
        if self.process.my_column == here.column {
            self.process.broadcast(&self.process.column, 8 * here.width as u64, here.row).await?;
        }
        Ok(())
    }

    /// The block of the diagonal that ends at row `end`.
    fn place(&self, block: usize, width: usize, end: usize) -> Place {
        let Configuration { nb, p, q, .. } = self.process.configuration;
        let above = end - width;
        let needed = above.min(nb * (q - 1).max(1));
        let urgent = held(needed, above - needed, nb, self.process.my_row, p);
        Place { row: block % p, column: block % q, width, urgent }
    }

    /// The right-hand side goes to the column that begins.
    async fn bring_right_hand_side(&self, to: usize) -> Result<()> {
        let (process, from) = (self.process, right_hand_side(&self.process.configuration));
        if self.rows == 0 || from == to {
            return Ok(());
        }
        process.catch_up().await;
        if process.my_column == from {
            process.row.send(process.doubles(self.rows), to as i32, self.row_tag).await?;
        } else if process.my_column == to {
            process.row.recv(from as i32, self.row_tag).await?;
        }
        Ok(())
    }

    /// Solves a block of the diagonal where it is.
    fn solve_block(&mut self, place: &Place) {
        let process = self.process;
        if process.my_row == place.row {
            self.rows -= place.width;
            if process.my_column == place.column {
                process.call(KernelId::DTRSV, place.width, 1, 1);
                process.call(KernelId::DCOPY, place.width, 1, 1);
            }
        }
    }

    /// Takes the result of one block out of what is above it, and solves the next.
    async fn step(&mut self, here: &Place, there: &Place) -> Result<()> {
        let (process, above) = (self.process, self.rows);
        let has_it = process.my_column == here.column;
        if has_it {
            self.receive_and_subtract(here, there).await?;
        } else if process.my_column == there.column && here.urgent > 0 {
            process.catch_up().await;
            process.row.recv(here.column as i32, self.row_tag).await?;
            process.call(KernelId::DAXPY, here.urgent, 1, 1);
        }
        self.solve_block(there);
        if has_it {
            process.call(KernelId::DGEMV, above - here.urgent, here.width, 1);
        }
        Ok(())
    }

    async fn receive_and_subtract(&self, here: &Place, there: &Place) -> Result<()> {
        let (process, tag) = (self.process, self.column_tag);
        let Configuration { p, q, .. } = process.configuration;
        let result = || process.doubles(here.width);
        let (upwards, downwards) = ((process.my_row + p - 1) % p, (process.my_row + 1) % p);
        process.catch_up().await;
        if process.my_row != here.row {
            process.column.recv(downwards as i32, tag).await?;
        } else if p > 1 {
            process.column.send(result(), upwards as i32, tag).await?;
        }
        if here.urgent > 0 {
            process.call(KernelId::DGEMV, here.urgent, here.width, 1);
            if q > 1 {
                process.catch_up().await;
                process
                    .row
                    .send(process.doubles(here.urgent), there.column as i32, self.row_tag)
                    .await?;
            }
        }
        if process.my_row != here.row && process.my_row != (here.row + 1) % p {
            process.catch_up().await;
            process.column.send(result(), upwards as i32, tag).await?;
        }
        Ok(())
    }
}

fn next(tag: i32) -> i32 {
    match tag + 2 {
        next if next > *TAGS.end() => *TAGS.start() + (tag + 1) % 2,
        next => next,
    }
}
