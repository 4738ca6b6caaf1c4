//! Names, hints, attributes and error handlers of windows. MPI 4.1 sections 7.7, 7.8, 9.3, 12.2.

use std::ffi::{c_char, c_int};
use std::ptr::from_ref;

use super::{WinObject, lookup};
use crate::abi::*;
use crate::attribute::{self, Owner, Value};
use crate::call::mpi;
use crate::errhandler::functions::{self as handlers, Sort};
use crate::failure::{Failure, Outcome, bad};
use crate::info::{self, Info};
use crate::pointer::{In, Out};

/// Hints that MPI defines for windows, with what holds if the program says nothing. Others are
/// ignored.
const HINTS: [(&str, &str); 6] = [
    ("no_locks", "false"),
    ("accumulate_ordering", "rar,raw,war,waw"),
    ("accumulate_ops", "same_op_no_op"),
    ("mpi_accumulate_granularity", "0"),
    ("same_size", "false"),
    ("same_disp_unit", "false"),
];
/// A hint for shared memory only.
const SHARED_HINT: (&str, &str) = ("alloc_shared_noncontig", "false");

/// The hints of a new window.
pub(super) fn hints(flavor: c_int, given: Info) -> Info {
    let shared = (flavor == MPI_WIN_FLAVOR_SHARED).then_some(SHARED_HINT);
    let known = HINTS.into_iter().chain(shared);
    let mut hints: Info = known.map(|(key, value)| (key.into(), value.into())).collect();
    update(&mut hints, given);
    hints
}

/// Takes over hints whose keys are known.
fn update(hints: &mut Info, given: Info) {
    for (key, value) in given {
        if info::find(hints, &key).is_some() {
            info::put(hints, key, value);
        }
    }
}

/// The value of a predefined attribute, if it is one: the base itself, or a pointer to the value.
fn predefined(win: &WinObject, key: c_int) -> Option<usize> {
    let values = &win.values;
    Some(match key {
        MPI_WIN_BASE => values.base,
        MPI_WIN_SIZE => from_ref(&values.size) as usize,
        MPI_WIN_DISP_UNIT => from_ref(&values.unit) as usize,
        MPI_WIN_CREATE_FLAVOR => from_ref(&values.flavor) as usize,
        MPI_WIN_MODEL => from_ref(&values.model) as usize,
        _ => return None,
    })
}

/// The value of an attribute of a window.
pub(crate) fn attribute_of(win: MPI_Win, key: c_int) -> Result<Option<Value>, Failure> {
    let object = lookup(win)?;
    match predefined(&object, key) {
        None => attribute::get(&object.attributes, Owner::Win, key),
        Some(address) => Ok(Some(Value::Pointer(address))),
    }
}

/// Sets an attribute of a window.
pub(crate) fn set_attribute_of(win: MPI_Win, key: c_int, value: Value) -> Outcome {
    attribute::set(&lookup(win)?.attributes, win, Owner::Win, key, value)
}

fn name(handle: MPI_Win) -> Result<String, Failure> {
    match handle {
        MPI_WIN_NULL => Ok("MPI_WIN_NULL".into()),
        _ => Ok(lookup(handle)?.name.borrow().to_string()),
    }
}

mpi! {
    /// `MPI_Win_set_name`.
    local fn MPI_Win_set_name(win: MPI_Win, win_name: In<c_char>) -> c_int on Win(win), |here| {
        let _ = here;
        let win = lookup(win)?;
        let text = win_name.given(1, "win_name")?.text();
        if text.len() >= MPI_MAX_OBJECT_NAME as usize {
            let (length, most) = (text.len(), MPI_MAX_OBJECT_NAME - 1);
            return bad(MPI_ERR_ARG, format!("a name of {length} bytes, {most} are allowed"));
        }
        win.name.replace(text.into());
        Ok(())
    }

    /// `MPI_Win_get_name`.
    local fn MPI_Win_get_name(win: MPI_Win, win_name: Out<c_char>, resultlen: Out<c_int>) -> c_int
        on Win(win), |here| {
        let _ = here;
        let text = name(win)?;
        let length = win_name.given("win_name")?.write_text(&text, MPI_MAX_OBJECT_NAME as usize);
        resultlen.given("resultlen")?.set(length as c_int);
        Ok(())
    }

    /// `MPI_Win_set_info`.
    local fn MPI_Win_set_info(win: MPI_Win, info: MPI_Info) -> c_int on Win(win), |here| {
        let win = lookup(win)?;
        let given = info::optional(here, info)?;
        update(&mut win.info.borrow_mut(), given);
        Ok(())
    }

    /// `MPI_Win_get_info`.
    local fn MPI_Win_get_info(win: MPI_Win, info_used: Out<MPI_Info>) -> c_int
        on Win(win), |here| {
        let _ = here;
        let hints = lookup(win)?.info.borrow().clone();
        info_used.given("info_used")?.set(info::keep(hints));
        Ok(())
    }

    /// `MPI_Win_set_attr`.
    local fn MPI_Win_set_attr(win: MPI_Win, keyval: c_int, value: usize) -> c_int
        on Win(win), |here| {
        let _ = here;
        set_attribute_of(win, keyval, Value::Pointer(value))
    }

    /// `MPI_Win_get_attr`.
    local fn MPI_Win_get_attr(win: MPI_Win, keyval: c_int, value: Out<usize>, flag: Out<c_int>)
        -> c_int on Win(win), |here| {
        let _ = here;
        let found = attribute_of(win, keyval)?;
        let flag = flag.given("flag")?;
        if let Some(found) = &found {
            value.given("attribute_val")?.set(found.pointer());
        }
        flag.set(c_int::from(found.is_some()));
        Ok(())
    }

    /// `MPI_Win_delete_attr`.
    local fn MPI_Win_delete_attr(win: MPI_Win, keyval: c_int) -> c_int on Win(win), |here| {
        let _ = here;
        let object = lookup(win)?;
        attribute::delete(&object.attributes, win, Owner::Win, keyval)
    }

    /// `MPI_Win_set_errhandler`.
    local fn MPI_Win_set_errhandler(win: MPI_Win, errhandler: MPI_Errhandler) -> c_int
        on Win(win), |here| {
        let _ = here;
        handlers::set(&lookup(win)?.errhandler, errhandler, Sort::Win)
    }

    /// `MPI_Win_get_errhandler`.
    local fn MPI_Win_get_errhandler(win: MPI_Win, errhandler: Out<MPI_Errhandler>) -> c_int
        on Win(win), |here| {
        let _ = here;
        let win = lookup(win)?;
        errhandler.given("errhandler")?.set(handlers::get(&win.errhandler));
        Ok(())
    }

    /// `MPI_Win_call_errhandler`.
    local fn MPI_Win_call_errhandler(win: MPI_Win, errorcode: c_int) -> c_int on Win(win), |here| {
        here.call.set("MPI_Win_call_errhandler");
        let object = lookup(win)?;
        handlers::call(here, &object.errhandler, win, errorcode)
    }
}
