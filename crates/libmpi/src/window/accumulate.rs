//! Accumulates, with or without what was there before. MPI 4.1 sections 12.3.4 and 12.3.5.

use std::ffi::{c_int, c_void};

use foretell_mpi::datatype::{Basic, Datatype};
use foretell_mpi::{Back, Payload, WindowOperation};

use super::target::{Place, check_room};
use super::transfer::{NOTE, Named, begin};
use crate::abi::*;
use crate::buffer::Buffer;
use crate::call::mpi_large;
use crate::failure::{Failure, bad, ensure};
use crate::op;
use crate::pointer::{In, Out};

/// How what comes is combined with what is there.
pub(super) enum Combine {
    Replace,
    Nothing,
    By(fn(&[u8], &mut [u8])),
}

impl Combine {
    /// What an operation does to elements of a datatype.
    pub(super) fn new(op: MPI_Op, datatype: &Datatype) -> Result<Self, Failure> {
        let is_predefined = PREDEFINED_OPS.iter().any(|(handle, _)| *handle == op);
        match op {
            MPI_REPLACE => Ok(Combine::Replace),
            MPI_NO_OP => Ok(Combine::Nothing),
            // There is nothing to combine, whatever it would consist of.
            _ if is_predefined && datatype.size() == 0 => Ok(Combine::Nothing),
            _ if is_predefined && op != MPI_OP_NULL => {
                let element = uniform(datatype).map_or_else(|| datatype.clone(), Datatype::from);
                op::on(op, &element).map(Combine::By)
            }
            _ => bad(MPI_ERR_OP, "only predefined operations can be used with windows"),
        }
    }

    /// Combines data with what a buffer holds.
    fn apply(&self, data: &[u8], buffer: &Buffer) {
        match self {
            Combine::Replace => buffer.unpack(data),
            Combine::By(combine) if !data.is_empty() && buffer.datatype.dense.is_some() => {
                // SAFETY: the range was checked: the target has opened so many bytes without
                // holes there. They are not those of `data`, which is a copy.
                combine(data, unsafe {
                    std::slice::from_raw_parts_mut(buffer.address as *mut u8, data.len())
                });
            }
            Combine::By(combine) if !data.is_empty() => {
                let mut present = buffer.pack();
                combine(data, &mut present);
                buffer.unpack(&present);
            }
            Combine::By(_) | Combine::Nothing => {}
        }
    }

    /// Whether the origin sends anything.
    fn needs_data(&self) -> bool {
        !matches!(self, Combine::Nothing)
    }
}

/// The one basic type that a datatype consists of.
fn uniform(datatype: &Datatype) -> Option<Basic> {
    if let Some(basic) = datatype.as_basic() {
        return Some(basic);
    }
    let (mut found, mut is_uniform) = (None, true);
    datatype.for_each_array(1, |basic, _, _| {
        is_uniform &= *found.get_or_insert(basic) == basic;
    });
    found.filter(|_| is_uniform)
}

/// What an accumulate does; nothing if it goes nowhere.
fn accumulate(
    place: &Place,
    (address, count, datatype): Named,
    (target_count, target_datatype): (i64, MPI_Datatype),
    op: MPI_Op,
) -> Result<Option<WindowOperation>, Failure> {
    ensure(op != MPI_NO_OP, MPI_ERR_OP, || {
        "MPI_NO_OP is for MPI_Get_accumulate and MPI_Fetch_and_op only".into()
    })?;
    let origin = Buffer::new(address, count, datatype)?;
    let Some((target, buffer)) = place.buffer(target_count, target_datatype)? else {
        return Ok(None);
    };
    check_same(&origin, &buffer)?;
    let combine = Combine::new(op, &buffer.datatype.datatype)?;
    let (bytes, payload) = (origin.bytes(), origin.copied());
    let apply = Box::new(move || {
        combine.apply(payload.bytes(), &buffer);
        Box::default()
    });
    Ok(Some(WindowOperation { target, bytes, is_ordered: true, apply, back: None }))
}

