//! Control variables and enumerations. MPI 4.1 sections 15.3.5 and 15.3.6.

use std::ffi::{c_char, c_int, c_void};

use super::variables::{COMPUTATIONS, CONTROLS, Control};
use super::{at, ensure_initialised, find, give_text};
use crate::abi::*;
use crate::call::mpi;
use crate::failure::{Failure, Outcome, bad};
use crate::pointer::{In, Out};

/// Handles of control variables are their indices from here on.
const FIRST_HANDLE: Handle = 0x1000;

/// The enumeration there is.
const COMPUTATION: MPI_T_enum = 0x1000;

fn of_handle(handle: MPI_T_cvar_handle) -> Result<&'static Control, Failure> {
    let index = handle.checked_sub(FIRST_HANDLE).and_then(|index| CONTROLS.get(index));
    index.ok_or_else(|| Failure::new(MPI_T_ERR_INVALID_HANDLE, "no handle of a control variable"))
}

fn known_enumeration(enumeration: MPI_T_enum) -> Outcome {
    match enumeration {
        COMPUTATION => Ok(()),
        _ => bad(MPI_T_ERR_INVALID, "no enumeration of the library"),
    }
}

mpi! {
    /// `MPI_T_cvar_get_num`.
    early fn MPI_T_cvar_get_num(num: Out<c_int>) -> c_int on Tool(()), |here| {
        ensure_initialised(here)?;
        num.set(CONTROLS.len() as c_int);
        Ok(())
    }

    /// `MPI_T_cvar_get_index`.
    early fn MPI_T_cvar_get_index(
        name: In<c_char>, index: Out<c_int>,
    ) -> c_int on Tool(()), |here| {
        ensure_initialised(here)?;
        index.set(find(CONTROLS.iter().map(|control| control.name), &name.text())?);
        Ok(())
    }

    /// `MPI_T_cvar_get_info`.
    early fn MPI_T_cvar_get_info(
        index: c_int, name: Out<c_char>, name_len: Out<c_int>, verbosity: Out<c_int>,
        datatype: Out<MPI_Datatype>, enumtype: Out<MPI_T_enum>, desc: Out<c_char>,
        desc_len: Out<c_int>, bind: Out<c_int>, scope: Out<c_int>,
    ) -> c_int on Tool(()), |here| {
        ensure_initialised(here)?;
        let control = at(CONTROLS, index)?;
        give_text(control.name, name, name_len);
        give_text(control.description, desc, desc_len);
        verbosity.set(MPI_T_VERBOSITY_USER_BASIC);
        datatype.set(control.datatype);
        enumtype.set(if control.is_choice { COMPUTATION } else { MPI_T_ENUM_NULL });
        bind.set(MPI_T_BIND_NO_OBJECT);
        scope.set(MPI_T_SCOPE_CONSTANT);
        Ok(())
    }

    /// `MPI_T_cvar_handle_alloc`.
    early fn MPI_T_cvar_handle_alloc(
        index: c_int, object: usize, handle: Out<MPI_T_cvar_handle>, count: Out<c_int>,
    ) -> c_int on Tool(()), |here| {
        let _ = object;
        ensure_initialised(here)?;
        let control = at(CONTROLS, index)?;
        handle.set(FIRST_HANDLE + index as usize);
        count.set((control.read)(here).count());
        Ok(())
    }

    /// `MPI_T_cvar_handle_free`.
    early fn MPI_T_cvar_handle_free(handle: Out<MPI_T_cvar_handle>) -> c_int on Tool(()), |here| {
        ensure_initialised(here)?;
        of_handle(handle.get())?;
        handle.set(MPI_T_CVAR_HANDLE_NULL);
        Ok(())
    }

    /// `MPI_T_cvar_read`.
    early fn MPI_T_cvar_read(
        handle: MPI_T_cvar_handle, buf: Out<c_void>,
    ) -> c_int on Tool(()), |here| {
        ensure_initialised(here)?;
        (of_handle(handle)?.read)(here).write(buf.address());
        Ok(())
    }

    /// `MPI_T_cvar_write`.
    early fn MPI_T_cvar_write(
        handle: MPI_T_cvar_handle, buf: In<c_void>,
    ) -> c_int on Tool(()), |here| {
        let _ = buf;
        ensure_initialised(here)?;
        let name = of_handle(handle)?.name;
        bad(MPI_T_ERR_CVAR_SET_NEVER, format!("{name} is a setting of the run"))
    }

    /// `MPI_T_enum_get_info`.
    early fn MPI_T_enum_get_info(
        enumtype: MPI_T_enum, num: Out<c_int>, name: Out<c_char>, name_len: Out<c_int>,
    ) -> c_int on Tool(()), |here| {
        ensure_initialised(here)?;
        known_enumeration(enumtype)?;
        num.set(COMPUTATIONS.len() as c_int);
        give_text("foretell_computation", name, name_len);
        Ok(())
    }

    /// `MPI_T_enum_get_item`.
    early fn MPI_T_enum_get_item(
        enumtype: MPI_T_enum, index: c_int, value: Out<c_int>, name: Out<c_char>,
        name_len: Out<c_int>,
    ) -> c_int on Tool(()), |here| {
        ensure_initialised(here)?;
        known_enumeration(enumtype)?;
        let item = usize::try_from(index).ok().and_then(|index| COMPUTATIONS.get(index));
        let Some(item) = item else {
            return bad(MPI_T_ERR_INVALID_ITEM, format!("item {index} of an enumeration of two"));
        };
        value.set(index);
        give_text(item, name, name_len);
        Ok(())
    }
}
