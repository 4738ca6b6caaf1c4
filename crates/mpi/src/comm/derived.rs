//! Communicators made from others. MPI 4.1 section 7.4.2.

use std::rc::Rc;

use crate::collective::{Begun, Channel, Fixed, Form, Operation, Pending, Signature, share_claims};
use crate::comm::{Comm, CommShared, CreationId, Part, Plan};
use crate::error::{Error, Result};
use crate::group::Group;
use crate::topology::Topology;

/// What ranks have in common in `MPI_Comm_split_type`. The hardware known here is the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SplitType {
    /// `MPI_COMM_TYPE_SHARED`: memory, which is that of a host.
    Shared,
    /// `MPI_COMM_TYPE_HW_GUIDED` and `MPI_COMM_TYPE_RESOURCE_GUIDED`, where they ask for the host.
    Hardware,
    /// `MPI_COMM_TYPE_HW_UNGUIDED`: the next finer part of the machine. Ranks that share a host
    /// already get no communicator, since nothing finer is known.
    Finer,
}

impl Comm {
    /// `MPI_COMM_SELF`: the communicator of this rank alone.
    pub fn alone(&self) -> Comm {
        let group = Group::Range { first: self.me, stride: 1, count: 1 };
        Comm::new(self.world.clone(), Rc::new(CommShared::new(group, 2)), self.me)
    }

    /// `MPI_Comm_dup`: the same ranks and topology in a context of its own. No messages.
    pub async fn dup(&self) -> Result<Comm> {
        let id = self.next_creation(Fixed::CommDup)?;
        Ok(self.copy(id))
    }

    /// `MPI_Comm_idup`.
    pub fn idup(&self) -> Pending<Comm> {
        let (id, begun) = self.begin_copy();
        let copy = self.copy(id);
        Pending::spawn(self, begun, async move |_| Ok(copy))
    }

    /// `MPI_Comm_idup` for who has to name the copy at once; it is to be used when the operation
    /// is complete.
    pub fn idup_at_once(&self) -> (Comm, Pending<()>) {
        let (id, begun) = self.begin_copy();
        (self.copy(id), Pending::spawn(self, begun, async |_| Ok(())))
    }

    fn begin_copy(&self) -> (CreationId, Begun) {
        let id = self.creation_id();
        (id, self.begin(Fixed::CommDup.into(), Form::NonBlocking))
    }

    fn copy(&self, id: CreationId) -> Comm {
        let parent = &self.shared;
        let part = Part { id, members: parent.members(), color: 0, side: parent.side() };
        let plan = || match parent.remote {
            None => Plan::Intra(parent.group.clone(), parent.topology.clone()),
            Some(_) => Plan::Inter(parent.groups().map(Group::clone)),
        };
        let shared = self.world.state.borrow_mut().take_part(part, |_| plan());
        let shared = shared.expect("a copy is planned for every rank");
        Comm::with_neighbours(self.world.clone(), shared, self.me, self.own.neighbours.clone())
    }

    /// `MPI_Comm_split`: ranks of the same color get a communicator, in the order of their keys,
    /// then of their ranks here. Without color, a rank gets none.
    ///
    /// Of an inter-communicator, both sides are split, and a color that only one side has gets
    /// none. Costs an allgather of eight bytes.
    pub async fn split(&self, color: Option<i32>, key: i32) -> Result<Option<Comm>> {
        self.split_as(Operation::CommSplit.into(), color, key).await
    }

    /// `MPI_Comm_split_type`: ranks that share a part of the machine get a communicator, in the
    /// order of their keys. Without type, a rank gets none. Costs as much as [`Comm::split`].
    pub async fn split_type(&self, kind: Option<SplitType>, key: i32) -> Result<Option<Comm>> {
        self.require_intra("MPI_Comm_split_type")?;
        let color = kind.and_then(|kind| self.host_color(kind));
        self.split_as(Fixed::CommSplitType.into(), color, key).await
    }

    /// The host of this rank, unless a finer part is wanted and all ranks are on it.
    fn host_color(&self, kind: SplitType) -> Option<i32> {
        let state = self.world.state.borrow();
        let host = |rank: u32| state.hosts[rank as usize];
        let own = host(self.me);
        let is_alone =
            kind == SplitType::Finer && self.group().iter().all(|rank| host(rank) == own);
        (!is_alone).then_some(own.0 as i32)
    }

