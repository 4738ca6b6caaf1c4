//! Fortran entry points: one sided. Written by `cargo xtask fortran`.

#[allow(unused_imports)]
use crate::abi::*;
#[allow(unused_imports)]
use crate::fortran::argument::*;
use crate::fortran::call::fortran;
#[allow(unused_imports)]
use std::ffi::c_int;

fortran! { both
    MPI_Win_allocate mpi_win_allocate(size: Value<MPI_Aint>, disp_unit: Value<c_int>,
        info: Given<Info>, comm: Given<Comm>, baseptr: Place<usize>, win: Made<Win>);
    MPI_Win_allocate_shared mpi_win_allocate_shared(size: Value<MPI_Aint>,
        disp_unit: Value<c_int>, info: Given<Info>, comm: Given<Comm>, baseptr: Place<usize>,
        win: Made<Win>);
    MPI_Win_create_dynamic mpi_win_create_dynamic(info: Given<Info>, comm: Given<Comm>,
        win: Made<Win>);
    MPI_Win_free mpi_win_free(win: Changed<Win>);
    MPI_Win_get_group mpi_win_get_group(win: Given<Win>, group: Made<Group>);
    MPI_Win_get_info mpi_win_get_info(win: Given<Win>, info_used: Made<Info>);
    MPI_Win_get_name mpi_win_get_name(win: Given<Win>, win_name: TextOut[win_name_len],
        resultlen: Place<c_int>; win_name_len);
    MPI_Win_set_info mpi_win_set_info(win: Given<Win>, info: Given<Info>);
    MPI_Win_set_name mpi_win_set_name(win: Given<Win>, win_name: TextIn[win_name_len];
        win_name_len);
    MPI_Win_shared_query mpi_win_shared_query(win: Given<Win>, rank: Value<c_int>,
        size: Place<MPI_Aint>, disp_unit: Place<c_int>, baseptr: Place<usize>);
    MPI_Win_fence mpi_win_fence(assert: Value<c_int>, win: Given<Win>);
    MPI_Win_start mpi_win_start(group: Given<Group>, assert: Value<c_int>, win: Given<Win>);
    MPI_Win_complete mpi_win_complete(win: Given<Win>);
    MPI_Win_post mpi_win_post(group: Given<Group>, assert: Value<c_int>, win: Given<Win>);
    MPI_Win_wait mpi_win_wait(win: Given<Win>);
    MPI_Win_test mpi_win_test(win: Given<Win>, flag: Place<c_int>);
    MPI_Win_lock mpi_win_lock(lock_type: Value<c_int>, rank: Value<c_int>, assert: Value<c_int>,
        win: Given<Win>);
    MPI_Win_lock_all mpi_win_lock_all(assert: Value<c_int>, win: Given<Win>);
    MPI_Win_unlock mpi_win_unlock(rank: Value<c_int>, win: Given<Win>);
    MPI_Win_unlock_all mpi_win_unlock_all(win: Given<Win>);
    MPI_Win_flush mpi_win_flush(rank: Value<c_int>, win: Given<Win>);
    MPI_Win_flush_all mpi_win_flush_all(win: Given<Win>);
    MPI_Win_flush_local mpi_win_flush_local(rank: Value<c_int>, win: Given<Win>);
    MPI_Win_flush_local_all mpi_win_flush_local_all(win: Given<Win>);
    MPI_Win_sync mpi_win_sync(win: Given<Win>);
}

