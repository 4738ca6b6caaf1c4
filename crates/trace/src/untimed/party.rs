//! Who takes part in a collective: the ranks of a communicator, or of both sides of one.

use crate::action::Action;
use crate::fields::Members;
use crate::sides::Sides;
use crate::spool::Spool;

/// The ranks of a communicator that is not the world, in order.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Party<'a> {
    pub(crate) members: &'a [u32],
    /// How many of them are on the first side of an inter-communicator; 0 if it is none.
    pub(crate) first: usize,
}

impl<'a> Party<'a> {
    /// The ranks of a communicator with one group.
    pub(crate) fn of(members: &'a [u32]) -> Self {
        Self { members, first: 0 }
    }

    /// Both sides; none if there is one.
    pub(crate) fn sides(self) -> Option<[&'a [u32]; 2]> {
        let (first, second) = self.members.split_at_checked(self.first)?;
        (!first.is_empty() && !second.is_empty()).then_some([first, second])
    }

    /// A rank says which ranks a communicator has.
    pub(crate) fn define(self, spool: &mut Spool, rank: u32, id: u32) {
        let ranks = spool.ranks();
        match self.sides() {
            Some(sides) => {
                if let Ok(sides) = Sides::parse(Sides::written(sides).as_bytes(), ranks) {
                    spool.add(rank, &Action::DefineInter { id, sides });
                }
            }
            None => {
                if let Ok(members) =
                    Members::parse(Members::written(self.members).as_bytes(), ranks)
                {
                    spool.add(rank, &Action::Define { id, members });
                }
            }
        }
    }
}
