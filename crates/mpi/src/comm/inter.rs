//! Inter-communicators: two groups without common members that talk to each other. MPI 4.1
//! section 7.6.
//!
//! Point-to-point calls address the remote group. Collectives move data from each group to the
//! other; inside, a group uses a context of its own.

use crate::collective::{Channel, Fixed, Tag, inter};
use crate::comm::{Comm, CreationId, Part, Plan};
use crate::error::{Error, Result};
use crate::group::Group;
use crate::payload::Payload;

impl Comm {
    /// `MPI_Comm_test_inter`: whether it is an inter-communicator.
    pub fn is_inter(&self) -> bool {
        self.shared.remote.is_some()
    }

    /// `MPI_Comm_remote_size`; none for an intra-communicator.
    pub fn remote_size(&self) -> Option<u32> {
        self.remote_group().map(Group::size)
    }

    /// `MPI_Comm_remote_group`; none for an intra-communicator.
    pub fn remote_group(&self) -> Option<&Group> {
        self.shared.remote.as_ref().map(|remote| &remote.group)
    }

    /// `MPI_Intercomm_create`: joins the group of this communicator with another, which makes the
    /// same call at the same time.
    ///
    /// The leaders of both groups know each other by a communicator that both are in; `peer`,
    /// `remote_leader` and `tag` matter at the leader alone. Costs an exchange of the leaders and
    /// a bcast in each group.
    pub async fn intercomm_create(
        &self,
        local_leader: u32,
        peer: Option<&Comm>,
        remote_leader: i32,
        tag: i32,
    ) -> Result<Comm> {
        self.require_intra("MPI_Intercomm_create")?;
        let CreationId::Whole { context, sequence } = self.creation_id() else {
            unreachable!("a collective of a whole communicator");
        };
        let leader = self.world_rank(local_leader as i32)?;
        let own = CreationId::Joint { context, sequence, leader };
        let run = async |channel: &Channel<'_>| {
            let other = match (channel.rank() == local_leader, peer) {
                (true, None) => {
                    let message = "the leader gives no communicator to reach the other by";
                    return Err(Error::BadArgument(message.into()));
                }
                (true, Some(peer)) => self.meet(own, peer, remote_leader, tag).await?,
                (false, _) => Payload::Size(12),
            };
            inter::tell(channel, other, local_leader).await
        };
        let told = self.collective(Fixed::IntercommCreate, run).await?;
        self.join(own, read_id(&told)?)
    }

    /// The leader says who its group is, and learns who the other is.
    async fn meet(
        &self,
        own: CreationId,
        peer: &Comm,
        remote_leader: i32,
        tag: i32,
    ) -> Result<Payload> {
        if tag < 0 {
            return Err(Error::BadTag(tag));
        }
        // Who hears of this creation finds the group there.
        self.world.state.borrow_mut().creation(own).groups[0] = Some(self.group().clone());
        let channel = Channel::new(peer, Tag::meeting(tag));
        let remote_leader = u32::try_from(remote_leader)
            .map_err(|_| Error::NoSuchRank { rank: remote_leader, size: peer.peers().size() })?;
        channel.exchange(id_bytes(own), remote_leader, remote_leader).await
    }

    /// Takes this rank's side of the inter-communicator that two groups have agreed on.
    fn join(&self, own: CreationId, other: CreationId) -> Result<Comm> {
        let side = u8::from(leader(own) > leader(other));
        let (id, second) = if side == 0 { (own, other) } else { (other, own) };
        let state = &mut *self.world.state.borrow_mut();
        // The first to come brings both groups together.
        if let Some(creation) = state.creations.remove(&second) {
            state.creation(id).groups[1] = creation.groups[0].clone();
        }
        let groups = &state.creation(id).groups;
        let [Some(first), Some(second)] = groups.clone() else {
            return Err(Error::BadArgument("a group that cannot join itself".into()));
        };
        let members = first.size() + second.size();
        let part = Part { id, members, color: 0, side };
        let shared = state.take_part(part, |_| Plan::joining([first, second]));
        let overlap = || Error::BadArgument("the two groups have common members".into());
        Ok(Comm::new(self.world.clone(), shared.ok_or_else(overlap)?, self.me))
    }

    /// `MPI_Intercomm_merge`: one communicator of both groups. The group whose ranks say `high`
    /// comes behind the other; if both say the same, the order is arbitrary but the same for all.
    ///
    /// Costs an exchange of the leaders and a bcast in each group.
    pub async fn intercomm_merge(&self, high: bool) -> Result<Comm> {
        let Some(remote) = &self.shared.remote else {
            return Err(Error::BadArgument("MPI_Intercomm_merge of an intra-communicator".into()));
        };
        let (id, side) = (self.creation_id(), remote.side);
        let run =
            async |channel: &Channel<'_>| inter::swap(channel, vec![u8::from(high)].into()).await;
        let theirs = self.collective(Fixed::IntercommMerge, run).await?;
        let they_are_high = theirs.bytes().first().is_some_and(|byte| *byte > 0);
        let is_first = match (high, they_are_high) {
            (false, true) => true,
            (true, false) => false,
            _ => side == 0,
        };
        let part = Part { id, members: self.shared.members(), color: 0, side: 0 };
        let (own, other) = (self.group(), &remote.group);
        let plan = || match is_first {
            true => Plan::Intra(own.union(other), None),
            false => Plan::Intra(other.union(own), None),
        };
        let shared = self.world.state.borrow_mut().take_part(part, |_| plan());
        let shared = shared.expect("a communicator is planned for every rank");
        Ok(Comm::new(self.world.clone(), shared, self.me))
    }

    /// [`Comm::create`] on an inter-communicator.
    pub(super) async fn create_inter(&self, group: &Group) -> Result<Option<Comm>> {
        let (id, parent) = (self.creation_id(), self.shared.clone());
        let (side, members) = (parent.side(), parent.members());
        let brought = group.clone();
        self.world.state.borrow_mut().creation(id).groups[usize::from(side)] = Some(brought);
        let run = async |channel: &Channel<'_>| inter::barrier(channel).await;
        self.collective(Fixed::CommCreate, run).await?;
        let state = &mut *self.world.state.borrow_mut();
        if !group.contains(self.me) {
            state.leave(id, members);
            return Ok(None);
        }
        let shared =
            state.take_part(Part { id, members, color: 0, side }, |creation| {
                match creation.groups.clone() {
                    [Some(first), Some(second)] => Plan::between([first, second]),
                    _ => Plan::Nothing,
                }
            });
        Ok(shared.map(|shared| Comm::new(self.world.clone(), shared, self.me)))
    }

    /// An inter-communicator of some ranks here who all know of it, by a number of theirs, as those
    /// of a trace do; none for other ranks, or if a rank is on both sides. Takes no time.
    pub fn agreed_between(&self, sides: [&Group; 2], number: i32) -> Option<Comm> {
        let side = sides.iter().position(|group| group.contains(self.me))? as u8;
        let [first, second] = sides;
        let members = first.union(second).fingerprint();
        let id = CreationId::Part { context: self.shared.context, members, tag: number };
        let part = Part { id, members: first.size() + second.size(), color: 0, side };
        let plan = || Plan::joining(sides.map(Group::clone));
        let shared = self.world.state.borrow_mut().take_part(part, |_| plan())?;
        Some(Comm::new(self.world.clone(), shared, self.me))
    }

    /// This side of an inter-communicator, for messages among its own ranks.
    pub(crate) fn inside(&self) -> Option<Comm> {
        let remote = self.shared.remote.as_ref()?;
        Some(Comm { shared: remote.inside.clone(), own: Default::default(), ..self.clone() })
    }

    /// That the communicator has one group, as a call wants it.
    pub(crate) fn require_intra(&self, call: &str) -> Result<()> {
        match self.is_inter() {
            false => Ok(()),
            true => Err(Error::BadArgument(format!("{call} on an inter-communicator"))),
        }
    }
}

