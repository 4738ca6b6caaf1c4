//! Which ranks share a node: what algorithms of two levels go by.

use std::rc::Rc;

use super::Channel;
use super::Choice;
use super::Counts;
use super::Tag;
use super::allgather::ring as ring_allgather;
use super::bcast::{binomial_tree, scatter_ring_allgather};
use super::gather::linear as linear_gather;
use crate::comm::Comm;
use crate::error::Result;
use crate::payload::Payload;

/// The nodes of a communicator, in the order of their first ranks.
#[derive(Debug)]
pub(crate) struct Layout {
    /// The node of each rank.
    node_of: Vec<u32>,
    /// The ranks of each node, ascending. The first is its leader.
    nodes: Vec<Vec<u32>>,
}

impl Layout {
    /// From the host of each rank.
    pub(crate) fn new<H: Copy + Ord>(hosts: impl Iterator<Item = H>) -> Layout {
        let mut known = std::collections::BTreeMap::new();
        let (mut node_of, mut nodes) = (Vec::new(), Vec::<Vec<u32>>::new());
        for (rank, host) in (0..).zip(hosts) {
            let node = *known.entry(host).or_insert(nodes.len());
            if node == nodes.len() {
                nodes.push(Vec::new());
            }
            nodes[node].push(rank);
            node_of.push(node as u32);
        }
        Layout { node_of, nodes }
    }

    /// The ranks on the node of a rank.
    pub(crate) fn local(&self, rank: u32) -> &[u32] {
        &self.nodes[self.node_of[rank as usize] as usize]
    }

    /// The number of a rank's node, which is also the place of its leader among the leaders.
    pub(crate) fn node_of(&self, rank: u32) -> u32 {
        self.node_of[rank as usize]
    }

    /// Which of the ranks on its node a rank is.
    pub(crate) fn place_of(&self, rank: u32) -> u32 {
        self.local(rank).partition_point(|other| *other < rank) as u32
    }

    /// The ranks at a place of their nodes, one of each; nodes have more than that many.
    pub(crate) fn at_place(&self, place: u32) -> impl Iterator<Item = u32> + '_ {
        self.nodes.iter().map(move |node| node[place as usize])
    }

    /// The first rank on the node of a rank.
    pub(crate) fn leader_of(&self, rank: u32) -> u32 {
        self.local(rank)[0]
    }

    /// The first rank of each node.
    pub(crate) fn leaders(&self) -> impl Iterator<Item = u32> + '_ {
        self.nodes.iter().map(|node| node[0])
    }

    /// The ranks of each node.
    pub(crate) fn nodes(&self) -> &[Vec<u32>] {
        &self.nodes
    }

    /// How many ranks are on each node, if it is the same everywhere.
    pub(crate) fn per_node(&self) -> Option<u32> {
        let first = self.nodes[0].len();
        self.nodes.iter().all(|node| node.len() == first).then_some(first as u32)
    }

    /// Whether each node has consecutive ranks.
    pub(crate) fn is_blocked(&self) -> bool {
        self.nodes.iter().all(|node| node.windows(2).all(|pair| pair[1] == pair[0] + 1))
    }
}

impl Comm {
    /// From the start, ranks know who shares their nodes: no collective on this communicator
    /// begins by finding out. Every rank calls it, or none.
    pub fn know_nodes(&self) {
        self.own.has_met.set(true);
    }
}

impl<'a> Channel<'a> {
    /// The nodes of the ranks that take part.
    pub(crate) fn layout(&self) -> Rc<Layout> {
        let made = || {
            let state = self.comm.world.state.borrow();
            let group = self.comm.group();
            let host = |rank| state.hosts[group.world_rank(self.in_comm(rank)) as usize];
            Rc::new(Layout::new((0..self.size()).map(host)))
        };
        match self.team {
            None => self.comm.shared.layout.get_or_init(made).clone(),
            Some(_) => made(),
        }
    }

    /// The same, after the exchange of messages by which ranks find out the first time they need
    /// to know. Libraries do so too: at the creation of a communicator, or as SimGrid, whose
    /// messages these are, at the first collective that asks.
    pub(crate) async fn meet(&self) -> Result<Rc<Layout>> {
        let layout = self.layout();
        if self.team.is_none() && !self.comm.own.has_met.replace(true) {
            // Not in the name of this collective: another rank may be the first time in another,
            // if several are under way.
            let introduction = Channel::new(self.comm, Tag::INTRODUCTION);
            Box::pin(introduction.introduce(&layout)).await?;
        }
        Ok(layout)
    }

    /// A choice, after that exchange if it asks for one. Apart from what goes by the choice, which
    /// need not keep it then.
    pub(crate) fn met_for(&self, choice: Choice) -> impl Future<Output = Result<Choice>> {
        async move {
            if choice.meet {
                Box::pin(self.meet()).await?;
            }
            Ok(choice)
        }
    }

    async fn introduce(&self, layout: &Layout) -> Result<()> {
        let word = || Payload::Size(4);
        let even = |size| Counts::even(size, 4);
        // Who leads, how many there are on each node, whether all have as many.
        ring_allgather::allgather(self, word(), &even(self.size())).await?;
        if let Some(leaders) = self.among(layout.leaders()) {
            ring_allgather::allgather(&leaders, word(), &even(leaders.size())).await?;
        }
        if let Some(local) = self.among(layout.local(self.rank()).iter().copied()) {
            scatter_ring_allgather::bcast(&local, word(), 0).await?;
        }
        // Whether the ranks of each node are consecutive.
        linear_gather::gather(self, word(), &even(self.size()), 0).await?;
        binomial_tree::bcast(self, word(), 0).await.map(drop)
    }

    /// The ranks of this rank's node among themselves.
    pub(crate) fn on_node(&self, layout: &Layout) -> Channel<'a> {
        let local = layout.local(self.rank()).iter().copied();
        self.among(local).unwrap_or_else(|| unreachable!("a rank is on its own node"))
    }

    /// The leaders of the nodes among themselves; none if this rank leads none.
    pub(crate) fn leaders(&self, layout: &Layout) -> Option<Channel<'a>> {
        self.among(layout.leaders())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_in_the_order_of_their_first_ranks() {
        let layout = Layout::new([7, 3, 7, 3, 3].into_iter());
        assert_eq!(layout.leaders().collect::<Vec<u32>>(), [0, 1]);
        assert_eq!(layout.local(4), [1, 3, 4]);
        assert_eq!((layout.leader_of(2), layout.node_of(4)), (0, 1));
        assert_eq!((layout.place_of(3), layout.at_place(1).collect()), (1, vec![2, 3]));
        assert_eq!((layout.per_node(), layout.is_blocked()), (None, false));
        let layout = Layout::new([1, 1, 2, 2].into_iter());
        assert_eq!((layout.per_node(), layout.is_blocked()), (Some(2), true));
    }
}
