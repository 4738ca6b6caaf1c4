! ranks: 4 9
! Dates and new communicators in Fortran: handles are numbers there, written when a call returns.
program dates
  implicit none
  include 'mpif.h'
  integer, parameter :: cells = 3000
  double precision :: field(cells), begin, end
  integer :: rank, ranks, step, error, row, place, members
  common /shared/ field
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  field = rank
  do step = 1, 5
    row = -1
    error = 77
    call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 3), rank, row, error)
    if (error /= MPI_SUCCESS .or. row == -1) print *, 'no communicator on rank', rank
    call compute(0.5d0)
    begin = MPI_Wtime()
    call compute(begin)
    call MPI_Comm_rank(row, place, error)
    call MPI_Comm_size(row, members, error)
    call MPI_Barrier(row, error)
    end = MPI_Wtime()
    call compute(end - begin)
    print '(a, i3, i3, a, i3, a, i3, 3es24.16)', 'rank', rank, place, ' of', members, ' step', step, &
      begin, end, sum(field)
    call MPI_Comm_free(row, error)
  end do
  call MPI_Finalize(error)
contains
  subroutine compute(seed)
    double precision, intent(in) :: seed
    integer :: i
    do i = 1, cells
      field(i) = field(i) * 0.5d0 + seed * sqrt(dble(i))
    end do
  end subroutine
end program
