//! Moving file pointers and asking where they are. MPI 4.1 sections 14.4.3 and 14.4.4.

use std::ffi::c_int;

use foretell_mpi::FileCall;

use super::{FileObject, lookup};
use crate::abi::*;
use crate::call::mpi;
use crate::failure::{Failure, Outcome, bad};
use crate::pointer::Out;

/// The position that a pointer moves to, from where it is now.
fn target(file: &FileObject, now: u64, offset: MPI_Offset, whence: c_int) -> Result<u64, Failure> {
    let view = file.view();
    let from = match whence {
        MPI_SEEK_SET => 0,
        MPI_SEEK_CUR => view.offset(now),
        MPI_SEEK_END => view.offset(view.end(file.opened.size()?)),
        _ => {
            return bad(
                MPI_ERR_ARG,
                format!("{whence} is none of MPI_SEEK_SET, MPI_SEEK_CUR and MPI_SEEK_END"),
            );
        }
    };
    match from.checked_add(offset) {
        Some(sum @ 0..) => view.position(sum),
        _ => bad(MPI_ERR_ARG, format!("an offset of {offset} leads before the view")),
    }
}

/// `MPI_File_seek_shared`: all ranks say the same, and the pointer moves once.
fn seek_shared(file: &FileObject, offset: MPI_Offset, whence: c_int) -> Outcome {
    file.agree(FileCall::SeekShared, [offset, whence.into()], "offset")?;
    let pointer = &file.opened.pointer;
    let act = || {
        pointer.set(target(file, pointer.get(), offset, whence)?);
        Ok(0)
    };
    file.once(act).map(drop)
}

mpi! {
    /// `MPI_File_seek`.
    timed fn MPI_File_seek(fh: MPI_File, offset: MPI_Offset, whence: c_int) -> c_int
        on File(fh), |here| {
        let _ = here;
        let file = lookup(fh)?;
        file.check_random()?;
        file.position.set(target(&file, file.position.get(), offset, whence)?);
        Ok(())
    }

    /// `MPI_File_get_position`.
    local fn MPI_File_get_position(fh: MPI_File, offset: Out<MPI_Offset>) -> c_int
        on File(fh), |here| {
        let _ = here;
        let file = lookup(fh)?;
        file.check_random()?;
        offset.given("offset")?.set(file.view().offset(file.position.get()));
        Ok(())
    }

    /// `MPI_File_seek_shared`.
    timed fn MPI_File_seek_shared(fh: MPI_File, offset: MPI_Offset, whence: c_int) -> c_int
        on File(fh), |here| {
        let _ = here;
        let file = lookup(fh)?;
        file.check_random()?;
        seek_shared(&file, offset, whence)
    }

    /// `MPI_File_get_position_shared`.
    timed fn MPI_File_get_position_shared(fh: MPI_File, offset: Out<MPI_Offset>) -> c_int
        on File(fh), |here| {
        let _ = here;
        let file = lookup(fh)?;
        file.check_random()?;
        offset.given("offset")?.set(file.view().offset(file.opened.pointer.get()));
        Ok(())
    }
}
