//! LU: five coupled equations on a cube, solved by symmetric successive over-relaxation.
//!
//! Ranks have pencils of the cube. A step is a wavefront through the planes from north-west to
//! south-east, one back, and the right-hand sides, for which faces two points deep are exchanged.
//! After all steps the error and a surface integral are computed, outside of the timed section.

mod grid;
mod integral;

use clap::Args;
use foretell_mpi::{Comm, Error, KernelId, Op, Payload, Request, Result};

use self::grid::{EAST, Grid, NORTH, SOUTH, Share, WEST};
use super::{Class, Nas};
use crate::Section;

/// The part of a step's operations that the right-hand sides take, from the instructions that the
/// serial program spends in them; the rest is halved between the two wavefronts.
const RIGHT_HAND_SIDES: f64 = 0.32;

/// Parameters of LU.
#[derive(Debug, Clone, Args)]
pub struct NasLu {
    #[command(flatten)]
    nas: Nas,
    /// Steps [default: those of the class]
    #[arg(long, value_name = "N")]
    iterations: Option<u32>,
}

impl NasLu {
    /// The life of one rank.
    pub async fn main(&self, world: Comm, section: &Section) -> Result<()> {
        let (side, steps) = problem(self.nas.class);
        let steps = self.iterations.unwrap_or(steps);
        let Some(grid) = Grid::new(world.size()) else {
            return Err(Error::BadArgument(format!(
                "LU runs on a grid at most twice as long as wide, which {} ranks do not make",
                world.size()
            )));
        };
        let share = Share::new(grid, side, world.rank());
        if share.nx < 3 || share.ny < 3 {
            return Err(Error::BadArgument(format!(
                "LU of class {:?} is too small for {} ranks: each needs 3 x 3 points",
                self.nas.class,
                world.size()
            )));
        }
        let operations = operations(side) / ((side - 2) as f64).powi(3);
        let rank = Rank { nas: self.nas, share, operations, steps, world };
        rank.read_input().await?;
        rank.exchange_faces(false).await?;
        rank.exchange_faces(true).await?;
        rank.relax(1, None).await?;
        rank.relax(steps, Some(section)).await?;
        rank.norm().await?;
        integral::surface(&rank.share, &rank.world).await?;
        rank.world.barrier().await
    }
}

/// One rank.
struct Rank {
    nas: Nas,
    share: Share,
    /// Operations of a step for each inner point.
    operations: f64,
    /// Steps of the whole program; norms are told after the last of them.
    steps: u32,
    world: Comm,
}

impl Rank {
    /// Rank 0 tells the others what it has read.
    async fn read_input(&self) -> Result<()> {
        for bytes in [4, 4, 4, 8, 8, 40, 4, 4, 4, 4] {
            self.world.bcast(Payload::Size(bytes), 0).await?;
        }
        Ok(())
    }

    /// So many steps, after the first right-hand sides and their norm.
    async fn relax(&self, steps: u32, section: Option<&Section>) -> Result<()> {
        self.right_hand_sides().await?;
        self.norm().await?;
        self.world.barrier().await?;
        match section {
            Some(section) => section.begin(&self.world).await,
            None => drop(self.world.wtime().await),
        }
        for step in 1..=steps {
            self.step(step).await?;
        }
        match section {
            Some(section) => section.end(&self.world).await,
            None => drop(self.world.wtime().await),
        }
        self.world.allreduce(Payload::Size(8), &Op::sized()).await.map(drop)
    }

    async fn step(&self, step: u32) -> Result<()> {
        self.wave([NORTH, WEST], [SOUTH, EAST], KernelId::NAS_LU_LOWER).await?;
        self.wave([SOUTH, EAST], [NORTH, WEST], KernelId::NAS_LU_UPPER).await?;
        let is_last = step == self.steps;
        if is_last {
            self.norm().await?;
        }
        self.right_hand_sides().await?;
        if is_last {
            self.norm().await?;
        }
        Ok(())
    }

    /// A wavefront through the inner planes.
    async fn wave(&self, from: [usize; 2], to: [usize; 2], kernel: KernelId) -> Result<()> {
        let part = (1.0 - RIGHT_HAND_SIDES) / 2.0;
        let operations = part * self.operations * self.share.inner_points();
        // Rows of points cross the borders in the north and the south, columns the others.
        let doubles = [5 * self.share.inner_y, 5 * self.share.inner_x];
        for _ in 2..self.share.nz {
            for side in from {
                if let Some(peer) = self.share.neighbours[side] {
                    self.world.recv(peer, side as i32).await?;
                }
            }
            self.nas.compute(&self.world, kernel, operations).await;
            for side in to {
                if let Some(peer) = self.share.neighbours[side] {
                    let payload = Payload::Size(8 * doubles[side % 2]);
                    self.world.send(payload, peer, grid::opposite(side) as i32).await?;
                }
            }
        }
        Ok(())
    }

    /// The right-hand sides, direction after direction.
    async fn right_hand_sides(&self) -> Result<()> {
        let planes = (self.share.nz - 2) as f64;
        let points = planes * self.share.inner_points();
        let direction = RIGHT_HAND_SIDES / 3.0 * self.operations * points;
        self.exchange_faces(false).await?;
        self.nas.compute(&self.world, KernelId::NAS_LU_RHS, direction).await;
        self.exchange_faces(true).await?;
        self.nas.compute(&self.world, KernelId::NAS_LU_RHS, 2.0 * direction).await;
        Ok(())
    }

    /// Faces two points deep go both ways: north and south, or across.
    async fn exchange_faces(&self, across: bool) -> Result<()> {
        let Share { nx, ny, nz, .. } = self.share;
        let (forwards, doubles) = match across {
            false => ([NORTH, SOUTH], 10 * ny * nz),
            true => ([WEST, EAST], 10 * nx * nz),
        };
        for [from, to] in [forwards, [forwards[1], forwards[0]]] {
            let arriving: Option<Request> = match self.share.neighbours[from] {
                Some(peer) => Some(self.world.irecv(peer, from as i32)?),
                None => None,
            };
            if let Some(peer) = self.share.neighbours[to] {
                let payload = Payload::Size(8 * doubles);
                self.world.send(payload, peer, grid::opposite(to) as i32).await?;
            }
            if let Some(arriving) = arriving {
                self.world.wait(arriving).await?;
            }
        }
        Ok(())
    }

    /// A norm of five fields.
    async fn norm(&self) -> Result<()> {
        self.world.allreduce(Payload::Size(40), &Op::sized()).await.map(drop)
    }
}

/// Operations of one step, as NPB counts them.
fn operations(side: u64) -> f64 {
    let side = side as f64;
    1984.77 * side.powi(3) - 10923.3 * side.powi(2) + 27770.9 * side - 144_010.0
}

/// Points along an edge of the cube, and steps.
fn problem(class: Class) -> (u64, u32) {
    match class {
        Class::S => (12, 50),
        Class::W => (33, 300),
        Class::A => (64, 250),
        Class::B => (102, 250),
        Class::C => (162, 250),
        Class::D => (408, 300),
    }
}
