//! Pipelined wavefronts over a P x Q grid, as the SSOR sweeps of an LU-type solver.
//!
//! Per iteration a sweep from north-west to south-east and one back, each over `nz` planes: every
//! plane is received from two neighbours and sent to two with blocking calls of `5 n` doubles.
//! Then the faces are exchanged whole, and five doubles are reduced.

use clap::Args;
use foretell_mpi::{Comm, Error, Op, PROC_NULL, Payload, Request, Result};

use crate::{Section, limits};

/// Parameters of the wavefronts.
#[derive(Debug, Clone, Args)]
pub struct LuWave {
    /// Rows of the process grid
    #[arg(default_value_t = 2)]
    pub rows: u32,
    /// Columns of the process grid
    #[arg(default_value_t = 2)]
    pub columns: u32,
    /// Planes of a sweep
    #[arg(default_value_t = 16, value_parser = limits::points())]
    pub nz: u64,
    /// Points of a pencil
    #[arg(default_value_t = 16, value_parser = limits::points())]
    pub n: u64,
    /// Iterations
    #[arg(default_value_t = 2)]
    pub iterations: u64,
}

impl LuWave {
    /// The life of one rank.
    pub async fn main(&self, world: Comm, section: &Section) -> Result<()> {
        let (rows, columns) = (self.rows, self.columns);
        if rows.checked_mul(columns) != Some(world.size()) {
            return Err(Error::BadArgument(format!(
                "a grid of {rows} x {columns} needs {} ranks, not {}",
                u64::from(rows) * u64::from(columns),
                world.size()
            )));
        }
        let neighbours = self.neighbours(world.rank());
        let pencil = || Payload::Size(8 * 5 * self.n);
        world.barrier().await?;
        section.begin(&world).await;
        for _ in 0..self.iterations {
            for (tag, from, to) in [(10, [0, 1], [2, 3]), (11, [2, 3], [0, 1])] {
                for _ in 0..self.nz {
                    for side in from {
                        world.recv(neighbours[side], tag).await?;
                    }
                    for side in to {
                        world.send(pencil(), neighbours[side], tag).await?;
                    }
                }
            }
            self.exchange_faces(&world, neighbours).await?;
            world.allreduce(Payload::Size(5 * 8), &Op::sized()).await?;
        }
        section.end(&world).await;
        Ok(())
    }

    /// North, west, south, east.
    fn neighbours(&self, rank: u32) -> [i32; 4] {
        let (row, column) = ((rank / self.columns) as i32, (rank % self.columns) as i32);
        let at = |row: i32, column: i32| {
            let inside =
                (0..self.rows as i32).contains(&row) && (0..self.columns as i32).contains(&column);
            if inside { row * self.columns as i32 + column } else { PROC_NULL }
        };
        [at(row - 1, column), at(row, column - 1), at(row + 1, column), at(row, column + 1)]
    }

    async fn exchange_faces(&self, world: &Comm, neighbours: [i32; 4]) -> Result<()> {
        for (side, to) in neighbours.into_iter().enumerate() {
            let (from, tag) = (neighbours[(side + 2) % 4], 20 + side as i32);
            let arriving: Request = world.irecv(from, tag)?;
            world.send(Payload::Size(8 * 5 * self.n * self.nz), to, tag).await?;
            world.wait(arriving).await?;
        }
        Ok(())
    }
}
