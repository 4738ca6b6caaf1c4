! ranks: 1
! exit: 9
! What was printed before MPI_Abort is not lost.
program aborts
  use mpi_f08
  implicit none
  call MPI_Init()
  print '(a)', 'before'
  call MPI_Abort(MPI_COMM_WORLD, 9)
  print '(a)', 'after'
end program
