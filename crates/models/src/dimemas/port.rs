//! The links of a node to the network, or of a rank to the others of its node.

use std::collections::VecDeque;

/// Which way a link is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Out = 0,
    In = 1,
}

impl Side {
    pub(super) fn other(self) -> Self {
        match self {
            Side::Out => Side::In,
            Side::In => Side::Out,
        }
    }
}

/// Links, and who waits for them.
#[derive(Debug)]
pub(super) struct Port {
    /// Links that are free, out and in; links that serve both ways are counted as those out.
    free: [u32; 2],
    serves_both_ways: bool,
    /// Messages with their tickets; one whose ticket is void is passed over.
    lines: [VecDeque<(u32, u64)>; 2],
    /// Messages that have their link out here and wait for one in elsewhere.
    holders: Vec<u32>,
}

impl Port {
    /// None if any number may pass.
    pub(super) fn new(inputs: Option<u32>, outputs: Option<u32>) -> Option<Self> {
        let serves_both_ways = inputs.is_none() || outputs.is_none();
        let free = [outputs.or(inputs)?, inputs.or(outputs)?];
        Some(Self { free, serves_both_ways, lines: Default::default(), holders: Vec::new() })
    }

    pub(super) fn serves_both_ways(&self) -> bool {
        self.serves_both_ways
    }

    fn free(&mut self, side: Side) -> &mut u32 {
        let at = if self.serves_both_ways { Side::Out } else { side };
        &mut self.free[at as usize]
    }

    /// Takes a link, if one is free.
    pub(super) fn take(&mut self, side: Side) -> bool {
        let free = self.free(side);
        let is_free = *free > 0;
        *free -= u32::from(is_free);
        is_free
    }

    pub(super) fn give_back(&mut self, side: Side) {
        *self.free(side) += 1;
    }

    /// Whether somebody has a link that will do, and only waits.
    pub(super) fn may_be_robbed(&self, side: Side) -> bool {
        (side == Side::Out || self.serves_both_ways) && !self.holders.is_empty()
    }

    pub(super) fn line(&mut self, side: Side) -> &mut VecDeque<(u32, u64)> {
        &mut self.lines[side as usize]
    }

    pub(super) fn hold(&mut self, message: u32) {
        self.holders.push(message);
    }

    pub(super) fn first_holder(&self) -> Option<u32> {
        self.holders.first().copied()
    }

    /// The message does not wait with its link any more.
    pub(super) fn settle(&mut self, message: u32) {
        self.holders.retain(|holder| *holder != message);
    }
}
