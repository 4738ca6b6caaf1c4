//! Fat trees in the extended generalised notation, routed by destination modulo ports.
//!
//! Öhring et al. 1995 for the structure (XGFT); Zahavi 2010 for d-mod-k.

use super::{Hop, last_number, product};

/// Most levels a fat tree may have.
pub(crate) const MAX_LEVELS: usize = 32;

/// The numbers that make a fat tree, one per level from the nodes up.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FatTreeSpec {
    /// Children of each switch.
    pub down: Vec<u32>,
    /// Parents of each node or switch below.
    pub up: Vec<u32>,
    /// Parallel cables of each connection.
    pub cables: Vec<u32>,
}

/// A fat tree.
///
/// A switch of level `l` is named by a label of one digit per level: digits below `l` say which of
/// the parallel switches it is, the others which subtree it stands over. Positions count labels
/// with digit 0 fastest. Cables are numbered by level, then lower end, then upper end, then cable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FatTree {
    down: Vec<u32>,
    up: Vec<u32>,
    ports: Vec<u32>,
    nodes: u32,
    switches: u32,
    /// First cable of each level, and the total.
    first_cable: Vec<u32>,
    /// First switch of each level, counted from 0 over all switches.
    first_switch: Vec<u32>,
    /// Added to node numbers where a route is chosen.
    offset: u32,
}

/// Why a fat tree cannot be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BadFatTree {
    NoLevel,
    TooManyLevels,
    UnequalLengths,
    ZeroEntry,
    TooLarge,
}

impl FatTree {
    /// Checks the numbers and counts nodes, switches and cables.
    ///
    /// `offset` is the number of fat-tree nodes declared before: SimGrid counts on over all trees
    /// of a platform when it picks ports.
    pub(crate) fn new(spec: &FatTreeSpec, offset: u32) -> Result<Self, BadFatTree> {
        let levels = spec.down.len();
        match levels {
            0 => return Err(BadFatTree::NoLevel),
            n if n > MAX_LEVELS => return Err(BadFatTree::TooManyLevels),
            _ => {}
        }
        if spec.up.len() != levels || spec.cables.len() != levels {
            return Err(BadFatTree::UnequalLengths);
        }
        let entries = spec.down.iter().chain(&spec.up).chain(&spec.cables);
        if entries.clone().any(|n| *n == 0) {
            return Err(BadFatTree::ZeroEntry);
        }
        Self::count(spec, offset).ok_or(BadFatTree::TooLarge)
    }

    fn count(spec: &FatTreeSpec, offset: u32) -> Option<Self> {
        let mut tree = Self {
            down: spec.down.clone(),
            up: spec.up.clone(),
            ports: spec.cables.clone(),
            nodes: product(spec.down.iter().copied())?,
            switches: 0,
            first_cable: vec![0],
            first_switch: Vec::new(),
            offset,
        };
        for level in 0..tree.levels() {
            let lower = tree.width(level)?;
            let cables = product([lower, tree.up[level], tree.ports[level]])?;
            // Ports are numbered in 32 bits too.
            product([tree.down[level], tree.ports[level]])?;
            tree.first_cable.push(tree.first_cable[level].checked_add(cables)?);
            tree.first_switch.push(tree.switches);
            tree.switches = tree.switches.checked_add(tree.width(level + 1)?)?;
        }
        // Limiters number nodes and switches together.
        tree.nodes.checked_add(tree.switches)?;
        Some(tree)
    }

    fn levels(&self) -> usize {
        self.down.len()
    }

    /// How many nodes (level 0) or switches a level has.
    fn width(&self, level: usize) -> Option<u32> {
        product(self.up[..level].iter().chain(&self.down[level..]).copied())
    }

    pub(crate) fn nodes(&self) -> u32 {
        self.nodes
    }

    pub(crate) fn switches(&self) -> u32 {
        self.switches
    }

    pub(crate) fn cables(&self) -> u32 {
        self.first_cable[self.levels()]
    }

    /// How many ends of a cable are at switches: those of the first level end at a node.
    pub(crate) fn ends_at_switches(&self, cable: u32) -> u32 {
        if cable < self.first_cable[1] { 1 } else { 2 }
    }

    /// Climbs to the first common switch, by the destination's number, then descends.
    pub(crate) fn route(&self, from: u32, to: u32, mut visit: impl FnMut(Hop)) {
        let (mut level, mut position) = (0, from);
        while level == 0 || !self.covers(level, position, to) {
            visit(Hop::Limiter(self.limiter(level, position)));
            let port = self.port_up(level, to);
            let (parent, cable) = (port % self.up[level], port / self.up[level]);
            visit(Hop::Up(self.cable(level, position, parent, cable)));
            position = self.with_digit(level, position, parent);
            level += 1;
        }
        self.descend(level, position, from, to, &mut visit);
        visit(Hop::Limiter(to));
    }

