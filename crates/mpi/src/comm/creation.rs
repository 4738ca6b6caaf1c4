//! Making communicators. MPI 4.1 section 7.4.
//!
//! All ranks of a communicator make the communicators derived from it in the same order, so the
//! first to come makes the one object that all share, and the others find it by that order. Only
//! calls whose result depends on what other ranks say exchange messages.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::cartesian::Cartesian;
use crate::collective::{Channel, Operation, share_claims};
use crate::comm::{Comm, CommShared};
use crate::error::Result;
use crate::group::Group;
use crate::world::State;

/// A communicator, or several, being made by several ranks.
#[derive(Debug, Default)]
pub(crate) struct Creation {
    /// `(color, key, rank)` of each rank that has come, for a split.
    claims: Vec<(i32, i32, u32)>,
    is_sorted: bool,
    /// By color. Never iterated.
    made: FxHashMap<i32, Rc<CommShared>>,
    /// How many ranks have taken theirs.
    taken: u32,
}

/// Which of all creations one is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum CreationId {
    /// By all ranks of a communicator: its context, and the count of its collectives.
    Whole { context: u32, sequence: u32 },
    /// By some ranks: the communicator they are in, the first of them, and a tag.
    Part { context: u32, first: u32, tag: i32 },
}

/// What a rank brings to a creation.
pub(crate) struct Claim {
    id: CreationId,
    /// How many ranks take part.
    members: u32,
    color: i32,
}

impl Comm {
    /// `MPI_COMM_SELF`: the communicator of this rank alone.
    pub fn alone(&self) -> Comm {
        let group = Group::Range { first: self.me, stride: 1, count: 1 };
        let shared = CommShared { group, context: 2, topology: None };
        Comm::new(self.world.clone(), Rc::new(shared), self.me)
    }

    /// `MPI_Comm_dup`: the same ranks and topology in a context of its own. No messages.
    pub async fn dup(&self) -> Result<Comm> {
        let parent = &self.shared;
        Ok(self.derive(0, || (parent.group.clone(), parent.topology.clone())))
    }

    /// `MPI_Comm_split`: ranks of the same color get a communicator, in the order of their keys,
    /// then of their ranks here. Without color, a rank gets none.
    ///
    /// Costs an allgather of eight bytes.
    pub async fn split(&self, color: Option<i32>, key: i32) -> Result<Option<Comm>> {
        let id = self.creation_id();
        if let Some(color) = color {
            let state = &mut *self.world.state.borrow_mut();
            let creation = state.creations.entry(id).or_default();
            creation.claims.push((color, key, self.rank()));
        }
        let run = async |channel: &Channel<'_>| share_claims(channel).await;
        self.collective(Operation::CommSplit, run).await?;
        let parent = self.shared.clone();
        let state = &mut *self.world.state.borrow_mut();
        let claim = color.map(|color| Claim { id, members: self.size(), color });
        let Some(claim) = claim else {
            state.leave(id, self.size());
            return Ok(None);
        };
        let shared = state.take_part(claim, |claims| (members(claims, color, &parent.group), None));
        Ok(Some(Comm::new(self.world.clone(), shared, self.me)))
    }

    /// `MPI_Comm_create`: called by all ranks here; those of the group they give get a communicator
    /// of it. Ranks give the same group, or groups without common members. No messages.
    pub async fn create(&self, group: &Group) -> Result<Option<Comm>> {
        if group.rank_of(self.me).is_some() {
            return Ok(Some(self.derive(group.world_rank(0) as i32, || (group.clone(), None))));
        }
        self.derive_nothing();
        Ok(None)
    }

    /// `MPI_Comm_create_group`: called by the ranks of the group alone. Costs a barrier among them.
    pub async fn create_group(&self, group: &Group, tag: i32) -> Result<Option<Comm>> {
        if group.rank_of(self.me).is_none() {
            return Ok(None);
        }
        let first = group.world_rank(0);
        let id = CreationId::Part { context: self.shared.context, first, tag };
        let claim = Claim { id, members: group.size(), color: 0 };
        let shared = self.world.state.borrow_mut().take_part(claim, |_| (group.clone(), None));
        let comm = Comm::new(self.world.clone(), shared, self.me);
        // Also keeps a second call with the same group and tag from taking part in this one.
        comm.barrier().await?;
        Ok(Some(comm))
    }

