//! One-sided communication, as lines of a trace.

use foretell_mpi::{LockKind, WindowCall as Heard};
use foretell_trace::{Access, Action, Members, WindowCall};

use super::Notes;

/// Windows of a rank. One that is free again goes first, so that what repeats has the same numbers
/// each time.
#[derive(Debug, Default)]
pub(super) struct Windows(Vec<Option<u32>>);

impl Windows {
    /// A window is made: the smallest number that is free.
    fn add(&mut self, window: u32) -> u32 {
        let free = self.0.iter().position(Option::is_none).unwrap_or(self.0.len());
        match self.0.get_mut(free) {
            Some(place) => *place = Some(window),
            None => self.0.push(Some(window)),
        }
        free as u32
    }

    fn number(&self, window: u32) -> Option<u32> {
        self.0.iter().position(|known| *known == Some(window)).map(|at| at as u32)
    }

    fn forget(&mut self, number: u32) {
        if let Some(place) = self.0.get_mut(number as usize) {
            *place = None;
        }
    }
}

impl Notes {
    pub(super) fn window(&mut self, rank: u32, window: u32, heard: Heard<'_>) {
        let windows = &mut self.ranks[rank as usize].windows;
        let number = match heard {
            Heard::Create => Some(windows.add(window)),
            _ => windows.number(window),
        };
        let text = match heard {
            Heard::Post(group) | Heard::Start(group) => {
                Members::written(&group.iter().collect::<Vec<u32>>())
            }
            _ => String::new(),
        };
        let members = Members::parse_any(text.as_bytes(), self.ranks.len() as u32);
        // A thread may have made it, whose calls are not told.
        let (Some(number), Ok(members)) = (number, members) else {
            *self.untold.entry("windows that are not known").or_default() += 1;
            return;
        };
        if let Heard::Operate { request: Some(request), .. } = heard {
            self.begin_later(rank, request);
        }
        let call = told(heard, members);
        self.write(rank, &Action::Window { number, call });
        if call == WindowCall::Free {
            self.ranks[rank as usize].windows.forget(number);
        }
    }
}

fn told<'a>(heard: Heard<'_>, members: Members<'a>) -> WindowCall<'a> {
    match heard {
        Heard::Create => WindowCall::Create,
        Heard::Free => WindowCall::Free,
        Heard::Fence { is_last } => WindowCall::Fence { is_last },
        Heard::Post(_) => WindowCall::Post(members),
        Heard::Start(_) => WindowCall::Start(members),
        Heard::Complete => WindowCall::Complete,
        Heard::Wait => WindowCall::Wait,
        Heard::Lock { target, kind, is_unchecked } => {
            let is_exclusive = kind == LockKind::Exclusive;
            WindowCall::Lock { target, is_exclusive, is_unchecked }
        }
        Heard::Unlock(target) => WindowCall::Unlock(target),
        Heard::LockAll { is_unchecked } => WindowCall::LockAll { is_unchecked },
        Heard::UnlockAll => WindowCall::UnlockAll,
        Heard::Flush(target) => WindowCall::Flush(target),
        Heard::Operate { target, sent, returned, is_ordered, .. } => {
            WindowCall::Operate(Access { target, sent, returned, is_ordered })
        }
    }
}
