//! Accesses at the file pointer of each rank. MPI 4.1 section 14.4.3.

use std::ffi::c_void;

use foretell_mpi::{Access, FileCall};

use super::access::{Place, Task, alone, alone_later, together, together_later};
use crate::abi::*;
use crate::call::mpi_large;
use crate::datatype::width::Width;
use crate::pointer::{In, Out};
use crate::request::store;

mpi_large! {
    /// `MPI_File_read`.
    timed fn MPI_File_read(
        fh: MPI_File, buf: Out<c_void>, count: C, datatype: MPI_Datatype,
        status: Out<MPI_Status>,
    ) -> c_int on File(fh), |here| {
        let _ = here;
        let given = (buf.address(), count.wide(), datatype);
        let task = Task::new(fh, Access::Read, Place::Individual, given)?;
        store(status, alone(&task)?);
        Ok(())
    }

    /// `MPI_File_read_all`.
    timed fn MPI_File_read_all(
        fh: MPI_File, buf: Out<c_void>, count: C, datatype: MPI_Datatype,
        status: Out<MPI_Status>,
    ) -> c_int on File(fh), |here| {
        let _ = here;
        let given = (buf.address(), count.wide(), datatype);
        let task = Task::new(fh, Access::Read, Place::Individual, given)?;
        store(status, together(&task, FileCall::ReadAll)?);
        Ok(())
    }

    /// `MPI_File_write`.
    timed fn MPI_File_write(
        fh: MPI_File, buf: In<c_void>, count: C, datatype: MPI_Datatype,
        status: Out<MPI_Status>,
    ) -> c_int on File(fh), |here| {
        let _ = here;
        let given = (buf.address(), count.wide(), datatype);
        let task = Task::new(fh, Access::Write, Place::Individual, given)?;
        store(status, alone(&task)?);
        Ok(())
    }

    /// `MPI_File_write_all`.
    timed fn MPI_File_write_all(
        fh: MPI_File, buf: In<c_void>, count: C, datatype: MPI_Datatype,
        status: Out<MPI_Status>,
    ) -> c_int on File(fh), |here| {
        let _ = here;
        let given = (buf.address(), count.wide(), datatype);
        let task = Task::new(fh, Access::Write, Place::Individual, given)?;
        store(status, together(&task, FileCall::WriteAll)?);
        Ok(())
    }

    /// `MPI_File_iread`.
    timed fn MPI_File_iread(
        fh: MPI_File, buf: Out<c_void>, count: C, datatype: MPI_Datatype,
        request: Out<MPI_Request>,
    ) -> c_int on File(fh), |here| {
        let _ = here;
        let request = request.given("request")?;
        let given = (buf.address(), count.wide(), datatype);
        let task = Task::new(fh, Access::Read, Place::Individual, given)?;
        request.set(alone_later(&task)?);
        Ok(())
    }

    /// `MPI_File_iread_all`.
    timed fn MPI_File_iread_all(
        fh: MPI_File, buf: Out<c_void>, count: C, datatype: MPI_Datatype,
        request: Out<MPI_Request>,
    ) -> c_int on File(fh), |here| {
        let _ = here;
        let request = request.given("request")?;
        let given = (buf.address(), count.wide(), datatype);
        let task = Task::new(fh, Access::Read, Place::Individual, given)?;
        request.set(together_later(&task, FileCall::ReadAll)?);
        Ok(())
    }

    /// `MPI_File_iwrite`.
    timed fn MPI_File_iwrite(
        fh: MPI_File, buf: In<c_void>, count: C, datatype: MPI_Datatype,
        request: Out<MPI_Request>,
    ) -> c_int on File(fh), |here| {
        let _ = here;
        let request = request.given("request")?;
        let given = (buf.address(), count.wide(), datatype);
        let task = Task::new(fh, Access::Write, Place::Individual, given)?;
        request.set(alone_later(&task)?);
        Ok(())
    }

    /// `MPI_File_iwrite_all`.
    timed fn MPI_File_iwrite_all(
        fh: MPI_File, buf: In<c_void>, count: C, datatype: MPI_Datatype,
        request: Out<MPI_Request>,
    ) -> c_int on File(fh), |here| {
        let _ = here;
        let request = request.given("request")?;
        let given = (buf.address(), count.wide(), datatype);
        let task = Task::new(fh, Access::Write, Place::Individual, given)?;
        request.set(together_later(&task, FileCall::WriteAll)?);
        Ok(())
    }
}
