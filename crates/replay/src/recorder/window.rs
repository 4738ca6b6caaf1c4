//! One-sided communication, as lines of a trace.

use foretell_mpi::{LockKind, WindowCall as Heard};
use foretell_trace::{Access, Action, Members, WindowCall};

use super::Notes;

/// Windows of a rank. One that is free again goes first, so that what repeats has the same numbers
/// each time.
#[derive(Debug, Default)]
pub(super) struct Windows(Vec<Option<u32>>);

impl Windows {
    /// The number of a window in the rank's lines; of one that is not known, a new one.
    fn number(&mut self, window: u32) -> u32 {
        if let Some(at) = self.0.iter().position(|known| *known == Some(window)) {
            return at as u32;
        }
        let free = self.0.iter().position(Option::is_none).unwrap_or(self.0.len());
        match self.0.get_mut(free) {
            Some(place) => *place = Some(window),
            None => self.0.push(Some(window)),
        }
        free as u32
    }

    fn forget(&mut self, number: u32) {
        if let Some(place) = self.0.get_mut(number as usize) {
            *place = None;
        }
    }
}

impl Notes {
    pub(super) fn window(&mut self, rank: u32, window: u32, heard: Heard<'_>) {
        let number = self.ranks[rank as usize].windows.number(window);
        let text = match heard {
            Heard::Post(group) | Heard::Start(group) => {
                Members::written(&group.iter().collect::<Vec<u32>>())
            }
            _ => String::new(),
        };
        let Ok(members) = Members::parse_any(text.as_bytes(), self.ranks.len() as u32) else {
            *self.untold.entry("groups of windows").or_default() += 1;
            return;
        };
        let (call, request) = match heard {
            Heard::Post(_) => (WindowCall::Post(members), None),
            Heard::Start(_) => (WindowCall::Start(members), None),
            Heard::Create => (WindowCall::Create, None),
            Heard::Free => (WindowCall::Free, None),
            Heard::Fence { is_last } => (WindowCall::Fence { is_last }, None),
            Heard::Complete => (WindowCall::Complete, None),
            Heard::Wait => (WindowCall::Wait, None),
            Heard::Lock { target, kind, is_unchecked } => {
                let is_exclusive = kind == LockKind::Exclusive;
                (WindowCall::Lock { target, is_exclusive, is_unchecked }, None)
            }
            Heard::Unlock(target) => (WindowCall::Unlock(target), None),
            Heard::LockAll { is_unchecked } => (WindowCall::LockAll { is_unchecked }, None),
            Heard::UnlockAll => (WindowCall::UnlockAll, None),
            Heard::Flush(target) => (WindowCall::Flush(target), None),
            Heard::Operate { target, sent, returned, is_ordered, request } => {
                (WindowCall::Operate(Access { target, sent, returned, is_ordered }), request)
            }
        };
        if let Some(request) = request {
            self.begin_later(rank, request);
        }
        self.write(rank, &Action::Window { number, call });
        if call == WindowCall::Free {
            self.ranks[rank as usize].windows.forget(number);
        }
    }
}
