//! Trees that collectives go along, as one rank sees them.
//!
//! Shapes of Open MPI's `coll_base_topo.c`; Pjesivac-Grbovic 2007, chapter 3.

use super::Channel;

/// One rank's place in a tree.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Tree {
    /// None at the root.
    pub(crate) parent: Option<u32>,
    pub(crate) children: Vec<u32>,
}

impl Tree {
    /// A tree in which every rank has up to `fanout` children. Levels are filled one after the
    /// other, and the children of a rank are a level's width apart.
    pub(crate) fn wide(channel: &Channel<'_>, fanout: u32, root: u32) -> Tree {
        let (size, place) = (channel.size(), channel.place(root));
        // Places before this level, and how many the level has.
        let (mut before, mut width) = (0, 1);
        while before + width <= place {
            before += width;
            width *= fanout;
        }
        let children = (1..=fanout).map(|child| place + child * width);
        let parent = || {
            let above = width / fanout;
            let first = before - above;
            first + (place - before) % above
        };
        Tree {
            parent: (place > 0).then(|| channel.rank_at(parent(), root)),
            children: children
                .take_while(|child| *child < size)
                .map(|child| channel.rank_at(child, root))
                .collect(),
        }
    }

    /// The root at the head of `chains` chains of nearly equal length.
    pub(crate) fn chains(channel: &Channel<'_>, chains: u32, root: u32) -> Tree {
        let (size, place) = (channel.size(), channel.place(root));
        let chains = chains.clamp(1, 32).min(size.max(2) - 1);
        let (short, longer) = ((size - 1) / chains, (size - 1) % chains);
        // The place behind the root where a chain begins: the longer ones come first.
        let start = |chain: u32| 1 + chain * short + chain.min(longer);
        let at = |place| channel.rank_at(place, root);
        if place == 0 {
            let heads = (0..chains).map(start).filter(|head| *head < size);
            return Tree { parent: None, children: heads.map(at).collect() };
        }
        let chain = (0..chains).rev().find(|chain| start(*chain) <= place).unwrap_or(0);
        let parent = if start(chain) == place { 0 } else { place - 1 };
        let has_next = place + 1 < start(chain + 1) && place + 1 < size;
        Tree {
            parent: Some(at(parent)),
            children: has_next.then(|| at(place + 1)).into_iter().collect(),
        }
    }

    /// A binomial tree: the nearest child first.
    pub(crate) fn binomial(channel: &Channel<'_>, root: u32) -> Tree {
        let (size, place) = (channel.size(), channel.place(root));
        let subtree = channel.subtree(place);
        let distances = std::iter::successors(Some(1), |distance| Some(distance * 2));
        Tree {
            parent: (place > 0).then(|| channel.rank_at(place - subtree, root)),
            children: distances
                .take_while(|distance| *distance < subtree)
                .filter(|distance| place + distance < size)
                .map(|distance| channel.rank_at(place + distance, root))
                .collect(),
        }
    }

    /// A binomial tree in which a rank hears from the one without its highest bit.
    pub(crate) fn binomial_by_highest(channel: &Channel<'_>, root: u32) -> Tree {
        let (size, place) = (channel.size(), channel.place(root));
        let above = if place == 0 { 1 } else { 2 << place.ilog2() };
        let distances = std::iter::successors(Some(above), |distance| Some(distance * 2));
        Tree {
            parent: (place > 0).then(|| channel.rank_at(place - above / 2, root)),
            children: distances
                .take_while(|distance| place + distance < size)
                .map(|distance| channel.rank_at(place + distance, root))
                .collect(),
        }
    }

    /// A binary tree whose last rank is the root, such that a parent's operand comes behind those
    /// of its right subtree, and these behind those of its left one: order can be kept.
    pub(crate) fn in_order(channel: &Channel<'_>) -> Tree {
        let rank = channel.rank();
        let (mut first, mut end) = (0, channel.size());
        let mut parent = None;
        // The range of ranks whose top is the last one.
        loop {
            let (top, half) = (end - 1, (end - first) / 2);
            if rank == top {
                // The nearer one, just below, is heard first.
                let far = (end - first > 2).then(|| first + half - 1);
                let near = (top > first).then(|| top - 1);
                return Tree { parent, children: near.into_iter().chain(far).collect() };
            }
            parent = Some(top);
            if rank < first + half && end - first > 2 {
                end = first + half;
            } else {
                first += if end - first > 2 { half } else { 0 };
                end -= 1;
            }
        }
    }

