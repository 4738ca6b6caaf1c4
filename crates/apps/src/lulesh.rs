//! LULESH 2.0: shock hydrodynamics on an unstructured mesh, as one explicit step after the other.
//!
//! Ranks make a cube, and each has a cube of elements. Per iteration three halo exchanges: forces
//! at the nodes with all 26 neighbours, positions and velocities with those below or above, and
//! gradients of velocities through the faces. The time step follows from an allreduce, except in
//! the first iteration. Before the timed section the masses of the nodes are exchanged once.
//!
//! Left out: the regions of materials, whose cost differs from rank to rank in the real program;
//! each rank computes their mean.

mod neighbours;

use clap::Args;
use foretell_mpi::{Comm, Error, KernelId, Op, Payload, Request, Result};

use self::neighbours::{Place, WAYS, Way, edge};
use crate::{Section, limits};

/// Parameters of LULESH.
#[derive(Debug, Clone, Args)]
pub struct Lulesh {
    /// Each rank has SIZE x SIZE x SIZE elements
    #[arg(short, long, value_name = "SIZE", default_value_t = 30)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1 << 12))]
    pub size: u64,
    /// Iterations
    #[arg(short, long, value_name = "N", default_value_t = 10)]
    pub iterations: u64,
    /// Operations of each phase instead of the kernels `lulesh_force`, `lulesh_motion`,
    /// `lulesh_gradients` and `lulesh_material`: per element, of the second per node
    #[arg(long, value_name = "F,M,G,M", value_parser = parse_flops)]
    pub flops: Option<[f64; 4]>,
}

/// What a rank does between two exchanges.
#[derive(Debug, Clone, Copy)]
enum Phase {
    /// Stresses and hourglass forces, added up at the nodes.
    Force,
    /// Accelerations, velocities and positions of the nodes.
    Motion,
    /// Volumes, strain rates and gradients of velocities.
    Gradients,
    /// Artificial viscosity, the equation of state, and the next time step.
    Material,
}

impl Phase {
    fn kernel(self) -> KernelId {
        match self {
            Phase::Force => KernelId::LULESH_FORCE,
            Phase::Motion => KernelId::LULESH_MOTION,
            Phase::Gradients => KernelId::LULESH_GRADIENTS,
            Phase::Material => KernelId::LULESH_MATERIAL,
        }
    }
}

/// One of the exchanges.
#[derive(Debug, Clone, Copy)]
struct Exchange {
    tag: i32,
    /// Doubles of each point.
    fields: u64,
    /// Points along an edge of a domain.
    side: u64,
    with: Partners,
}

/// With whom a rank exchanges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Partners {
    /// Both ways with all neighbours.
    All,
    /// Both ways with neighbours through faces.
    Faces,
    /// To neighbours below, from those above.
    Downwards,
}

impl Exchange {
    /// Whether something is sent along a way.
    fn sends(self, way: Way) -> bool {
        match self.with {
            Partners::All => true,
            Partners::Faces => way.is_face(),
            Partners::Downwards => way.is_down(),
        }
    }

    /// Whether something is received from where a way leads to.
    fn receives(self, way: Way) -> bool {
        match self.with {
            Partners::Downwards => !way.is_down(),
            _ => self.sends(way),
        }
    }
}

impl Lulesh {
    /// The life of one rank.
    pub async fn main(&self, world: Comm, section: &Section) -> Result<()> {
        let Some(side) = edge(world.size()) else {
            return Err(Error::BadArgument(format!(
                "LULESH runs on a cube of ranks (1, 8, 27, 64, …), not on {}",
                world.size()
            )));
        };
        let rank = Rank { app: self, place: Place::new(world.rank(), side), world };
        let nodes = self.size + 1;
        let masses = Exchange { tag: 1024, fields: 1, side: nodes, with: Partners::All };
        rank.exchange(masses, None).await?;
        rank.world.barrier().await?;
        section.begin(&rank.world).await;
        for iteration in 0..self.iterations {
            rank.step(iteration).await?;
        }
        section.end(&rank.world).await;
        rank.world.reduce(Payload::Size(8), &Op::sized(), 0).await?;
        // `MPI_Finalize` of compiled programs lets all ranks meet.
        rank.world.barrier().await
    }

    /// Elements of a rank, or its nodes.
    fn things(&self, phase: Phase) -> f64 {
        let side = self.size + u64::from(matches!(phase, Phase::Motion));
        side.pow(3) as f64
    }
}

/// One rank.
struct Rank<'a> {
    app: &'a Lulesh,
    world: Comm,
    place: Place,
}

impl Rank<'_> {
    /// One iteration.
    async fn step(&self, iteration: u64) -> Result<()> {
        let (elements, nodes) = (self.app.size, self.app.size + 1);
        if iteration > 0 {
            self.world.allreduce(Payload::Size(8), &Op::sized()).await?;
        }
        let forces = Exchange { tag: 1024, fields: 3, side: nodes, with: Partners::All };
        self.exchange(forces, Some(Phase::Force)).await?;
        let motion = Exchange { tag: 2048, fields: 6, side: nodes, with: Partners::Downwards };
        self.exchange(motion, Some(Phase::Motion)).await?;
        let gradients = Exchange { tag: 3072, fields: 3, side: elements, with: Partners::Faces };
        self.exchange(gradients, Some(Phase::Gradients)).await?;
        self.compute(Phase::Material).await;
        Ok(())
    }

    /// Posts receives, computes what is to be sent, sends it, and waits for what comes, one after
    /// the other in the order of posting.
    async fn exchange(&self, exchange: Exchange, phase: Option<Phase>) -> Result<()> {
        let Exchange { tag, fields, side, .. } = exchange;
        let mut arriving: Vec<Request> = Vec::with_capacity(WAYS.len());
        for (_, peer) in self.ways(|way| exchange.receives(way)) {
            arriving.push(self.world.irecv(peer, tag)?);
        }
        if let Some(phase) = phase {
            self.compute(phase).await;
        }
        let mut leaving: Vec<Request> = Vec::with_capacity(WAYS.len());
        for (way, peer) in self.ways(|way| exchange.sends(way)) {
            let payload = Payload::Size(8 * fields * way.points(side));
            leaving.push(self.world.isend(payload, peer, tag).await?);
        }
        self.world.wait_all(&mut leaving).await?;
        for request in arriving {
            self.world.wait(request).await?;
        }
        Ok(())
    }

    /// The neighbours along some of the ways.
    fn ways(&self, takes_part: impl Fn(Way) -> bool) -> impl Iterator<Item = (Way, i32)> {
        let chosen = WAYS.into_iter().filter(move |way| takes_part(*way));
        chosen.filter_map(|way| Some((way, self.place.neighbour(way)?)))
    }

    async fn compute(&self, phase: Phase) {
        let things = self.app.things(phase);
        match self.app.flops {
            Some(flops) => self.world.compute(flops[phase as usize] * things).await,
            None => {
                let seconds = self.world.kernel_time(phase.kernel(), [things, 1.0, 1.0]);
                self.world.spend(seconds).await;
            }
        }
    }
}

fn parse_flops(text: &str) -> std::result::Result<[f64; 4], String> {
    let flops: std::result::Result<Vec<f64>, String> =
        text.split(',').map(limits::operations).collect();
    flops?.try_into().map_err(|_| "expected four numbers, as in 1857,15,863,600".into())
}
