! ranks: 1 2
! Collectives of mpi_f08, blocking and later; each tells the sum of what all ranks got.
module telling
  use mpi_f08
  implicit none
  integer :: rank, ranks
  integer :: given(8), got(8)
contains
  subroutine fill()
    integer :: i
    given = [(10 * rank + i, i = 1, 8)]
    got = 0
  end subroutine

  ! Places count, so that what went astray is noticed.
  subroutine tell(name)
    character(len=*), intent(in) :: name
    integer :: own, total, i
    own = sum([(i * got(i), i = 1, 8)])
    call MPI_Reduce(own, total, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD)
    if (rank == 0) print '(a,i0)', name // ' ', total
    call fill()
  end subroutine

  subroutine finish(name, request)
    character(len=*), intent(in) :: name
    type(MPI_Request), intent(inout) :: request
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call tell(name)
  end subroutine
end module

program collectives
  use mpi_f08
  use telling
  implicit none
  type(MPI_Request) :: request
  type(MPI_Datatype) :: types(2)
  integer :: ones(2), places(2), bytes(2), last
  type(MPI_Comm) :: world
  call MPI_Init()
  world = MPI_COMM_WORLD
  call MPI_Comm_rank(world, rank)
  call MPI_Comm_size(world, ranks)
  last = ranks - 1
  ones = 1
  places = [0, 2]
  bytes = [0, 8]
  types = MPI_INTEGER
  call fill()
  call blocking()
  call later()
  call reductions()
  call MPI_Finalize()
contains
  subroutine blocking()
    if (rank == last) got(1:2) = given(1:2)
    call MPI_Bcast(got, 2, MPI_INTEGER, last, world)
    call tell('bcast')
    call MPI_Gather(given, 2, MPI_INTEGER, got, 2, MPI_INTEGER, last, world)
    call tell('gather')
    call MPI_Gatherv(given, 1, MPI_INTEGER, got, ones, places, MPI_INTEGER, last, world)
    call tell('gatherv')
    call MPI_Scatter(given, 2, MPI_INTEGER, got, 2, MPI_INTEGER, last, world)
    call tell('scatter')
    call MPI_Scatterv(given, ones, places, MPI_INTEGER, got, 1, MPI_INTEGER, last, world)
    call tell('scatterv')
    call MPI_Allgather(given, 2, MPI_INTEGER, got, 2, MPI_INTEGER, world)
    call tell('allgather')
    call MPI_Allgatherv(given, 1, MPI_INTEGER, got, ones, places, MPI_INTEGER, world)
    call tell('allgatherv')
    call MPI_Alltoall(given, 2, MPI_INTEGER, got, 2, MPI_INTEGER, world)
    call tell('alltoall')
    call MPI_Alltoallv(given, ones, places, MPI_INTEGER, got, ones, places, MPI_INTEGER, world)
    call tell('alltoallv')
    call MPI_Alltoallw(given, ones, bytes, types, got, ones, bytes, types, world)
    call tell('alltoallw')
  end subroutine

  subroutine later()
    call MPI_Ibarrier(world, request)
    call finish('ibarrier', request)
    if (rank == last) got(1:2) = given(1:2)
    call MPI_Ibcast(got, 2, MPI_INTEGER, last, world, request)
    call finish('ibcast', request)
    call MPI_Igather(given, 2, MPI_INTEGER, got, 2, MPI_INTEGER, last, world, request)
    call finish('igather', request)
    call MPI_Igatherv(given, 1, MPI_INTEGER, got, ones, places, MPI_INTEGER, last, world, request)
    call finish('igatherv', request)
    call MPI_Iscatter(given, 2, MPI_INTEGER, got, 2, MPI_INTEGER, last, world, request)
    call finish('iscatter', request)
    call MPI_Iscatterv(given, ones, places, MPI_INTEGER, got, 1, MPI_INTEGER, last, world, request)
    call finish('iscatterv', request)
    call MPI_Iallgather(given, 2, MPI_INTEGER, got, 2, MPI_INTEGER, world, request)
    call finish('iallgather', request)
    call MPI_Iallgatherv(given, 1, MPI_INTEGER, got, ones, places, MPI_INTEGER, world, request)
    call finish('iallgatherv', request)
    call MPI_Ialltoall(given, 2, MPI_INTEGER, got, 2, MPI_INTEGER, world, request)
    call finish('ialltoall', request)
    call MPI_Ialltoallv(given, ones, places, MPI_INTEGER, got, ones, places, MPI_INTEGER, world, &
        request)
    call finish('ialltoallv', request)
    call MPI_Ialltoallw(given, ones, bytes, types, got, ones, bytes, types, world, request)
    call finish('ialltoallw', request)
    call MPI_Ireduce(given, got, 2, MPI_INTEGER, MPI_SUM, last, world, request)
    call finish('ireduce', request)
    call MPI_Iallreduce(given, got, 2, MPI_INTEGER, MPI_MAX, world, request)
    call finish('iallreduce', request)
    call MPI_Iscan(given, got, 2, MPI_INTEGER, MPI_SUM, world, request)
    call finish('iscan', request)
    call MPI_Iexscan(given, got, 2, MPI_INTEGER, MPI_SUM, world, request)
    if (rank == 0) got = 0
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    if (rank == 0) got = 0
    call tell('iexscan')
    call MPI_Ireduce_scatter_block(given, got, 2, MPI_INTEGER, MPI_SUM, world, request)
    call finish('ireduce_scatter_block', request)
    call MPI_Ireduce_scatter(given, got, ones, MPI_INTEGER, MPI_SUM, world, request)
    call finish('ireduce_scatter', request)
  end subroutine

  subroutine reductions()
    call MPI_Allreduce(given, got, 3, MPI_INTEGER, MPI_PROD, world)
    call tell('allreduce')
    call MPI_Scan(given, got, 2, MPI_INTEGER, MPI_SUM, world)
    call tell('scan')
    call MPI_Exscan(given, got, 2, MPI_INTEGER, MPI_SUM, world)
    if (rank == 0) got = 0
    call tell('exscan')
    call MPI_Reduce_scatter_block(given, got, 2, MPI_INTEGER, MPI_SUM, world)
    call tell('reduce_scatter_block')
    call MPI_Reduce_scatter(given, got, ones, MPI_INTEGER, MPI_SUM, world)
    call tell('reduce_scatter')
    got = 5
    call MPI_Reduce_local(given, got, 2, MPI_INTEGER, MPI_SUM)
    call tell('reduce_local')
  end subroutine
end program
