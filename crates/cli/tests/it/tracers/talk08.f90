! The same through the module of Fortran 2008, whose handles are types and whose errors can be left out.
program talk
    use mpi_f08
    implicit none
    integer, parameter :: room = 4096
    double precision, asynchronous :: own(room), other(room)
    integer :: rank, size, next, last, number, counts(4), places(4)
    type(MPI_Comm) :: half, copy, graph, grid, line
    type(MPI_Request) :: requests(2)
    type(MPI_Status) :: status, statuses(2)
    type(MPI_Win) :: window
    integer(kind=MPI_ADDRESS_KIND) :: bytes
    logical :: flag
    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Comm_size(MPI_COMM_WORLD, size)
    next = mod(rank + 1, size)
    last = mod(rank + size - 1, size)
    call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), rank, half)
    call MPI_Comm_dup(MPI_COMM_WORLD, copy)
    call MPI_Irecv(other, room, MPI_DOUBLE_PRECISION, last, 3, MPI_COMM_WORLD, requests(1))
    call MPI_Isend(own, 1000, MPI_DOUBLE_PRECISION, next, 3, MPI_COMM_WORLD, requests(2))
    call MPI_Waitall(2, requests, statuses)
    call MPI_Sendrecv(own, 10, MPI_INTEGER, next, 4, other, 20, MPI_INTEGER, last, 4, copy, MPI_STATUS_IGNORE)
    if (rank == 0) call MPI_Send(own, 5, MPI_DOUBLE_PRECISION, 1, 9, MPI_COMM_WORLD)
    if (rank == 1) then
        call MPI_Recv(other, room, MPI_DOUBLE_PRECISION, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, status)
        if (status%MPI_SOURCE /= 0 .or. status%MPI_TAG /= 9) call MPI_Abort(MPI_COMM_WORLD, 1)
    end if
    call MPI_Irecv(other, 10, MPI_INTEGER, rank, 5, MPI_COMM_WORLD, requests(1))
    call MPI_Send(own, 10, MPI_INTEGER, rank, 5, MPI_COMM_WORLD)
    flag = .false.
    do while (.not. flag)
        call MPI_Test(requests(1), flag, status)
    end do
    own = 1
    call MPI_Allreduce(MPI_IN_PLACE, own, 100, MPI_DOUBLE_PRECISION, MPI_SUM, half)
    if (own(1) /= size / 2) call MPI_Abort(MPI_COMM_WORLD, 2)
    call MPI_Iallreduce(own, other, 10, MPI_DOUBLE_PRECISION, MPI_MAX, copy, requests(1))
    call MPI_Waitall(1, requests, MPI_STATUSES_IGNORE)
    counts = 1
    places = [(number, number = 0, 3)]
    call MPI_Alltoallv(own, counts, places, MPI_REAL, other, counts, places, MPI_REAL, MPI_COMM_WORLD)
    call MPI_Cart_create(MPI_COMM_WORLD, 2, [2, 2], [.true., .false.], .false., grid)
    call MPI_Cart_sub(grid, [.false., .true.], line)
    call MPI_Barrier(line)
    call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, [last], MPI_UNWEIGHTED, 1, [next], MPI_UNWEIGHTED, &
        MPI_INFO_NULL, .false., graph)
    call MPI_Neighbor_allgather(own, 3, MPI_INTEGER, other, 3, MPI_INTEGER, graph)
    bytes = 8 * room
    call MPI_Win_create(other, bytes, 8, MPI_INFO_NULL, MPI_COMM_WORLD, window)
    call MPI_Win_lock(MPI_LOCK_SHARED, next, 0, window)
    bytes = 0
    call MPI_Rput(own, 6, MPI_DOUBLE_PRECISION, next, bytes, 6, MPI_DOUBLE_PRECISION, window, requests(1))
    call MPI_Wait(requests(1), MPI_STATUS_IGNORE)
    call MPI_Win_unlock(next, window)
    call MPI_Win_free(window)
    call MPI_Finalize()
end program
