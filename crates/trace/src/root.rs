//! Where a collective begins or ends.

use std::fmt::{Display, Formatter, Result};

/// The root of a collective, as one of its ranks names it.
///
/// Ranks of an inter-communicator name the root if it is on the other side. On its own side, it
/// says that it is the root, and the others say that they have no part in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Root {
    /// A rank of the communicator; of the other side, if there are two.
    Rank(u32),
    /// The rank itself, which `MPI_ROOT` means.
    Itself,
    /// Another rank of the same side, which `MPI_PROC_NULL` means.
    Nobody,
}

impl Root {
    /// What stands in a line for a root that has no number.
    pub(crate) fn named(word: &[u8]) -> Option<Self> {
        match word {
            b"self" => Some(Root::Itself),
            b"nobody" => Some(Root::Nobody),
            _ => None,
        }
    }
}

impl From<u32> for Root {
    fn from(rank: u32) -> Self {
        Root::Rank(rank)
    }
}

impl Display for Root {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Root::Rank(rank) => rank.fmt(f),
            Root::Itself => f.write_str("self"),
            Root::Nobody => f.write_str("nobody"),
        }
    }
}
