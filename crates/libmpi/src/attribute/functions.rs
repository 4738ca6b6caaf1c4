//! The functions that make keys and set, get and delete attributes.

use std::ffi::c_int;

use super::keyval::{self, Language, Owner};
use super::{Value, delete, get, predefined, set};
use crate::abi::*;
use crate::call::mpi;
use crate::datatype;
use crate::failure::{Failure, Outcome};
use crate::pointer::Out;
use crate::rank::RankContext;

/// Makes a key and gives it to the program.
fn create(owner: Owner, (copy, delete): (usize, usize), state: usize, key: Out<c_int>) -> Outcome {
    key.given("keyval")?.set(keyval::create((owner, Language::C), (copy, delete), state));
    Ok(())
}

/// Frees a key of the program.
fn free(owner: Owner, key: Out<c_int>) -> Outcome {
    keyval::free(key.given("keyval")?.get(), owner)?;
    key.set(MPI_KEYVAL_INVALID);
    Ok(())
}

/// Hands a value to the program. Where there is none, the place is left as it is.
fn give(found: Option<Value>, value: Out<usize>, flag: Out<c_int>) -> Outcome {
    let flag = flag.given("flag")?;
    if let Some(found) = &found {
        value.given("attribute_val")?.set(found.pointer());
    }
    flag.set(c_int::from(found.is_some()));
    Ok(())
}

/// The value of an attribute of a communicator.
pub(crate) fn of_comm(
    here: &RankContext,
    comm: MPI_Comm,
    key: c_int,
) -> Result<Option<Value>, Failure> {
    let comm = here.comm(comm)?;
    match predefined::address(here, key) {
        None => get(&comm.attributes, Owner::Comm, key),
        Some(address) => Ok(Some(Value::Pointer(address))),
    }
}

/// The value of an attribute of a datatype.
pub(crate) fn of_type(datatype: MPI_Datatype, key: c_int) -> Result<Option<Value>, Failure> {
    get(&datatype::lookup(datatype)?.attributes, Owner::Datatype, key)
}

fn get_of_comm(
    here: &RankContext,
    comm: MPI_Comm,
    key: c_int,
    value: Out<usize>,
    flag: Out<c_int>,
) -> Outcome {
    give(of_comm(here, comm, key)?, value, flag)
}

/// Sets an attribute of a communicator.
pub(crate) fn set_of_comm(
    here: &RankContext,
    handle: MPI_Comm,
    key: c_int,
    value: Value,
) -> Outcome {
    let comm = here.comm(handle)?;
    set(&comm.attributes, handle, Owner::Comm, key, value)
}

/// Sets an attribute of a datatype.
pub(crate) fn set_of_type(datatype: MPI_Datatype, key: c_int, value: Value) -> Outcome {
    let found = datatype::lookup(datatype)?;
    set(&found.attributes, datatype, Owner::Datatype, key, value)
}

fn delete_of_comm(here: &RankContext, handle: MPI_Comm, key: c_int) -> Outcome {
    let comm = here.comm(handle)?;
    delete(&comm.attributes, handle, Owner::Comm, key)
}

