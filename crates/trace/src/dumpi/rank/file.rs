//! What a rank does with files.

use super::{ALONE, Call, Pending, Teller, WORLD, calls};
use crate::action::Action;
use crate::file::FileCall;

/// Whether an access reads, is made by all ranks, and is waited for in another call.
#[derive(Debug, Clone, Copy)]
struct Access {
    reads: bool,
    is_together: bool,
    when: When,
}

/// When an access is complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum When {
    /// In the call.
    Now,
    /// When its request is.
    WithRequest,
    /// In the call that ends what this one has begun.
    WithEnd,
}

impl Access {
    /// What a call is, if it reads or writes.
    fn of(function: u16) -> Option<Self> {
        let when = match function {
            242..=245 | 248..=251 | 257 | 258 | 261 | 262 => When::Now,
            246 | 247 | 252 | 253 | 259 | 260 => When::WithRequest,
            265 | 267 | 269 | 271 | 273 | 275 => When::WithEnd,
            _ => return None,
        };
        let reads = matches!(
            function,
            242 | 243 | 246 | 248 | 249 | 252 | 257 | 259 | 261 | 265 | 269 | 273
        );
        let is_together =
            matches!(function, 243 | 245 | 249 | 251 | 261 | 262) || when == When::WithEnd;
        Some(Self { reads, is_together, when })
    }

    fn call(self, bytes: u64) -> FileCall {
        match (self.reads, self.is_together) {
            (true, false) => FileCall::Read(bytes),
            (false, false) => FileCall::Write(bytes),
            (true, true) => FileCall::ReadAll(bytes),
            (false, true) => FileCall::WriteAll(bytes),
        }
    }
}

/// Files that a rank has open.
#[derive(Debug, Default)]
pub(super) struct Files {
    /// Their communicators, by their handles; none for those of a rank alone.
    open: Vec<(i64, Option<u32>)>,
    /// The numbers under which split accesses go on, by the handles of files.
    split: Vec<(i64, u32)>,
    /// Numbers that are taken.
    taken: Vec<bool>,
}

impl Files {
    fn comm(&self, handle: i64) -> Option<Option<u32>> {
        self.open.iter().find(|(known, _)| *known == handle).map(|(_, comm)| *comm)
    }

    /// The smallest number that is free.
    fn take_number(&mut self) -> u32 {
        let free = self.taken.iter().position(|is_taken| !is_taken).unwrap_or(self.taken.len());
        self.taken.resize(self.taken.len().max(free + 1), false);
        self.taken[free] = true;
        free as u32
    }

    fn free_number(&mut self, number: u32) {
        self.taken[number as usize] = false;
    }
}

impl Teller<'_> {
    /// A call for a file. The time of those that cannot be told stays.
    pub(super) fn file(&mut self, call: &Call) {
        if self.use_file(call).is_none() {
            if calls::begins_in_a_file(call.function)
                && let Some(request) = call.numbers.last()
            {
                self.requests.add(*request, Pending::File(None));
            }
            self.stay(call);
        }
        self.step(call);
    }

    fn use_file(&mut self, call: &Call) -> Option<()> {
        const OPEN: u16 = 230;
        const CLOSE: u16 = 231;
        let numbers = &call.numbers;
        if call.function == OPEN {
            let (comm, handle) = (*numbers.first()?, *numbers.last()?);
            let comm = match comm {
                ALONE => None,
                WORLD => Some(0),
                comm => Some(*self.comms.get(&comm)?),
            };
            self.files.open.retain(|(known, _)| *known != handle);
            self.files.open.push((handle, comm));
            self.together(comm, FileCall::Open);
            return Some(());
        }
        let handle = *numbers.first()?;
        let comm = self.files.comm(handle)?;
        if let Some(access) = Access::of(call.function) {
            return self.access(call, comm, access);
        }
        match call.function {
            CLOSE => {
                self.files.open.retain(|(known, _)| *known != handle);
                self.together(comm, FileCall::Close);
            }
            233 | 234 | 237 | 240 | 263 | 279 | 281 => self.together(comm, FileCall::Meet),
            266 | 268 | 270 | 272 | 274 | 276 => {
                let at = self.files.split.iter().position(|(known, _)| *known == handle)?;
                let (_, number) = self.files.split.remove(at);
                self.end_access(number);
            }
            _ => return None,
        }
        Some(())
    }

    fn access(&mut self, call: &Call, comm: Option<u32>, access: Access) -> Option<()> {
        let numbers = &call.numbers;
        // The request comes last.
        let end = numbers.len() - usize::from(access.when == When::WithRequest);
        let [.., count, datatype] = numbers.get(..end)? else { return None };
        let asked = self.types.bytes(*count, *datatype);
        // What was there is what the status tells.
        let found = call.statuses.first().and_then(|status| u64::try_from(status.bytes).ok());
        let bytes = found.map_or(asked, |found| found.min(asked)).min(1 << 40);
        if access.when != When::Now {
            let number = self.files.take_number();
            match access.when {
                When::WithRequest => {
                    self.requests.add(*numbers.last()?, Pending::File(Some(number)));
                }
                _ => self.files.split.push((*numbers.first()?, number)),
            }
            self.add(&Action::Later(number));
        }
        match access.is_together {
            true => self.together(comm, access.call(bytes)),
            false => self.add(&Action::File(access.call(bytes))),
        }
        Some(())
    }

    /// The rank takes note that an access is complete.
    pub(super) fn end_access(&mut self, number: u32) {
        self.files.free_number(number);
        self.add(&Action::Await(number));
    }

    /// What all ranks of a file do; a rank alone reads and writes without meeting anybody.
    fn together(&mut self, comm: Option<u32>, call: FileCall) {
        let Some(comm) = comm else {
            let alone = match call {
                FileCall::Open => FileCall::Read(0),
                FileCall::ReadAll(bytes) => FileCall::Read(bytes),
                FileCall::WriteAll(bytes) => FileCall::Write(bytes),
                _ => return,
            };
            return self.add(&Action::File(alone));
        };
        if comm != 0 {
            self.introduce(comm);
            self.add(&Action::Within(comm));
        }
        self.add(&Action::File(call));
    }
}
