//! Events and their sources. MPI 4.1 section 15.3.8.
//!
//! The library offers no events, which the standard allows: tools find none, and whatever they do
//! with handles that they cannot have is an error. There is one source: simulated time.

use std::ffi::{c_char, c_int, c_void};

use super::{ensure_initialised, give_text};
use crate::abi::*;
use crate::call::mpi;
use crate::failure::{Outcome, bad};
use crate::pointer::{In, Out};
use crate::rank::RankContext;

/// Ticks of simulated time in a second: nanoseconds.
const TICKS: MPI_Count = 1_000_000_000;

fn no_event<T>(here: &RankContext, index: c_int) -> Result<T, crate::failure::Failure> {
    ensure_initialised(here)?;
    bad(MPI_T_ERR_INVALID_INDEX, format!("index {index}: there are no events"))
}

fn no_handle(here: &RankContext) -> Outcome {
    ensure_initialised(here)?;
    bad(MPI_T_ERR_INVALID_HANDLE, "there are no events, and so no handles of any")
}

fn known_source(here: &RankContext, index: c_int) -> Outcome {
    ensure_initialised(here)?;
    match index {
        0 => Ok(()),
        _ => bad(MPI_T_ERR_INVALID_INDEX, format!("source {index} of one source")),
    }
}

mpi! {
    /// `MPI_T_source_get_num`.
    early fn MPI_T_source_get_num(num: Out<c_int>) -> c_int on Tool(()), |here| {
        ensure_initialised(here)?;
        num.set(1);
        Ok(())
    }

    /// `MPI_T_source_get_info`.
    early fn MPI_T_source_get_info(
        index: c_int, name: Out<c_char>, name_len: Out<c_int>, desc: Out<c_char>,
        desc_len: Out<c_int>, ordering: Out<MPI_T_source_order>, ticks: Out<MPI_Count>,
        max_ticks: Out<MPI_Count>, info: Out<MPI_Info>,
    ) -> c_int on Tool(()), |here| {
        known_source(here, index)?;
        give_text("foretell_time", name, name_len);
        give_text("Simulated time in nanoseconds", desc, desc_len);
        ordering.set(MPI_T_SOURCE_ORDERED);
        ticks.set(TICKS);
        max_ticks.set(MPI_Count::MAX);
        info.set(MPI_INFO_NULL);
        Ok(())
    }

    /// `MPI_T_source_get_timestamp`.
    early fn MPI_T_source_get_timestamp(
        index: c_int, timestamp: Out<MPI_Count>,
    ) -> c_int on Tool(()), |here| {
        known_source(here, index)?;
        timestamp.set((here.comm.now() * TICKS as f64) as MPI_Count);
        Ok(())
    }

    /// `MPI_T_event_get_num`.
    early fn MPI_T_event_get_num(num: Out<c_int>) -> c_int on Tool(()), |here| {
        ensure_initialised(here)?;
        num.set(0);
        Ok(())
    }

    /// `MPI_T_event_get_index`.
    early fn MPI_T_event_get_index(
        name: In<c_char>, index: Out<c_int>,
    ) -> c_int on Tool(()), |here| {
        let _ = index;
        ensure_initialised(here)?;
        bad(MPI_T_ERR_INVALID_NAME, format!("no event is called {:?}", name.text()))
    }

    /// `MPI_T_event_get_info`.
    early fn MPI_T_event_get_info(
        index: c_int, _name: Out<c_char>, _name_len: Out<c_int>, _verbosity: Out<c_int>,
        _datatypes: Out<MPI_Datatype>, _displacements: Out<MPI_Aint>, _elements: Out<c_int>,
        _enumtype: Out<MPI_T_enum>, _info: Out<MPI_Info>, _desc: Out<c_char>,
        _desc_len: Out<c_int>, _bind: Out<c_int>,
    ) -> c_int on Tool(()), |here| {
        no_event(here, index)
    }

    /// `MPI_T_event_handle_alloc`.
    early fn MPI_T_event_handle_alloc(
        index: c_int, _object: usize, _info: MPI_Info, _registration: Out<MPI_T_event_registration>,
    ) -> c_int on Tool(()), |here| {
        no_event(here, index)
    }

    /// `MPI_T_event_handle_get_info`.
    early fn MPI_T_event_handle_get_info(
        _registration: MPI_T_event_registration, _info: Out<MPI_Info>,
    ) -> c_int on Tool(()), |here| {
        no_handle(here)
    }

    /// `MPI_T_event_handle_set_info`.
    early fn MPI_T_event_handle_set_info(
        _registration: MPI_T_event_registration, _info: MPI_Info,
    ) -> c_int on Tool(()), |here| {
        no_handle(here)
    }

    /// `MPI_T_event_register_callback`.
    early fn MPI_T_event_register_callback(
        _registration: MPI_T_event_registration, _safety: MPI_T_cb_safety, _info: MPI_Info,
        _user_data: usize, _function: usize,
    ) -> c_int on Tool(()), |here| {
        no_handle(here)
    }

    /// `MPI_T_event_callback_get_info`.
    early fn MPI_T_event_callback_get_info(
        _registration: MPI_T_event_registration, _safety: MPI_T_cb_safety, _info: Out<MPI_Info>,
    ) -> c_int on Tool(()), |here| {
        no_handle(here)
    }

    /// `MPI_T_event_callback_set_info`.
    early fn MPI_T_event_callback_set_info(
        _registration: MPI_T_event_registration, _safety: MPI_T_cb_safety, _info: MPI_Info,
    ) -> c_int on Tool(()), |here| {
        no_handle(here)
    }

    /// `MPI_T_event_handle_free`.
    early fn MPI_T_event_handle_free(
        _registration: MPI_T_event_registration, _user_data: usize, _function: usize,
    ) -> c_int on Tool(()), |here| {
        no_handle(here)
    }

    /// `MPI_T_event_set_dropped_handler`.
    early fn MPI_T_event_set_dropped_handler(
        _registration: MPI_T_event_registration, _function: usize,
    ) -> c_int on Tool(()), |here| {
        no_handle(here)
    }

    /// `MPI_T_event_read`.
    early fn MPI_T_event_read(
        _instance: MPI_T_event_instance, _element: c_int, _buffer: Out<c_void>,
    ) -> c_int on Tool(()), |here| {
        no_handle(here)
    }

    /// `MPI_T_event_copy`.
    early fn MPI_T_event_copy(
        _instance: MPI_T_event_instance, _buffer: Out<c_void>,
    ) -> c_int on Tool(()), |here| {
        no_handle(here)
    }

    /// `MPI_T_event_get_timestamp`.
    early fn MPI_T_event_get_timestamp(
        _instance: MPI_T_event_instance, _timestamp: Out<MPI_Count>,
    ) -> c_int on Tool(()), |here| {
        no_handle(here)
    }

    /// `MPI_T_event_get_source`.
    early fn MPI_T_event_get_source(
        _instance: MPI_T_event_instance, _source: Out<c_int>,
    ) -> c_int on Tool(()), |here| {
        no_handle(here)
    }
}
