//! Errors of the system as errors of MPI. MPI 4.1 section 14.7.

use std::io;

use crate::abi::*;
use crate::failure::Failure;

/// The failure of a call on a file, with what was tried.
pub(super) fn failure(error: &io::Error, tried: impl std::fmt::Display) -> Failure {
    let code = match error.raw_os_error() {
        Some(libc::ENOENT) => MPI_ERR_NO_SUCH_FILE,
        Some(libc::EACCES | libc::EPERM) => MPI_ERR_ACCESS,
        Some(libc::EROFS) => MPI_ERR_READ_ONLY,
        Some(libc::EEXIST) => MPI_ERR_FILE_EXISTS,
        Some(libc::ENAMETOOLONG | libc::EISDIR | libc::ENOTDIR | libc::ELOOP) => MPI_ERR_BAD_FILE,
        Some(libc::EDQUOT) => MPI_ERR_QUOTA,
        Some(libc::ENOSPC) => MPI_ERR_NO_SPACE,
        Some(libc::ETXTBSY) => MPI_ERR_FILE_IN_USE,
        _ => MPI_ERR_IO,
    };
    Failure::new(code, format!("{tried}: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_can_tell_why_a_file_cannot_be_opened() {
        let check = |errno, code| {
            let found = failure(&io::Error::from_raw_os_error(errno), "cannot open x");
            assert_eq!(found.code, code);
            assert!(found.text.starts_with("cannot open x: "));
        };
        check(libc::ENOENT, MPI_ERR_NO_SUCH_FILE);
        check(libc::EEXIST, MPI_ERR_FILE_EXISTS);
        check(libc::ENOSPC, MPI_ERR_NO_SPACE);
        check(libc::EIO, MPI_ERR_IO);
    }
}
