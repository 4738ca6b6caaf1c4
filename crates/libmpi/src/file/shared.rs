//! Accesses at the file pointer that all ranks share. MPI 4.1 section 14.4.4.

use std::ffi::c_void;

use foretell_mpi::{Access, FileCall};

use super::access::{Place, Task, alone, alone_later, together};
use crate::abi::*;
use crate::call::mpi_large;
use crate::datatype::width::Width;
use crate::pointer::{In, Out};
use crate::request::store;

mpi_large! {
    /// `MPI_File_read_shared`.
    timed fn MPI_File_read_shared(
        fh: MPI_File, buf: Out<c_void>, count: C, datatype: MPI_Datatype,
        status: Out<MPI_Status>,
    ) -> c_int on File(fh), |here| {
        let _ = here;
        let given = (buf.address(), count.wide(), datatype);
        let task = Task::new(fh, Access::Read, Place::Shared, given)?;
        store(status, alone(&task)?);
        Ok(())
    }

    /// `MPI_File_write_shared`.
    timed fn MPI_File_write_shared(
        fh: MPI_File, buf: In<c_void>, count: C, datatype: MPI_Datatype,
        status: Out<MPI_Status>,
    ) -> c_int on File(fh), |here| {
        let _ = here;
        let given = (buf.address(), count.wide(), datatype);
        let task = Task::new(fh, Access::Write, Place::Shared, given)?;
        store(status, alone(&task)?);
        Ok(())
    }

    /// `MPI_File_iread_shared`.
    timed fn MPI_File_iread_shared(
        fh: MPI_File, buf: Out<c_void>, count: C, datatype: MPI_Datatype,
        request: Out<MPI_Request>,
    ) -> c_int on File(fh), |here| {
        let _ = here;
        let request = request.given("request")?;
        let given = (buf.address(), count.wide(), datatype);
        let task = Task::new(fh, Access::Read, Place::Shared, given)?;
        request.set(alone_later(&task)?);
        Ok(())
    }

    /// `MPI_File_iwrite_shared`.
    timed fn MPI_File_iwrite_shared(
        fh: MPI_File, buf: In<c_void>, count: C, datatype: MPI_Datatype,
        request: Out<MPI_Request>,
    ) -> c_int on File(fh), |here| {
        let _ = here;
        let request = request.given("request")?;
        let given = (buf.address(), count.wide(), datatype);
        let task = Task::new(fh, Access::Write, Place::Shared, given)?;
        request.set(alone_later(&task)?);
        Ok(())
    }

    /// `MPI_File_read_ordered`.
    timed fn MPI_File_read_ordered(
        fh: MPI_File, buf: Out<c_void>, count: C, datatype: MPI_Datatype,
        status: Out<MPI_Status>,
    ) -> c_int on File(fh), |here| {
        let _ = here;
        let given = (buf.address(), count.wide(), datatype);
        let task = Task::new(fh, Access::Read, Place::Ordered, given)?;
        store(status, together(&task, FileCall::ReadOrdered)?);
        Ok(())
    }

    /// `MPI_File_write_ordered`.
    timed fn MPI_File_write_ordered(
        fh: MPI_File, buf: In<c_void>, count: C, datatype: MPI_Datatype,
        status: Out<MPI_Status>,
    ) -> c_int on File(fh), |here| {
        let _ = here;
        let given = (buf.address(), count.wide(), datatype);
        let task = Task::new(fh, Access::Write, Place::Ordered, given)?;
        store(status, together(&task, FileCall::WriteOrdered)?);
        Ok(())
    }
}
