! ranks: 2
! A message to a rank that is not there.
program rank
  use mpi
  implicit none
  integer :: number, ierr
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, number, ierr)
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  if (number == 1) call MPI_Send(number, 1, MPI_INTEGER, 2, 0, MPI_COMM_WORLD, ierr)
  call MPI_Finalize(ierr)
end program
