//! Attributes, whose values are integers in Fortran. MPI 4.1 sections 7.7 and 19.3.7.

use std::ffi::c_int;
use std::rc::Rc;

use super::argument::{Argument, Comm, Datatype, Given, Win};
use super::call::{names, tell};
use crate::abi::*;
use crate::attribute::{self, Language, Owner, Value};
use crate::call::local;
use crate::failure::{Failure, OnError, Outcome};
use crate::rank::RankContext;
use crate::window::label;

/// An integer as wide as the dialect has it.
trait Width: Copy {
    /// The language of functions with such values.
    const LANGUAGE: Language;
    fn wide(self) -> MPI_Aint;
    fn narrowed(value: MPI_Aint) -> Self;
}

impl Width for MPI_Aint {
    const LANGUAGE: Language = Language::Fortran;

    fn wide(self) -> MPI_Aint {
        self
    }

    fn narrowed(value: MPI_Aint) -> Self {
        value
    }
}

impl Width for c_int {
    const LANGUAGE: Language = Language::OldFortran;

    fn wide(self) -> MPI_Aint {
        self as MPI_Aint
    }

    fn narrowed(value: MPI_Aint) -> Self {
        value as c_int
    }
}

/// Makes a key.
fn create<T: Width>(
    (call, owner): (&'static str, Owner),
    functions: (usize, usize),
    keyval: *mut c_int,
    extra_state: *const T,
    ierror: *mut c_int,
) {
    let code = local(call, OnError::Process, |here| {
        let _ = here;
        // SAFETY: the caller's promise.
        unsafe {
            let state = extra_state.read().wide() as usize;
            keyval.write(attribute::create((owner, T::LANGUAGE), functions, state));
        }
        Ok(())
    });
    tell(ierror, code);
}

/// Gives a value to the program, if there is one.
fn get<T: Width>(
    (call, on): (&'static str, OnError),
    find: impl FnOnce(&RankContext) -> Result<Option<MPI_Aint>, Failure>,
    (value, flag): (*mut T, *mut c_int),
    ierror: *mut c_int,
) {
    let code = local(call, on, |here| {
        let found = find(here)?;
        if let Some(found) = found {
            // SAFETY: the caller's promise.
            unsafe { value.write(T::narrowed(found)) };
        }
        tell(flag, c_int::from(found.is_some()));
        Ok(())
    });
    tell(ierror, code);
}

/// Takes a value from the program.
fn set<T: Width>(
    (call, on): (&'static str, OnError),
    set: impl FnOnce(&RankContext, Value) -> Outcome,
    value: *const T,
    ierror: *mut c_int,
) {
    // SAFETY: the caller's promise.
    let value = Value::Integer(Rc::new(unsafe { value.read() }.wide()));
    tell(ierror, local(call, on, |here| set(here, value)));
}

/// The integer of a predefined attribute that C gets a pointer to.
fn followed<T: Copy + Into<MPI_Aint>>(value: &Value) -> MPI_Aint {
    // SAFETY: predefined values stay where they are while their object lives.
    unsafe { (value.pointer() as *const T).read() }.into()
}

/// A number of C's `int` as an address is wide.
#[derive(Clone, Copy)]
#[repr(transparent)]
struct Int(c_int);

impl From<Int> for MPI_Aint {
    fn from(value: Int) -> MPI_Aint {
        value.0 as MPI_Aint
    }
}

/// What Fortran sees of an attribute of a communicator.
fn of_comm(here: &RankContext, comm: MPI_Comm, key: c_int) -> Result<Option<MPI_Aint>, Failure> {
    let is_predefined = (MPI_TAG_UB..=MPI_UNIVERSE_SIZE).contains(&key);
    let found = attribute::of_comm(here, comm, key)?;
    Ok(found.map(|value| if is_predefined { followed::<Int>(&value) } else { value.integer() }))
}

/// What Fortran sees of an attribute of a window.
fn of_win(win: MPI_Win, key: c_int) -> Result<Option<MPI_Aint>, Failure> {
    Ok(label::attribute_of(win, key)?.map(|value| match key {
        MPI_WIN_SIZE => followed::<MPI_Aint>(&value),
        MPI_WIN_DISP_UNIT | MPI_WIN_CREATE_FLAVOR | MPI_WIN_MODEL => followed::<Int>(&value),
        _ => value.integer(),
    }))
}

/// Defines the functions that make keys.
macro_rules! keys {
    ($($f:ident $call:literal $owner:ident $width:ty, $suffixes:tt;)*) => {$(
        const _: () = {
            extern "C" fn inner(
                copy: usize,
                delete: usize,
                keyval: *mut c_int,
                extra_state: *const $width,
                ierror: *mut c_int,
            ) {
                create(($call, Owner::$owner), (copy, delete), keyval, extra_state, ierror);
            }
            names! { inner $f $suffixes }
        };
    )*};
}

keys! {
    mpi_comm_create_keyval "MPI_Comm_create_keyval" Comm MPI_Aint, ["_" "_f08_"];
    mpi_type_create_keyval "MPI_Type_create_keyval" Datatype MPI_Aint, ["_" "_f08_"];
    mpi_win_create_keyval "MPI_Win_create_keyval" Win MPI_Aint, ["_" "_f08_"];
    mpi_keyval_create "MPI_Keyval_create" Comm c_int, ["_"];
}

/// Defines the functions that get and set attributes.
macro_rules! attributes {
    ($(
        $get:ident $set:ident $get_call:literal $set_call:literal $sort:ident $width:ty, $suffixes:tt:
            |$object:ident| $on:expr, |$h1:ident, $k1:ident| $find:expr,
            |$h2:ident, $k2:ident, $v:ident| $put:expr;
    )*) => {$(
        const _: () = {
            extern "C" fn inner(
                object: *const c_int,
                key: *const c_int,
                value: *mut $width,
                flag: *mut c_int,
                ierror: *mut c_int,
            ) {
                let $object = Given::<$sort>::take(object, 0).c();
                // SAFETY: the caller's promise.
                let $k1 = unsafe { key.read() };
                get(($get_call, $on), |$h1| $find, (value, flag), ierror);
            }
            names! { inner $get $suffixes }
        };

        const _: () = {
            extern "C" fn inner(
                object: *const c_int,
                key: *const c_int,
                value: *const $width,
                ierror: *mut c_int,
            ) {
                let $object = Given::<$sort>::take(object, 0).c();
                // SAFETY: the caller's promise.
                let $k2 = unsafe { key.read() };
                set(($set_call, $on), |$h2, $v| $put, value, ierror);
            }
            names! { inner $set $suffixes }
        };
    )*};
}

attributes! {
    mpi_comm_get_attr mpi_comm_set_attr "MPI_Comm_get_attr" "MPI_Comm_set_attr" Comm MPI_Aint,
        ["_" "_f08_"]: |comm| OnError::Comm(comm), |here, key| of_comm(here, comm, key),
        |here, key, value| attribute::set_of_comm(here, comm, key, value);
    mpi_attr_get mpi_attr_put "MPI_Attr_get" "MPI_Attr_put" Comm c_int,
        ["_"]: |comm| OnError::Comm(comm), |here, key| of_comm(here, comm, key),
        |here, key, value| attribute::set_of_comm(here, comm, key, value);
    mpi_type_get_attr mpi_type_set_attr "MPI_Type_get_attr" "MPI_Type_set_attr" Datatype MPI_Aint,
        ["_" "_f08_"]: |datatype| OnError::Process,
        |_here, key| Ok(attribute::of_type(datatype, key)?.map(|value| value.integer())),
        |_here, key, value| attribute::set_of_type(datatype, key, value);
    mpi_win_get_attr mpi_win_set_attr "MPI_Win_get_attr" "MPI_Win_set_attr" Win MPI_Aint,
        ["_" "_f08_"]: |win| OnError::Win(win), |_here, key| of_win(win, key),
        |_here, key, value| label::set_attribute_of(win, key, value);
}
