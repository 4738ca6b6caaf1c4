//! Skeletons: the communication of an MPI program without its data.
//!
//! Each skeleton is a struct of its parameters with an `async fn main`, run once per rank. The
//! small ones are the twins of the C programs in `bench/`: same calls, same order, same sizes, so
//! that both give the same simulated times. [`Hpl`], [`Lulesh`] and the three of NAS send what the
//! programs of these names send. [`Ring`] is the shortest one to read before writing your own.
#![forbid(unsafe_code)]

mod app;
mod collective;
mod ep;
mod flows;
mod hpl;
mod init;
mod limits;
mod lu_wave;
mod lulesh;
mod master_worker;
mod nas;
mod pingpong;
mod ring;
mod section;
mod stencil3d;

pub use app::App;
pub use collective::{Collective, Which};
pub use ep::Ep;
pub use flows::Flows;
pub use hpl::{
    Bcast, Configuration, Factorisation, Factorise, Form, Hpl, Pivots, ProcessMap, Sent, Solved,
    Swap,
};
pub use init::Init;
pub use lu_wave::LuWave;
pub use lulesh::Lulesh;
pub use master_worker::{MasterWorker, Receive};
pub use nas::{Class, Nas, NasCg, NasEp, NasLu};
pub use pingpong::Pingpong;
pub use ring::Ring;
pub use section::{Measured, Section};
pub use stencil3d::Stencil3d;
