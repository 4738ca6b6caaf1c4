//! The compact form of a time-independent trace: what repeats is stored once.
//!
//! Iterative programs do the same again and again, and most of their ranks do the same as others.
//! So a rank's actions are written as if the rank were 0 and its peers moved along with it, which
//! makes the lines of ranks in the same situation equal. What a rank does in turns becomes a loop,
//! loops may hold loops, and ranks with equal programs share one. Amounts that are never the same,
//! such as measured computation, are taken out of the program and stored by rank.
//!
//! The file, in which numbers are of the LEB128 kind unless said otherwise:
//!
//! ```text
//! magic      "foretell-ti" and the version, a byte
//! length     of the tables, 8 bytes, the lowest first
//! tables     ranks
//!            symbols: how many; for each its length and its text, an action of rank 0
//!            programs: how many; for each how many steps it has, and these:
//!                2 * symbol, or 2 * times + 1 and how many of the next steps are repeated
//!            runs of ranks with the same program: program, how many ranks; until all have one
//!            runs of ranks with as many bytes of amounts: how many bytes, how many ranks
//! amounts    rank after rank, bits of floating-point numbers with the bytes in reverse order
//! ```
//!
//! Two symbols stand for amounts that follow in a rank's own list: `compute ?` and `sleep ?`.

mod fold;
mod numbers;
mod read;
mod walk;
mod write;

pub(crate) use read::Tables;
pub(crate) use walk::Walk;
pub use write::{compact, compact_into};

/// How the names of compact traces end.
pub const COMPACT: &str = "fti";

/// How a compact trace begins.
pub(crate) const MAGIC: &[u8; 12] = b"foretell-ti\x01";

/// Symbols whose amounts are in the list of the rank.
const COMPUTE: &[u8] = b"compute ?";
const SLEEP: &[u8] = b"sleep ?";

#[cfg(test)]
mod tests;
