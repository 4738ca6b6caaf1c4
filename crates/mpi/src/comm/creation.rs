//! How several ranks come to share one communicator. MPI 4.1 section 7.4.
//!
//! All ranks of a communicator make the communicators derived from it in the same order, so the
//! first to come makes the one object that all share, and the others find it by that order. Only
//! calls whose result depends on what other ranks say exchange messages.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::comm::CommShared;
use crate::group::Group;
use crate::topology::{Edges, Topology};
use crate::world::State;

/// A communicator, or several, being made by several ranks.
#[derive(Debug, Default)]
pub(crate) struct Creation {
    /// `(side, color, key, rank)` of each rank that has come, for a split.
    claims: Vec<(u8, i32, i32, u32)>,
    is_sorted: bool,
    /// What each side of an inter-communicator brings.
    pub(crate) groups: [Option<Group>; 2],
    /// What the ranks bring to a distributed graph.
    pub(crate) edges: Option<Box<Edges>>,
    /// By color and side; none where a color gets no communicator. Never iterated.
    made: FxHashMap<(i32, u8), Option<Rc<CommShared>>>,
    /// How many ranks have taken theirs.
    taken: u32,
}

/// Which of all creations one is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum CreationId {
    /// By all ranks of a communicator: its context, and the count of its collectives.
    Whole { context: u32, sequence: u32 },
    /// By some ranks: the communicator they are in, which ranks they are, and a tag.
    Part { context: u32, members: u64, tag: i32 },
    /// By the ranks of two communicators: one of them, and its leader in the world.
    Joint { context: u32, sequence: u32, leader: u32 },
}

/// What a rank asks of a creation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Part {
    pub(crate) id: CreationId,
    /// How many ranks take part.
    pub(crate) members: u32,
    pub(crate) color: i32,
    pub(crate) side: u8,
}

/// What is to be made for a color.
pub(crate) enum Plan {
    /// An intra-communicator.
    Intra(Group, Option<Topology>),
    /// Both sides of an inter-communicator.
    Inter([Group; 2]),
    /// None.
    Nothing,
}

impl Creation {
    pub(crate) fn claim(&mut self, side: u8, color: i32, key: i32, rank: u32) {
        self.claims.push((side, color, key, rank));
    }

    /// The ranks of a color that come from one group, by key, then by rank.
    pub(crate) fn claimed(&mut self, side: u8, color: i32, parent: &Group) -> Group {
        if !self.is_sorted {
            self.claims.sort_unstable();
            self.is_sorted = true;
        }
        let start = self.claims.partition_point(|claim| (claim.0, claim.1) < (side, color));
        let end = self.claims.partition_point(|claim| (claim.0, claim.1) <= (side, color));
        Group::new(self.claims[start..end].iter().map(|claim| parent.world_rank(claim.3)).collect())
    }
}

impl State {
    pub(crate) fn creation(&mut self, id: CreationId) -> &mut Creation {
        self.creations.entry(id).or_default()
    }

    /// Gives the communicator of a color and side, made if this rank is the first to ask.
    pub(crate) fn take_part(
        &mut self,
        part: Part,
        plan: impl FnOnce(&mut Creation) -> Plan,
    ) -> Option<Rc<CommShared>> {
        let Part { id, members, color, side } = part;
        let creation = self.creations.entry(id).or_default();
        let made = match creation.made.get(&(color, side)) {
            Some(made) => made.clone(),
            None => {
                let plan = plan(creation);
                let context = self.next_context;
                self.next_context += plan.contexts();
                let groups = plan.groups();
                if let (Some(watch), Some(_)) = (&mut self.observer, groups[0]) {
                    watch.observer().observe_comm(self.kernel.now(), context, groups);
                }
                creation.make(color, side, plan, context)
            }
        };
        self.leave(id, members);
        made
    }

    /// Counts a rank that has got what it came for; the last one clears up.
    pub(crate) fn leave(&mut self, id: CreationId, members: u32) {
        let creation = self.creations.entry(id).or_default();
        creation.taken += 1;
        if creation.taken == members {
            self.creations.remove(&id);
        }
    }
}

impl Plan {
    fn groups(&self) -> [Option<&Group>; 2] {
        match self {
            Plan::Intra(group, _) => [Some(group), None],
            Plan::Inter([first, second]) => [Some(first), Some(second)],
            Plan::Nothing => [None; 2],
        }
    }

    fn contexts(&self) -> u32 {
        match self {
            Plan::Intra(..) => 2,
            Plan::Inter(_) => 4,
            Plan::Nothing => 0,
        }
    }
}

impl Creation {
    fn make(&mut self, color: i32, side: u8, plan: Plan, context: u32) -> Option<Rc<CommShared>> {
        match plan {
            Plan::Intra(group, topology) => {
                let shared = CommShared { topology, ..CommShared::new(group, context) };
                self.made.insert((color, side), Some(Rc::new(shared)));
            }
            Plan::Inter(groups) => {
                let [first, second] = CommShared::pair(groups, context);
                self.made.insert((color, 0), Some(first));
                self.made.insert((color, 1), Some(second));
            }
            Plan::Nothing => {
                self.made.insert((color, side), None);
            }
        }
        self.made.get(&(color, side)).cloned().flatten()
    }
}

#[cfg(test)]
mod tests {
    use foretell_platform::Platform;

    use crate::{Comm, Reorder, Simulation, SplitType};

    #[test]
    fn nothing_is_left_of_a_creation_once_all_have_theirs() {
        let platform = Platform::named("star-64").unwrap();
        let outcome = Simulation::new(platform).ranks(6).run(async |world| {
            let rank = world.rank();
            let copy = world.dup().await?;
            world.split(Some(rank as i32 % 2), 0).await?;
            copy.split((rank > 2).then_some(0), 0).await?;
            copy.split_type(Some(SplitType::Shared), 0).await?;
            world.cart_create(&[2, 2], &[true, true], Reorder::Allowed).await?;
            world.graph_create(&[1, 2], &[1, 0], Reorder::Allowed).await?;
            world.dist_graph_create(&[(0, rank)], None, Reorder::Allowed).await?;
            world.create(&world.group().incl(&[0, 1])?).await?;
            copy.create_group(&world.group().incl(&[2, 4])?, 7).await?;
            world.alone().dup().await?;
            let half = world.split(Some((rank > 2) as i32), 0).await?.expect("each has a half");
            let remote = if rank > 2 { 0 } else { 3 };
            let inter = half.intercomm_create(0, Some(&world), remote, 1).await?;
            inter.dup().await?;
            inter.split(Some(half.rank() as i32), 0).await?;
            inter.split(Some(rank as i32), 0).await?;
            inter.create(&half.group().incl(&[0, 2])?).await?;
            inter.intercomm_merge(rank > 2).await?;
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
