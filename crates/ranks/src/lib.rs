//! Compiled programs as ranks: each runs on a stack of its own, in one thread, and is suspended
//! while it waits for simulated time to pass.
//!
//! [`Ranks`] holds the stacks and the programs, [`Rank::resume`] runs one rank until it calls
//! [`suspend`] or [`block_on`] or ends. What the C library keeps per thread or per process and a
//! rank must have to itself is exchanged at a switch or kept per rank: `errno`, floating-point
//! controls, exceptions being handled, thread-locals, exit handlers, random numbers, clocks.
//!
//! Beside that: reports of crashes that name the rank and the line, labelled output,
//! folded memory ([`Folded`]), measured time ([`Stopwatch`]) and sampled regions
//! ([`Sampler`]).
//!
//! For x86-64 Linux with the GNU C library.

mod ahead;
mod arena;
mod arguments;
mod beside;
mod body;
mod c_state;
mod context;
mod crash;
mod debugger;
mod error;
mod folded;
mod handlers;
mod images;
mod interposed;
mod label;
mod life;
mod loaded;
mod mappings;
mod openmp;
mod rank;
mod ranks;
mod regions;
mod sampling;
mod settings;
mod source;
mod stopwatch;
mod surroundings;
mod switch;
mod threads;
mod workbench;

pub use ahead::{
    PutOff, Registers, gate, is_ahead, is_away, last_stretch, launch, may_launch,
    prepare as prepare_ahead, put_off_with, settle_with, ticks,
};
pub use arguments::Arguments;
pub use beside::{back_to_program, run_scheduler_beside};
pub use body::How;
pub use context::{current, is_own_thread, made_by};
pub use error::RanksError;
pub use folded::{Folded, FoldedError};
pub use images::{announce_image, symbol};
pub use interposed::address as interposed_address;
pub use interposed::threads::{Start, create as create_thread};
pub use loaded::{Loaded, Main, Template, ThreadLocals};
pub use rank::{Rank, Step};
pub use ranks::Ranks;
pub use sampling::{Rule, Sample, Sampler, Site};
pub use settings::{GuardChoice, Privacy, Settings};
pub use source::{Line, Sources};
pub use stopwatch::{Clock, Stopwatch};
pub use surroundings::{Surroundings, surround};
pub use switch::{block_on, block_on_short, end, suspend};
pub use threads::{
    Arrivals, Call, Thread, Threads, ask_for_thread, carry_out, measure_threads_by, own_name,
};
pub use workbench::{work, work_deeply};
