//! What can keep ranks from running, told so that the user knows what to change.

use std::io;

/// Why ranks cannot be set up, or one of them cannot begin.
#[derive(Debug, thiserror::Error)]
pub enum RanksError {
    /// The kernel refused the address space for all stacks together.
    #[error(
        "cannot reserve {gib:.1} GiB of address space for {count} stacks of {stack} KiB: {source}; \
         lower --stack-size, or raise the limits on address space (ulimit -v, vm.overcommit_memory)"
    )]
    AddressSpace {
        /// How many stacks were asked for.
        count: u32,
        /// Usable size of each, in KiB.
        stack: usize,
        /// All of them, guards included, in GiB.
        gib: f64,
        /// What the kernel said.
        source: io::Error,
    },
    /// More kernel mappings are needed than a process may have.
    #[error(
        "{what} need {needed} memory mappings, but only {free} of this machine's {limit} are free; \
         run fewer ranks, or raise the limit: sysctl -w vm.max_map_count={advised}"
    )]
    Mappings {
        /// What the mappings are for.
        what: &'static str,
        /// How many are needed.
        needed: usize,
        /// How many the process may still make.
        free: usize,
        /// The value of `vm.max_map_count`.
        limit: usize,
        /// A limit that would do.
        advised: usize,
    },
    /// All stacks are in use.
    #[error("rank {number} cannot begin: all {count} stacks are in use")]
    NoStack {
        /// The rank that should begin.
        number: u32,
        /// How many stacks there are.
        count: u32,
    },
    /// All stacks for calls of threads are in use.
    #[error("a thread of rank {number} cannot call MPI: {count} threads do already")]
    NoThreadStack {
        /// The rank.
        number: u32,
        /// How many stacks there are.
        count: u32,
    },
    /// No thread could be made for a rank that calls MPI from several.
    #[error("rank {number} cannot get a thread of its own: {source}; run fewer ranks")]
    Thread {
        /// The rank.
        number: u32,
        /// What the system said.
        source: io::Error,
    },
    /// A guard could not be put below a stack.
    #[error("cannot guard the stack of a rank: {0}")]
    Guard(io::Error),
    /// The program could not be mapped for one rank.
    #[error("rank {number} cannot begin: {reason}")]
    Image {
        /// The rank that should begin.
        number: u32,
        /// What the loader said.
        reason: String,
    },
    /// There is no such program.
    #[error("rank {number} names program {program}, but only {count} programs are loaded")]
    NoProgram {
        /// The rank that should begin.
        number: u32,
        /// The program it names.
        program: usize,
        /// How many there are.
        count: usize,
    },
    /// The standard streams could not be replaced for labelled output.
    #[error("cannot label the output of ranks: {0}")]
    Label(io::Error),
    /// The handlers of crashes could not be installed.
    #[error("cannot install the handlers of crash signals: {0}")]
    Handlers(io::Error),
}
