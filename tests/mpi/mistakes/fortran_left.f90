! ranks: 3
! A rank stops with a code while the others wait for it.
program leaves
  use mpi_f08
  implicit none
  integer :: rank
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  if (rank == 2) stop 7
  call MPI_Barrier(MPI_COMM_WORLD)
  call MPI_Finalize()
end program
