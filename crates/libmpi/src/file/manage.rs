//! What is known of an open file, its size, and consistency. MPI 4.1 sections 14.2 and 14.6.

use std::ffi::c_int;
use std::os::fd::AsRawFd;

use foretell_mpi::FileCall;

use super::error::failure;
use super::{FileObject, hints, lookup};
use crate::abi::*;
use crate::call::mpi;
use crate::failure::{Outcome, ensure};
use crate::group;
use crate::info;
use crate::pointer::Out;

/// That a number of bytes is one.
fn check_size(size: MPI_Offset) -> Outcome {
    ensure(size >= 0, MPI_ERR_ARG, || format!("a size of {size} is negative"))
}

/// `MPI_File_set_size`.
fn set_size(file: &FileObject, size: MPI_Offset) -> Outcome {
    check_size(size)?;
    file.check_written()?;
    file.agree(FileCall::SetSize, [size, 0], "size")?;
    let tried = || format!("cannot set the size of {} to {size}", file.opened.path.display());
    let set = || file.opened.file.set_len(size as u64).map_err(|error| failure(&error, tried()));
    file.once(|| set().map(|()| 0)).map(drop)
}

/// `MPI_File_preallocate`: the file is at least so long, and has room for it.
fn preallocate(file: &FileObject, size: MPI_Offset) -> Outcome {
    check_size(size)?;
    file.check_written()?;
    file.agree(FileCall::Preallocate, [size, 0], "size")?;
    file.once(|| {
        if size == 0 {
            return Ok(0);
        }
        // SAFETY: a file that is open, and a range of it.
        let code = unsafe { libc::posix_fallocate(file.opened.file.as_raw_fd(), 0, size) };
        let tried = || format!("cannot make room for {size} bytes");
        match code {
            0 => Ok(0),
            code => Err(failure(&std::io::Error::from_raw_os_error(code), tried())),
        }
    })
    .map(drop)
}

mpi! {
    /// `MPI_File_set_size`.
    timed fn MPI_File_set_size(fh: MPI_File, size: MPI_Offset) -> c_int on File(fh), |here| {
        let _ = here;
        set_size(&*lookup(fh)?, size)
    }

    /// `MPI_File_preallocate`.
    timed fn MPI_File_preallocate(fh: MPI_File, size: MPI_Offset) -> c_int on File(fh), |here| {
        let _ = here;
        preallocate(&*lookup(fh)?, size)
    }

    /// `MPI_File_get_size`.
    timed fn MPI_File_get_size(fh: MPI_File, size: Out<MPI_Offset>) -> c_int on File(fh), |here| {
        let _ = here;
        size.given("size")?.set(lookup(fh)?.opened.size()? as MPI_Offset);
        Ok(())
    }

    /// `MPI_File_get_group`.
    local fn MPI_File_get_group(fh: MPI_File, group: Out<MPI_Group>) -> c_int on File(fh), |here| {
        let _ = here;
        let file = lookup(fh)?;
        group.given("group")?.set(group::keep(file.comm.group().clone()));
        Ok(())
    }

    /// `MPI_File_get_amode`.
    local fn MPI_File_get_amode(fh: MPI_File, amode: Out<c_int>) -> c_int on File(fh), |here| {
        let _ = here;
        amode.given("amode")?.set(lookup(fh)?.amode);
        Ok(())
    }

    /// `MPI_File_set_info`.
    timed fn MPI_File_set_info(fh: MPI_File, info: MPI_Info) -> c_int on File(fh), |here| {
        let file = lookup(fh)?;
        let given = info::optional(here, info)?;
        file.meet(FileCall::SetInfo, [0, 0])?;
        hints::update(&mut file.info.borrow_mut(), given);
        Ok(())
    }

    /// `MPI_File_get_info`.
    local fn MPI_File_get_info(fh: MPI_File, info_used: Out<MPI_Info>) -> c_int
        on File(fh), |here| {
        let _ = here;
        let file = lookup(fh)?;
        let content = file.info.borrow().clone();
        info_used.given("info_used")?.set(info::keep(content));
        Ok(())
    }

    /// `MPI_File_set_atomicity`: accesses are atomic whatever is said.
    timed fn MPI_File_set_atomicity(fh: MPI_File, flag: c_int) -> c_int on File(fh), |here| {
        let _ = here;
        let file = lookup(fh)?;
        let is_atomic = flag != 0;
        file.agree(FileCall::SetAtomicity, [is_atomic.into(), 0], "flag")?;
        file.is_atomic.set(is_atomic);
        Ok(())
    }

    /// `MPI_File_get_atomicity`.
    local fn MPI_File_get_atomicity(fh: MPI_File, flag: Out<c_int>) -> c_int on File(fh), |here| {
        let _ = here;
        flag.given("flag")?.set(lookup(fh)?.is_atomic.get().into());
        Ok(())
    }

    /// `MPI_File_sync`: what was written is in the file already. Nothing is forced onto the disk
    /// of the computer.
    timed fn MPI_File_sync(fh: MPI_File) -> c_int on File(fh), |here| {
        let _ = here;
        let file = lookup(fh)?;
        file.check_written()?;
        file.meet(FileCall::Sync, [0, 0]).map(drop)
    }
}
