! ranks: 1 2 6
! The module mpi: truth values, texts, arrays of handles, callbacks, attributes as wide as addresses,
! generalized requests, windows and graphs.
module given
  use mpi
  implicit none
  integer :: freed = 0, deleted = 0
contains
  ! Keeps the larger of two vectors' first elements, and adds the rest.
  subroutine mixed(in, inout, length, datatype)
    integer :: length, datatype
    integer :: in(2, length), inout(2, length)
    integer :: i
    do i = 1, length
      inout(1, i) = max(in(1, i), inout(1, i))
      inout(2, i) = in(2, i) + inout(2, i)
    end do
  end subroutine

  subroutine copy(comm, keyval, extra_state, old, new, flag, ierror)
    integer :: comm, keyval, ierror
    integer(MPI_ADDRESS_KIND) :: extra_state, old, new
    logical :: flag
    new = old + extra_state
    flag = .true.
    ierror = MPI_SUCCESS
  end subroutine

  subroutine delete(comm, keyval, value, extra_state, ierror)
    integer :: comm, keyval, ierror
    integer(MPI_ADDRESS_KIND) :: value, extra_state
    deleted = deleted + 1
    ierror = MPI_SUCCESS
  end subroutine

  subroutine query(extra_state, status, ierror)
    integer(MPI_ADDRESS_KIND) :: extra_state
    integer :: status(MPI_STATUS_SIZE), ierror
    call MPI_Status_set_elements(status, MPI_INTEGER, int(extra_state), ierror)
    call MPI_Status_set_cancelled(status, .false., ierror)
    status(MPI_SOURCE) = MPI_UNDEFINED
    status(MPI_TAG) = 99
    ierror = MPI_SUCCESS
  end subroutine

  subroutine forget(extra_state, ierror)
    integer(MPI_ADDRESS_KIND) :: extra_state
    integer :: ierror
    freed = freed + 1
    ierror = MPI_SUCCESS
  end subroutine

  subroutine cancel(extra_state, complete, ierror)
    integer(MPI_ADDRESS_KIND) :: extra_state
    logical :: complete
    integer :: ierror
    ierror = MPI_SUCCESS
  end subroutine

  subroutine handle(comm, code)
    integer :: comm, code, class, ierror
    call MPI_Error_class(code, class, ierror)
    write(*, '(a,2(1x,l1))') 'handler', comm == MPI_COMM_SELF, class == MPI_ERR_RANK
  end subroutine
end module

program modules
  use mpi
  use given
  implicit none
  integer :: rank, ranks, ierr
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  call texts()
  call grid()
  call operations()
  call attributes()
  call requests()
  call exchange()
  call windows()
  call graph()
  if (rank == 0) call errors()
  call MPI_Finalize(ierr)
