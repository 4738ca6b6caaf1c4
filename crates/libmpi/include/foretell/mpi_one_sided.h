/* One-sided communication.
   Part of mpi.h, which includes it. */

#ifndef FORETELL_MPI_ONE_SIDED_H
#define FORETELL_MPI_ONE_SIDED_H

/* Windows. */

FORETELL_MPI(int, Win_allocate, (MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm,
    void *baseptr, MPI_Win *win))
FORETELL_MPI(int, Win_allocate_c, (MPI_Aint size, MPI_Aint disp_unit, MPI_Info info, MPI_Comm comm,
    void *baseptr, MPI_Win *win))
FORETELL_MPI(int, Win_allocate_shared, (MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm,
    void *baseptr, MPI_Win *win))
FORETELL_MPI(int, Win_allocate_shared_c, (MPI_Aint size, MPI_Aint disp_unit, MPI_Info info,
    MPI_Comm comm, void *baseptr, MPI_Win *win))
FORETELL_MPI(int, Win_attach, (MPI_Win win, void *base, MPI_Aint size))
FORETELL_MPI(int, Win_create, (void *base, MPI_Aint size, int disp_unit, MPI_Info info,
    MPI_Comm comm, MPI_Win *win))
FORETELL_MPI(int, Win_create_c, (void *base, MPI_Aint size, MPI_Aint disp_unit, MPI_Info info,
    MPI_Comm comm, MPI_Win *win))
FORETELL_MPI(int, Win_create_dynamic, (MPI_Info info, MPI_Comm comm, MPI_Win *win))
FORETELL_MPI(int, Win_detach, (MPI_Win win, const void *base))
FORETELL_MPI(int, Win_free, (MPI_Win *win))
FORETELL_MPI(int, Win_get_group, (MPI_Win win, MPI_Group *group))
FORETELL_MPI(int, Win_get_info, (MPI_Win win, MPI_Info *info_used))
FORETELL_MPI(int, Win_get_name, (MPI_Win win, char *win_name, int *resultlen))
FORETELL_MPI(int, Win_set_info, (MPI_Win win, MPI_Info info))
FORETELL_MPI(int, Win_set_name, (MPI_Win win, const char *win_name))
FORETELL_MPI(int, Win_shared_query, (MPI_Win win, int rank, MPI_Aint *size, int *disp_unit,
    void *baseptr))
FORETELL_MPI(int, Win_shared_query_c, (MPI_Win win, int rank, MPI_Aint *size, MPI_Aint *disp_unit,
    void *baseptr))

/* Moving data. */

FORETELL_MPI(int, Put, (const void *origin_addr, int origin_count, MPI_Datatype origin_datatype,
    int target_rank, MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype,
    MPI_Win win))
FORETELL_MPI(int, Put_c, (const void *origin_addr, MPI_Count origin_count,
    MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp, MPI_Count target_count,
    MPI_Datatype target_datatype, MPI_Win win))
FORETELL_MPI(int, Get, (void *origin_addr, int origin_count, MPI_Datatype origin_datatype,
    int target_rank, MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype,
    MPI_Win win))
FORETELL_MPI(int, Get_c, (void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype,
    int target_rank, MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype,
    MPI_Win win))
FORETELL_MPI(int, Accumulate, (const void *origin_addr, int origin_count,
    MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp, int target_count,
    MPI_Datatype target_datatype, MPI_Op op, MPI_Win win))
FORETELL_MPI(int, Accumulate_c, (const void *origin_addr, MPI_Count origin_count,
    MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp, MPI_Count target_count,
    MPI_Datatype target_datatype, MPI_Op op, MPI_Win win))
FORETELL_MPI(int, Get_accumulate, (const void *origin_addr, int origin_count,
    MPI_Datatype origin_datatype, void *result_addr, int result_count, MPI_Datatype result_datatype,
    int target_rank, MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype,
    MPI_Op op, MPI_Win win))
