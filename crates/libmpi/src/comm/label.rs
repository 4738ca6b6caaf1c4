//! Names and hints of communicators. MPI 4.1 sections 7.4.4 and 7.8.

use std::ffi::{c_char, c_int};

use crate::abi::*;
use crate::call::mpi;
use crate::failure::{Failure, bad};
use crate::info::{self, Info};
use crate::pointer::{In, Out};
use crate::rank::RankContext;

/// Hints that MPI defines for communicators. Others are ignored.
const HINTS: [&str; 4] = [
    "mpi_assert_no_any_tag",
    "mpi_assert_no_any_source",
    "mpi_assert_exact_length",
    "mpi_assert_allow_overtaking",
];

/// The hints that mean something.
pub(super) fn known(mut hints: Info) -> Info {
    hints.retain(|(key, _)| HINTS.contains(&key.as_str()));
    hints
}

/// The name of a communicator: what the program set, or what it always has.
fn name(here: &RankContext, handle: MPI_Comm) -> Result<String, Failure> {
    if handle == MPI_COMM_NULL {
        return Ok("MPI_COMM_NULL".into());
    }
    let comm = here.comm(handle)?;
    let name = comm.name.borrow();
    Ok(match (name.as_deref(), handle) {
        (Some(name), _) => name.into(),
        (None, MPI_COMM_WORLD) => "MPI_COMM_WORLD".into(),
        (None, MPI_COMM_SELF) => "MPI_COMM_SELF".into(),
        _ => String::new(),
    })
}

mpi! {
    /// `MPI_Comm_set_name`.
    local fn MPI_Comm_set_name(comm: MPI_Comm, comm_name: In<c_char>) -> c_int
        on Comm(comm), |here| {
        let comm = here.comm(comm)?;
        let text = comm_name.given(1, "comm_name")?.text();
        if text.len() >= MPI_MAX_OBJECT_NAME as usize {
            let (length, most) = (text.len(), MPI_MAX_OBJECT_NAME - 1);
            return bad(MPI_ERR_ARG, format!("a name of {length} bytes, {most} are allowed"));
        }
        comm.name.replace(Some(text.into()));
        Ok(())
    }

    /// `MPI_Comm_get_name`.
    local fn MPI_Comm_get_name(comm: MPI_Comm, comm_name: Out<c_char>, resultlen: Out<c_int>)
        -> c_int on Comm(comm), |here| {
        let text = name(here, comm)?;
        let length = comm_name.given("comm_name")?.write_text(&text, MPI_MAX_OBJECT_NAME as usize);
        resultlen.given("resultlen")?.set(length as c_int);
        Ok(())
    }

    /// `MPI_Comm_set_info`.
    local fn MPI_Comm_set_info(comm: MPI_Comm, info: MPI_Info) -> c_int on Comm(comm), |here| {
        let comm = here.comm(comm)?;
        for (key, value) in known(info::optional(here, info)?) {
            info::put(&mut comm.info.borrow_mut(), key, value);
        }
        Ok(())
    }

    /// `MPI_Comm_get_info`.
    local fn MPI_Comm_get_info(comm: MPI_Comm, info_used: Out<MPI_Info>) -> c_int
        on Comm(comm), |here| {
        let comm = here.comm(comm)?;
        let hints = comm.info.borrow().clone();
        info_used.given("info_used")?.set(info::keep(hints));
        Ok(())
    }
}
