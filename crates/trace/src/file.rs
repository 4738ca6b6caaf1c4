//! What ranks do with files. None of these words is one of SimGrid's.

use std::fmt::{Display, Formatter, Result};

/// What a rank does with a file: alone, or with all ranks of a communicator.
///
/// A file is known by its communicator. Which parts of it are read or written is not told, since the
/// time that takes does not depend on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileCall {
    /// All open it.
    Open,
    /// All close it.
    Close,
    /// All come together, to agree on a view, a size, or that all is written.
    Meet,
    /// Reads so many bytes alone.
    Read(u64),
    /// Writes so many bytes alone.
    Write(u64),
    /// All come together, then each reads; this rank so many bytes.
    ReadAll(u64),
    /// All come together, then each writes; this rank so many bytes.
    WriteAll(u64),
}

impl FileCall {
    /// What its line begins with.
    pub(crate) fn word(self) -> &'static str {
        match self {
            FileCall::Open => "file_open",
            FileCall::Close => "file_close",
            FileCall::Meet => "file_meet",
            FileCall::Read(_) => "file_read",
            FileCall::Write(_) => "file_write",
            FileCall::ReadAll(_) => "file_read_all",
            FileCall::WriteAll(_) => "file_write_all",
        }
    }

    /// The bytes that this rank reads or writes, if it does.
    pub(crate) fn bytes(self) -> Option<u64> {
        match self {
            FileCall::Read(bytes)
            | FileCall::Write(bytes)
            | FileCall::ReadAll(bytes)
            | FileCall::WriteAll(bytes) => Some(bytes),
            FileCall::Open | FileCall::Close | FileCall::Meet => None,
        }
    }
}

impl Display for FileCall {
    /// As it stands in a line.
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(self.word())?;
        self.bytes().map_or(Ok(()), |bytes| write!(f, " {bytes}"))
    }
}
