//! What goes along a k-nomial tree whose ranks hold the blocks of all places below them.

use super::Channel;
use super::tree::Tree;
use crate::payload::Payload;

/// One rank's place in the tree. The channel counts ranks from the root.
pub(crate) struct Spans {
    pub(crate) tree: Tree,
    place: u32,
    size: u32,
    radix: u32,
}

impl Spans {
    /// The k-nomial tree of a channel whose rank 0 is the root.
    pub(crate) fn new(turned: &Channel<'_>, radix: u32) -> Spans {
        let tree = Tree::knomial(turned, radix, 0);
        Spans { tree, place: turned.rank(), size: turned.size(), radix }
    }

    /// How many places this one and those below it are.
    pub(crate) fn own(&self) -> usize {
        self.of(self.place)
    }

    /// How many places a child and those below it are.
    pub(crate) fn of(&self, child: u32) -> usize {
        let span = Tree::knomial_span(child, self.size, self.radix);
        span.min(self.size - child) as usize
    }

    /// How many places a child is behind this one.
    pub(crate) fn behind(&self, child: u32) -> usize {
        (child - self.place) as usize
    }
}

/// Numbers as a message that tells sizes beforehand.
pub(crate) fn told(sizes: &[u64]) -> Payload {
    Payload::Bytes(sizes.iter().flat_map(|size| size.to_ne_bytes()).collect())
}

/// The numbers of [`told`].
pub(crate) fn heard(message: &Payload) -> Vec<u64> {
    let (words, _) = message.bytes().as_chunks::<8>();
    words.iter().map(|word| u64::from_ne_bytes(*word)).collect()
}