    async fn split_as(
        &self,
        signature: Signature,
        color: Option<i32>,
        key: i32,
    ) -> Result<Option<Comm>> {
        let (id, parent) = (self.creation_id(), self.shared.clone());
        let (side, members) = (parent.side(), parent.members());
        if let Some(color) = color {
            let state = &mut *self.world.state.borrow_mut();
            state.creation(id).claim(side, color, key, self.rank());
        }
        let run = async |channel: &Channel<'_>| share_claims(channel).await;
        self.collective(signature, run).await?;
        let state = &mut *self.world.state.borrow_mut();
        let Some(color) = color else {
            state.leave(id, members);
            return Ok(None);
        };
        let shared = state.take_part(Part { id, members, color, side }, |creation| {
            let [first, second] = parent.groups();
            let group = creation.claimed(0, color, first);
            if parent.remote.is_none() {
                return Plan::Intra(group, None);
            }
            Plan::between([group, creation.claimed(1, color, second)])
        });
        Ok(shared.map(|shared| Comm::new(self.world.clone(), shared, self.me)))
    }

    /// `MPI_Comm_create`: called by all ranks here; those of the group they give get a communicator
    /// of it. Ranks give the same group, or groups without common members. No messages.
    ///
    /// On an inter-communicator, each side gives a group of its own; if either is empty, nobody
    /// gets one. That costs a barrier.
    pub async fn create(&self, group: &Group) -> Result<Option<Comm>> {
        if self.is_inter() {
            return self.create_inter(group).await;
        }
        match group.rank_of(self.me) {
            Some(_) => {
                let color = group.world_rank(0) as i32;
                self.derive(Fixed::CommCreate, color, || (group.clone(), None)).map(Some)
            }
            None => self.derive_nothing(Fixed::CommCreate).map(|()| None),
        }
    }

    /// `MPI_Comm_create_group`: called by the ranks of the group alone. Costs a barrier among them.
    pub async fn create_group(&self, group: &Group, tag: i32) -> Result<Option<Comm>> {
        self.require_intra("MPI_Comm_create_group")?;
        let Some(comm) = self.agreed(group, tag) else { return Ok(None) };
        // Also keeps a second call with the same group and tag from taking part in this one.
        comm.barrier().await?;
        Ok(Some(comm))
    }

    /// A communicator of some ranks here who all know of it, by a number of theirs, as those of a
    /// trace do; none for other ranks. Takes no time.
    pub fn agreed(&self, group: &Group, number: i32) -> Option<Comm> {
        group.rank_of(self.me)?;
        let (context, members) = (self.shared.context, group.fingerprint());
        let id = CreationId::Part { context, members, tag: number };
        let part = Part { id, members: group.size(), color: 0, side: 0 };
        let plan = || Plan::Intra(group.clone(), None);
        let shared = self.world.state.borrow_mut().take_part(part, |_| plan())?;
        Some(Comm::new(self.world.clone(), shared, self.me))
    }

    /// The communicator of a color, where all ranks here come to the same without messages.
    pub(crate) fn derive(
        &self,
        call: Fixed,
        color: i32,
        make: impl FnOnce() -> (Group, Option<Topology>),
    ) -> Result<Comm> {
        let id = self.next_creation(call)?;
        let part = Part { id, members: self.shared.members(), color, side: 0 };
        let plan = |(group, topology)| Plan::Intra(group, topology);
        let shared = self.world.state.borrow_mut().take_part(part, |_| plan(make()));
        let shared = shared.expect("a communicator is planned for every rank");
        Ok(Comm::new(self.world.clone(), shared, self.me))
    }

    /// Takes part in a creation without getting anything.
    pub(crate) fn derive_nothing(&self, call: Fixed) -> Result<()> {
        let id = self.next_creation(call)?;
        self.world.state.borrow_mut().leave(id, self.shared.members());
        Ok(())
    }

    /// The creation that the next collective here makes.
    pub(crate) fn creation_id(&self) -> CreationId {
        CreationId::Whole { context: self.shared.context, sequence: self.own.sequence.get() }
    }

    fn next_creation(&self, call: Fixed) -> Result<CreationId> {
        let id = self.creation_id();
        let begun = self.begin(call.into(), Form::Blocking);
        match begun.met {
            Some(met) => {
                self.set_collective(begun.tag.call());
                Err(Error::Mismatch(met.mismatch))
            }
            None => Ok(id),
        }
    }
}

impl Plan {
    /// An inter-communicator, unless one side would be empty.
    pub(super) fn between(groups: [Group; 2]) -> Plan {
        match groups.iter().any(|group| group.size() == 0) {
            true => Plan::Nothing,
            false => Plan::Inter(groups),
        }
    }
}