/// What an accumulate does that brings back what was there.
pub(super) fn get_accumulate(
    place: &Place,
    (address, count, datatype): Named,
    (result_address, result_count, result_datatype): Named,
    (target_count, target_datatype): (i64, MPI_Datatype),
    op: MPI_Op,
) -> Result<Option<WindowOperation>, Failure> {
    let result = Buffer::new(result_address, result_count, result_datatype)?;
    let origin = match op {
        MPI_NO_OP => None,
        _ => Some(Buffer::new(address, count, datatype)?),
    };
    let Some((target, buffer)) = place.buffer(target_count, target_datatype)? else {
        return Ok(None);
    };
    check_room(buffer.bytes(), result.bytes())?;
    let combine = Combine::new(op, &buffer.datatype.datatype)?;
    let payload = match origin.filter(|_| combine.needs_data()) {
        Some(origin) => {
            check_same(&origin, &buffer)?;
            origin.copied()
        }
        None => Payload::Size(0),
    };
    let back = buffer.bytes();
    let bytes = NOTE + payload.len();
    let apply = Box::new(move || {
        let before = buffer.pack();
        combine.apply(payload.bytes(), &buffer);
        before
    });
    let back = Back { bytes: back, land: Box::new(move |brought| result.unpack(&brought)) };
    Ok(Some(WindowOperation { target, bytes, is_ordered: true, apply, back: Some(back) }))
}

/// That as many bytes come as are combined with.
fn check_same(origin: &Buffer, target: &Buffer) -> Result<(), Failure> {
    let (sent, room) = (origin.bytes(), target.bytes());
    ensure(sent == room, MPI_ERR_TRUNCATE, || {
        format!("{sent} bytes are to be combined with {room} bytes at the target")
    })
}

mpi_large! {
    /// `MPI_Accumulate`.
    timed fn MPI_Accumulate(
        origin_addr: In<c_void>, origin_count: C, origin_datatype: MPI_Datatype,
        target_rank: c_int, target_disp: MPI_Aint, target_count: C, target_datatype: MPI_Datatype,
        op: MPI_Op, win: MPI_Win,
    ) -> c_int on Win(win), |here| {
        let _ = here;
        let place = Place::new(win, target_rank, target_disp)?;
        let origin = (origin_addr.address(), origin_count as i64, origin_datatype);
        begin(&place, accumulate(&place, origin, (target_count as i64, target_datatype), op)?)
    }

    /// `MPI_Raccumulate`.
    timed fn MPI_Raccumulate(
        origin_addr: In<c_void>, origin_count: C, origin_datatype: MPI_Datatype,
        target_rank: c_int, target_disp: MPI_Aint, target_count: C, target_datatype: MPI_Datatype,
        op: MPI_Op, win: MPI_Win, request: Out<MPI_Request>,
    ) -> c_int on Win(win), |here| {
        let _ = here;
        let (place, request) =
            (Place::new(win, target_rank, target_disp)?, request.given("request")?);
        let origin = (origin_addr.address(), origin_count as i64, origin_datatype);
        let operation = accumulate(&place, origin, (target_count as i64, target_datatype), op)?;
        place.begin_with_request(operation, request)
    }

    /// `MPI_Get_accumulate`.
    timed fn MPI_Get_accumulate(
        origin_addr: In<c_void>, origin_count: C, origin_datatype: MPI_Datatype,
        result_addr: Out<c_void>, result_count: C, result_datatype: MPI_Datatype,
        target_rank: c_int, target_disp: MPI_Aint, target_count: C, target_datatype: MPI_Datatype,
        op: MPI_Op, win: MPI_Win,
    ) -> c_int on Win(win), |here| {
        let _ = here;
        let place = Place::new(win, target_rank, target_disp)?;
        let origin = (origin_addr.address(), origin_count as i64, origin_datatype);
        let result = (result_addr.address(), result_count as i64, result_datatype);
        let target = (target_count as i64, target_datatype);
        begin(&place, get_accumulate(&place, origin, result, target, op)?)
    }

    /// `MPI_Rget_accumulate`.
    timed fn MPI_Rget_accumulate(
        origin_addr: In<c_void>, origin_count: C, origin_datatype: MPI_Datatype,
        result_addr: Out<c_void>, result_count: C, result_datatype: MPI_Datatype,
        target_rank: c_int, target_disp: MPI_Aint, target_count: C, target_datatype: MPI_Datatype,
        op: MPI_Op, win: MPI_Win, request: Out<MPI_Request>,
    ) -> c_int on Win(win), |here| {
        let _ = here;
        let (place, request) =
            (Place::new(win, target_rank, target_disp)?, request.given("request")?);
        let origin = (origin_addr.address(), origin_count as i64, origin_datatype);
        let result = (result_addr.address(), result_count as i64, result_datatype);
        let target = (target_count as i64, target_datatype);
        let operation = get_accumulate(&place, origin, result, target, op)?;
        place.begin_with_request(operation, request)
    }
}