impl Plan {
    /// Both sides, if they have no common members.
    fn joining(sides: [Group; 2]) -> Plan {
        let [first, second] = &sides;
        let overlap = first.iter().any(|rank| second.contains(rank));
        if overlap { Plan::Nothing } else { Plan::Inter(sides) }
    }
}

fn leader(id: CreationId) -> u32 {
    match id {
        CreationId::Joint { leader, .. } => leader,
        _ => u32::MAX,
    }
}

/// A joint creation as three numbers of four bytes.
fn id_bytes(id: CreationId) -> Payload {
    match id {
        CreationId::Joint { context, sequence, leader } => {
            let words = [context, sequence, leader];
            words.iter().flat_map(|word| word.to_ne_bytes()).collect::<Vec<u8>>().into()
        }
        _ => Payload::Size(0),
    }
}

fn read_id(payload: &Payload) -> Result<CreationId> {
    let (words, _) = payload.bytes().as_chunks::<4>();
    match words {
        [context, sequence, leader] => Ok(CreationId::Joint {
            context: u32::from_ne_bytes(*context),
            sequence: u32::from_ne_bytes(*sequence),
            leader: u32::from_ne_bytes(*leader),
        }),
        _ => Err(Error::BadArgument("the leaders of the two groups did not meet".into())),
    }
}