mpi! {
    /// `MPI_Comm_create_keyval`.
    local fn MPI_Comm_create_keyval(
        copy: usize, delete: usize, keyval: Out<c_int>, extra_state: usize,
    ) -> c_int, |here| {
        let _ = here;
        create(Owner::Comm, (copy, delete), extra_state, keyval)
    }

    /// `MPI_Comm_free_keyval`.
    local fn MPI_Comm_free_keyval(keyval: Out<c_int>) -> c_int, |here| {
        let _ = here;
        free(Owner::Comm, keyval)
    }

    /// `MPI_Comm_set_attr`.
    local fn MPI_Comm_set_attr(comm: MPI_Comm, keyval: c_int, value: usize) -> c_int
        on Comm(comm), |here| {
        set_of_comm(here, comm, keyval, Value::Pointer(value))
    }

    /// `MPI_Comm_get_attr`.
    local fn MPI_Comm_get_attr(
        comm: MPI_Comm, keyval: c_int, value: Out<usize>, flag: Out<c_int>,
    ) -> c_int on Comm(comm), |here| {
        get_of_comm(here, comm, keyval, value, flag)
    }

    /// `MPI_Comm_delete_attr`.
    local fn MPI_Comm_delete_attr(comm: MPI_Comm, keyval: c_int) -> c_int on Comm(comm), |here| {
        delete_of_comm(here, comm, keyval)
    }

    /// `MPI_Keyval_create`, the old name of `MPI_Comm_create_keyval`.
    local fn MPI_Keyval_create(
        copy: usize, delete: usize, keyval: Out<c_int>, extra_state: usize,
    ) -> c_int, |here| {
        let _ = here;
        create(Owner::Comm, (copy, delete), extra_state, keyval)
    }

    /// `MPI_Keyval_free`, the old name of `MPI_Comm_free_keyval`.
    local fn MPI_Keyval_free(keyval: Out<c_int>) -> c_int, |here| {
        let _ = here;
        free(Owner::Comm, keyval)
    }

    /// `MPI_Attr_put`, the old name of `MPI_Comm_set_attr`.
    local fn MPI_Attr_put(comm: MPI_Comm, keyval: c_int, value: usize) -> c_int
        on Comm(comm), |here| {
        set_of_comm(here, comm, keyval, Value::Pointer(value))
    }

    /// `MPI_Attr_get`, the old name of `MPI_Comm_get_attr`.
    local fn MPI_Attr_get(comm: MPI_Comm, keyval: c_int, value: Out<usize>, flag: Out<c_int>)
        -> c_int on Comm(comm), |here| {
        get_of_comm(here, comm, keyval, value, flag)
    }

    /// `MPI_Attr_delete`, the old name of `MPI_Comm_delete_attr`.
    local fn MPI_Attr_delete(comm: MPI_Comm, keyval: c_int) -> c_int on Comm(comm), |here| {
        delete_of_comm(here, comm, keyval)
    }

    /// `MPI_Type_create_keyval`.
    local fn MPI_Type_create_keyval(
        copy: usize, delete: usize, keyval: Out<c_int>, extra_state: usize,
    ) -> c_int, |here| {
        let _ = here;
        create(Owner::Datatype, (copy, delete), extra_state, keyval)
    }

    /// `MPI_Type_free_keyval`.
    local fn MPI_Type_free_keyval(keyval: Out<c_int>) -> c_int, |here| {
        let _ = here;
        free(Owner::Datatype, keyval)
    }

    /// `MPI_Type_set_attr`.
    local fn MPI_Type_set_attr(datatype: MPI_Datatype, keyval: c_int, value: usize) -> c_int,
        |here| {
        let _ = here;
        set_of_type(datatype, keyval, Value::Pointer(value))
    }

    /// `MPI_Type_get_attr`.
    local fn MPI_Type_get_attr(
        datatype: MPI_Datatype, keyval: c_int, value: Out<usize>, flag: Out<c_int>,
    ) -> c_int, |here| {
        let _ = here;
        give(of_type(datatype, keyval)?, value, flag)
    }

    /// `MPI_Type_delete_attr`.
    local fn MPI_Type_delete_attr(datatype: MPI_Datatype, keyval: c_int) -> c_int, |here| {
        let _ = here;
        let found = datatype::lookup(datatype)?;
        delete(&found.attributes, datatype, Owner::Datatype, keyval)
    }

    /// `MPI_Win_create_keyval`.
    local fn MPI_Win_create_keyval(
        copy: usize, delete: usize, keyval: Out<c_int>, extra_state: usize,
    ) -> c_int, |here| {
        let _ = here;
        create(Owner::Win, (copy, delete), extra_state, keyval)
    }

    /// `MPI_Win_free_keyval`.
    local fn MPI_Win_free_keyval(keyval: Out<c_int>) -> c_int, |here| {
        let _ = here;
        free(Owner::Win, keyval)
    }
}
