//! Errors of MPI calls: what went wrong, and what the program's error handlers make of it.
//! MPI 4.1 chapter 9.

use std::borrow::Cow;
use std::ffi::c_int;

use foretell_mpi::Error;

use crate::abi::*;

/// What went wrong in a call: an error code and a sentence.
#[derive(Debug, Clone)]
pub(crate) struct Failure {
    pub(crate) code: c_int,
    pub(crate) text: Cow<'static, str>,
}

/// What the body of a call comes to.
pub(crate) type Outcome = Result<(), Failure>;

impl Failure {
    pub(crate) fn new(code: c_int, text: impl Into<Cow<'static, str>>) -> Self {
        Self { code, text: text.into() }
    }
}

/// Ends a call with an error unless a condition holds.
pub(crate) fn ensure(holds: bool, code: c_int, text: impl FnOnce() -> String) -> Outcome {
    if holds { Ok(()) } else { Err(Failure::new(code, text())) }
}

/// An error that a broken argument makes.
pub(crate) fn bad<T>(code: c_int, text: impl Into<Cow<'static, str>>) -> Result<T, Failure> {
    Err(Failure::new(code, text))
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        let code = match &error {
            Error::Truncated { .. } => MPI_ERR_TRUNCATE,
            Error::NoSuchRank { .. } => MPI_ERR_RANK,
            Error::BadTag(_) => MPI_ERR_TAG,
            Error::BadArgument(_) => MPI_ERR_ARG,
            Error::RmaSync(_) => MPI_ERR_RMA_SYNC,
            Error::RmaRange(_) => MPI_ERR_RMA_RANGE,
            _ => MPI_ERR_OTHER,
        };
        Failure::new(code, error.to_string())
    }
}

/// Whose error handler hears of an error.
#[derive(Debug, Clone, Copy)]
pub(crate) enum OnError {
    /// The communicator's, if it is one.
    Comm(MPI_Comm),
    /// The session's, if it is one.
    Session(MPI_Session),
    /// The window's, if it is one.
    Win(MPI_Win),
    /// The file's, or that of `MPI_FILE_NULL`.
    File(MPI_File),
    /// The process's: that of `MPI_COMM_SELF`, or of `MPI_COMM_WORLD` if only that one was set.
    Process,
    /// Nobody's: the functions of the tool interface just give the code back.
    Tool(()),
}
