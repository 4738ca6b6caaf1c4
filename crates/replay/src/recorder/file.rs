//! Files, as lines of a trace.

use foretell_mpi::{Access, FileDeed};
use foretell_trace::{Action, FileCall};

use super::Notes;

impl Notes {
    /// A rank does something with a file, or begins to.
    pub(super) fn file(&mut self, rank: u32, deed: FileDeed, request: Option<u32>) {
        if let Some(request) = request {
            self.begin_later(rank, request);
        }
        self.write(rank, &Action::File(told(deed)));
    }
}

fn told(deed: FileDeed) -> FileCall {
    match deed {
        FileDeed::Open => FileCall::Open,
        FileDeed::Close => FileCall::Close,
        FileDeed::Meet => FileCall::Meet,
        FileDeed::Alone(Access::Read, bytes) => FileCall::Read(bytes),
        FileDeed::Alone(Access::Write, bytes) => FileCall::Write(bytes),
        FileDeed::Together(Access::Read, bytes) => FileCall::ReadAll(bytes),
        FileDeed::Together(Access::Write, bytes) => FileCall::WriteAll(bytes),
    }
}
