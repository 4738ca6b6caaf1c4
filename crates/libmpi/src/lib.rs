//! The C face of MPI: the functions of the standard ABI over the simulated MPI of `foretell-mpi`.
//!
//! A program built with `foretell-mpicc` loads this library as its MPI. Started by `foretell run`,
//! it is taken over before its `main` (`start.rs`): every rank becomes a stack of its own
//! in this process. Started by itself, it is one rank (`alone.rs`).
//!
//! A C function is defined by the macros of `call.rs`; its body gets the rank that calls it and
//! returns an [`Outcome`](failure::Outcome). Objects are handles into tables (`objects.rs`).
//!
//! For x86-64 Linux with the GNU C library.

mod abi;
mod address;
mod ahead;
mod alone;
mod annotation;
mod attribute;
mod brief;
mod buffer;
mod buffering;
mod call;
mod check;
mod collective;
mod comm;
mod datatype;
mod energy;
mod environment;
mod errhandler;
mod error_string;
mod failure;
mod file;
mod folding;
mod foresight;
mod fortran;
mod free_memory;
mod grequest;
mod group;
mod handle;
mod info;
mod kernels;
mod language;
mod life;
mod lines;
mod machine;
mod memory;
mod meter;
mod objects;
mod op;
mod pack;
mod partitioned;
mod persistent;
mod place;
mod pointer;
mod port;
mod programs;
mod rank;
mod receive;
mod regions;
mod report;
mod request;
mod request_status;
mod resources;
mod run;
mod send;
mod session;
mod start;
mod status;
mod surroundings;
mod threads;
mod timed_trace;
mod tool;
mod topology;
mod unwinding;
mod wait;
mod window;
