//! What must hold for a rule to decide.

use std::fmt;

use serde::Deserialize;

use super::Situation;
use super::range::Numbers;
use crate::collective::channel::previous_power_of_two;

/// Conditions of a rule; those that are not set always hold.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Conditions {
    pub(super) ranks: Numbers,
    pub(super) bytes: Numbers,
    pub(super) total: Numbers,
    /// Bytes of each rank's part of a vector.
    pub(super) block: Numbers,
    pub(super) elements: Numbers,
    /// Bytes of one element of each rank.
    pub(super) element_total: Numbers,
    pub(super) nodes: Numbers,
    pub(super) per_node: Numbers,
    /// Ranks on a node, on average, rounded up.
    pub(super) mean_per_node: Numbers,
    pub(super) commutative: Option<bool>,
    /// Whether MPI defines the reduction.
    pub(super) predefined: Option<bool>,
    pub(super) power_of_two: Option<bool>,
    pub(super) even_ranks: Option<bool>,
    pub(super) even_blocks: Option<bool>,
    /// Whether there is an element for each rank of the largest power of two.
    pub(super) divisible: Option<bool>,
    pub(super) line: Option<Line>,
    /// Whether the ranks are some of those of another collective.
    pub(super) part: Option<bool>,
}

/// A bound on the ranks that grows with the bytes, as Open MPI has fitted to measurements.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Line {
    /// Ranks for each byte.
    slope: f64,
    base: f64,
    /// Whether the ranks must be below; otherwise above.
    below: bool,
}

impl Conditions {
    /// Whether who runs where must be known.
    pub(super) fn ask_for_nodes(&self) -> bool {
        [self.nodes, self.per_node, self.mean_per_node].iter().any(|range| *range != Numbers::ALL)
    }

    /// Whether all of them hold.
    pub(super) fn hold(&self, situation: &Situation) -> bool {
        let Situation { call, ranks, nodes, per_node, is_part } = *situation;
        let core = u64::from(previous_power_of_two(ranks.max(1)));
        let is = |wanted: Option<bool>, found: bool| wanted.is_none_or(|wanted| wanted == found);
        self.ranks.has(ranks.into())
            && self.bytes.has(call.bytes)
            && self.total.has(situation.total())
            && self.block.has(situation.block())
            && self.elements.has(situation.elements())
            && self.element_total.has(situation.element_total())
            && self.nodes.has(nodes.into())
            && self.per_node.has(per_node.into())
            && self.mean_per_node.has(situation.mean_per_node())
            && is(self.commutative, call.is_commutative)
            && is(self.predefined, call.is_predefined)
            && is(self.power_of_two, ranks.is_power_of_two())
            && is(self.even_ranks, ranks.is_multiple_of(2))
            && is(self.even_blocks, call.is_even)
            && is(self.divisible, situation.elements() >= core)
            && is(self.part, is_part)
            && self.line.is_none_or(|line| line.has(ranks, call.bytes))
    }
}

impl Line {
    fn has(self, ranks: u32, bytes: u64) -> bool {
        let bound = self.slope * bytes as f64 + self.base;
        if self.below { f64::from(ranks) < bound } else { f64::from(ranks) > bound }
    }
}

/// In words.
impl fmt::Display for Conditions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ranges = [
            ("ranks", self.ranks),
            ("bytes", self.bytes),
            ("total bytes", self.total),
            ("bytes of a block", self.block),
            ("elements", self.elements),
            ("bytes of an element of each rank", self.element_total),
            ("nodes", self.nodes),
            ("ranks per node", self.per_node),
            ("mean ranks per node", self.mean_per_node),
        ];
        let truths = [
            ("commutative", self.commutative),
            ("predefined", self.predefined),
            ("a power of two of ranks", self.power_of_two),
            ("an even number of ranks", self.even_ranks),
            ("blocks of one size", self.even_blocks),
            ("an element for each rank", self.divisible),
            ("part of another collective", self.part),
        ];
        let set = ranges.iter().filter(|(_, range)| *range != Numbers::ALL);
        let mut parts: Vec<_> = set.map(|(name, range)| format!("{name} {range}")).collect();
        for (name, wanted) in truths {
            let said = |wanted| if wanted { name.to_owned() } else { format!("not {name}") };
            parts.extend(wanted.map(said));
        }
        if let Some(Line { slope, base, below }) = self.line {
            let side = if below { "below" } else { "above" };
            parts.push(format!("ranks {side} {slope} x bytes + {base}"));
        }
        match parts.is_empty() {
            true => f.write_str("always"),
            false => f.write_str(&parts.join(", ")),
        }
    }
}
