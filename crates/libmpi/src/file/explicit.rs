//! Accesses at offsets that the call gives. MPI 4.1 section 14.4.2.

use std::ffi::c_void;

use foretell_mpi::{Access, FileCall};

use super::access::{Place, Task, alone, alone_later, together, together_later};
use crate::abi::*;
use crate::call::mpi_large;
use crate::datatype::width::Width;
use crate::pointer::{In, Out};
use crate::request::store;

mpi_large! {
    /// `MPI_File_read_at`.
    timed fn MPI_File_read_at(
        fh: MPI_File, offset: MPI_Offset, buf: Out<c_void>, count: C, datatype: MPI_Datatype,
        status: Out<MPI_Status>,
    ) -> c_int on File(fh), |here| {
        let _ = here;
        let given = (buf.address(), count.wide(), datatype);
        let task = Task::new(fh, Access::Read, Place::At(offset), given)?;
        store(status, alone(&task)?);
        Ok(())
    }

    /// `MPI_File_read_at_all`.
    timed fn MPI_File_read_at_all(
        fh: MPI_File, offset: MPI_Offset, buf: Out<c_void>, count: C, datatype: MPI_Datatype,
        status: Out<MPI_Status>,
    ) -> c_int on File(fh), |here| {
        let _ = here;
        let given = (buf.address(), count.wide(), datatype);
        let task = Task::new(fh, Access::Read, Place::At(offset), given)?;
        store(status, together(&task, FileCall::ReadAtAll)?);
        Ok(())
    }

    /// `MPI_File_write_at`.
    timed fn MPI_File_write_at(
        fh: MPI_File, offset: MPI_Offset, buf: In<c_void>, count: C, datatype: MPI_Datatype,
        status: Out<MPI_Status>,
    ) -> c_int on File(fh), |here| {
        let _ = here;
        let given = (buf.address(), count.wide(), datatype);
        let task = Task::new(fh, Access::Write, Place::At(offset), given)?;
        store(status, alone(&task)?);
        Ok(())
    }

    /// `MPI_File_write_at_all`.
    timed fn MPI_File_write_at_all(
        fh: MPI_File, offset: MPI_Offset, buf: In<c_void>, count: C, datatype: MPI_Datatype,
        status: Out<MPI_Status>,
    ) -> c_int on File(fh), |here| {
        let _ = here;
        let given = (buf.address(), count.wide(), datatype);
        let task = Task::new(fh, Access::Write, Place::At(offset), given)?;
        store(status, together(&task, FileCall::WriteAtAll)?);
        Ok(())
    }

    /// `MPI_File_iread_at`.
    timed fn MPI_File_iread_at(
        fh: MPI_File, offset: MPI_Offset, buf: Out<c_void>, count: C, datatype: MPI_Datatype,
        request: Out<MPI_Request>,
    ) -> c_int on File(fh), |here| {
        let _ = here;
        let request = request.given("request")?;
        let given = (buf.address(), count.wide(), datatype);
        let task = Task::new(fh, Access::Read, Place::At(offset), given)?;
        request.set(alone_later(&task)?);
        Ok(())
    }

    /// `MPI_File_iread_at_all`.
    timed fn MPI_File_iread_at_all(
        fh: MPI_File, offset: MPI_Offset, buf: Out<c_void>, count: C, datatype: MPI_Datatype,
        request: Out<MPI_Request>,
    ) -> c_int on File(fh), |here| {
        let _ = here;
        let request = request.given("request")?;
        let given = (buf.address(), count.wide(), datatype);
        let task = Task::new(fh, Access::Read, Place::At(offset), given)?;
        request.set(together_later(&task, FileCall::ReadAtAll)?);
        Ok(())
    }

    /// `MPI_File_iwrite_at`.
    timed fn MPI_File_iwrite_at(
        fh: MPI_File, offset: MPI_Offset, buf: In<c_void>, count: C, datatype: MPI_Datatype,
        request: Out<MPI_Request>,
    ) -> c_int on File(fh), |here| {
        let _ = here;
        let request = request.given("request")?;
        let given = (buf.address(), count.wide(), datatype);
        let task = Task::new(fh, Access::Write, Place::At(offset), given)?;
        request.set(alone_later(&task)?);
        Ok(())
    }

    /// `MPI_File_iwrite_at_all`.
    timed fn MPI_File_iwrite_at_all(
        fh: MPI_File, offset: MPI_Offset, buf: In<c_void>, count: C, datatype: MPI_Datatype,
        request: Out<MPI_Request>,
    ) -> c_int on File(fh), |here| {
        let _ = here;
        let request = request.given("request")?;
        let given = (buf.address(), count.wide(), datatype);
        let task = Task::new(fh, Access::Write, Place::At(offset), given)?;
        request.set(together_later(&task, FileCall::WriteAtAll)?);
        Ok(())
    }
}
