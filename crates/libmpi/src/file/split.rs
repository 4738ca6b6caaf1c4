//! Split collectives: a call that begins an access and one that ends it. MPI 4.1 section 14.4.5.

use std::ffi::c_void;
use std::rc::Rc;

use foretell_mpi::{Access, FileCall, Pending};
use foretell_ranks::block_on;

use super::access::{Given, Place, Task, check_no_split};
use super::lookup;
use super::transfer::Moved;
use crate::abi::*;
use crate::call::{mpi, mpi_large};
use crate::datatype::width::Width;
use crate::failure::{Failure, Outcome, bad};
use crate::pointer::{In, Out};
use crate::request::{file_status, store};

/// A split collective under way.
pub(super) struct Split {
    call: FileCall,
    task: Rc<Task>,
    state: State,
}

enum State {
    /// The data has moved, only the time is missing.
    Moved(Moved, Pending<()>),
    /// The place will be known when all ranks have come.
    Ordered(Pending<Result<u64, Failure>>),
}

/// Begins one. Data moves at once where its place is known.
fn begin(fh: MPI_File, call: FileCall, place: Place, given: Given) -> Outcome {
    let access = match call {
        FileCall::ReadAll | FileCall::ReadAtAll | FileCall::ReadOrdered => Access::Read,
        _ => Access::Write,
    };
    let task = Rc::new(Task::new(fh, access, place, given)?);
    check_no_split(&task.file)?;
    let state = match place {
        Place::Ordered => begin_ordered(call, &task),
        _ => begin_placed(call, &task)?,
    };
    let file = task.file.clone();
    file.split.replace(Some(Split { call, task, state }));
    Ok(())
}

fn begin_placed(call: FileCall, task: &Task) -> Result<State, Failure> {
    let word = task.word();
    let moved = task.act()?;
    let access = task.access();
    let told = (access, moved.file);
    let share = move |_| ((), access, moved.file);
    let pending = task.file.comm.file_call_later(call, word, told, share);
    pending.take_errors();
    Ok(State::Moved(moved, pending))
}

fn begin_ordered(call: FileCall, task: &Rc<Task>) -> State {
    let number = task.file.next_step();
    let word = task.word();
    let later = task.clone();
    // What is there is known when the place is.
    let told = (task.access(), task.bytes);
    let pending = task.file.comm.file_call_later(call, word, told, move |words| {
        let place = later.ordered(number, &words);
        let bytes = place.as_ref().map_or(0, |place| later.extent_at(*place));
        (place, later.access(), bytes)
    });
    pending.take_errors();
    State::Ordered(pending)
}

/// Ends the one that has begun.
fn end(fh: MPI_File, call: FileCall) -> Result<MPI_Status, Failure> {
    let file = lookup(fh)?;
    let begun = file.split.borrow().as_ref().map(|split| split.call);
    if begun != Some(call) {
        return match begun {
            None => bad(MPI_ERR_IO, "no split collective has begun on this file"),
            Some(other) => {
                bad(MPI_ERR_IO, format!("the split collective that has begun is {other:?}"))
            }
        };
    }
    let Some(split) = file.split.take() else { return bad(MPI_ERR_INTERN, "no split collective") };
    let moved = match split.state {
        State::Moved(moved, pending) => {
            block_on(file.comm.complete(pending))?;
            moved
        }
        State::Ordered(pending) => {
            let place = block_on(file.comm.complete(pending))??;
            split.task.act_at(place)?
        }
    };
    Ok(file_status(moved.memory))
}

