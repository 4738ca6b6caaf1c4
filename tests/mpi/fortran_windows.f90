! ranks: 2 3
! One-sided calls of mpi_f08; rank 0 tells what it has at the end of each.
program windows
  use mpi_f08
  use, intrinsic :: iso_c_binding
  implicit none
  integer :: rank, ranks, right, left, code
  integer :: out(2), in(2)
  integer, pointer :: memory(:)
  type(c_ptr) :: place
  type(MPI_Win) :: win
  type(MPI_Group) :: everyone, before, after
  type(MPI_Request) :: request
  integer(MPI_ADDRESS_KIND) :: zero = 0
  character(len=MPI_MAX_OBJECT_NAME) :: name
  integer :: length
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  right = mod(rank + 1, ranks)
  left = mod(rank + ranks - 1, ranks)
  out = [10 * rank + 1, 10 * rank + 2]
  call MPI_Win_allocate(16_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, place, win)
  call c_f_pointer(place, memory, [4])
  memory = 0
  call fenced()
  call posted()
  call locked()
  call MPI_Win_set_name(win, 'a window')
  call MPI_Win_get_name(win, name, length)
  if (rank == 0) print '(a,1x,i0)', trim(name), length
  call MPI_Win_get_group(win, everyone)
  call MPI_Group_size(everyone, length)
  if (rank == 0) print '(a,1x,i0)', 'group', length
  call MPI_Group_free(everyone)
  call MPI_Win_free(win)
  call MPI_Finalize()
contains
  subroutine tell(name, numbers)
    character(len=*), intent(in) :: name
    integer, intent(in) :: numbers(:)
    if (rank == 0) print '(a,*(1x,i0))', name, numbers
  end subroutine

  subroutine fenced()
    call MPI_Win_fence(0, win)
    call MPI_Put(out, 2, MPI_INTEGER, right, zero, 2, MPI_INTEGER, win)
    call MPI_Win_fence(0, win)
    call tell('put', memory)
    call MPI_Accumulate(out, 2, MPI_INTEGER, right, zero, 2, MPI_INTEGER, MPI_SUM, win)
    call MPI_Win_fence(0, win)
    call tell('accumulate', memory)
    call MPI_Get(in, 2, MPI_INTEGER, right, zero, 2, MPI_INTEGER, win)
    call MPI_Win_fence(0, win)
    call tell('get', in)
    call MPI_Get_accumulate(out, 2, MPI_INTEGER, in, 2, MPI_INTEGER, right, zero, 2, MPI_INTEGER, &
        MPI_REPLACE, win)
    call MPI_Win_fence(0, win)
    call tell('get_accumulate', [in, memory])
  end subroutine

  subroutine posted()
    call MPI_Comm_group(MPI_COMM_WORLD, everyone)
    call MPI_Group_incl(everyone, 1, [left], before)
    call MPI_Group_incl(everyone, 1, [right], after)
    call MPI_Win_post(before, 0, win)
    call MPI_Win_start(after, 0, win)
    call MPI_Put(out, 1, MPI_INTEGER, right, 3_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win)
    call MPI_Win_complete(win)
    call MPI_Win_wait(win)
    call tell('posted', memory)
    call MPI_Group_free(before)
    call MPI_Group_free(after)
    call MPI_Group_free(everyone)
    call MPI_Barrier(MPI_COMM_WORLD)
  end subroutine

  subroutine locked()
    integer :: one, old, compared
    one = 1
    old = -1
    call MPI_Win_lock(MPI_LOCK_EXCLUSIVE, right, 0, win)
    call MPI_Fetch_and_op(one, old, MPI_INTEGER, right, zero, MPI_SUM, win)
    call MPI_Win_flush(right, win)
    compared = old + 1
    call MPI_Compare_and_swap(out, compared, old, MPI_INTEGER, right, zero, win)
    call MPI_Win_unlock(right, win)
    call MPI_Barrier(MPI_COMM_WORLD)
    call tell('swapped', [old, memory])
    call MPI_Win_lock_all(0, win)
    call MPI_Rput(out, 2, MPI_INTEGER, right, zero, 2, MPI_INTEGER, win, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call MPI_Win_flush_all(win)
    call MPI_Raccumulate(out, 2, MPI_INTEGER, right, zero, 2, MPI_INTEGER, MPI_SUM, win, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call MPI_Win_flush_local(right, win)
    call MPI_Win_flush(right, win)
    call MPI_Rget(in, 2, MPI_INTEGER, right, zero, 2, MPI_INTEGER, win, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call MPI_Win_sync(win)
    call MPI_Win_unlock_all(win)
    call MPI_Barrier(MPI_COMM_WORLD)
    call tell('requests', [in, memory])
    code = 0
  end subroutine
end program