    fn descend(
        &self,
        mut level: usize,
        mut position: u32,
        from: u32,
        to: u32,
        visit: &mut impl FnMut(Hop),
    ) {
        let mut port = None;
        while level > 0 {
            let below = level - 1;
            let (children, cables) = (self.down[below], self.ports[below]);
            let child = self.digit(below, to, 0);
            // SimGrid looks for the child's port from the last port it used one level up, and
            // starts afresh, at a cable chosen by the source, only when that search runs out.
            let start = match port.and_then(|p| next_port(p, child, children, cables)) {
                Some(found) => found,
                None => {
                    let cable = (from.wrapping_add(self.offset)) % cables;
                    cable * children + child
                }
            };
            // Back to the label of the child: the digit below names a child, not a parent.
            let upper_digit = self.digit(below, position, level);
            let lower = self.lower_position(level, position, child);
            visit(Hop::Down(self.cable(below, lower, upper_digit, start / children)));
            visit(Hop::Limiter(self.limiter(level, position)));
            port = Some(start);
            position = lower;
            level = below;
        }
    }

    /// Whether a switch stands over a node: all digits from its level on are equal.
    fn covers(&self, level: usize, position: u32, node: u32) -> bool {
        position / self.stride(level, level) == node / self.stride(level, 0)
    }

    fn port_up(&self, level: usize, to: u32) -> u32 {
        let choices = self.up[level] * self.ports[level];
        let skip = self.up[..level].iter().fold(to.wrapping_add(self.offset), |d, up| d / up);
        skip % choices
    }

    /// Product of the digit ranges below `digit` in labels of switches of `level`.
    fn stride(&self, digit: usize, level: usize) -> u32 {
        let ups = digit.min(level);
        self.up[..ups].iter().chain(&self.down[ups..digit]).product()
    }

    fn digit(&self, digit: usize, position: u32, level: usize) -> u32 {
        let range = if digit < level { self.up[digit] } else { self.down[digit] };
        position / self.stride(digit, level) % range
    }

    /// The position, one level up, of the switch whose own digit is `parent`.
    fn with_digit(&self, level: usize, position: u32, parent: u32) -> u32 {
        let stride = self.stride(level, level);
        let (low, high) = (position % stride, position / stride / self.down[level]);
        low + stride * (parent + self.up[level] * high)
    }

    /// The position, one level down, of the child with this number.
    fn lower_position(&self, level: usize, position: u32, child: u32) -> u32 {
        let below = level - 1;
        let stride = self.stride(below, below);
        let (low, high) = (position % stride, position / stride / self.up[below]);
        low + stride * (child + self.down[below] * high)
    }

    fn cable(&self, level: usize, position: u32, parent: u32, cable: u32) -> u32 {
        let end = position * self.up[level] + parent;
        self.first_cable[level] + end * self.ports[level] + cable
    }

    fn limiter(&self, level: usize, position: u32) -> u32 {
        match level {
            0 => position,
            _ => self.nodes + self.first_switch[level - 1] + position,
        }
    }

    /// SimGrid's name of a cable; `before` cables of other trees were declared earlier.
    pub(crate) fn cable_name(&self, cable: u32, before: u64) -> String {
        let level = self.first_cable.partition_point(|first| *first <= cable) - 1;
        let end = (cable - self.first_cable[level]) / self.ports[level];
        let (position, parent) = (end / self.up[level], end % self.up[level]);
        let lower = self.number(level, position);
        let upper = self.number(level + 1, self.with_digit(level, position, parent));
        format!("link_from_{lower}_{upper}_{}", u64::from(cable) + before)
    }

    /// The cable of this name, without `_UP` or `_DOWN`.
    pub(crate) fn find_cable(&self, name: &str, before: u64) -> Option<u32> {
        let cable = u64::from(last_number(name)?).checked_sub(before)?;
        let cable = u32::try_from(cable).ok().filter(|c| *c < self.cables())?;
        (self.cable_name(cable, before) == name).then_some(cable)
    }

    /// SimGrid's number of a node or switch: switches count down from twice the nodes.
    fn number(&self, level: usize, position: u32) -> i64 {
        match level {
            0 => i64::from(position),
            _ => {
                2 * i64::from(self.nodes)
                    - 1
                    - i64::from(self.first_switch[level - 1])
                    - i64::from(position)
            }
        }
    }
}

