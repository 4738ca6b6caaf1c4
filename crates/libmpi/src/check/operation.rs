//! Operations of the program that a check follows.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::{Rc, Weak};

use foretell_mpi::Group;

use super::overlap::Claim;
use super::site::Site;
use super::types;
use crate::abi::MPI_ANY_TAG;

/// A send, a receive or a collective.
pub(crate) struct Operation {
    pub(super) number: u64,
    /// The call that began it.
    pub(super) site: Site,
    pub(super) what: What,
    pub(super) claims: Vec<Claim>,
    /// Of the bytes of a send buffer, when the send began.
    pub(super) checksum: Option<u64>,
    /// Whether its rank would have come to it, if every send waited for its receive.
    pub(super) is_reached: Cell<bool>,
    /// Whether it is complete whatever others do.
    pub(super) is_free: Cell<bool>,
    /// The operation that it met.
    pub(super) partner: RefCell<Option<Weak<Operation>>>,
    /// Whether its rank would have come to the operation that it met.
    pub(super) is_answered: Cell<bool>,
}

/// What an operation does. Ranks are those of the world.
pub(super) enum What {
    Send {
        to: u32,
        tag: i32,
        context: u32,
    },
    /// From somebody, or from anybody.
    Receive {
        from: Option<u32>,
        tag: i32,
        context: u32,
    },
    Collective(Rc<Gathering>),
}

/// Ranks that come to a collective.
pub(super) struct Gathering {
    /// Both sides of an inter-communicator.
    pub(super) groups: Vec<Group>,
    pub(super) members: u32,
    /// Those that would have come, if every send waited for its receive.
    pub(super) reached: RefCell<BTreeSet<u32>>,
    pub(super) is_free: Cell<bool>,
}

impl Operation {
    pub(super) fn new(number: u64, site: Site, what: What, claims: Vec<Claim>) -> Self {
        Self {
            number,
            site,
            what,
            claims,
            checksum: None,
            is_reached: Cell::new(false),
            is_free: Cell::new(false),
            partner: RefCell::default(),
            is_answered: Cell::new(false),
        }
    }

    /// Whether it would be complete, if every send waited for its receive.
    pub(super) fn is_done(&self) -> bool {
        self.is_free.get()
            || match &self.what {
                What::Send { .. } | What::Receive { .. } => self.is_answered.get(),
                What::Collective(gathering) => gathering.is_complete(),
            }
    }

    pub(super) fn is_send(&self) -> bool {
        matches!(self.what, What::Send { .. })
    }

    pub(super) fn partner(&self) -> Option<Rc<Operation>> {
        self.partner.borrow().as_ref().and_then(Weak::upgrade)
    }

    /// What was sent or is to be received, with whom: the rest of a phrase.
    pub(super) fn phrase(&self) -> String {
        let amount = |claim: &Claim| types::amount(claim.buffer.count, &claim.buffer.datatype);
        let amount = self.claims.first().map_or_else(String::new, amount);
        match &self.what {
            What::Send { to, tag, .. } => format!(" of {amount} to rank {to}, tag {tag}"),
            What::Receive { from, tag, .. } => {
                let from = from.map_or("any rank".into(), |rank| format!("rank {rank}"));
                let tag = match *tag {
                    MPI_ANY_TAG => "any tag".into(),
                    tag => format!("tag {tag}"),
                };
                format!(" of {amount} from {from}, {tag}")
            }
            What::Collective(_) => String::new(),
        }
    }
}

impl Gathering {
    pub(super) fn is_complete(&self) -> bool {
        self.is_free.get() || self.reached.borrow().len() as u32 == self.members
    }

    /// Ranks that have not come.
    pub(super) fn missing(&self) -> Vec<u32> {
        let reached = self.reached.borrow();
        let all = self.groups.iter().flat_map(Group::iter);
        all.filter(|rank| !reached.contains(rank)).collect()
    }
}