fortran! { old
    MPI_Win_attach mpi_win_attach(win: Given<Win>, base: Choice, size: Value<MPI_Aint>);
    MPI_Win_create mpi_win_create(base: Choice, size: Value<MPI_Aint>, disp_unit: Value<c_int>,
        info: Given<Info>, comm: Given<Comm>, win: Made<Win>);
    MPI_Win_detach mpi_win_detach(win: Given<Win>, base: Choice);
    MPI_Put mpi_put(origin_addr: Choice, origin_count: Value<c_int>,
        origin_datatype: Given<Datatype>, target_rank: Value<c_int>, target_disp: Value<MPI_Aint>,
        target_count: Value<c_int>, target_datatype: Given<Datatype>, win: Given<Win>);
    MPI_Get mpi_get(origin_addr: Choice, origin_count: Value<c_int>,
        origin_datatype: Given<Datatype>, target_rank: Value<c_int>, target_disp: Value<MPI_Aint>,
        target_count: Value<c_int>, target_datatype: Given<Datatype>, win: Given<Win>);
    MPI_Accumulate mpi_accumulate(origin_addr: Choice, origin_count: Value<c_int>,
        origin_datatype: Given<Datatype>, target_rank: Value<c_int>, target_disp: Value<MPI_Aint>,
        target_count: Value<c_int>, target_datatype: Given<Datatype>, op: Given<Op>,
        win: Given<Win>);
    MPI_Get_accumulate mpi_get_accumulate(origin_addr: Choice, origin_count: Value<c_int>,
        origin_datatype: Given<Datatype>, result_addr: Choice, result_count: Value<c_int>,
        result_datatype: Given<Datatype>, target_rank: Value<c_int>, target_disp: Value<MPI_Aint>,
        target_count: Value<c_int>, target_datatype: Given<Datatype>, op: Given<Op>,
        win: Given<Win>);
    MPI_Fetch_and_op mpi_fetch_and_op(origin_addr: Choice, result_addr: Choice,
        datatype: Given<Datatype>, target_rank: Value<c_int>, target_disp: Value<MPI_Aint>,
        op: Given<Op>, win: Given<Win>);
    MPI_Compare_and_swap mpi_compare_and_swap(origin_addr: Choice, compare_addr: Choice,
        result_addr: Choice, datatype: Given<Datatype>, target_rank: Value<c_int>,
        target_disp: Value<MPI_Aint>, win: Given<Win>);
    MPI_Rput mpi_rput(origin_addr: Choice, origin_count: Value<c_int>,
        origin_datatype: Given<Datatype>, target_rank: Value<c_int>, target_disp: Value<MPI_Aint>,
        target_count: Value<c_int>, target_datatype: Given<Datatype>, win: Given<Win>,
        request: Made<Request>);
    MPI_Rget mpi_rget(origin_addr: Choice, origin_count: Value<c_int>,
        origin_datatype: Given<Datatype>, target_rank: Value<c_int>, target_disp: Value<MPI_Aint>,
        target_count: Value<c_int>, target_datatype: Given<Datatype>, win: Given<Win>,
        request: Made<Request>);
    MPI_Raccumulate mpi_raccumulate(origin_addr: Choice, origin_count: Value<c_int>,
        origin_datatype: Given<Datatype>, target_rank: Value<c_int>, target_disp: Value<MPI_Aint>,
        target_count: Value<c_int>, target_datatype: Given<Datatype>, op: Given<Op>,
        win: Given<Win>, request: Made<Request>);
    MPI_Rget_accumulate mpi_rget_accumulate(origin_addr: Choice, origin_count: Value<c_int>,
        origin_datatype: Given<Datatype>, result_addr: Choice, result_count: Value<c_int>,
        result_datatype: Given<Datatype>, target_rank: Value<c_int>, target_disp: Value<MPI_Aint>,
        target_count: Value<c_int>, target_datatype: Given<Datatype>, op: Given<Op>,
        win: Given<Win>, request: Made<Request>);
}

fortran! { new
    MPI_Win_allocate_c mpi_win_allocate_c(size: Value<MPI_Aint>, disp_unit: Value<MPI_Aint>,
        info: Given<Info>, comm: Given<Comm>, baseptr: Place<usize>, win: Made<Win>);
    MPI_Win_allocate_shared_c mpi_win_allocate_shared_c(size: Value<MPI_Aint>,
        disp_unit: Value<MPI_Aint>, info: Given<Info>, comm: Given<Comm>, baseptr: Place<usize>,
        win: Made<Win>);
    MPI_Win_shared_query_c mpi_win_shared_query_c(win: Given<Win>, rank: Value<c_int>,
        size: Place<MPI_Aint>, disp_unit: Place<MPI_Aint>, baseptr: Place<usize>);
}

