! ranks: 1 3
! stdin: 42 words
! Standard input is rank 0's; the others find its end.
program reads
  use mpi_f08
  implicit none
  integer :: rank, number, state
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  number = -1
  read(*, *, iostat=state) number
  if (rank == 0 .and. (state /= 0 .or. number /= 42)) call MPI_Abort(MPI_COMM_WORLD, 2)
  if (rank /= 0 .and. (.not. is_iostat_end(state) .or. number /= -1)) then
    call MPI_Abort(MPI_COMM_WORLD, 3)
  end if
  call MPI_Finalize()
end program