    /// The communicator of a color, where all ranks here come to the same without messages.
    pub(crate) fn derive(
        &self,
        color: i32,
        make: impl FnOnce() -> (Group, Option<Cartesian>),
    ) -> Comm {
        let claim = Claim { id: self.next_creation(), members: self.size(), color };
        let shared = self.world.state.borrow_mut().take_part(claim, |_| make());
        Comm::new(self.world.clone(), shared, self.me)
    }

    /// Takes part in a creation without getting anything.
    pub(crate) fn derive_nothing(&self) {
        let id = self.next_creation();
        self.world.state.borrow_mut().leave(id, self.size());
    }

    fn creation_id(&self) -> CreationId {
        CreationId::Whole { context: self.shared.context, sequence: self.sequence.get() }
    }

    fn next_creation(&self) -> CreationId {
        let id = self.creation_id();
        self.sequence.set(self.sequence.get().wrapping_add(1));
        id
    }
}

impl State {
    /// Gives the communicator of a claim, made if this rank is the first to come.
    fn take_part(
        &mut self,
        claim: Claim,
        make: impl FnOnce(&[(i32, i32, u32)]) -> (Group, Option<Cartesian>),
    ) -> Rc<CommShared> {
        let Claim { id, members, color } = claim;
        let creation = self.creations.entry(id).or_default();
        if !creation.is_sorted {
            creation.claims.sort_unstable();
            creation.is_sorted = true;
        }
        let (claims, made) = (&creation.claims, &mut creation.made);
        let shared = made.entry(color).or_insert_with(|| {
            let context = self.next_context;
            self.next_context += 2;
            let (group, topology) = make(claims);
            Rc::new(CommShared { group, context, topology })
        });
        let shared = shared.clone();
        self.leave(id, members);
        shared
    }

    /// Counts a rank that has got what it came for; the last one clears up.
    fn leave(&mut self, id: CreationId, members: u32) {
        let creation = self.creations.entry(id).or_default();
        creation.taken += 1;
        if creation.taken == members {
            self.creations.remove(&id);
        }
    }
}

/// The ranks of a color, from claims in order.
fn members(claims: &[(i32, i32, u32)], color: Option<i32>, parent: &Group) -> Group {
    let start = claims.partition_point(|claim| Some(claim.0) < color);
    let end = claims.partition_point(|claim| Some(claim.0) <= color);
    Group::new(claims[start..end].iter().map(|claim| parent.world_rank(claim.2)).collect())
}

#[cfg(test)]
mod tests {
    use foretell_platform::Platform;

    use crate::{Comm, Reorder, Simulation};

    #[test]
    fn nothing_is_left_of_a_creation_once_all_have_theirs() {
        let platform = Platform::named("star-64").unwrap();
        let outcome = Simulation::new(platform).ranks(6).run(async |world| {
            let rank = world.rank();
            let copy = world.dup().await?;
            world.split(Some(rank as i32 % 2), 0).await?;
            copy.split((rank > 2).then_some(0), 0).await?;
            world.cart_create(&[2, 2], &[true, true], Reorder::Allowed).await?;
            world.create(&world.group().incl(&[0, 1])?).await?;
            copy.create_group(&world.group().incl(&[2, 4])?, 7).await?;
            world.alone().dup().await?;
            world.barrier().await?;
            assert!(world.world.state.borrow().creations.is_empty());
            Ok(())
        });
        outcome.unwrap();
    }

    #[test]
    fn ranks_share_what_they_have_in_common() {
        // With the count of its collectives, a handle stays within a cache line.
        assert!(size_of::<Comm>() <= 32);
        let platform = Platform::named("star-64").unwrap();
        let outcome = Simulation::new(platform).ranks(64).run(async |world| {
            let grid = world.cart_create(&[4, 4, 4], &[true; 3], Reorder::Allowed).await?;
            world.barrier().await?;
            let shared = grid.as_ref().map_or(0, |grid| std::rc::Rc::strong_count(&grid.shared));
            assert_eq!(shared, 64);
            world.barrier().await
        });
        outcome.unwrap();
    }
}
