//! All skeletons by name.

use clap::Subcommand;
use foretell_mpi::{Comm, Result};

use crate::{
    Collective, Ep, Flows, Hpl, Init, LuWave, Lulesh, MasterWorker, NasCg, NasEp, NasLu, Pingpong,
    Ring, Section, Stencil3d,
};

/// A skeleton and its parameters, as given on the command line.
#[derive(Debug, Clone, Subcommand)]
pub enum App {
    /// Two ranks send a message back and forth.
    Pingpong(Pingpong),
    /// Every rank exchanges with both neighbours of a ring.
    Ring(Ring),
    /// Halo exchange on a periodic 3-D grid, then a small allreduce.
    Stencil3d(Stencil3d),
    /// Wavefronts over a 2-D grid, as in LU-type solvers.
    LuWave(LuWave),
    /// Independent computation, then three allreduces, as in NAS EP.
    Ep(Ep),
    /// One collective operation, again and again.
    Collective(Collective),
    /// A master hands out tasks to whoever asks.
    MasterWorker(MasterWorker),
    /// Many flows of different sizes at once: loads the contention model.
    Flows(Flows),
    /// High-Performance Linpack, as HPL 2.2 does it.
    Hpl(Box<Hpl>),
    /// Shock hydrodynamics with three halo exchanges a step, as LULESH 2.0 does it.
    Lulesh(Lulesh),
    /// Random numbers without communication, as NAS EP of NPB 3.4.
    NasEp(NasEp),
    /// Conjugate gradients on a sparse matrix, as NAS CG of NPB 3.4.
    NasCg(NasCg),
    /// Wavefronts through a cube and exchanges of its faces, as NAS LU of NPB 3.4.
    NasLu(NasLu),
    /// Starts, meets at a barrier, ends.
    Init(Init),
}

impl App {
    /// Reads what the parameters refer to, before anything is run; random choices of the
    /// skeleton itself follow from `seed`.
    pub fn prepare(&mut self, seed: u64) -> std::result::Result<(), String> {
        match self {
            App::Hpl(app) => app.prepare(seed),
            _ => Ok(()),
        }
    }

    /// How many ranks the skeleton takes if nobody says; none if it takes any number.
    pub fn ranks(&self) -> Option<u32> {
        match self {
            App::Pingpong(_) => Some(2),
            App::Hpl(app) => u32::try_from(app.ranks()).ok(),
            _ => None,
        }
    }

    /// The life of one rank.
    pub async fn main(&self, comm: Comm, section: &Section) -> Result<()> {
        // Boxed, so that a rank of a small skeleton is not as large as one of the largest.
        match self {
            App::Pingpong(app) => Box::pin(app.main(comm, section)).await,
            App::Ring(app) => Box::pin(app.main(comm, section)).await,
            App::Stencil3d(app) => Box::pin(app.main(comm, section)).await,
            App::LuWave(app) => Box::pin(app.main(comm, section)).await,
            App::Ep(app) => Box::pin(app.main(comm, section)).await,
            App::Collective(app) => Box::pin(app.main(comm, section)).await,
            App::MasterWorker(app) => Box::pin(app.main(comm, section)).await,
            App::Flows(app) => Box::pin(app.main(comm, section)).await,
            App::Hpl(app) => Box::pin(app.main(comm, section)).await,
            App::Lulesh(app) => Box::pin(app.main(comm, section)).await,
            App::NasEp(app) => Box::pin(app.main(comm, section)).await,
            App::NasCg(app) => Box::pin(app.main(comm, section)).await,
            App::NasLu(app) => Box::pin(app.main(comm, section)).await,
            App::Init(app) => Box::pin(app.main(comm, section)).await,
        }
    }

    /// The skeleton's name on the command line.
    pub fn name(&self) -> &'static str {
        match self {
            App::Pingpong(_) => "pingpong",
            App::Ring(_) => "ring",
            App::Stencil3d(_) => "stencil3d",
            App::LuWave(_) => "lu-wave",
            App::Ep(_) => "ep",
            App::Collective(_) => "collective",
            App::MasterWorker(_) => "master-worker",
            App::Flows(_) => "flows",
            App::Hpl(_) => "hpl",
            App::Lulesh(_) => "lulesh",
            App::NasEp(_) => "nas-ep",
            App::NasCg(_) => "nas-cg",
            App::NasLu(_) => "nas-lu",
            App::Init(_) => "init",
        }
    }
}