    /// A tree whose ranks have up to `radix - 1` children at each distance, a power of `radix`.
    pub(crate) fn knomial(channel: &Channel<'_>, radix: u32, root: u32) -> Tree {
        let (size, place) = (channel.size(), channel.place(root));
        let mut distance = Tree::knomial_span(place, size, radix);
        let parent = (place > 0)
            .then(|| channel.rank_at(place / (distance * radix) * (distance * radix), root));
        let mut children = Vec::new();
        while distance > 1 {
            distance /= radix;
            let places = (1..radix).map(|child| place + child * distance);
            children.extend(places.filter(|p| *p < size).map(|p| channel.rank_at(p, root)));
        }
        Tree { parent, children }
    }

    /// How many places the k-nomial tree below this one spans, those past the last included.
    pub(crate) fn knomial_span(place: u32, size: u32, radix: u32) -> u32 {
        let mut distance = 1;
        while distance < size && place.is_multiple_of(distance * radix) {
            distance *= radix;
        }
        distance
    }

    /// A tree in which every rank has up to `fanout` children, one beside the other.
    pub(crate) fn kary(channel: &Channel<'_>, fanout: u32, root: u32) -> Tree {
        let (size, place) = (channel.size(), channel.place(root));
        let children = (1..=fanout).map(|child| place * fanout + child);
        Tree {
            parent: (place > 0).then(|| channel.rank_at((place - 1) / fanout, root)),
            children: children
                .take_while(|child| *child < size)
                .map(|child| channel.rank_at(child, root))
                .collect(),
        }
    }

    /// Two binary trees with the same root, such that a rank that passes on in one is a leaf in
    /// the other (but for one, if their number asks for it): each carries half of the bytes.
    ///
    /// Sanders, Speck and Traff 2009; the labels are those of NCCL.
    pub(crate) fn double(channel: &Channel<'_>, root: u32) -> [Tree; 2] {
        let (size, place) = (channel.size(), channel.place(root));
        let others = size.max(2) - 1;
        // The second tree is the first with other labels: mirrored, or turned by one.
        let turn = |place: u32| match place {
            0 => 0,
            place if size.is_multiple_of(2) => place % others + 1,
            place => size - place,
        };
        let back = |label: u32| match label {
            0 => 0,
            label if size.is_multiple_of(2) => (label + others - 2) % others + 1,
            label => size - label,
        };
        let at = |place| channel.rank_at(place, root);
        let first = Tree::balanced(place, size);
        let second = Tree::balanced(back(place), size);
        [
            Tree {
                parent: first.parent.map(at),
                children: first.children.into_iter().map(at).collect(),
            },
            Tree {
                parent: second.parent.map(turn).map(at),
                children: second.children.into_iter().map(turn).map(at).collect(),
            },
        ]
    }

    /// Place 0 above a binary tree of all others, in which odd places are leaves.
    fn balanced(place: u32, size: u32) -> Tree {
        if place == 0 {
            let top = if size > 1 { Some(1 << (31 - (size - 1).leading_zeros())) } else { None };
            return Tree { parent: None, children: top.into_iter().collect() };
        }
        let bit = place & place.wrapping_neg();
        let up = (place ^ bit) | (bit << 1);
        let parent = if up < size { up } else { place ^ bit };
        let right = std::iter::successors(Some(bit / 2), |step| Some(step / 2))
            .take_while(|step| *step > 0)
            .map(|step| place + step)
            .find(|child| *child < size);
        let left = (bit > 1).then(|| place - bit / 2);
        Tree { parent: Some(parent), children: left.into_iter().chain(right).collect() }
    }
}