contains
  subroutine texts()
    integer :: info, length, keys
    character(len=40) :: text
    character(len=4) :: short
    logical :: flag
    call MPI_Info_create(info, ierr)
    call MPI_Info_set(info, '  first ', ' one value  ', ierr)
    call MPI_Info_set(info, 'second', 'x', ierr)
    call MPI_Info_get_nkeys(info, keys, ierr)
    text = repeat('z', 40)
    call MPI_Info_get(info, 'first', 40, text, flag, ierr)
    if (rank == 0) print '(a,1x,i0,1x,l1,3a)', 'info', keys, flag, ' [', text, ']'
    text = 'as it was'
    call MPI_Info_get(info, 'third', 40, text, flag, ierr)
    if (rank == 0) print '(a,1x,l1,3a)', 'info', flag, ' [', text, ']'
    call MPI_Info_get_valuelen(info, 'first', length, flag, ierr)
    call MPI_Info_get(info, 'second', 4, short, flag, ierr)
    if (rank == 0) print '(a,1x,i0,3a)', 'info', length, ' [', short, ']'
    call MPI_Info_free(info, ierr)
    call MPI_Comm_set_name(MPI_COMM_WORLD, 'all of us   ', ierr)
    call MPI_Comm_get_name(MPI_COMM_WORLD, text, length, ierr)
    if (rank == 0) print '(a,1x,i0,3a)', 'name', length, ' [', text, ']'
    call MPI_Type_get_name(MPI_DOUBLE_PRECISION, text, length, ierr)
    if (rank == 0) print '(a,1x,i0,2a)', 'name', length, ' ', trim(text)
  end subroutine

  subroutine grid()
    integer :: comm, dims(2), coords(2), part, size, source, target, kind
    logical :: periods(2)
    dims = 0
    call MPI_Dims_create(ranks, 2, dims, ierr)
    call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, [.true., .false.], .false., comm, ierr)
    call MPI_Cart_get(comm, 2, dims, periods, coords, ierr)
    call MPI_Cart_shift(comm, 1, 1, source, target, ierr)
    call MPI_Topo_test(comm, kind, ierr)
    if (rank == 0) then
      print '(a,4(1x,i0),2(1x,l1))', 'grid', dims, coords, periods
      print '(a,3(1x,l1))', 'shift', source == MPI_PROC_NULL, target == MPI_PROC_NULL, kind == MPI_CART
    end if
    call MPI_Cart_sub(comm, [.true., .false.], part, ierr)
    call MPI_Comm_size(part, size, ierr)
    if (rank == 0) print '(a,1x,i0)', 'part', size
    call MPI_Comm_free(part, ierr)
    call MPI_Comm_free(comm, ierr)
  end subroutine

  subroutine operations()
    integer :: op, pairs, mine(2, 3), all(2, 3), i
    logical :: commutes, any
    mine = reshape([(rank + i, i = 1, 6)], [2, 3])
    call MPI_Type_contiguous(2, MPI_INTEGER, pairs, ierr)
    call MPI_Type_commit(pairs, ierr)
    call MPI_Op_create(mixed, .true., op, ierr)
    call MPI_Op_commutative(op, commutes, ierr)
    call MPI_Allreduce(mine, all, 3, pairs, op, MPI_COMM_WORLD, ierr)
    if (rank == 0) print '(a,1x,l1,6(1x,i0))', 'mixed', commutes, all
    call MPI_Op_free(op, ierr)
    call MPI_Type_free(pairs, ierr)
    call MPI_Allreduce(rank == ranks - 1, any, 1, MPI_LOGICAL, MPI_LOR, MPI_COMM_WORLD, ierr)
    if (rank == 0) print '(a,2(1x,l1))', 'or', any, op == MPI_OP_NULL
  end subroutine

  subroutine attributes()
    integer :: key, comm
    integer(MPI_ADDRESS_KIND) :: value, wide
    logical :: flag
    wide = 2_MPI_ADDRESS_KIND**40
    call MPI_Comm_create_keyval(copy, delete, key, 17_MPI_ADDRESS_KIND, ierr)
    call MPI_Comm_set_attr(MPI_COMM_WORLD, key, wide, ierr)
    call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierr)
    call MPI_Comm_get_attr(comm, key, value, flag, ierr)
    if (rank == 0) print '(a,1x,l1,1x,i0)', 'attribute', flag, value - wide
    call MPI_Comm_free(comm, ierr)
    call MPI_Comm_delete_attr(MPI_COMM_WORLD, key, ierr)
    call MPI_Comm_get_attr(MPI_COMM_WORLD, key, value, flag, ierr)
    if (rank == 0) print '(a,1x,l1,1x,i0)', 'attribute', flag, deleted
    call MPI_Comm_free_keyval(key, ierr)
    call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, key, 0_MPI_ADDRESS_KIND, ierr)
    call MPI_Comm_set_attr(MPI_COMM_SELF, key, -5_MPI_ADDRESS_KIND, ierr)
    call MPI_Comm_dup(MPI_COMM_SELF, comm, ierr)
    call MPI_Comm_get_attr(comm, key, value, flag, ierr)
    if (rank == 0) print '(a,1x,l1,1x,i0)', 'attribute', flag, value
    call MPI_Comm_free(comm, ierr)
    call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, value, flag, ierr)
    if (rank == 0) print '(a,2(1x,l1))', 'attribute', flag, value == 0 .or. value == 1
  end subroutine

  subroutine requests()
    integer :: request, status(MPI_STATUS_SIZE), count
    logical :: flag
    call MPI_Grequest_start(query, forget, cancel, 12_MPI_ADDRESS_KIND, request, ierr)
    call MPI_Test(request, flag, status, ierr)
    if (rank == 0) print '(a,1x,l1)', 'general', flag
    call MPI_Grequest_complete(request, ierr)
    call MPI_Wait(request, status, ierr)
    call MPI_Get_count(status, MPI_INTEGER, count, ierr)
    if (rank == 0) print '(a,3(1x,i0),1x,l1)', 'general', count, status(MPI_TAG), freed, request == MPI_REQUEST_NULL
  end subroutine

  subroutine exchange()
    integer :: counts(ranks), places(ranks), types(ranks), sent(ranks), received(ranks), i
    sent = [(rank * 100 + i, i = 1, ranks)]
    received = 0
    counts = 1
    places = [(4 * (i - 1), i = 1, ranks)]
    types = MPI_INTEGER
    call MPI_Alltoallw(sent, counts, places, types, received, counts, places, types, MPI_COMM_WORLD, ierr)
    if (rank == 0) print '(a,*(1x,i0))', 'exchange', received
    call MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, received, 1, MPI_INTEGER, MPI_COMM_WORLD, ierr)
    call MPI_Bcast(received, ranks, MPI_INTEGER, ranks - 1, MPI_COMM_WORLD, ierr)
    if (rank == 0) print '(a,*(1x,i0))', 'exchange', received
  end subroutine

  subroutine windows()
    integer :: win, place(4), size
    integer(MPI_ADDRESS_KIND) :: value
    logical :: flag
    place = -1
    call MPI_Sizeof(place(1), size, ierr)
    call MPI_Win_create(place, 4_MPI_ADDRESS_KIND * size, size, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
    call MPI_Win_get_attr(win, MPI_WIN_SIZE, value, flag, ierr)
    if (rank == 0) print '(a,1x,i0,1x,l1,1x,i0)', 'window', size, flag, value
    call MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, value, flag, ierr)
    call MPI_Win_fence(0, win, ierr)
    call MPI_Put(rank, 1, MPI_INTEGER, mod(rank + 1, ranks), 2_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)
    call MPI_Win_fence(0, win, ierr)
    if (rank == 0) print '(a,5(1x,i0))', 'window', value, place
    call MPI_Win_free(win, ierr)
    if (rank == 0) print '(a,1x,l1)', 'window', win == MPI_WIN_NULL
  end subroutine

  subroutine graph()
    integer :: comm, in, out, sources(1), targets(1), weights(1)
    logical :: weighted
    call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, [mod(rank + ranks - 1, ranks)], MPI_UNWEIGHTED, &
      1, [mod(rank + 1, ranks)], MPI_UNWEIGHTED, MPI_INFO_NULL, .false., comm, ierr)
    call MPI_Dist_graph_neighbors_count(comm, in, out, weighted, ierr)
    call MPI_Dist_graph_neighbors(comm, 1, sources, MPI_UNWEIGHTED, 1, targets, MPI_UNWEIGHTED, ierr)
    if (rank == 0) print '(a,2(1x,i0),1x,l1,2(1x,i0))', 'graph', in, out, weighted, sources, targets
    call MPI_Comm_free(comm, ierr)
    call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, [rank], [3], 1, [rank], [4], &
      MPI_INFO_NULL, .false., comm, ierr)
    call MPI_Dist_graph_neighbors(comm, 1, sources, weights, 1, targets, MPI_UNWEIGHTED, ierr)
    if (rank == 0) print '(a,2(1x,i0))', 'graph', sources, weights
    call MPI_Comm_free(comm, ierr)
  end subroutine

  subroutine errors()
    integer :: handler, class, length
    character(len=MPI_MAX_ERROR_STRING) :: text
    call MPI_Comm_create_errhandler(handle, handler, ierr)
    call MPI_Comm_set_errhandler(MPI_COMM_SELF, handler, ierr)
    call MPI_Send(rank, 1, MPI_INTEGER, 7, 0, MPI_COMM_SELF, ierr)
    call MPI_Error_class(ierr, class, ierr)
    call MPI_Errhandler_free(handler, ierr)
    print '(a,2(1x,l1))', 'errors', class == MPI_ERR_RANK, handler == MPI_ERRHANDLER_NULL
    call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN, ierr)
    call MPI_Error_string(MPI_ERR_COMM, text, length, class)
    print '(a,2(1x,l1))', 'errors', len_trim(text) == length, length > 0
  end subroutine
end program
