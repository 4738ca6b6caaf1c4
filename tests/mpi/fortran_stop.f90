! ranks: 1 3
! exit: 5
! What is left in a buffer is written at the end, and STOP tells the exit code.
program stops
  use mpi_f08
  implicit none
  integer :: rank, unit
  character(len=20) :: line
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  open(newunit=unit, status='scratch')
  write(unit, '(a,i0)') 'rank ', rank
  call MPI_Barrier(MPI_COMM_WORLD)
  rewind(unit)
  read(unit, '(a)') line
  if (rank == 0) write(*, '(2a)', advance='no') trim(line), ' stops'
  call MPI_Finalize()
  if (rank == 0) write(*, *)
  stop 5
end program
