! ranks: 2 3
! Messages in mpi_f08, in all modes and with all ways to wait; told by sums over all ranks.
module messages
  use mpi_f08
  implicit none
  integer :: rank, ranks, right, left, out(3), in(3)
  type(MPI_Comm) :: world
contains
  subroutine fill(value)
    integer, intent(in) :: value
    out = [10 * rank + value, 20 * rank + value, 30 * rank + value]
    in = 0
  end subroutine

  subroutine tell(name)
    character(len=*), intent(in) :: name
    integer :: total(3)
    call MPI_Reduce(in, total, 3, MPI_INTEGER, MPI_SUM, 0, world)
    if (rank == 0) print '(a,3(1x,i0))', name, total
  end subroutine

  subroutine receive(tag, request)
    integer, intent(in) :: tag
    type(MPI_Request), intent(out) :: request
    call fill(tag)
    call MPI_Irecv(in, 3, MPI_INTEGER, left, tag, world, request)
    call MPI_Barrier(world)
  end subroutine
end module

program fortran_messages
  use mpi_f08
  use messages
  implicit none
  type(MPI_Request) :: requests(2)
  type(MPI_Status) :: status, statuses(2)
  type(MPI_Message) :: message
  integer :: done, indices(2), count
  logical :: flag
  character :: room(4000)
  integer :: bytes
  call MPI_Init()
  world = MPI_COMM_WORLD
  call MPI_Comm_rank(world, rank)
  call MPI_Comm_size(world, ranks)
  right = mod(rank + 1, ranks)
  left = mod(rank + ranks - 1, ranks)
  call modes()
  call completions()
  call persistents()
  call probes()
  call MPI_Finalize()
contains
  subroutine modes()
    call MPI_Buffer_attach(room, size(room))
    call receive(1, requests(1))
    call MPI_Bsend(out, 3, MPI_INTEGER, right, 1, world)
    call MPI_Wait(requests(1), status)
    call tell('bsend')
    call receive(2, requests(1))
    call MPI_Rsend(out, 3, MPI_INTEGER, right, 2, world)
    call MPI_Wait(requests(1), status)
    call tell('rsend')
    call receive(3, requests(1))
    call MPI_Ssend(out, 3, MPI_INTEGER, right, 3, world)
    call MPI_Wait(requests(1), status)
    call tell('ssend')
    call receive(4, requests(1))
    call MPI_Ibsend(out, 3, MPI_INTEGER, right, 4, world, requests(2))
    call MPI_Waitall(2, requests, statuses)
    call tell('ibsend')
    call receive(5, requests(1))
    call MPI_Irsend(out, 3, MPI_INTEGER, right, 5, world, requests(2))
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
    call tell('irsend')
    call receive(6, requests(1))
    call MPI_Issend(out, 3, MPI_INTEGER, right, 6, world, requests(2))
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
    call tell('issend')
    call fill(7)
    call MPI_Sendrecv(out, 3, MPI_INTEGER, right, 7, in, 3, MPI_INTEGER, left, 7, world, status)
    call tell('sendrecv')
    call fill(8)
    in = out
    call MPI_Sendrecv_replace(in, 3, MPI_INTEGER, right, 8, left, 8, world, status)
    call tell('sendrecv_replace')
  end subroutine

  subroutine completions()
    call receive(1, requests(1))
    call MPI_Isend(out, 3, MPI_INTEGER, right, 1, world, requests(2))
    flag = .false.
    do while (.not. flag)
      call MPI_Testall(2, requests, flag, MPI_STATUSES_IGNORE)
    end do
    call tell('testall')
    call receive(2, requests(1))
    call MPI_Isend(out, 3, MPI_INTEGER, right, 2, world, requests(2))
    call MPI_Waitany(2, requests, done, status)
    call MPI_Waitany(2, requests, done, status)
    call tell('waitany')
    call receive(3, requests(1))
    call MPI_Isend(out, 3, MPI_INTEGER, right, 3, world, requests(2))
    count = 0
    do while (count < 2)
      call MPI_Waitsome(2, requests, done, indices, statuses)
      count = count + done
    end do
    call tell('waitsome')
    call receive(4, requests(1))
    call MPI_Isend(out, 3, MPI_INTEGER, right, 4, world, requests(2))
    count = 0
    do while (count < 1)
      call MPI_Testsome(2, requests, done, indices, statuses)
      if (done > 0) count = count + done
    end do
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
    call tell('testsome')
    call receive(5, requests(1))
    call MPI_Send(out, 3, MPI_INTEGER, right, 5, world)
    flag = .false.
    do while (.not. flag)
      call MPI_Request_get_status(requests(1), flag, status)
    end do
    do
      call MPI_Testany(1, requests, done, flag, status)
      if (flag) exit
    end do
    call tell('testany')
    call MPI_Irecv(in, 3, MPI_INTEGER, left, 99, world, requests(1))
    call MPI_Cancel(requests(1))
    call MPI_Wait(requests(1), status)
    call MPI_Test_cancelled(status, flag)
    if (rank == 0) print '(a,1x,l1)', 'cancelled', flag
  end subroutine

  subroutine persistents()
    call MPI_Recv_init(in, 3, MPI_INTEGER, left, 1, world, requests(1))
    call MPI_Send_init(out, 3, MPI_INTEGER, right, 1, world, requests(2))
    call fill(1)
    call MPI_Startall(2, requests)
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
    call tell('send_init')
    call MPI_Request_free(requests(2))
    call MPI_Ssend_init(out, 3, MPI_INTEGER, right, 1, world, requests(2))
    call fill(2)
    call MPI_Startall(2, requests)
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
    call tell('ssend_init')
    call MPI_Request_free(requests(2))
    call MPI_Bsend_init(out, 3, MPI_INTEGER, right, 1, world, requests(2))
    call fill(3)
    call MPI_Start(requests(1))
    call MPI_Start(requests(2))
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
    call tell('bsend_init')
    call MPI_Request_free(requests(1))
    call MPI_Request_free(requests(2))
    call give_back()
  end subroutine

  subroutine give_back()
    use, intrinsic :: iso_c_binding
    type(c_ptr) :: place
    call MPI_Buffer_detach(place, bytes)
    if (rank == 0) print '(a,1x,i0)', 'detached', bytes
  end subroutine

  subroutine probes()
    call fill(1)
    call MPI_Isend(out, 2, MPI_INTEGER, right, 1, world, requests(1))
    call MPI_Probe(left, 1, world, status)
    call MPI_Get_count(status, MPI_INTEGER, count)
    call MPI_Recv(in, count, MPI_INTEGER, left, 1, world, MPI_STATUS_IGNORE)
    call MPI_Wait(requests(1), status)
    call tell('probe')
    call fill(2)
    call MPI_Isend(out, 3, MPI_INTEGER, right, 2, world, requests(1))
    flag = .false.
    do while (.not. flag)
      call MPI_Iprobe(left, 2, world, flag, status)
    end do
    call MPI_Mprobe(left, 2, world, message, status)
    call MPI_Mrecv(in, 3, MPI_INTEGER, message, status)
    call MPI_Wait(requests(1), status)
    call tell('mprobe')
    call fill(3)
    call MPI_Isend(out, 3, MPI_INTEGER, right, 3, world, requests(1))
    flag = .false.
    do while (.not. flag)
      call MPI_Improbe(left, 3, world, flag, message, status)
    end do
    call MPI_Imrecv(in, 3, MPI_INTEGER, message, requests(2))
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
    call tell('improbe')
  end subroutine
end program