/// The first port after `last` that leads to this child.
fn next_port(last: u32, child: u32, children: u32, cables: u32) -> Option<u32> {
    let from = u64::from(last) + 1;
    let (children, child) = (u64::from(children), u64::from(child));
    let port = from + (child + children - from % children) % children;
    u32::try_from(port).ok().filter(|_| port < children * u64::from(cables))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn tree(down: &[u32], up: &[u32], cables: &[u32]) -> FatTree {
        let (down, up, cables) = (down.to_vec(), up.to_vec(), cables.to_vec());
        FatTree::new(&FatTreeSpec { down, up, cables }, 0).unwrap()
    }

    fn hops(tree: &FatTree, from: u32, to: u32) -> Vec<Hop> {
        let mut hops = Vec::new();
        tree.route(from, to, |hop| hops.push(hop));
        hops.retain(|hop| !matches!(hop, Hop::Limiter(_)));
        hops
    }

    #[test]
    fn neighbours_meet_at_their_leaf_switch() {
        let tree = tree(&[4, 4], &[1, 2], &[1, 2]);
        assert_eq!((tree.nodes(), tree.switches(), tree.cables()), (16, 6, 32));
        assert_eq!(hops(&tree, 0, 3), [Hop::Up(0), Hop::Down(3)]);
        assert_eq!(hops(&tree, 0, 4).len(), 4);
    }

    #[test]
    fn names_count_switches_down_from_twice_the_nodes() {
        let tree = tree(&[4, 4], &[1, 2], &[1, 2]);
        assert_eq!(tree.cable_name(0, 0), "link_from_0_31_0");
        assert_eq!(tree.cable_name(16, 0), "link_from_31_27_16");
        assert_eq!(tree.find_cable("link_from_31_27_16", 0), Some(16));
        assert_eq!(tree.find_cable("link_from_31_28_16", 0), None);
    }

    #[test]
    fn impossible_trees_are_refused() {
        let refused = |down: &[u32], up: &[u32], cables: &[u32]| {
            let (down, up, cables) = (down.to_vec(), up.to_vec(), cables.to_vec());
            FatTree::new(&FatTreeSpec { down, up, cables }, 0).unwrap_err()
        };
        assert_eq!(refused(&[], &[], &[]), BadFatTree::NoLevel);
        assert_eq!(refused(&[2], &[1, 1], &[1]), BadFatTree::UnequalLengths);
        assert_eq!(refused(&[2], &[0], &[1]), BadFatTree::ZeroEntry);
        assert_eq!(refused(&[1 << 20, 1 << 20], &[1, 1], &[1, 1]), BadFatTree::TooLarge);
        assert_eq!(refused(&[1; 40], &[1; 40], &[1; 40]), BadFatTree::TooManyLevels);
    }

    fn trees() -> impl Strategy<Value = FatTree> {
        (1usize..4)
            .prop_flat_map(|levels| {
                let list = || prop::collection::vec(1u32..5, levels);
                (list(), list(), prop::collection::vec(1u32..4, levels))
            })
            .prop_map(|(down, up, cables)| tree(&down, &up, &cables))
    }

    /// Both ends of a cable as limiter numbers: the lower, the upper.
    fn ends(tree: &FatTree, cable: u32) -> (u32, u32) {
        let level = tree.first_cable.partition_point(|first| *first <= cable) - 1;
        let end = (cable - tree.first_cable[level]) / tree.ports[level];
        let (position, parent) = (end / tree.up[level], end % tree.up[level]);
        let upper = tree.with_digit(level, position, parent);
        (tree.limiter(level, position), tree.limiter(level + 1, upper))
    }

    proptest! {
        #[test]
        fn routes_are_connected_and_of_one_length_both_ways(
            tree in trees(), a in any::<u32>(), b in any::<u32>()
        ) {
            let (a, b) = (a % tree.nodes(), b % tree.nodes());
            let route = hops(&tree, a, b);
            let mut here = a;
            for hop in &route {
                let (start, end) = match hop {
                    Hop::Up(cable) => ends(&tree, *cable),
                    Hop::Down(cable) => { let (l, u) = ends(&tree, *cable); (u, l) }
                    Hop::Limiter(_) => unreachable!("limiters were left out"),
                };
                prop_assert_eq!(start, here);
                here = end;
            }
            prop_assert_eq!(here, b);
            prop_assert_eq!(hops(&tree, b, a).len(), route.len());
        }

        #[test]
        fn cables_are_found_by_name(tree in trees(), cable in any::<u32>(), before in 0u64..9) {
            let cable = cable % tree.cables();
            prop_assert_eq!(tree.find_cable(&tree.cable_name(cable, before), before), Some(cable));
        }
    }
}
