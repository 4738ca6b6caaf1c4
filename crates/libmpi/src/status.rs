//! Reading and changing statuses. MPI 4.1 sections 3.2.5, 3.2.6, 5.1.11 and 13.3.

use std::ffi::c_int;

use crate::abi::*;
use crate::call::{mpi, mpi_large};
use crate::datatype::lookup;
use crate::datatype::width::{Width, count as checked};
use crate::failure::{Failure, Outcome, bad};
use crate::pointer::{In, Out};
use crate::request::{pack_status, status_bytes};

/// A status to read, which cannot be `MPI_STATUS_IGNORE`.
fn read(status: In<MPI_Status>) -> Result<MPI_Status, Failure> {
    Ok(status.given(1, "status")?.get())
}

/// Changes a status of the program.
fn change(status: Out<MPI_Status>, change: impl FnOnce(&mut MPI_Status)) -> Outcome {
    let status = status.given("status")?;
    let mut changed = status.get();
    change(&mut changed);
    status.set(changed);
    Ok(())
}

/// A number of elements, which is undefined if data ends within one.
fn told<T: Width>(number: Option<u64>) -> T {
    T::told(number.and_then(|number| i64::try_from(number).ok()).unwrap_or(MPI_UNDEFINED.into()))
}

fn elements<T: Width>(status: In<MPI_Status>, datatype: MPI_Datatype, count: Out<T>) -> Outcome {
    let bytes = status_bytes(&read(status)?);
    let found = lookup(datatype)?;
    count.given("count")?.set(told(found.datatype.elements(bytes)));
    Ok(())
}

fn set_elements(status: Out<MPI_Status>, datatype: MPI_Datatype, count: i64) -> Outcome {
    let found = lookup(datatype)?;
    let Some(bytes) = found.datatype.bytes_of_elements(checked(count)? as u64) else {
        return bad(MPI_ERR_ARG, format!("{count} elements of a datatype that has none"));
    };
    let words = pack_status(0, 0, bytes, false).MPI_internal;
    change(status, |status| status.MPI_internal[..2].copy_from_slice(&words[..2]))
}

mpi_large! {
    /// `MPI_Get_count`.
    local fn MPI_Get_count(
        status: In<MPI_Status>, datatype: MPI_Datatype, count: Out<C>,
    ) -> c_int, |here| {
        let _ = here;
        let bytes = status_bytes(&read(status)?);
        let found = lookup(datatype)?;
        count.given("count")?.set(told(found.datatype.count(bytes)));
        Ok(())
    }

    /// `MPI_Get_elements`.
    local fn MPI_Get_elements(
        status: In<MPI_Status>, datatype: MPI_Datatype, count: Out<C>,
    ) -> c_int, |here| {
        let _ = here;
        elements(status, datatype, count)
    }

    /// `MPI_Status_set_elements`.
    local fn MPI_Status_set_elements(
        status: Out<MPI_Status>, datatype: MPI_Datatype, count: C,
    ) -> c_int, |here| {
        let _ = here;
        set_elements(status, datatype, count.wide())
    }
}

mpi! {
    /// `MPI_Get_elements_x`, from before `MPI_Get_elements_c`.
    local fn MPI_Get_elements_x(
        status: In<MPI_Status>, datatype: MPI_Datatype, count: Out<MPI_Count>,
    ) -> c_int, |here| {
        let _ = here;
        elements(status, datatype, count)
    }

    /// `MPI_Status_set_elements_x`, from before `MPI_Status_set_elements_c`.
    local fn MPI_Status_set_elements_x(
        status: Out<MPI_Status>, datatype: MPI_Datatype, count: MPI_Count,
    ) -> c_int, |here| {
        let _ = here;
        set_elements(status, datatype, count)
    }

    /// `MPI_Status_get_source`.
    local fn MPI_Status_get_source(status: In<MPI_Status>, source: Out<c_int>) -> c_int, |here| {
        let _ = here;
        source.given("source")?.set(read(status)?.MPI_SOURCE);
        Ok(())
    }

    /// `MPI_Status_get_tag`.
    local fn MPI_Status_get_tag(status: In<MPI_Status>, tag: Out<c_int>) -> c_int, |here| {
        let _ = here;
        tag.given("tag")?.set(read(status)?.MPI_TAG);
        Ok(())
    }

    /// `MPI_Status_get_error`.
    local fn MPI_Status_get_error(status: In<MPI_Status>, error: Out<c_int>) -> c_int, |here| {
        let _ = here;
        error.given("error")?.set(read(status)?.MPI_ERROR);
        Ok(())
    }

    /// `MPI_Status_set_source`.
    local fn MPI_Status_set_source(status: Out<MPI_Status>, source: c_int) -> c_int, |here| {
        let _ = here;
        change(status, |status| status.MPI_SOURCE = source)
    }

    /// `MPI_Status_set_tag`.
    local fn MPI_Status_set_tag(status: Out<MPI_Status>, tag: c_int) -> c_int, |here| {
        let _ = here;
        change(status, |status| status.MPI_TAG = tag)
    }

    /// `MPI_Status_set_error`.
    local fn MPI_Status_set_error(status: Out<MPI_Status>, error: c_int) -> c_int, |here| {
        let _ = here;
        change(status, |status| status.MPI_ERROR = error)
    }
}
