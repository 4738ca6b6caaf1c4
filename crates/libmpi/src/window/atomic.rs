//! Operations on single elements. MPI 4.1 sections 12.3.4.3 and 12.3.4.4.

use std::ffi::{c_int, c_void};

use foretell_mpi::datatype::{Basic, Kind};
use foretell_mpi::{Back, WindowOperation};

use super::accumulate::get_accumulate;
use super::target::Place;
use super::transfer::{NOTE, begin};
use crate::abi::*;
use crate::buffer::Buffer;
use crate::call::mpi;
use crate::datatype;
use crate::failure::{Failure, Outcome, bad, ensure};
use crate::pointer::{In, Out};

/// That a datatype is a predefined one.
fn check_predefined(handle: MPI_Datatype) -> Outcome {
    let is_predefined = datatype::lookup(handle)?.is_predefined;
    ensure(is_predefined, MPI_ERR_TYPE, || "the datatype must be a predefined one".into())
}

/// That elements of a datatype can be compared and swapped: integers, logicals and bytes.
fn check_comparable(handle: MPI_Datatype) -> Outcome {
    check_predefined(handle)?;
    let basic = datatype::lookup(handle)?.datatype.as_basic();
    match basic.map(Basic::kind) {
        Some(Kind::Signed | Kind::Unsigned | Kind::Logical | Kind::Character | Kind::Bytes) => {
            Ok(())
        }
        _ => {
            let name = basic.map_or("this datatype", |basic| basic.name());
            bad(MPI_ERR_TYPE, format!("{name} is not an integer, a logical or a byte"))
        }
    }
}

/// What a compare-and-swap does; nothing if it goes nowhere.
fn compare_and_swap(
    place: &Place,
    (new, compared, result): (usize, usize, usize),
    datatype: MPI_Datatype,
) -> Result<Option<WindowOperation>, Failure> {
    let [new, compared, result] = [new, compared, result].map(|at| Buffer::new(at, 1, datatype));
    let (new, compared, result) = (new?.pack(), compared?.pack(), result?);
    let Some((target, buffer)) = place.buffer(1, datatype)? else { return Ok(None) };
    let size = buffer.bytes();
    let apply = Box::new(move || {
        let before = buffer.pack();
        if before == compared {
            buffer.unpack(&new);
        }
        before
    });
    let back = Back { bytes: size, land: Box::new(move |brought| result.unpack(&brought)) };
    let bytes = NOTE + 2 * size;
    Ok(Some(WindowOperation { target, bytes, is_ordered: true, apply, back: Some(back) }))
}

mpi! {
    /// `MPI_Fetch_and_op`.
    timed fn MPI_Fetch_and_op(
        origin_addr: In<c_void>, result_addr: Out<c_void>, datatype: MPI_Datatype,
        target_rank: c_int, target_disp: MPI_Aint, op: MPI_Op, win: MPI_Win,
    ) -> c_int on Win(win), |here| {
        let _ = here;
        let place = Place::new(win, target_rank, target_disp)?;
        check_predefined(datatype)?;
        let origin = (origin_addr.address(), 1, datatype);
        let result = (result_addr.address(), 1, datatype);
        begin(&place, get_accumulate(&place, origin, result, (1, datatype), op)?)
    }

    /// `MPI_Compare_and_swap`.
    timed fn MPI_Compare_and_swap(
        origin_addr: In<c_void>, compare_addr: In<c_void>, result_addr: Out<c_void>,
        datatype: MPI_Datatype, target_rank: c_int, target_disp: MPI_Aint, win: MPI_Win,
    ) -> c_int on Win(win), |here| {
        let _ = here;
        let place = Place::new(win, target_rank, target_disp)?;
        check_comparable(datatype)?;
        let buffers = (origin_addr.address(), compare_addr.address(), result_addr.address());
        begin(&place, compare_and_swap(&place, buffers, datatype)?)
    }
}
