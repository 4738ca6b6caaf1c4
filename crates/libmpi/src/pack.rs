//! Packing and unpacking by the program itself. MPI 4.1 sections 5.2 and 5.3.

pub(crate) mod external;

use std::ffi::c_void;

use crate::abi::*;
use crate::buffer::Buffer;
use crate::call::mpi_large;
use crate::datatype::width::{Width, count as checked};
use crate::failure::{Failure, bad};
use crate::pointer::{In, Out};

/// Where `bytes` of packed data end that begin at the position in a buffer of `size` bytes.
fn end<S: Width, P: Width>(size: S, position: Out<P>, bytes: u64) -> Result<u64, Failure> {
    let (size, position) = (size.wide(), position.given("position")?.get().wide());
    let (Ok(room), Ok(start)) = (u64::try_from(size), u64::try_from(position)) else {
        let text = format!("position {position} in {size} bytes of packed data");
        return bad(MPI_ERR_ARG, text);
    };
    match start.checked_add(bytes) {
        Some(end) if end <= room => Ok(end),
        _ => bad(
            MPI_ERR_ARG,
            format!("{bytes} bytes from position {position} on go past the {room} that there are"),
        ),
    }
}

mpi_large! {
    /// `MPI_Pack`.
    local fn MPI_Pack(
        inbuf: In<c_void>, incount: C, datatype: MPI_Datatype, outbuf: Out<c_void>, outsize: C,
        position: Out<C>, comm: MPI_Comm,
    ) -> c_int on Comm(comm), |here| {
        here.comm(comm)?;
        let buffer = Buffer::new(inbuf.address(), incount.wide(), datatype)?;
        let bytes = buffer.bytes();
        let end = end(outsize, position, bytes)?;
        if bytes > 0 {
            let start = (end - bytes) as usize;
            buffer.pack_to(outbuf.given("outbuf")?.address() + start);
        }
        position.set(C::told(end as i64));
        Ok(())
    }

    /// `MPI_Unpack`.
    local fn MPI_Unpack(
        inbuf: In<c_void>, insize: C, position: Out<C>, outbuf: Out<c_void>, outcount: C,
        datatype: MPI_Datatype, comm: MPI_Comm,
    ) -> c_int on Comm(comm), |here| {
        here.comm(comm)?;
        let buffer = Buffer::new(outbuf.address(), outcount.wide(), datatype)?;
        let bytes = buffer.bytes();
        let end = end(insize, position, bytes)?;
        if bytes > 0 {
            let start = (end - bytes) as usize;
            buffer.unpack_from(inbuf.given(1, "inbuf")?.address() + start, bytes);
        }
        position.set(C::told(end as i64));
        Ok(())
    }

    /// `MPI_Pack_size`: exactly what packed data takes, which has no header here.
    local fn MPI_Pack_size(
        incount: C, datatype: MPI_Datatype, comm: MPI_Comm, size: Out<C>,
    ) -> c_int on Comm(comm), |here| {
        here.comm(comm)?;
        let found = crate::datatype::lookup(datatype)?;
        let bytes = found.datatype.packed_size(checked(incount)?)?;
        size.given("size")?.set(C::told(bytes as i64));
        Ok(())
    }
}
