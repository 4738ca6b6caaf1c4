! ranks: 2
! Receives that share an element of an array, a request that is forgotten, and a datatype that
! is never freed.
program requests
  use mpi_f08
  implicit none
  integer :: rank, numbers(6)
  type(MPI_Request) :: first, second, sends(2)
  type(MPI_Datatype) :: pair
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Type_contiguous(2, MPI_INTEGER, pair)
  call MPI_Type_commit(pair)
  numbers = rank
  if (rank == 0) then
    call MPI_Isend(numbers(1), 1, pair, 1, 1, MPI_COMM_WORLD, sends(1))
    call MPI_Isend(numbers(3), 1, pair, 1, 2, MPI_COMM_WORLD, sends(2))
    call MPI_Wait(sends(1), MPI_STATUS_IGNORE)
  else
    call MPI_Irecv(numbers(1), 1, pair, 0, 1, MPI_COMM_WORLD, first)
    call MPI_Irecv(numbers(2), 1, pair, 0, 2, MPI_COMM_WORLD, second)
    call MPI_Wait(first, MPI_STATUS_IGNORE)
    call MPI_Wait(second, MPI_STATUS_IGNORE)
  end if
  call MPI_Finalize()
end program