FORETELL_MPI(int, Get_accumulate_c, (const void *origin_addr, MPI_Count origin_count,
    MPI_Datatype origin_datatype, void *result_addr, MPI_Count result_count,
    MPI_Datatype result_datatype, int target_rank, MPI_Aint target_disp, MPI_Count target_count,
    MPI_Datatype target_datatype, MPI_Op op, MPI_Win win))
FORETELL_MPI(int, Fetch_and_op, (const void *origin_addr, void *result_addr, MPI_Datatype datatype,
    int target_rank, MPI_Aint target_disp, MPI_Op op, MPI_Win win))
FORETELL_MPI(int, Compare_and_swap, (const void *origin_addr, const void *compare_addr,
    void *result_addr, MPI_Datatype datatype, int target_rank, MPI_Aint target_disp, MPI_Win win))
FORETELL_MPI(int, Rput, (const void *origin_addr, int origin_count, MPI_Datatype origin_datatype,
    int target_rank, MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype,
    MPI_Win win, MPI_Request *request))
FORETELL_MPI(int, Rput_c, (const void *origin_addr, MPI_Count origin_count,
    MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp, MPI_Count target_count,
    MPI_Datatype target_datatype, MPI_Win win, MPI_Request *request))
FORETELL_MPI(int, Rget, (void *origin_addr, int origin_count, MPI_Datatype origin_datatype,
    int target_rank, MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype,
    MPI_Win win, MPI_Request *request))
FORETELL_MPI(int, Rget_c, (void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype,
    int target_rank, MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype,
    MPI_Win win, MPI_Request *request))
FORETELL_MPI(int, Raccumulate, (const void *origin_addr, int origin_count,
    MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp, int target_count,
    MPI_Datatype target_datatype, MPI_Op op, MPI_Win win, MPI_Request *request))
FORETELL_MPI(int, Raccumulate_c, (const void *origin_addr, MPI_Count origin_count,
    MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp, MPI_Count target_count,
    MPI_Datatype target_datatype, MPI_Op op, MPI_Win win, MPI_Request *request))
FORETELL_MPI(int, Rget_accumulate, (const void *origin_addr, int origin_count,
    MPI_Datatype origin_datatype, void *result_addr, int result_count, MPI_Datatype result_datatype,
    int target_rank, MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype,
    MPI_Op op, MPI_Win win, MPI_Request *request))
FORETELL_MPI(int, Rget_accumulate_c, (const void *origin_addr, MPI_Count origin_count,
    MPI_Datatype origin_datatype, void *result_addr, MPI_Count result_count,
    MPI_Datatype result_datatype, int target_rank, MPI_Aint target_disp, MPI_Count target_count,
    MPI_Datatype target_datatype, MPI_Op op, MPI_Win win, MPI_Request *request))

/* Synchronization. */

FORETELL_MPI(int, Win_fence, (int assert, MPI_Win win))
FORETELL_MPI(int, Win_start, (MPI_Group group, int assert, MPI_Win win))
FORETELL_MPI(int, Win_complete, (MPI_Win win))
FORETELL_MPI(int, Win_post, (MPI_Group group, int assert, MPI_Win win))
FORETELL_MPI(int, Win_wait, (MPI_Win win))
FORETELL_MPI(int, Win_test, (MPI_Win win, int *flag))
FORETELL_MPI(int, Win_lock, (int lock_type, int rank, int assert, MPI_Win win))
FORETELL_MPI(int, Win_lock_all, (int assert, MPI_Win win))
FORETELL_MPI(int, Win_unlock, (int rank, MPI_Win win))
FORETELL_MPI(int, Win_unlock_all, (MPI_Win win))
FORETELL_MPI(int, Win_flush, (int rank, MPI_Win win))
FORETELL_MPI(int, Win_flush_all, (MPI_Win win))
FORETELL_MPI(int, Win_flush_local, (int rank, MPI_Win win))
FORETELL_MPI(int, Win_flush_local_all, (MPI_Win win))
FORETELL_MPI(int, Win_sync, (MPI_Win win))

#endif
