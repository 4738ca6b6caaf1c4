//! Active target synchronization. MPI 4.1 sections 12.5.1 and 12.5.2.

use std::ffi::c_int;

use foretell_mpi::Group;
use foretell_ranks::block_on;

use super::{WinObject, check_assert, lookup};
use crate::abi::*;
use crate::call::mpi;
use crate::failure::{Failure, ensure};
use crate::group;
use crate::pointer::Out;

/// Assertions that fences know.
const FENCE: c_int = MPI_MODE_NOSTORE | MPI_MODE_NOPUT | MPI_MODE_NOPRECEDE | MPI_MODE_NOSUCCEED;
/// Assertions that posts know.
const POST: c_int = MPI_MODE_NOCHECK | MPI_MODE_NOSTORE | MPI_MODE_NOPUT;

/// A group of ranks of the window.
fn members(win: &WinObject, handle: MPI_Group) -> Result<Group, Failure> {
    let found = group::lookup(handle)?;
    let all = win.window.comm().group();
    ensure(found.iter().all(|rank| all.rank_of(rank).is_some()), MPI_ERR_GROUP, || {
        "the group has ranks that are not in the window's".into()
    })?;
    Ok(found)
}

mpi! {
    /// `MPI_Win_fence`.
    timed fn MPI_Win_fence(assert: c_int, win: MPI_Win) -> c_int on Win(win), |here| {
        let _ = here;
        let win = lookup(win)?;
        check_assert(assert, FENCE)?;
        Ok(block_on(win.window.fence(assert & MPI_MODE_NOSUCCEED != 0))?)
    }

    /// `MPI_Win_post`.
    timed fn MPI_Win_post(group: MPI_Group, assert: c_int, win: MPI_Win) -> c_int
        on Win(win), |here| {
        let _ = here;
        let win = lookup(win)?;
        check_assert(assert, POST)?;
        Ok(win.window.post(&members(&win, group)?)?)
    }

    /// `MPI_Win_start`.
    timed fn MPI_Win_start(group: MPI_Group, assert: c_int, win: MPI_Win) -> c_int
        on Win(win), |here| {
        let _ = here;
        let win = lookup(win)?;
        check_assert(assert, MPI_MODE_NOCHECK)?;
        Ok(win.window.start(&members(&win, group)?)?)
    }

    /// `MPI_Win_complete`.
    timed fn MPI_Win_complete(win: MPI_Win) -> c_int on Win(win), |here| {
        let _ = here;
        let win = lookup(win)?;
        Ok(block_on(win.window.complete())?)
    }

    /// `MPI_Win_wait`.
    timed fn MPI_Win_wait(win: MPI_Win) -> c_int on Win(win), |here| {
        let _ = here;
        let win = lookup(win)?;
        Ok(block_on(win.window.wait())?)
    }

    /// `MPI_Win_test`.
    timed fn MPI_Win_test(win: MPI_Win, flag: Out<c_int>) -> c_int on Win(win), |here| {
        let _ = here;
        let (win, flag) = (lookup(win)?, flag.given("flag")?);
        flag.set(c_int::from(block_on(win.window.test())?));
        Ok(())
    }
}
