//! Fortran entry points: removed. Written by `cargo xtask fortran`.

#[allow(unused_imports)]
use crate::abi::*;
#[allow(unused_imports)]
use crate::fortran::argument::*;
use crate::fortran::call::fortran;
#[allow(unused_imports)]
use std::ffi::c_int;

fortran! { both
    MPI_Get_elements_x mpi_get_elements_x(status: Place<MPI_Status>, datatype: Given<Datatype>,
        count: Place<MPI_Count>);
    MPI_Status_set_elements_x mpi_status_set_elements_x(status: Place<MPI_Status>,
        datatype: Given<Datatype>, count: Value<MPI_Count>);
    MPI_Type_get_extent_x mpi_type_get_extent_x(datatype: Given<Datatype>, lb: Place<MPI_Count>,
        extent: Place<MPI_Count>);
    MPI_Type_get_true_extent_x mpi_type_get_true_extent_x(datatype: Given<Datatype>,
        true_lb: Place<MPI_Count>, true_extent: Place<MPI_Count>);
    MPI_Type_size_x mpi_type_size_x(datatype: Given<Datatype>, size: Place<MPI_Count>);
    MPI_Info_get_valuelen mpi_info_get_valuelen(info: Given<Info>, key: KeyIn[key_len],
        valuelen: Place<c_int>, flag: Place<c_int>; key_len);
}

fortran! { old
    MPI_Keyval_free mpi_keyval_free(keyval: Place<c_int>);
    MPI_Attr_delete mpi_attr_delete(comm: Given<Comm>, keyval: Value<c_int>);
    MPI_Errhandler_create mpi_errhandler_create(function: Function, errhandler: Made<Errhandler>);
    MPI_Errhandler_get mpi_errhandler_get(comm: Given<Comm>, errhandler: Made<Errhandler>);
    MPI_Errhandler_set mpi_errhandler_set(comm: Given<Comm>, errhandler: Given<Errhandler>);
    MPI_Address mpi_address(location: Choice, address: NarrowPlace);
    MPI_Type_hvector mpi_type_hvector(count: Value<c_int>, blocklength: Value<c_int>,
        stride: Narrow, oldtype: Given<Datatype>, newtype: Made<Datatype>);
    MPI_Type_hindexed mpi_type_hindexed(count: Value<c_int>, blocklengths: Place<c_int>,
        displacements: NarrowArray[at(count)], oldtype: Given<Datatype>, newtype: Made<Datatype>);
    MPI_Type_struct mpi_type_struct(count: Value<c_int>, blocklengths: Place<c_int>,
        displacements: NarrowArray[at(count)], types: GivenAll<Datatype>[at(count)],
        newtype: Made<Datatype>);
    MPI_Type_extent mpi_type_extent(datatype: Given<Datatype>, extent: NarrowPlace);
    MPI_Type_lb mpi_type_lb(datatype: Given<Datatype>, displacement: NarrowPlace);
    MPI_Type_ub mpi_type_ub(datatype: Given<Datatype>, displacement: NarrowPlace);
}
