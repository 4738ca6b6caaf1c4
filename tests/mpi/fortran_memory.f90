! ranks: 1 4
! Saved variables, common blocks and variables of modules, each of 100 MB, are a rank's own.
module fields
  implicit none
  integer, parameter :: large = 26214400, step = 16384
  integer :: of_module(large) = 0
end module

program memory
  use mpi
  use fields
  implicit none
  integer, save :: saved(large)
  integer :: shared(large)
  common /block/ shared
  integer :: rank, ranks, ierr, i
  integer(8) :: sums(3), all(3)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  saved(1:large:step) = rank + 1
  shared(1:large:step) = rank + 2
  of_module(1:large:step) = rank + 3
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  sums = [sum(int(saved(1:large:step), 8)), sum(int(shared(1:large:step), 8)), &
    sum(int(of_module(1:large:step), 8))]
  do i = 0, ranks - 1
    all = sums
    call MPI_Bcast(all, 3, MPI_INTEGER8, i, MPI_COMM_WORLD, ierr)
    if (rank == 0) print '(a,3(1x,i0))', 'memory', all
  end do
  call MPI_Finalize(ierr)
end program
