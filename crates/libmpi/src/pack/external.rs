//! Packing in the portable representation `external32`. MPI 4.1 section 5.3.

use std::ffi::{c_char, c_void};

use super::end;
use crate::abi::*;
use crate::buffer::Buffer;
use crate::call::mpi_large;
use crate::datatype::width::{Width, count as checked};
use crate::failure::{Failure, Outcome, bad};
use crate::pointer::{In, Out};

/// That a data representation is the one there is.
fn check(representation: In<c_char>) -> Outcome {
    match representation.given(1, "datarep")?.text().as_str() {
        "external32" => Ok(()),
        other => bad(
            MPI_ERR_UNSUPPORTED_DATAREP,
            format!("the data representation {other:?} is not known; external32 is"),
        ),
    }
}

/// The portable form of a buffer's data.
pub(crate) fn packed(buffer: &Buffer, bytes: u64) -> Vec<u8> {
    let mut packed = Vec::with_capacity(bytes as usize);
    buffer.datatype.datatype.for_each_basic(buffer.count, |basic, offset| {
        let address = buffer.address.wrapping_add_signed(offset as isize);
        let length = basic.true_extent() as usize;
        // SAFETY: the program says that its buffer holds so many elements of this datatype.
        let native = unsafe { std::slice::from_raw_parts(address as *const u8, length) };
        basic.to_external32(native, &mut packed);
    });
    packed
}

/// Puts data in its portable form into the places of a buffer.
fn unpack(buffer: &Buffer, packed: &[u8]) {
    unpack_some(buffer, packed);
}

/// The same for data that may end early; gives how many bytes of memory that is.
pub(crate) fn unpack_some(buffer: &Buffer, packed: &[u8]) -> u64 {
    let (mut packed, mut bytes) = (packed, 0);
    buffer.datatype.datatype.for_each_basic(buffer.count, |basic, offset| {
        let address = buffer.address.wrapping_add_signed(offset as isize);
        let length = basic.true_extent() as usize;
        // SAFETY: as in `packed`; the buffer is the program's to overwrite by this call.
        let native = unsafe { std::slice::from_raw_parts_mut(address as *mut u8, length) };
        let Some((external, rest)) = packed.split_at_checked(basic.external32_size() as usize)
        else {
            packed = &[];
            return;
        };
        basic.from_external32(external, native);
        packed = rest;
        bytes += basic.size();
    });
    bytes
}

/// Bytes of a buffer's data in its portable form.
fn size(buffer: &Buffer) -> Result<u64, Failure> {
    Ok(buffer.datatype.datatype.external32_size(buffer.count)?)
}

mpi_large! {
    /// `MPI_Pack_external`.
    local fn MPI_Pack_external(
        datarep: In<c_char>, inbuf: In<c_void>, incount: C, datatype: MPI_Datatype,
        outbuf: Out<u8>, outsize: A, position: Out<A>,
    ) -> c_int, |here| {
        let _ = here;
        check(datarep)?;
        let buffer = Buffer::new(inbuf.address(), incount.wide(), datatype)?;
        let bytes = size(&buffer)?;
        let end = end(outsize, position, bytes)?;
        if bytes > 0 {
            let place = &mut outbuf.given("outbuf")?.slice(end as usize)[(end - bytes) as usize..];
            place.copy_from_slice(&packed(&buffer, bytes));
        }
        position.set(A::told(end as i64));
        Ok(())
    }

    /// `MPI_Unpack_external`.
    local fn MPI_Unpack_external(
        datarep: In<c_char>, inbuf: In<u8>, insize: A, position: Out<A>, outbuf: Out<c_void>,
        outcount: C, datatype: MPI_Datatype,
    ) -> c_int, |here| {
        let _ = here;
        check(datarep)?;
        let buffer = Buffer::new(outbuf.address(), outcount.wide(), datatype)?;
        let bytes = size(&buffer)?;
        let end = end(insize, position, bytes)?;
        if bytes > 0 {
            let packed = inbuf.given(1, "inbuf")?.slice(end as usize);
            unpack(&buffer, &packed[(end - bytes) as usize..]);
        }
        position.set(A::told(end as i64));
        Ok(())
    }

    /// `MPI_Pack_external_size`.
    local fn MPI_Pack_external_size(
        datarep: In<c_char>, incount: C, datatype: MPI_Datatype, size: Out<A>,
    ) -> c_int, |here| {
        let _ = here;
        check(datarep)?;
        let found = crate::datatype::lookup(datatype)?;
        let bytes = found.datatype.external32_size(checked(incount)?)?;
        size.given("size")?.set(A::told(bytes as i64));
        Ok(())
    }
}
