//! Puts and gets. MPI 4.1 sections 12.3.1, 12.3.2 and 12.3.5.

use std::ffi::{c_int, c_void};

use foretell_mpi::{Back, WindowOperation};

use super::target::{Place, check_room};
use crate::abi::*;
use crate::buffer::Buffer;
use crate::call::mpi_large;
use crate::failure::{Failure, Outcome};
use crate::pointer::{In, Out};

/// Bytes of a message that says what is wanted.
pub(super) const NOTE: u64 = 16;

/// A buffer as a call names it.
pub(super) type Named = (usize, i64, MPI_Datatype);

/// What a put does; nothing if it goes nowhere.
fn put(
    place: &Place,
    (address, count, datatype): Named,
    (target_count, target_datatype): (i64, MPI_Datatype),
) -> Result<Option<WindowOperation>, Failure> {
    let origin = Buffer::new(address, count, datatype)?;
    let Some((target, buffer)) = place.buffer(target_count, target_datatype)? else {
        return Ok(None);
    };
    check_room(origin.bytes(), buffer.bytes())?;
    let payload = origin.copied();
    let apply = Box::new(move || {
        buffer.unpack(payload.bytes());
        Box::default()
    });
    let bytes = origin.bytes();
    Ok(Some(WindowOperation { target, bytes, is_ordered: false, apply, back: None }))
}

/// What a get does; nothing if it comes from nowhere.
fn get(
    place: &Place,
    (address, count, datatype): Named,
    (target_count, target_datatype): (i64, MPI_Datatype),
) -> Result<Option<WindowOperation>, Failure> {
    let origin = Buffer::new(address, count, datatype)?;
    let Some((target, buffer)) = place.buffer(target_count, target_datatype)? else {
        return Ok(None);
    };
    let bytes = buffer.bytes();
    check_room(bytes, origin.bytes())?;
    let back = Back { bytes, land: Box::new(move |brought| origin.unpack(&brought)) };
    let apply = Box::new(move || buffer.pack());
    Ok(Some(WindowOperation { target, bytes: NOTE, is_ordered: false, apply, back: Some(back) }))
}

/// Begins an operation, if there is one.
pub(super) fn begin(place: &Place, operation: Option<WindowOperation>) -> Outcome {
    operation.map_or(Ok(()), |operation| place.begin(operation))
}

mpi_large! {
    /// `MPI_Put`.
    timed fn MPI_Put(
        origin_addr: In<c_void>, origin_count: C, origin_datatype: MPI_Datatype,
        target_rank: c_int, target_disp: MPI_Aint, target_count: C, target_datatype: MPI_Datatype,
        win: MPI_Win,
    ) -> c_int on Win(win), |here| {
        let _ = here;
        let place = Place::new(win, target_rank, target_disp)?;
        let origin = (origin_addr.address(), origin_count as i64, origin_datatype);
        begin(&place, put(&place, origin, (target_count as i64, target_datatype))?)
    }

    /// `MPI_Get`.
    timed fn MPI_Get(
        origin_addr: Out<c_void>, origin_count: C, origin_datatype: MPI_Datatype,
        target_rank: c_int, target_disp: MPI_Aint, target_count: C, target_datatype: MPI_Datatype,
        win: MPI_Win,
    ) -> c_int on Win(win), |here| {
        let _ = here;
        let place = Place::new(win, target_rank, target_disp)?;
        let origin = (origin_addr.address(), origin_count as i64, origin_datatype);
        begin(&place, get(&place, origin, (target_count as i64, target_datatype))?)
    }

    /// `MPI_Rput`.
    timed fn MPI_Rput(
        origin_addr: In<c_void>, origin_count: C, origin_datatype: MPI_Datatype,
        target_rank: c_int, target_disp: MPI_Aint, target_count: C, target_datatype: MPI_Datatype,
        win: MPI_Win, request: Out<MPI_Request>,
    ) -> c_int on Win(win), |here| {
        let _ = here;
        let (place, request) =
            (Place::new(win, target_rank, target_disp)?, request.given("request")?);
        let origin = (origin_addr.address(), origin_count as i64, origin_datatype);
        let operation = put(&place, origin, (target_count as i64, target_datatype))?;
        place.begin_with_request(operation, request)
    }

    /// `MPI_Rget`.
    timed fn MPI_Rget(
        origin_addr: Out<c_void>, origin_count: C, origin_datatype: MPI_Datatype,
        target_rank: c_int, target_disp: MPI_Aint, target_count: C, target_datatype: MPI_Datatype,
        win: MPI_Win, request: Out<MPI_Request>,
    ) -> c_int on Win(win), |here| {
        let _ = here;
        let (place, request) =
            (Place::new(win, target_rank, target_disp)?, request.given("request")?);
        let origin = (origin_addr.address(), origin_count as i64, origin_datatype);
        let operation = get(&place, origin, (target_count as i64, target_datatype))?;
        place.begin_with_request(operation, request)
    }
}
