//! Passive target synchronization. MPI 4.1 sections 12.5.3 and 12.5.4.

use std::ffi::c_int;

use foretell_mpi::LockKind;
use foretell_ranks::block_on;

use super::{check_assert, lookup};
use crate::abi::*;
use crate::call::mpi;
use crate::failure::{Failure, Outcome, bad};

fn kind(lock_type: c_int) -> Result<LockKind, Failure> {
    match lock_type {
        MPI_LOCK_EXCLUSIVE => Ok(LockKind::Exclusive),
        MPI_LOCK_SHARED => Ok(LockKind::Shared),
        _ => bad(
            MPI_ERR_LOCKTYPE,
            format!("{lock_type} is neither MPI_LOCK_EXCLUSIVE nor MPI_LOCK_SHARED"),
        ),
    }
}

/// Waits for the operations on one target; there are none on `MPI_PROC_NULL`.
fn flush(win: MPI_Win, rank: c_int) -> Outcome {
    let win = lookup(win)?;
    if rank == MPI_PROC_NULL {
        return Ok(());
    }
    Ok(block_on(win.window.flush(Some(win.window.target(rank)?)))?)
}

/// Waits for the operations on all targets.
fn flush_all(win: MPI_Win) -> Outcome {
    let win = lookup(win)?;
    Ok(block_on(win.window.flush(None))?)
}

mpi! {
    /// `MPI_Win_lock`.
    timed fn MPI_Win_lock(lock_type: c_int, rank: c_int, assert: c_int, win: MPI_Win) -> c_int
        on Win(win), |here| {
        let _ = here;
        let win = lookup(win)?;
        let kind = kind(lock_type)?;
        check_assert(assert, MPI_MODE_NOCHECK)?;
        if rank == MPI_PROC_NULL {
            return Ok(());
        }
        let target = win.window.target(rank)?;
        Ok(block_on(win.window.lock(target, kind, assert & MPI_MODE_NOCHECK != 0))?)
    }

    /// `MPI_Win_unlock`.
    timed fn MPI_Win_unlock(rank: c_int, win: MPI_Win) -> c_int on Win(win), |here| {
        let _ = here;
        let win = lookup(win)?;
        if rank == MPI_PROC_NULL {
            return Ok(());
        }
        Ok(block_on(win.window.unlock(win.window.target(rank)?))?)
    }

    /// `MPI_Win_lock_all`.
    timed fn MPI_Win_lock_all(assert: c_int, win: MPI_Win) -> c_int on Win(win), |here| {
        let _ = here;
        let win = lookup(win)?;
        check_assert(assert, MPI_MODE_NOCHECK)?;
        Ok(block_on(win.window.lock_all(assert & MPI_MODE_NOCHECK != 0))?)
    }

    /// `MPI_Win_unlock_all`.
    timed fn MPI_Win_unlock_all(win: MPI_Win) -> c_int on Win(win), |here| {
        let _ = here;
        let win = lookup(win)?;
        Ok(block_on(win.window.unlock_all())?)
    }

    /// `MPI_Win_flush`.
    timed fn MPI_Win_flush(rank: c_int, win: MPI_Win) -> c_int on Win(win), |here| {
        let _ = here;
        flush(win, rank)
    }

    /// `MPI_Win_flush_local`.
    timed fn MPI_Win_flush_local(rank: c_int, win: MPI_Win) -> c_int on Win(win), |here| {
        let _ = here;
        flush(win, rank)
    }

    /// `MPI_Win_flush_all`.
    timed fn MPI_Win_flush_all(win: MPI_Win) -> c_int on Win(win), |here| {
        let _ = here;
        flush_all(win)
    }

    /// `MPI_Win_flush_local_all`.
    timed fn MPI_Win_flush_local_all(win: MPI_Win) -> c_int on Win(win), |here| {
        let _ = here;
        flush_all(win)
    }

    /// `MPI_Win_sync`.
    timed fn MPI_Win_sync(win: MPI_Win) -> c_int on Win(win), |here| {
        let _ = here;
        let win = lookup(win)?;
        block_on(win.window.sync());
        Ok(())
    }
}
