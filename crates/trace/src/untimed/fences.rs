//! Fences of windows. Traces do not tell whether one opens an epoch: what follows it does.

use std::collections::BTreeMap;

use crate::action::Action;
use crate::spool::{Place, Spool};
use crate::window::WindowCall;

/// Room for the line of a fence.
const LINE: usize = 40;

/// The last fence of each window of a rank, as long as nothing has followed it.
#[derive(Debug, Default)]
pub(crate) struct Fences(BTreeMap<u32, Place>);

impl Fences {
    /// A rank does something with a window, before which a fence may have been; tells what it does,
    /// but for a fence, whose line is left open.
    pub(crate) fn tell(
        &mut self,
        spool: &mut Spool,
        rank: u32,
        number: u32,
        call: WindowCall<'_>,
        later: Option<u32>,
    ) {
        let is_open = matches!(call, WindowCall::Operate(_) | WindowCall::Fence { .. });
        self.settle(spool, rank, number, !is_open);
        if let WindowCall::Fence { is_last: false } = call {
            self.0.insert(number, spool.leave_room(rank, LINE));
            return;
        }
        if let Some(later) = later {
            spool.add(rank, &Action::Later(later));
        }
        spool.add(rank, &Action::Window { number, call });
    }

    fn settle(&mut self, spool: &mut Spool, rank: u32, number: u32, is_last: bool) {
        if let Some(place) = self.0.remove(&number) {
            let call = WindowCall::Fence { is_last };
            let line = format!("{rank} {}", Action::Window { number, call });
            spool.fill(place, line.as_bytes());
        }
    }

    /// Nothing follows.
    pub(crate) fn end(&mut self, spool: &mut Spool, rank: u32) {
        while let Some((number, _)) = self.0.first_key_value() {
            self.settle(spool, rank, *number, true);
        }
    }
}