fortran! { described
    MPI_Win_attach mpi_win_attach(win: Given<Win>, base: Placed, size: Value<MPI_Aint>);
    MPI_Win_create mpi_win_create(base: Placed, size: Value<MPI_Aint>, disp_unit: Value<c_int>,
        info: Given<Info>, comm: Given<Comm>, win: Made<Win>);
    MPI_Win_create_c mpi_win_create_c(base: Placed, size: Value<MPI_Aint>,
        disp_unit: Value<MPI_Aint>, info: Given<Info>, comm: Given<Comm>, win: Made<Win>);
    MPI_Win_detach mpi_win_detach(win: Given<Win>, base: Placed);
    MPI_Put mpi_put(origin_addr: Described, origin_count: CountOf<c_int>[is_sparse(origin_addr)],
        origin_datatype: TypeOf[section(origin_addr, at(origin_count), origin_datatype)],
        target_rank: Value<c_int>, target_disp: Value<MPI_Aint>, target_count: Value<c_int>,
        target_datatype: Given<Datatype>, win: Given<Win>);
    MPI_Put_c mpi_put_c(origin_addr: Described,
        origin_count: CountOf<MPI_Count>[is_sparse(origin_addr)],
        origin_datatype: TypeOf[section(origin_addr, at(origin_count), origin_datatype)],
        target_rank: Value<c_int>, target_disp: Value<MPI_Aint>, target_count: Value<MPI_Count>,
        target_datatype: Given<Datatype>, win: Given<Win>);
    MPI_Get mpi_get(origin_addr: Described, origin_count: CountOf<c_int>[is_sparse(origin_addr)],
        origin_datatype: TypeOf[section(origin_addr, at(origin_count), origin_datatype)],
        target_rank: Value<c_int>, target_disp: Value<MPI_Aint>, target_count: Value<c_int>,
        target_datatype: Given<Datatype>, win: Given<Win>);
    MPI_Get_c mpi_get_c(origin_addr: Described,
        origin_count: CountOf<MPI_Count>[is_sparse(origin_addr)],
        origin_datatype: TypeOf[section(origin_addr, at(origin_count), origin_datatype)],
        target_rank: Value<c_int>, target_disp: Value<MPI_Aint>, target_count: Value<MPI_Count>,
        target_datatype: Given<Datatype>, win: Given<Win>);
    MPI_Accumulate mpi_accumulate(origin_addr: Described,
        origin_count: CountOf<c_int>[is_sparse(origin_addr)],
        origin_datatype: TypeOf[section(origin_addr, at(origin_count), origin_datatype)],
        target_rank: Value<c_int>, target_disp: Value<MPI_Aint>, target_count: Value<c_int>,
        target_datatype: Given<Datatype>, op: Given<Op>, win: Given<Win>);
    MPI_Accumulate_c mpi_accumulate_c(origin_addr: Described,
        origin_count: CountOf<MPI_Count>[is_sparse(origin_addr)],
        origin_datatype: TypeOf[section(origin_addr, at(origin_count), origin_datatype)],
        target_rank: Value<c_int>, target_disp: Value<MPI_Aint>, target_count: Value<MPI_Count>,
        target_datatype: Given<Datatype>, op: Given<Op>, win: Given<Win>);
    MPI_Get_accumulate mpi_get_accumulate(origin_addr: Described,
        origin_count: CountOf<c_int>[is_sparse(origin_addr)],
        origin_datatype: TypeOf[section(origin_addr, at(origin_count), origin_datatype)],
        result_addr: Described, result_count: CountOf<c_int>[is_sparse(result_addr)],
        result_datatype: TypeOf[section(result_addr, at(result_count), result_datatype)],
        target_rank: Value<c_int>, target_disp: Value<MPI_Aint>, target_count: Value<c_int>,
        target_datatype: Given<Datatype>, op: Given<Op>, win: Given<Win>);
    MPI_Get_accumulate_c mpi_get_accumulate_c(origin_addr: Described,
        origin_count: CountOf<MPI_Count>[is_sparse(origin_addr)],
        origin_datatype: TypeOf[section(origin_addr, at(origin_count), origin_datatype)],
        result_addr: Described, result_count: CountOf<MPI_Count>[is_sparse(result_addr)],
        result_datatype: TypeOf[section(result_addr, at(result_count), result_datatype)],
        target_rank: Value<c_int>, target_disp: Value<MPI_Aint>, target_count: Value<MPI_Count>,
        target_datatype: Given<Datatype>, op: Given<Op>, win: Given<Win>);
    MPI_Fetch_and_op mpi_fetch_and_op(origin_addr: Dense, result_addr: Dense,
        datatype: Given<Datatype>, target_rank: Value<c_int>, target_disp: Value<MPI_Aint>,
        op: Given<Op>, win: Given<Win>);
    MPI_Compare_and_swap mpi_compare_and_swap(origin_addr: Dense, compare_addr: Dense,
        result_addr: Dense, datatype: Given<Datatype>, target_rank: Value<c_int>,
        target_disp: Value<MPI_Aint>, win: Given<Win>);
    MPI_Rput mpi_rput(origin_addr: Described,
        origin_count: CountOf<c_int>[is_sparse(origin_addr)],
        origin_datatype: TypeOf[section(origin_addr, at(origin_count), origin_datatype)],
        target_rank: Value<c_int>, target_disp: Value<MPI_Aint>, target_count: Value<c_int>,
        target_datatype: Given<Datatype>, win: Given<Win>, request: Made<Request>);
    MPI_Rput_c mpi_rput_c(origin_addr: Described,
        origin_count: CountOf<MPI_Count>[is_sparse(origin_addr)],
        origin_datatype: TypeOf[section(origin_addr, at(origin_count), origin_datatype)],
        target_rank: Value<c_int>, target_disp: Value<MPI_Aint>, target_count: Value<MPI_Count>,
        target_datatype: Given<Datatype>, win: Given<Win>, request: Made<Request>);
    MPI_Rget mpi_rget(origin_addr: Described,
        origin_count: CountOf<c_int>[is_sparse(origin_addr)],
        origin_datatype: TypeOf[section(origin_addr, at(origin_count), origin_datatype)],
        target_rank: Value<c_int>, target_disp: Value<MPI_Aint>, target_count: Value<c_int>,
        target_datatype: Given<Datatype>, win: Given<Win>, request: Made<Request>);
    MPI_Rget_c mpi_rget_c(origin_addr: Described,
        origin_count: CountOf<MPI_Count>[is_sparse(origin_addr)],
        origin_datatype: TypeOf[section(origin_addr, at(origin_count), origin_datatype)],
        target_rank: Value<c_int>, target_disp: Value<MPI_Aint>, target_count: Value<MPI_Count>,
        target_datatype: Given<Datatype>, win: Given<Win>, request: Made<Request>);
    MPI_Raccumulate mpi_raccumulate(origin_addr: Described,
        origin_count: CountOf<c_int>[is_sparse(origin_addr)],
        origin_datatype: TypeOf[section(origin_addr, at(origin_count), origin_datatype)],
        target_rank: Value<c_int>, target_disp: Value<MPI_Aint>, target_count: Value<c_int>,
        target_datatype: Given<Datatype>, op: Given<Op>, win: Given<Win>, request: Made<Request>);
    MPI_Raccumulate_c mpi_raccumulate_c(origin_addr: Described,
        origin_count: CountOf<MPI_Count>[is_sparse(origin_addr)],
        origin_datatype: TypeOf[section(origin_addr, at(origin_count), origin_datatype)],
        target_rank: Value<c_int>, target_disp: Value<MPI_Aint>, target_count: Value<MPI_Count>,
        target_datatype: Given<Datatype>, op: Given<Op>, win: Given<Win>, request: Made<Request>);
    MPI_Rget_accumulate mpi_rget_accumulate(origin_addr: Described,
        origin_count: CountOf<c_int>[is_sparse(origin_addr)],
        origin_datatype: TypeOf[section(origin_addr, at(origin_count), origin_datatype)],
        result_addr: Described, result_count: CountOf<c_int>[is_sparse(result_addr)],
        result_datatype: TypeOf[section(result_addr, at(result_count), result_datatype)],
        target_rank: Value<c_int>, target_disp: Value<MPI_Aint>, target_count: Value<c_int>,
        target_datatype: Given<Datatype>, op: Given<Op>, win: Given<Win>, request: Made<Request>);
    MPI_Rget_accumulate_c mpi_rget_accumulate_c(origin_addr: Described,
        origin_count: CountOf<MPI_Count>[is_sparse(origin_addr)],
        origin_datatype: TypeOf[section(origin_addr, at(origin_count), origin_datatype)],
        result_addr: Described, result_count: CountOf<MPI_Count>[is_sparse(result_addr)],
        result_datatype: TypeOf[section(result_addr, at(result_count), result_datatype)],
        target_rank: Value<c_int>, target_disp: Value<MPI_Aint>, target_count: Value<MPI_Count>,
        target_datatype: Given<Datatype>, op: Given<Op>, win: Given<Win>, request: Made<Request>);
}

fortran! { old
    MPI_Win_allocate mpi_win_allocate_cptr(size: Value<MPI_Aint>, disp_unit: Value<c_int>,
        info: Given<Info>, comm: Given<Comm>, baseptr: Place<usize>, win: Made<Win>);
    MPI_Win_allocate_shared mpi_win_allocate_shared_cptr(size: Value<MPI_Aint>,
        disp_unit: Value<c_int>, info: Given<Info>, comm: Given<Comm>, baseptr: Place<usize>,
        win: Made<Win>);
    MPI_Win_shared_query mpi_win_shared_query_cptr(win: Given<Win>, rank: Value<c_int>,
        size: Place<MPI_Aint>, disp_unit: Place<c_int>, baseptr: Place<usize>);
}
