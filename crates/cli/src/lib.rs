//! The `foretell` command and those beside it: the launcher `foretell-mpirun` and the compiler
//! wrappers `foretell-mpicc`, `foretell-mpicxx` and `foretell-mpifort`.
//!
//! Each sub-command has a file of its own. They write to standard output through the [`output`]
//! module, so that a closed pipe ends the command quietly, and say what is wrong through
//! [`notes`]. Only this crate measures the simulator: see [`meters`].
#![forbid(unsafe_code)]

mod app_command;
mod args;
mod binary;
mod check_command;
mod cluster_command;
mod collectives_command;
mod compiler;
mod demo;
mod documents;
mod doors;
mod dvfs;
mod energy;
mod exit;
mod figures;
mod hostfile;
mod idle_options;
mod interrupt;
mod json;
mod kernel_options;
mod layout;
mod mapping;
mod meters;
mod notes;
mod options;
mod output;
mod panics;
mod platform_command;
mod platform_file;
mod progress;
mod replay_command;
mod run;
mod run_command;
mod run_options;
mod skeleton;
mod summary;
mod timed_trace;
mod trace_command;
mod tracer_command;
mod words;

pub use doors::foretell;
