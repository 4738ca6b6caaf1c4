! ranks: 2
! An array section is reduced after the call has returned, which no datatype can describe.
program section
  use mpi_f08
  implicit none
  integer :: field(4, 4)
  type(MPI_Request) :: request
  call MPI_Init()
  field = 1
  call MPI_Allreduce(MPI_IN_PLACE, field(2, :), 4, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  if (any(field(2, :) /= 2) .or. any(field(3, :) /= 1)) error stop 'wrong sums'
  call MPI_Iallreduce(MPI_IN_PLACE, field(2, :), 4, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, request)
  call MPI_Wait(request, MPI_STATUS_IGNORE)
  call MPI_Finalize()
end program
