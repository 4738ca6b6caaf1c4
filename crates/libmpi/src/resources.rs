//! What a rank can ask about the library and the machine. MPI 4.1 section 11.2.1 and MPI 5.0
//! chapter 20.

use std::ffi::{c_int, c_void};

use foretell_mpi::datatype::Basic;

use crate::abi::*;
use crate::call::mpi;
use crate::failure::bad;
use crate::info::{self, Info};
use crate::pointer::Out;

mpi! {
    /// `MPI_Get_hw_resource_info`: kinds of resources that `MPI_Comm_split_type` knows, each with
    /// whether the rank is bound to one.
    early fn MPI_Get_hw_resource_info(hw_info: Out<MPI_Info>) -> c_int, |here| {
        let _ = here;
        let mut found = Info::default();
        info::put(&mut found, "mpi_shared_memory".into(), "true".into());
        hw_info.given("hw_info")?.set(info::keep(found));
        Ok(())
    }

    /// `MPI_Abi_get_info`.
    early fn MPI_Abi_get_info(abi_info: Out<MPI_Info>) -> c_int, |here| {
        let _ = here;
        let mut found = Info::default();
        for (key, bytes) in [
            ("mpi_aint_size", size_of::<MPI_Aint>()),
            ("mpi_count_size", size_of::<MPI_Count>()),
            ("mpi_offset_size", size_of::<MPI_Offset>()),
        ] {
            info::put(&mut found, key.into(), bytes.to_string());
        }
        abi_info.given("info")?.set(info::keep(found));
        Ok(())
    }

    /// `MPI_Abi_get_fortran_booleans`: as gfortran has them.
    early fn MPI_Abi_get_fortran_booleans(
        logical_size: c_int, logical_true: Out<c_void>, logical_false: Out<c_void>,
        is_set: Out<c_int>,
    ) -> c_int, |here| {
        let _ = here;
        let known = matches!(logical_size, 1 | 2 | 4 | 8 | 16);
        is_set.set(c_int::from(known));
        if known {
            for (place, first) in [(logical_true, 1_u8), (logical_false, 0)] {
                // SAFETY: the caller gives room for a logical of the size it names.
                unsafe {
                    let place = place.address() as *mut u8;
                    place.write_bytes(0, logical_size as usize);
                    place.write(first);
                }
            }
        }
        Ok(())
    }

    /// `MPI_Abi_get_fortran_info`: sizes as gfortran has them, and the datatypes there are.
    early fn MPI_Abi_get_fortran_info(fortran_info: Out<MPI_Info>) -> c_int, |here| {
        let _ = here;
        fortran_info.given("info")?.set(info::keep(fortran()));
        Ok(())
    }

    /// `MPI_Abi_set_fortran_booleans`: they are known already.
    early fn MPI_Abi_set_fortran_booleans(
        logical_size: c_int, logical_true: Out<c_void>, logical_false: Out<c_void>,
    ) -> c_int, |here| {
        let _ = (here, logical_size, logical_true, logical_false);
        bad(MPI_ERR_ABI, "the values of Fortran's logicals are those of gfortran, set already")
    }

    /// `MPI_Abi_set_fortran_info`: it is known already.
    early fn MPI_Abi_set_fortran_info(fortran_info: MPI_Info) -> c_int, |here| {
        let _ = (here, fortran_info);
        bad(MPI_ERR_ABI, "what is to know of Fortran's types is that of gfortran, set already")
    }
}

/// What is to know of Fortran's types. MPI 5.0 section 20.3.3.
fn fortran() -> Info {
    let mut found = Info::default();
    let sizes = ["logical", "integer", "real"].map(|name| (name, 4));
    for (name, bytes) in sizes.into_iter().chain([("double_precision", 8)]) {
        info::put(&mut found, format!("mpi_{name}_size"), bytes.to_string());
    }
    let kinds = [
        ("LOGICAL", &[1, 2, 4, 8, 16][..]),
        ("INTEGER", &[1, 2, 4, 8, 16]),
        ("REAL", &[2, 4, 8, 16]),
        ("COMPLEX", &[4, 8, 16, 32]),
    ];
    let sized =
        kinds.iter().flat_map(|(kind, sizes)| sizes.iter().map(move |n| format!("{kind}{n}")));
    for name in sized.chain(["DOUBLE_COMPLEX".into()]) {
        let is_there = Basic::ALL.iter().any(|basic| basic.name() == format!("MPI_{name}"));
        info::put(
            &mut found,
            format!("mpi_{}_supported", name.to_lowercase()),
            is_there.to_string(),
        );
    }
    found
}
