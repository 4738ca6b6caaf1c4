! ranks: 4 9
! The same in Fortran, whose calls pass addresses, with a common block and units of its own.
program wavefront
  implicit none
  include 'mpif.h'
  integer, parameter :: cells = 500, steps = 10
  double precision :: field(cells), edge(4), total, whole
  integer :: rank, ranks, step, error, status(MPI_STATUS_SIZE), request
  common /shared/ field
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  field = rank
  do step = 1, steps
    edge = 0
    if (rank > 0) call MPI_Recv(edge, 4, MPI_DOUBLE_PRECISION, rank - 1, step, MPI_COMM_WORLD, &
                                status, error)
    if (rank > 0 .and. status(MPI_TAG) /= step) print *, 'a wrong status on rank', rank
    call compute(edge(1))
    edge = field(1:4)
    error = 77
    if (rank + 1 < ranks) then
      call MPI_Send(edge, 4, MPI_DOUBLE_PRECISION, rank + 1, step, MPI_COMM_WORLD, error)
      if (error /= MPI_SUCCESS) print *, 'a send without success on rank', rank
    end if
    edge = -1
    call compute(0.25d0)
    call MPI_Irecv(edge, 4, MPI_DOUBLE_PRECISION, mod(rank + 1, ranks), 5, MPI_COMM_WORLD, &
                   request, error)
    call MPI_Send(field, 4, MPI_DOUBLE_PRECISION, mod(rank + ranks - 1, ranks), 5, MPI_COMM_WORLD, &
                  error)
    call MPI_Wait(request, status, error)
    call compute(edge(3))
    total = sum(field)
    error = 77
    call MPI_Reduce(total, whole, 1, MPI_DOUBLE_PRECISION, MPI_SUM, mod(step, ranks), &
                    MPI_COMM_WORLD, error)
    if (error /= MPI_SUCCESS) print *, 'a reduction without success on rank', rank
    total = 0
    call compute(0.5d0)
    if (rank == mod(step, ranks)) print '(a, i3, a, i3, es24.14)', 'rank', rank, ' step', step, whole
    call MPI_Barrier(MPI_COMM_WORLD, error)
    call compute(0.75d0)
  end do
  print '(a, i3, es24.14)', 'rank', rank, sum(field)
  call MPI_Finalize(error)

contains

  subroutine compute(seed)
    double precision, intent(in) :: seed
    integer :: i
    do i = 1, cells
      field(i) = sin(field(i) + seed) + 0.5d0 * field(mod(i * 7, cells) + 1)
    end do
  end subroutine
end program
