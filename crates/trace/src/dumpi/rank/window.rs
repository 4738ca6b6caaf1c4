//! Calls of a rank on windows.

use super::{Call, Teller};
use crate::action::Action;
use crate::fields::Members;
use crate::window::{Access, NOTE, WindowCall};

/// What MPI_Win_fence promises, that nothing follows in its epoch.
const NO_SUCCEED: i64 = 16;
/// What MPI_Win_lock promises, that nobody else wants the lock.
const NO_CHECK: i64 = 1;
const EXCLUSIVE: i64 = 2;

impl Teller<'_> {
    pub(super) fn use_window(&mut self, call: &Call) -> Result<(), String> {
        let Some(handle) = (match (call.function, &call.numbers[..]) {
            (152, [window, _]) => Some(window),
            (_, numbers) => numbers.last(),
        }) else {
            return Ok(());
        };
        if let (145, [_, _, _, comm, _]) = (call.function, &call.numbers[..]) {
            self.create_window(*handle, *comm);
            return Ok(());
        }
        let Some(comm) = self.windows.get(handle).copied() else {
            self.leave_out("calls on windows that are not known");
            return Ok(());
        };
        let group = |group: i64| self.groups.get(group).map(Members::written);
        let rank_of = |target: i64| self.window_rank(comm, target);
        let text;
        let members = |text| Members::parse_any(text, self.spool.ranks()).map_err(|wrong| wrong.0);
        let told = match (call.function, &call.numbers[..]) {
            (141..=143, [count, datatype, target, ..]) => {
                // Nobody is there, as with messages.
                if *target < 0 {
                    return Ok(());
                }
                let bytes = self.types.bytes(*count, *datatype);
                let (sent, returned) = match call.function {
                    142 => (NOTE, Some(bytes)),
                    _ => (bytes, None),
                };
                let is_ordered = call.function == 141;
                let target = rank_of(*target)?;
                WindowCall::Operate(Access { target, sent, returned, is_ordered })
            }
            (144, _) => WindowCall::Complete,
            (146, [promises, _]) => WindowCall::Fence { is_last: promises & NO_SUCCEED != 0 },
            (147, _) => WindowCall::Free,
            (149, [kind, target, promises, _]) => WindowCall::Lock {
                target: rank_of(*target)?,
                is_exclusive: *kind == EXCLUSIVE,
                is_unchecked: promises & NO_CHECK != 0,
            },
            (150 | 151, [named, ..]) => {
                let Some(found) = group(*named) else {
                    self.leave_out("epochs of groups that are not known");
                    return Ok(());
                };
                text = found;
                let members = members(text.as_bytes())?;
                match call.function {
                    150 => WindowCall::Post(members),
                    _ => WindowCall::Start(members),
                }
            }
            (152, [_, flag]) if *flag != 0 => WindowCall::Wait,
            (153, [target, _]) => WindowCall::Unlock(rank_of(*target)?),
            (154, _) => WindowCall::Wait,
            _ => return Ok(()),
        };
        let number = *handle as u32;
        self.fences.tell(self.spool, self.rank, number, told, None);
        if told == WindowCall::Free {
            let _ = self.windows.remove(handle);
        }
        Ok(())
    }

    fn create_window(&mut self, handle: i64, comm: i64) {
        let known = self.comms.get(&comm).copied();
        let Some(comm) = known.filter(|comm| !self.whole.comms.has_sides(*comm)) else {
            let _ = self.windows.remove(&handle);
            return self.leave_out("windows of communicators that are not known");
        };
        self.windows.insert(handle, comm);
        self.introduce(comm);
        if comm != 0 {
            self.add(&Action::Within(comm));
        }
        self.fences.tell(self.spool, self.rank, handle as u32, WindowCall::Create, None);
    }

    /// A rank of a window as one of the world.
    fn window_rank(&self, comm: u32, target: i64) -> Result<u32, String> {
        let members = &self.whole.comms.members[comm as usize];
        let found = usize::try_from(target).ok().and_then(|target| members.get(target));
        found.copied().ok_or_else(|| format!("there is no rank {target} among {}", members.len()))
    }
}
