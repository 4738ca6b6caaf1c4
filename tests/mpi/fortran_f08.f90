! ranks: 1 2 4
! check: leak
! The module mpi_f08: handles of types of their own, error codes left out, array sections, large
! counts, callbacks with interfaces, and addresses.
module given
  use mpi_f08
  use, intrinsic :: iso_c_binding
  implicit none
contains
  subroutine longest(invec, inoutvec, length, datatype)
    type(c_ptr), value :: invec, inoutvec
    integer :: length
    type(MPI_Datatype) :: datatype
    real(8), pointer :: a(:), b(:)
    call c_f_pointer(invec, a, [length])
    call c_f_pointer(inoutvec, b, [length])
    where (abs(a) > abs(b)) b = a
    if (datatype /= MPI_DOUBLE_PRECISION) b = 0
  end subroutine

  subroutine copy(oldcomm, comm_keyval, extra_state, attribute_val_in, attribute_val_out, flag, ierror)
    type(MPI_Comm) :: oldcomm
    integer :: comm_keyval, ierror
    integer(MPI_ADDRESS_KIND) :: extra_state, attribute_val_in, attribute_val_out
    logical :: flag
    attribute_val_out = attribute_val_in * extra_state
    flag = oldcomm == MPI_COMM_WORLD
    ierror = MPI_SUCCESS
  end subroutine

  subroutine delete(comm, comm_keyval, attribute_val, extra_state, ierror)
    type(MPI_Comm) :: comm
    integer :: comm_keyval, ierror
    integer(MPI_ADDRESS_KIND) :: attribute_val, extra_state
    ierror = MPI_SUCCESS
  end subroutine

  subroutine handle(comm, error_code)
    type(MPI_Comm) :: comm
    integer :: error_code, class
    call MPI_Error_class(error_code, class)
    write(*, '(a,2(1x,l1))') 'handler', comm == MPI_COMM_WORLD, class == MPI_ERR_TAG
  end subroutine
end module

program modern
  use mpi_f08
  use given
  use, intrinsic :: iso_c_binding
  implicit none
  integer :: rank, ranks
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  call handles()
  call statuses()
  call sections()
  call later()
  call counts()
  call operations()
  call attributes()
  call memory()
  call shapes()
  if (rank == 0) call errors()
  call MPI_Finalize()
