//! Fortran entry points: languages. Written by `cargo xtask fortran`.

#[allow(unused_imports)]
use crate::abi::*;
#[allow(unused_imports)]
use crate::fortran::argument::*;
use crate::fortran::call::fortran;
#[allow(unused_imports)]
use std::ffi::c_int;

fortran! { both
    MPI_Abi_get_fortran_info mpi_abi_get_fortran_info(info: Made<Info>);
    MPI_Abi_get_info mpi_abi_get_info(info: Made<Info>);
    MPI_Abi_get_version mpi_abi_get_version(abi_major: Place<c_int>, abi_minor: Place<c_int>);
    MPI_Abi_set_fortran_info mpi_abi_set_fortran_info(info: Given<Info>);
    MPI_Status_f082f mpi_status_f082f(f08_status: Place<MPI_Status>, f_status: Place<MPI_Status>);
    MPI_Status_f2f08 mpi_status_f2f08(f_status: Place<MPI_Status>, f08_status: Place<MPI_Status>);
}
