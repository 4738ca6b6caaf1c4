//! The shapes of networks, one per file.
//!
//! A *fabric* is a shape that is pure arithmetic: it numbers its cables and says which of them a
//! message crosses, and knows nothing of names of hosts, bandwidths or links. A cable is one or
//! two links, as the cluster around it decides.

pub(crate) mod cluster;
pub(crate) mod dragonfly;
pub(crate) mod fat_tree;
pub(crate) mod graph;
pub(crate) mod grid;
pub(crate) mod star;

pub use dragonfly::{DragonflyRouting, DragonflySpec};
pub use fat_tree::FatTreeSpec;

/// One thing a message meets on its way through a fabric.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hop {
    /// A cable in its forward direction.
    Up(u32),
    /// A cable in its backward direction.
    Down(u32),
    /// The limiter of a node, or of a switch (switches are numbered after the nodes). Skipped if
    /// the cluster has no limiters.
    Limiter(u32),
}

/// A product that must stay countable; `None` if it leaves 32 bits.
pub(crate) fn product(sizes: impl IntoIterator<Item = u32>) -> Option<u32> {
    sizes.into_iter().try_fold(1u32, u32::checked_mul)
}

/// The number at the end of a name, after its last underscore.
pub(crate) fn last_number(name: &str) -> Option<u32> {
    name.rsplit('_').next()?.parse().ok()
}