contains
  subroutine handles()
    type(MPI_Comm) :: copy
    type(MPI_Group) :: one, other
    type(MPI_Request) :: request
    integer :: result, code
    call MPI_Comm_dup(MPI_COMM_WORLD, copy)
    call MPI_Comm_compare(copy, MPI_COMM_WORLD, result, code)
    call MPI_Comm_group(copy, group=one)
    call MPI_Comm_group(comm=MPI_COMM_WORLD, group=other, ierror=code)
    request = MPI_REQUEST_NULL
    if (rank == 0) then
      print '(a,4(1x,l1))', 'handles', copy == MPI_COMM_WORLD, copy /= MPI_COMM_WORLD, &
        result == MPI_CONGRUENT, request == MPI_REQUEST_NULL
    end if
    call MPI_Group_compare(one, other, result)
    if (rank == 0) print '(a,1x,l1,1x,i0)', 'groups', result == MPI_IDENT, code
    call MPI_Group_free(one)
    call MPI_Group_free(other)
    call MPI_Comm_free(copy)
    if (rank == 0) print '(a,2(1x,l1))', 'free', copy == MPI_COMM_NULL, one%MPI_VAL == MPI_GROUP_NULL%MPI_VAL
  end subroutine

  subroutine statuses()
    type(MPI_Status) :: status, all(2)
    type(MPI_Request) :: requests(2)
    integer :: old(MPI_STATUS_SIZE), got, value, other
    logical :: flag
    value = rank + 50
    call MPI_Irecv(other, 1, MPI_INTEGER, MPI_ANY_SOURCE, 8, MPI_COMM_WORLD, requests(1))
    call MPI_Isend(value, 1, MPI_INTEGER, mod(rank + 1, ranks), 8, MPI_COMM_WORLD, requests(2))
    call MPI_Waitall(2, requests, all)
    status = all(1)
    call MPI_Get_count(status, MPI_INTEGER, got)
    call MPI_Test_cancelled(status, flag)
    call MPI_Status_f082f(status, old)
    if (rank == 0) print '(a,6(1x,i0),1x,l1)', 'status', other, status%MPI_SOURCE, status%MPI_TAG, got, &
      old(MPI_SOURCE), old(MPI_TAG), flag
    call MPI_Sendrecv(value, 1, MPI_INTEGER, rank, 1, other, 1, MPI_INTEGER, rank, 1, MPI_COMM_WORLD, &
      MPI_STATUS_IGNORE)
    if (rank == 0) print '(a,1x,i0)', 'ignored', other
  end subroutine

  ! Array sections, as if they were arrays.
  subroutine sections()
    integer :: field(6, 8), i, row(8)
    field = reshape([(i, i = 1, 48)], [6, 8]) + 1000 * rank
    if (rank == 0) row = field(3, :)
    call MPI_Bcast(field(2, :), 8, MPI_INTEGER, 0, MPI_COMM_WORLD)
    call MPI_Bcast(field(1:6:5, 2:4), 6, MPI_INTEGER, ranks - 1, MPI_COMM_WORLD)
    if (rank == 0) then
      print '(a,*(1x,i0))', 'row', field(2, :)
      print '(a,*(1x,i0))', 'corner', field(:, 2)
    end if
    row = 0
    call MPI_Sendrecv(field(5, 1:8:2), 4, MPI_INTEGER, mod(rank + 1, ranks), 2, row(8:2:-2), 4, &
      MPI_INTEGER, mod(rank + ranks - 1, ranks), 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    if (rank == 0) print '(a,*(1x,i0))', 'backwards', row
  end subroutine

  ! Array sections of calls that return before the data has moved.
  subroutine later()
    real(8), asynchronous :: from(5, 5), to(5, 5)
    type(MPI_Request) :: requests(2)
    integer :: i
    from = reshape([(real(i + 100 * rank, 8), i = 1, 25)], [5, 5])
    to = 0
    call MPI_Irecv(to(2:4, 1:5:2), 9, MPI_DOUBLE_PRECISION, mod(rank + ranks - 1, ranks), 3, &
      MPI_COMM_WORLD, requests(1))
    call MPI_Isend(from(5, :), 5, MPI_DOUBLE_PRECISION, mod(rank + 1, ranks), 3, MPI_COMM_WORLD, requests(2))
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
    if (rank == 0) print '(a,/,5(5(1x,f6.1),/))', 'later', to
  end subroutine

  subroutine counts()
    integer(MPI_COUNT_KIND) :: many, size
    integer :: values(3)
    type(MPI_Datatype) :: newtype
    integer(MPI_ADDRESS_KIND) :: lb, extent
    many = 3
    values = rank
    call MPI_Bcast(values, many, MPI_INTEGER, 0, MPI_COMM_WORLD)
    call MPI_Type_contiguous(2_MPI_COUNT_KIND**33, MPI_DOUBLE_PRECISION, newtype)
    call MPI_Type_size(newtype, size)
    call MPI_Type_get_extent(newtype, lb, extent)
    if (rank == 0) print '(a,*(1x,i0))', 'counts', values, size, lb, extent
    call MPI_Type_free(newtype)
  end subroutine

  subroutine operations()
    type(MPI_Op) :: op
    real(8) :: mine(3), best(3)
    mine = [real(rank, 8), -real(mod(rank * 7, 4), 8), 0.5_8]
    call MPI_Op_create(longest, .true., op)
    call MPI_Reduce(mine, best, 3, MPI_DOUBLE_PRECISION, op, 0, MPI_COMM_WORLD)
    if (rank == 0) print '(a,3f6.2)', 'longest', best
    call MPI_Op_free(op)
  end subroutine

  subroutine attributes()
    integer :: key
    integer(MPI_ADDRESS_KIND) :: value
    type(MPI_Comm) :: comm
    logical :: flag
    call MPI_Comm_create_keyval(copy, delete, key, 3_MPI_ADDRESS_KIND)
    call MPI_Comm_set_attr(MPI_COMM_WORLD, key, -14_MPI_ADDRESS_KIND)
    call MPI_Comm_dup(MPI_COMM_WORLD, comm)
    call MPI_Comm_get_attr(comm, key, value, flag)
    if (rank == 0) print '(a,1x,l1,1x,i0)', 'attribute', flag, value
    call MPI_Comm_free(comm)
    call MPI_Comm_delete_attr(MPI_COMM_WORLD, key)
    call MPI_Comm_free_keyval(key)
  end subroutine

  subroutine memory()
    type(c_ptr) :: base
    type(MPI_Win) :: win
    integer, pointer :: place(:)
    integer :: value(1)
    call MPI_Alloc_mem(40_MPI_ADDRESS_KIND, MPI_INFO_NULL, base)
    call c_f_pointer(base, place, [10])
    place = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] + rank
    value = place(10)
    call MPI_Free_mem(place)
    if (rank == 0) print '(a,1x,i0)', 'memory', value
    call MPI_Win_allocate(16_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, base, win)
    call c_f_pointer(base, place, [4])
    place = rank
    call MPI_Win_fence(0, win)
    call MPI_Get(value, 1, MPI_INTEGER, ranks - 1, 1_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win)
    call MPI_Win_fence(0, win)
    if (rank == 0) print '(a,1x,i0)', 'window', value
    call MPI_Win_free(win)
  end subroutine

  ! Scalars, arrays, texts and derived types are all buffers.
  subroutine shapes()
    type, bind(C) :: point
      real(c_double) :: x, y
      integer(c_int) :: n
    end type
    type(point) :: points(2)
    character(len=5) :: text
    complex(8) :: z
    type(MPI_Datatype) :: newtype
    integer(MPI_ADDRESS_KIND) :: places(3)
    integer :: size
    points = point(rank, rank + 0.5_8, rank)
    text = 'none'
    if (rank == ranks - 1) text = 'hello'
    z = cmplx(rank, -rank, 8)
    call MPI_Get_address(points(1), places(1))
    call MPI_Get_address(points(1)%n, places(2))
    places(3) = MPI_Aint_diff(places(2), places(1))
    call MPI_Type_create_struct(2, [2, 1], [0_MPI_ADDRESS_KIND, places(3)], [MPI_DOUBLE_PRECISION, MPI_INTEGER], newtype)
    call MPI_Type_create_resized(newtype, 0_MPI_ADDRESS_KIND, 24_MPI_ADDRESS_KIND, newtype)
    call MPI_Type_commit(newtype)
    call MPI_Bcast(points, 2, newtype, ranks - 1, MPI_COMM_WORLD)
    call MPI_Bcast(text, 5, MPI_CHARACTER, ranks - 1, MPI_COMM_WORLD)
    call MPI_Bcast(z, 1, MPI_DOUBLE_COMPLEX, ranks - 1, MPI_COMM_WORLD)
    call MPI_Sizeof(z, size)
    if (rank == 0) print '(a,2f5.1,1x,i0,1x,a,2f5.1,1x,i0)', 'shapes', points(2)%x, points(2)%y, points(2)%n, text, &
      real(z), aimag(z), size
  end subroutine

  subroutine errors()
    type(MPI_Errhandler) :: handler
    integer :: code, class
    call MPI_Comm_create_errhandler(handle, handler)
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler)
    call MPI_Send(rank, 1, MPI_INTEGER, 0, -5, MPI_COMM_WORLD, code)
    call MPI_Error_class(code, class)
    print '(a,1x,l1)', 'errors', class == MPI_ERR_TAG
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL)
    call MPI_Errhandler_free(handler)
  end subroutine
end program
