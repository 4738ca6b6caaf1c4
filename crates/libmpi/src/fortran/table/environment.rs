//! Fortran entry points: environment. Written by `cargo xtask fortran`.

#[allow(unused_imports)]
use crate::abi::*;
#[allow(unused_imports)]
use crate::fortran::argument::*;
use crate::fortran::call::fortran;
#[allow(unused_imports)]
use std::ffi::c_int;

fortran! { both
    MPI_Initialized mpi_initialized(flag: Place<c_int>);
    MPI_Query_thread mpi_query_thread(provided: Place<c_int>);
    MPI_Is_thread_main mpi_is_thread_main(flag: Place<c_int>);
    MPI_Finalize mpi_finalize();
    MPI_Finalized mpi_finalized(flag: Place<c_int>);
    MPI_Abort mpi_abort(comm: Given<Comm>, errorcode: Value<c_int>);
    MPI_Session_finalize mpi_session_finalize(session: Changed<Session>);
    MPI_Session_get_info mpi_session_get_info(session: Given<Session>, info_used: Made<Info>);
    MPI_Session_get_num_psets mpi_session_get_num_psets(session: Given<Session>,
        info: Given<Info>, npset_names: Place<c_int>);
    MPI_Session_get_pset_info mpi_session_get_pset_info(session: Given<Session>,
        pset_name: TextIn[pset_name_len], info: Made<Info>; pset_name_len);
    MPI_Session_init mpi_session_init(info: Given<Info>, errhandler: Given<Errhandler>,
        session: Made<Session>);
    MPI_Get_version mpi_get_version(version: Place<c_int>, subversion: Place<c_int>);
    MPI_Get_library_version mpi_get_library_version(version: TextOut[version_len],
        resultlen: Place<c_int>; version_len);
    MPI_Get_processor_name mpi_get_processor_name(name: TextOut[name_len],
        resultlen: Place<c_int>; name_len);
    MPI_Get_hw_resource_info mpi_get_hw_resource_info(hw_info: Made<Info>);
    MPI_Alloc_mem mpi_alloc_mem(size: Value<MPI_Aint>, info: Given<Info>, baseptr: Place<usize>);
    MPI_Info_create mpi_info_create(info: Made<Info>);
    MPI_Info_delete mpi_info_delete(info: Given<Info>, key: KeyIn[key_len]; key_len);
    MPI_Info_dup mpi_info_dup(info: Given<Info>, newinfo: Made<Info>);
    MPI_Info_free mpi_info_free(info: Changed<Info>);
    MPI_Info_get_nkeys mpi_info_get_nkeys(info: Given<Info>, nkeys: Place<c_int>);
    MPI_Info_get_nthkey mpi_info_get_nthkey(info: Given<Info>, n: Value<c_int>,
        key: TextOut[key_len]; key_len);
    MPI_Info_set mpi_info_set(info: Given<Info>, key: KeyIn[key_len], value: KeyIn[value_len];
        key_len, value_len);
}

fortran! { old
    MPI_Free_mem mpi_free_mem(base: Choice);
}

fortran! { described
    MPI_Free_mem mpi_free_mem(base: Placed);
}

fortran! { old
    MPI_Alloc_mem mpi_alloc_mem_cptr(size: Value<MPI_Aint>, info: Given<Info>, baseptr: Place<usize>);
}
