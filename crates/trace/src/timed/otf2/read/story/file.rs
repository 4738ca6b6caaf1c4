//! What ranks do with files of MPI, as far as records tell how many bytes they read and write.
//!
//! An operation that is complete in the call that begins it is told when it is complete, since only
//! then it is known how many bytes there were; any other when it begins.

use rustc_hash::FxHashMap;

use super::Story;
use crate::file::FileCall;
use crate::timed::Event;
use crate::timed::otf2::read::events::OnFile;

/// Operations of a rank that are not complete, by file and number.
#[derive(Debug, Default)]
pub(super) struct Accesses {
    under_way: FxHashMap<(u64, u64), Access>,
}

#[derive(Debug, Clone, Copy)]
enum Access {
    /// To be told when it is complete.
    Now { mode: u8, is_together: bool, bytes: u64 },
    /// It goes on under this number.
    Beside(u32),
}

/// What operations are: the last neither reads nor writes, but waits until all is written.
mod mode {
    pub(super) const READ: u8 = 0;
    pub(super) const WRITE: u8 = 1;
}

const NON_BLOCKING: u64 = 1;
const COLLECTIVE: u64 = 2;

impl Story<'_> {
    /// A rank does something with a file.
    pub(super) fn on_file(&mut self, date: f64, rank: u32, id: u64, what: OnFile) {
        let Some(comm) = self.definitions.file(id) else { return };
        if !self.writer.tells_later() {
            return;
        }
        match what {
            OnFile::Open => self.tell_file(date, rank, comm, FileCall::Open, None),
            OnFile::Close => self.tell_file(date, rank, comm, FileCall::Close, None),
            OnFile::Begin { mode, flags, bytes, number } => {
                let is_together = flags & COLLECTIVE != 0;
                let access = match flags & NON_BLOCKING == 0 {
                    true => Access::Now { mode, is_together, bytes },
                    false => {
                        // Its request is one of the calls that wait, too.
                        let request = self.own(rank).next_number();
                        let call = call(mode, is_together, bytes);
                        self.tell_file(date, rank, comm, call, Some(request));
                        Access::Beside(request)
                    }
                };
                self.own(rank).accesses.under_way.insert((id, number), access);
            }
            OnFile::Complete { bytes, number } => {
                match self.own(rank).accesses.under_way.remove(&(id, number)) {
                    Some(Access::Now { mode, is_together, bytes: asked }) => {
                        // What is not known is as many as can be.
                        let bytes = if bytes == u64::MAX { asked } else { bytes };
                        self.tell_file(date, rank, comm, call(mode, is_together, bytes), None);
                    }
                    Some(Access::Beside(request)) => {
                        let collective = None;
                        self.writer.write(date, &Event::Completes { rank, request, collective });
                    }
                    None => self.leave_out("operations on files that have not begun"),
                }
            }
        }
    }

    fn tell_file(&mut self, date: f64, rank: u32, comm: u64, call: FileCall, request: Option<u32>) {
        match self.comm(date, rank, comm) {
            Some(known) => {
                let comm = known.number;
                self.writer.write(date, &Event::File { rank, comm, call, request });
            }
            None => self.leave_out("operations on files of communicators that are not defined"),
        }
    }
}

fn call(mode: u8, is_together: bool, bytes: u64) -> FileCall {
    let bytes = bytes.min(1 << 40);
    match (mode, is_together) {
        (mode::READ, false) => FileCall::Read(bytes),
        (mode::READ, true) => FileCall::ReadAll(bytes),
        (mode::WRITE, false) => FileCall::Write(bytes),
        (mode::WRITE, true) => FileCall::WriteAll(bytes),
        (_, true) => FileCall::Meet,
        // Waiting for what is written costs nothing by itself.
        (_, false) => FileCall::Write(0),
    }
}
