//! Halo exchange on a periodic 3-D grid of ranks, then a small allreduce, as an explicit
//! hydrodynamics code does for its time step.

use clap::Args;
use foretell_mpi::{Comm, Error, Op, Payload, Reorder, Request, Result, dims_create};

use crate::{Section, limits};

/// Parameters of the stencil.
#[derive(Debug, Clone, Args)]
pub struct Stencil3d {
    /// Iterations
    #[arg(default_value_t = 10)]
    pub iterations: u64,
    /// Each rank has n x n x n doubles
    #[arg(default_value_t = 16, value_parser = limits::points())]
    pub n: u64,
    /// Neighbours: 6 for faces only, 26 with edges and corners
    #[arg(default_value_t = 26, value_parser = limits::one_of(["6", "26"]))]
    pub neighbours: u32,
    /// Operations of one iteration on each rank
    #[arg(default_value_t = 0.0, value_parser = limits::operations)]
    pub spin: f64,
    /// Shape of the process grid, as in 4x4x2; by default as cubic as MPI_Dims_create makes it
    #[arg(long, value_parser = parse_grid)]
    pub grid: Option<[u32; 3]>,
}

/// One neighbour: who, what is sent there, and how the two messages are told apart.
struct Halo {
    peer: i32,
    bytes: u64,
    send_tag: i32,
    receive_tag: i32,
}

impl Stencil3d {
    /// The life of one rank.
    pub async fn main(&self, world: Comm, section: &Section) -> Result<()> {
        let mut dims = self.grid.unwrap_or([0; 3]);
        dims_create(world.size(), &mut dims)?;
        let grid = world.cart_create(&dims, &[true; 3], Reorder::Forbidden).await?;
        let grid = grid.ok_or_else(|| Error::BadArgument("the grid has a place for all".into()))?;
        let halos = self.halos(&grid)?;
        grid.barrier().await?;
        section.begin(&grid).await;
        let mut requests: Vec<Request> = Vec::with_capacity(2 * halos.len());
        for _ in 0..self.iterations {
            requests.clear();
            for halo in &halos {
                requests.push(grid.irecv(halo.peer, halo.receive_tag)?);
            }
            for halo in &halos {
                let face = Payload::Size(halo.bytes);
                requests.push(grid.isend(face, halo.peer, halo.send_tag).await?);
            }
            grid.compute(self.spin).await;
            grid.wait_all(&mut requests).await?;
            grid.allreduce(Payload::Size(8), &Op::sized()).await?;
        }
        section.end(&grid).await;
        Ok(())
    }

    fn halos(&self, grid: &Comm) -> Result<Vec<Halo>> {
        let here = grid.cart_coords(grid.rank())?;
        let mut halos = Vec::new();
        for number in 0..27 {
            let step = [number / 9 - 1, number / 3 % 3 - 1, number % 3 - 1_i32];
            let order: i32 = step.iter().map(|s| s.abs()).sum();
            if order == 0 || (self.neighbours == 6 && order > 1) {
                continue;
            }
            let there = [0, 1, 2].map(|i| i64::from(here[i]) + i64::from(step[i]));
            let doubles = match order {
                1 => self.n * self.n,
                2 => self.n,
                _ => 1,
            };
            halos.push(Halo {
                peer: grid.cart_rank(&there)? as i32,
                bytes: 8 * doubles,
                send_tag: 100 + number,
                receive_tag: 100 + 26 - number,
            });
        }
        Ok(halos)
    }
}

fn parse_grid(text: &str) -> std::result::Result<[u32; 3], String> {
    let sides: Option<Vec<u32>> = text.split('x').map(|side| side.parse().ok()).collect();
    let sides = sides.and_then(|sides| <[u32; 3]>::try_from(sides).ok());
    sides.filter(|sides| !sides.contains(&0)).ok_or_else(|| "expected three sides: 4x4x2".into())
}