mpi_large! {
    /// `MPI_File_read_at_all_begin`.
    timed fn MPI_File_read_at_all_begin(
        fh: MPI_File, offset: MPI_Offset, buf: Out<c_void>, count: C, datatype: MPI_Datatype,
    ) -> c_int on File(fh), |here| {
        let _ = here;
        let given = (buf.address(), count.wide(), datatype);
        begin(fh, FileCall::ReadAtAll, Place::At(offset), given)
    }

    /// `MPI_File_write_at_all_begin`.
    timed fn MPI_File_write_at_all_begin(
        fh: MPI_File, offset: MPI_Offset, buf: In<c_void>, count: C, datatype: MPI_Datatype,
    ) -> c_int on File(fh), |here| {
        let _ = here;
        let given = (buf.address(), count.wide(), datatype);
        begin(fh, FileCall::WriteAtAll, Place::At(offset), given)
    }

    /// `MPI_File_read_all_begin`.
    timed fn MPI_File_read_all_begin(
        fh: MPI_File, buf: Out<c_void>, count: C, datatype: MPI_Datatype,
    ) -> c_int on File(fh), |here| {
        let _ = here;
        let given = (buf.address(), count.wide(), datatype);
        begin(fh, FileCall::ReadAll, Place::Individual, given)
    }

    /// `MPI_File_write_all_begin`.
    timed fn MPI_File_write_all_begin(
        fh: MPI_File, buf: In<c_void>, count: C, datatype: MPI_Datatype,
    ) -> c_int on File(fh), |here| {
        let _ = here;
        let given = (buf.address(), count.wide(), datatype);
        begin(fh, FileCall::WriteAll, Place::Individual, given)
    }

    /// `MPI_File_read_ordered_begin`.
    timed fn MPI_File_read_ordered_begin(
        fh: MPI_File, buf: Out<c_void>, count: C, datatype: MPI_Datatype,
    ) -> c_int on File(fh), |here| {
        let _ = here;
        let given = (buf.address(), count.wide(), datatype);
        begin(fh, FileCall::ReadOrdered, Place::Ordered, given)
    }

    /// `MPI_File_write_ordered_begin`.
    timed fn MPI_File_write_ordered_begin(
        fh: MPI_File, buf: In<c_void>, count: C, datatype: MPI_Datatype,
    ) -> c_int on File(fh), |here| {
        let _ = here;
        let given = (buf.address(), count.wide(), datatype);
        begin(fh, FileCall::WriteOrdered, Place::Ordered, given)
    }
}

mpi! {
    /// `MPI_File_read_at_all_end`.
    timed fn MPI_File_read_at_all_end(
        fh: MPI_File, _buf: Out<c_void>, status: Out<MPI_Status>,
    ) -> c_int on File(fh), |here| {
        let _ = here;
        store(status, end(fh, FileCall::ReadAtAll)?);
        Ok(())
    }

    /// `MPI_File_write_at_all_end`.
    timed fn MPI_File_write_at_all_end(
        fh: MPI_File, _buf: In<c_void>, status: Out<MPI_Status>,
    ) -> c_int on File(fh), |here| {
        let _ = here;
        store(status, end(fh, FileCall::WriteAtAll)?);
        Ok(())
    }

    /// `MPI_File_read_all_end`.
    timed fn MPI_File_read_all_end(
        fh: MPI_File, _buf: Out<c_void>, status: Out<MPI_Status>,
    ) -> c_int on File(fh), |here| {
        let _ = here;
        store(status, end(fh, FileCall::ReadAll)?);
        Ok(())
    }

    /// `MPI_File_write_all_end`.
    timed fn MPI_File_write_all_end(
        fh: MPI_File, _buf: In<c_void>, status: Out<MPI_Status>,
    ) -> c_int on File(fh), |here| {
        let _ = here;
        store(status, end(fh, FileCall::WriteAll)?);
        Ok(())
    }

    /// `MPI_File_read_ordered_end`.
    timed fn MPI_File_read_ordered_end(
        fh: MPI_File, _buf: Out<c_void>, status: Out<MPI_Status>,
    ) -> c_int on File(fh), |here| {
        let _ = here;
        store(status, end(fh, FileCall::ReadOrdered)?);
        Ok(())
    }

    /// `MPI_File_write_ordered_end`.
    timed fn MPI_File_write_ordered_end(
        fh: MPI_File, _buf: In<c_void>, status: Out<MPI_Status>,
    ) -> c_int on File(fh), |here| {
        let _ = here;
        store(status, end(fh, FileCall::WriteOrdered)?);
        Ok(())
    }
}
