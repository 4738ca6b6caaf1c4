//! What all ranks of a communicator have in common.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use crate::collective::{Layout, Ledger};
use crate::group::Group;
use crate::topology::Topology;

/// One object for all ranks of a communicator, or for those of one side of an inter-communicator.
#[derive(Debug)]
pub(crate) struct CommShared {
    pub(crate) group: Group,
    /// Even; collectives use the odd number that follows. Both sides have the same.
    pub(crate) context: u32,
    pub(crate) topology: Option<Topology>,
    /// The other side, if this is an inter-communicator.
    pub(crate) remote: Option<Remote>,
    /// The collectives begun, to find those that do not belong together.
    pub(crate) ledger: Rc<RefCell<Ledger>>,
    /// Who runs where, once a collective has asked.
    pub(crate) layout: OnceCell<Rc<Layout>>,
}

/// The other side of an inter-communicator.
#[derive(Debug)]
pub(crate) struct Remote {
    pub(crate) group: Group,
    /// The ranks of this side among themselves, for collectives.
    pub(crate) inside: Rc<CommShared>,
    /// Which of the two sides this one is: 0 or 1.
    pub(crate) side: u8,
}

impl CommShared {
    /// An intra-communicator without topology.
    pub(crate) fn new(group: Group, context: u32) -> CommShared {
        let (topology, remote, layout) = (None, None, OnceCell::new());
        CommShared { group, context, topology, remote, ledger: Rc::default(), layout }
    }

    /// Both sides of an inter-communicator, which takes two pairs of contexts.
    pub(crate) fn pair(groups: [Group; 2], context: u32) -> [Rc<CommShared>; 2] {
        let ledger: Rc<RefCell<Ledger>> = Rc::default();
        [0, 1].map(|side: u8| {
            let (own, other) = (&groups[usize::from(side)], &groups[usize::from(1 - side)]);
            // The groups have no common members, so both may use the same numbers inside.
            let inside = Rc::new(CommShared::new(own.clone(), context + 2));
            let remote = Some(Remote { group: other.clone(), inside, side });
            let ledger = ledger.clone();
            Rc::new(CommShared { remote, ledger, ..CommShared::new(own.clone(), context) })
        })
    }

    /// Which side of an inter-communicator it is; 0 for an intra-communicator.
    pub(crate) fn side(&self) -> u8 {
        self.remote.as_ref().map_or(0, |remote| remote.side)
    }

    /// How many ranks take part in a collective: those of both sides.
    pub(crate) fn members(&self) -> u32 {
        self.group.size() + self.remote.as_ref().map_or(0, |remote| remote.group.size())
    }

    /// The groups of both sides of an inter-communicator, in the order of sides.
    pub(crate) fn groups(&self) -> [&Group; 2] {
        match &self.remote {
            None => [&self.group, &self.group],
            Some(remote) if remote.side == 0 => [&self.group, &remote.group],
            Some(remote) => [&remote.group, &self.group],
        }
    }
}
