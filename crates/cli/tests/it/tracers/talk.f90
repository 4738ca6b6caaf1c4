! What Fortran programs do, with its own constants and arrays of requests.
program talk
    use mpi
    implicit none
    integer, parameter :: room = 4096
    double precision :: own(room), other(room)
    integer :: error, rank, size, next, last, half, copy, grid, both, kept(1), window, i, number
    integer :: requests(4), indices(4), statuses(MPI_STATUS_SIZE, 4), status(MPI_STATUS_SIZE)
    integer :: counts(4), places(4), types(4)
    integer(kind=MPI_ADDRESS_KIND) :: bytes
    logical :: flag, periods(1)
    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call MPI_Comm_size(MPI_COMM_WORLD, size, error)
    next = mod(rank + 1, size)
    last = mod(rank + size - 1, size)
    call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), rank, half, error)
    call MPI_Comm_dup(MPI_COMM_WORLD, copy, error)
    ! Messages.
    call MPI_Irecv(other, room, MPI_DOUBLE_PRECISION, last, 3, MPI_COMM_WORLD, requests(1), error)
    call MPI_Isend(own, 1000, MPI_DOUBLE_PRECISION, next, 3, MPI_COMM_WORLD, requests(2), error)
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, error)
    call MPI_Sendrecv(own, 10, MPI_INTEGER, next, 4, other, 20, MPI_INTEGER, last, 4, copy, MPI_STATUS_IGNORE, error)
    if (rank == 0) call MPI_Ssend(own, 5, MPI_DOUBLE_PRECISION, 1, 9, MPI_COMM_WORLD, error)
    if (rank == 1) then
        call MPI_Recv(other, room, MPI_DOUBLE_PRECISION, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, status, error)
        if (status(MPI_SOURCE) /= 0 .or. status(MPI_TAG) /= 9) call MPI_Abort(MPI_COMM_WORLD, 1, error)
        call MPI_Get_count(status, MPI_DOUBLE_PRECISION, number, error)
        if (number /= 5) call MPI_Abort(MPI_COMM_WORLD, 2, error)
    end if
    do i = 1, 2
        call MPI_Irecv(other(100 * i), 10, MPI_REAL, last, i, copy, requests(2 * i - 1), error)
        call MPI_Isend(own, 10, MPI_REAL, next, i, MPI_COMM_WORLD, requests(2 * i), error)
    end do
    ! On the copy nothing comes that was sent on the world.
    do i = 1, 2
        call MPI_Cancel(requests(2 * i - 1), error)
        call MPI_Recv(other, 10, MPI_REAL, last, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
    end do
    call MPI_Waitall(4, requests, statuses, error)
    call MPI_Send_init(own, 7, MPI_CHARACTER, next, 8, copy, kept(1), error)
    do i = 1, 2
        call MPI_Start(kept(1), error)
        call MPI_Recv(other, 7, MPI_CHARACTER, last, 8, copy, MPI_STATUS_IGNORE, error)
        call MPI_Waitany(1, kept, number, MPI_STATUS_IGNORE, error)
        if (number /= 1) call MPI_Abort(MPI_COMM_WORLD, 3, error)
    end do
    call MPI_Request_free(kept(1), error)
    call MPI_Irecv(other, 10, MPI_INTEGER, rank, 5, MPI_COMM_WORLD, requests(1), error)
    call MPI_Send(own, 10, MPI_INTEGER, rank, 5, MPI_COMM_WORLD, error)
    flag = .false.
    do while (.not. flag)
        call MPI_Test(requests(1), flag, MPI_STATUS_IGNORE, error)
    end do
    call MPI_Isend(own, 11, MPI_INTEGER, MPI_PROC_NULL, 5, MPI_COMM_WORLD, requests(1), error)
    call MPI_Waitsome(1, requests, number, indices, MPI_STATUSES_IGNORE, error)
    if (number /= 1 .or. indices(1) /= 1) call MPI_Abort(MPI_COMM_WORLD, 4, error)
    ! Collectives.
    own = 1
    call MPI_Allreduce(MPI_IN_PLACE, own, 100, MPI_DOUBLE_PRECISION, MPI_SUM, half, error)
    if (own(1) /= size / 2) call MPI_Abort(MPI_COMM_WORLD, 5, error)
    call MPI_Ibcast(own, 100, MPI_REAL, 1, MPI_COMM_WORLD, requests(1), error)
    call MPI_Wait(requests(1), status, error)
    call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, other, 4, MPI_DOUBLE_PRECISION, half, error)
    counts = 1
    places = [(8 * i, i = 0, 3)]
    types = MPI_INTEGER
    call MPI_Alltoallw(own, counts, places, types, other, counts, places, types, MPI_COMM_WORLD, error)
    periods = .true.
    call MPI_Cart_create(MPI_COMM_WORLD, 1, [size], periods, .false., grid, error)
    call MPI_Ineighbor_alltoall(own, 3, MPI_INTEGER, other, 3, MPI_INTEGER, grid, requests(1), error)
    call MPI_Wait(requests(1), MPI_STATUS_IGNORE, error)
    ! A window, and a message whose place is told by its type.
    bytes = 8 * room
    call MPI_Win_create(other, bytes, 8, MPI_INFO_NULL, MPI_COMM_WORLD, window, error)
    call MPI_Win_fence(0, window, error)
    bytes = 0
    call MPI_Put(own, 6, MPI_DOUBLE_PRECISION, next, bytes, 6, MPI_DOUBLE_PRECISION, window, error)
    call MPI_Win_fence(MPI_MODE_NOSUCCEED, window, error)
    call MPI_Win_free(window, error)
    own(1) = 41 + rank
    call MPI_Get_address(own, bytes, error)
    call MPI_Type_create_hindexed(1, [1], [bytes], MPI_DOUBLE_PRECISION, both, error)
    call MPI_Type_commit(both, error)
    if (rank == 0) call MPI_Send(MPI_BOTTOM, 1, both, 1, 6, MPI_COMM_WORLD, error)
    if (rank == 1) call MPI_Recv(MPI_BOTTOM, 1, both, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
    if (rank == 1 .and. own(1) /= 41) call MPI_Abort(MPI_COMM_WORLD, 6, error)
    call MPI_Finalize(error)
end program
