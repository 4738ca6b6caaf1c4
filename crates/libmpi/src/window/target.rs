//! Where operations go, and how they begin.

use std::ffi::c_int;
use std::rc::Rc;

use foretell_mpi::{Request, WindowOperation};
use foretell_ranks::block_on;

use super::{WinObject, keep_request, lookup};
use crate::abi::*;
use crate::buffer::Buffer;
use crate::failure::{Failure, Outcome, ensure};
use crate::pointer::Out;

/// Somewhere in a window.
pub(super) struct Place {
    pub(super) win: Rc<WinObject>,
    /// Which rank and where; nowhere for `MPI_PROC_NULL`.
    pub(super) at: Option<(u32, usize)>,
}

impl Place {
    /// The place that an operation names.
    pub(super) fn new(win: MPI_Win, rank: c_int, disp: MPI_Aint) -> Result<Self, Failure> {
        let win = lookup(win)?;
        if rank == MPI_PROC_NULL {
            return Ok(Self { win, at: None });
        }
        let target = win.window.target(rank)?;
        let is_address = win.values.flavor == MPI_WIN_FLAVOR_DYNAMIC;
        ensure(disp >= 0 || is_address, MPI_ERR_DISP, || {
            format!("a displacement of {disp} is negative")
        })?;
        let address = win.window.address(target, disp as i64);
        Ok(Self { win, at: Some((target, address)) })
    }

    /// The rank and the buffer there, whose arguments are checked; nothing if the place is nowhere.
    pub(super) fn buffer(
        &self,
        count: i64,
        datatype: MPI_Datatype,
    ) -> Result<Option<(u32, Buffer)>, Failure> {
        // Any address does for the checks that all buffers undergo.
        let checked = Buffer::new(usize::MAX, count, datatype)?;
        let Some((target, address)) = self.at else { return Ok(None) };
        let buffer = Buffer { address, ..checked };
        self.win.window.check_operation(target)?;
        if let Some(span) = buffer.datatype.datatype.span(count).filter(|_| buffer.bytes() > 0) {
            let first = address.wrapping_add_signed(span.start as isize);
            self.win.window.check_range(target, first, (span.end - span.start) as u64)?;
        }
        Ok(Some((target, buffer)))
    }

    /// Begins an operation.
    pub(super) fn begin(&self, operation: WindowOperation) -> Outcome {
        Ok(block_on(self.win.window.operate(operation))?)
    }

    /// Begins an operation with a request; without operation, the request is complete.
    pub(super) fn begin_with_request(
        &self,
        operation: Option<WindowOperation>,
        request: Out<MPI_Request>,
    ) -> Outcome {
        let begun = match operation {
            Some(operation) => block_on(self.win.window.operate_with_request(operation))?,
            None => Request::NULL,
        };
        request.set(keep_request(begun));
        Ok(())
    }
}

/// That data fits where it goes.
pub(super) fn check_room(sent: u64, room: u64) -> Outcome {
    ensure(sent <= room, MPI_ERR_TRUNCATE, || {
        format!("{sent} bytes do not fit the {room} bytes that they go to")
    })
}
