! ranks: 2
! A real number is received as an integer, and the reduction of one rank is shorter.
program types
  use mpi
  implicit none
  integer :: rank, number, ierr
  real :: value
  double precision :: mine(2), all(2)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  value = 1.5
  mine = 1
  if (rank == 0) then
    call MPI_Send(value, 1, MPI_REAL, 1, 3, MPI_COMM_WORLD, ierr)
    call MPI_Reduce(mine, all, 2, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  else
    call MPI_Recv(number, 1, MPI_INTEGER, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call MPI_Reduce(mine, all, 2, MPI_REAL8, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  end if
  call MPI_Finalize(ierr)
end program
