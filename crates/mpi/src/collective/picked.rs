//! Blocks of several ranks in one message, wherever they are in the whole.

use super::{Channel, Counts};
use crate::collective::channel::put;
use crate::error::Result;
use crate::payload::Payload;

impl Counts {
    /// The parts of some ranks, one behind the other.
    pub(crate) fn pick(&self, whole: &Payload, ranks: impl Iterator<Item = u32>) -> Payload {
        let parts: Vec<Payload> = ranks.map(|rank| self.part(whole, rank)).collect();
        match parts.is_empty() {
            true => whole.blank(0),
            false => Payload::concat(&parts),
        }
    }

    /// Bytes of some ranks.
    pub(crate) fn sum(&self, ranks: impl Iterator<Item = u32>) -> u64 {
        ranks.map(|rank| self.of(rank)).sum()
    }
}

impl Channel<'_> {
    /// Writes what [`Counts::pick`] has put together, and a rank has sent, to its places.
    pub(crate) fn store_picked(
        &self,
        whole: &mut Payload,
        blocks: &Counts,
        ranks: impl Iterator<Item = u32> + Clone,
        (from, parts): (u32, &Payload),
    ) -> Result<()> {
        self.check_size(parts, blocks.sum(ranks.clone()), from)?;
        let mut start = 0;
        for rank in ranks {
            let end = start + blocks.of(rank);
            put(whole, blocks.start(rank), &parts.slice(start, end));
            start = end;
        }
        Ok(())
    }
}
