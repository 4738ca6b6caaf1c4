! ranks: 1 2 5
! Fixed form with mpif.h: common blocks, saved variables, statuses, special addresses, old
! attributes, and units of input and output that ranks share a number of.
      program fixed
      implicit none
      include 'mpif.h'
      integer rank, size, ierr
      call MPI_INIT(ierr)
      call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierr)
      call MPI_COMM_SIZE(MPI_COMM_WORLD, size, ierr)
      if (rank .eq. 0) write(*, '(a,i0)') 'ranks ', size
      call blocks(rank, size)
      call ring(rank, size)
      call special(rank, size)
      call keys(rank)
      call units(rank, size)
      call MPI_FINALIZE(ierr)
      end

!     Each rank has its own common blocks and saved variables.
      subroutine blocks(rank, size)
      implicit none
      include 'mpif.h'
      integer rank, size, ierr, i, total, mine, twice
      integer field
      common /large/ field(100000)
      integer count
      save count
      data count /7/
      mine = 0
      do i = 1, 100000
        field(i) = rank
      end do
      count = count + rank
      call MPI_BARRIER(MPI_COMM_WORLD, ierr)
      do i = 1, 100000, 1000
        mine = mine + field(i)
      end do
      call MPI_REDUCE(mine, total, 1, MPI_INTEGER, MPI_SUM, 0,
     &    MPI_COMM_WORLD, ierr)
      call MPI_REDUCE(count, twice, 1, MPI_INTEGER, MPI_MAX, 0,
     &    MPI_COMM_WORLD, ierr)
      if (rank .eq. 0) write(*, '(a,2(1x,i0))') 'blocks', total, twice
      end

!     A ring with requests; indices count from 1.
      subroutine ring(rank, size)
      implicit none
      include 'mpif.h'
      integer rank, size, ierr, next, before, indx, got, i, n
      integer requests(2), statuses(MPI_STATUS_SIZE, 2)
      integer status(MPI_STATUS_SIZE), indices(2)
      double precision there(3), here(3)
      logical flag
      next = mod(rank + 1, size)
      before = mod(rank + size - 1, size)
      there = rank
      here = -1
      call MPI_IRECV(here, 3, MPI_DOUBLE_PRECISION, before, 4,
     &    MPI_COMM_WORLD, requests(1), ierr)
      call MPI_ISEND(there, 3, MPI_DOUBLE_PRECISION, next, 4,
     &    MPI_COMM_WORLD, requests(2), ierr)
      call MPI_WAITALL(2, requests, statuses, ierr)
      call MPI_GET_COUNT(statuses(1, 1), MPI_DOUBLE_PRECISION, got,
     &    ierr)
      if (rank .eq. 0) then
        write(*, '(a,f4.1,3(1x,i0))') 'ring ', here(2),
     &      statuses(MPI_SOURCE, 1), statuses(MPI_TAG, 1), got
        write(*, '(a,2(1x,l1))') 'null', requests .eq.
     &      MPI_REQUEST_NULL
      end if
      requests(1) = MPI_REQUEST_NULL
      call MPI_IRECV(here, 3, MPI_DOUBLE_PRECISION, before, 5,
     &    MPI_COMM_WORLD, requests(2), ierr)
      call MPI_SEND(there, 3, MPI_DOUBLE_PRECISION, next, 5,
     &    MPI_COMM_WORLD, ierr)
      call MPI_WAITANY(2, requests, indx, status, ierr)
      if (rank .eq. 0) write(*, '(a,2(1x,i0))') 'any', indx,
     &    status(MPI_TAG)
      call MPI_IRECV(here, 3, MPI_DOUBLE_PRECISION, before, 6,
     &    MPI_COMM_WORLD, requests(2), ierr)
      call MPI_SEND(there, 3, MPI_DOUBLE_PRECISION, next, 6,
     &    MPI_COMM_WORLD, ierr)
      call MPI_WAITSOME(2, requests, n, indices, MPI_STATUSES_IGNORE,
     &    ierr)
      if (rank .eq. 0) write(*, '(a,2(1x,i0))') 'some', n, indices(1)
      call MPI_TESTALL(2, requests, flag, MPI_STATUSES_IGNORE, ierr)
      if (rank .eq. 0) write(*, '(a,1x,l1)') 'all', flag
      end

!     MPI_BOTTOM with addresses, MPI_IN_PLACE and a pair for MPI_MAXLOC.
      subroutine special(rank, size)
      implicit none
      include 'mpif.h'
      integer rank, size, ierr, newtype, values(4), pair(2), best(2)
      integer lengths(2), types(2), sum(2)
      integer*8 places(2)
      real x
      values = (/ 10, 20, 30, 40 /)
      x = 0.5
      if (rank .ne. 0) then
        values = 0
        x = 0
      end if
      lengths = (/ 4, 1 /)
      types = (/ MPI_INTEGER, MPI_REAL /)
      call MPI_GET_ADDRESS(values, places(1), ierr)
      call MPI_GET_ADDRESS(x, places(2), ierr)
      call MPI_TYPE_CREATE_STRUCT(2, lengths, places, types, newtype,
     &    ierr)
      call MPI_TYPE_COMMIT(newtype, ierr)
      call MPI_BCAST(MPI_BOTTOM, 1, newtype, 0, MPI_COMM_WORLD, ierr)
      call MPI_TYPE_FREE(newtype, ierr)
      sum(1) = values(3) + rank
      sum(2) = nint(x * 2)
      call MPI_ALLREDUCE(MPI_IN_PLACE, sum, 2, MPI_INTEGER, MPI_SUM,
     &    MPI_COMM_WORLD, ierr)
      pair(1) = mod(rank * 3, 5)
      pair(2) = rank
      call MPI_REDUCE(pair, best, 1, MPI_2INTEGER, MPI_MAXLOC, 0,
     &    MPI_COMM_WORLD, ierr)
      if (rank .eq. 0) then
        write(*, '(a,2(1x,i0),1x,l1)') 'bottom', sum, newtype .eq.
     &      MPI_DATATYPE_NULL
        write(*, '(a,2(1x,i0))') 'best', best
      end if
      end

!     Attributes of MPI-1 are integers, and a copy function is asked.
      subroutine keys(rank)
      implicit none
      include 'mpif.h'
      integer rank, ierr, key, value, comm
      logical flag
      external twofold
      call MPI_KEYVAL_CREATE(twofold, MPI_NULL_DELETE_FN, key, 5, ierr)
      call MPI_ATTR_PUT(MPI_COMM_WORLD, key, -21, ierr)
      call MPI_COMM_DUP(MPI_COMM_WORLD, comm, ierr)
      call MPI_ATTR_GET(comm, key, value, flag, ierr)
      if (rank .eq. 0) write(*, '(a,1x,l1,1x,i0)') 'key', flag, value
      call MPI_ATTR_GET(comm, MPI_TAG_UB, value, flag, ierr)
      if (rank .eq. 0) write(*, '(a,2(1x,l1))') 'tags', flag, value .ge.
     &    32767
      call MPI_COMM_FREE(comm, ierr)
      call MPI_ATTR_DELETE(MPI_COMM_WORLD, key, ierr)
      call MPI_KEYVAL_FREE(key, ierr)
      if (rank .eq. 0) write(*, '(a,1x,l1)') 'free', key .eq.
     &    MPI_KEYVAL_INVALID
      end

      subroutine twofold(comm, key, state, old, new, flag, ierr)
      implicit none
      include 'mpif.h'
      integer comm, key, state, old, new, ierr
      logical flag
      new = 2 * old + state
      flag = .true.
      ierr = MPI_SUCCESS
      end

!     All ranks have a file open on unit 10, and wait while they write.
      subroutine units(rank, size)
      implicit none
      include 'mpif.h'
      integer rank, size, ierr, i, value, wrong, all
      open(unit=10, status='scratch', form='formatted')
      do i = 1, 3
        write(10, '(i6)') rank * 100 + i
        call MPI_BARRIER(MPI_COMM_WORLD, ierr)
      end do
      rewind(10)
      wrong = 0
      do i = 1, 3
        read(10, '(i6)') value
        if (value .ne. rank * 100 + i) wrong = wrong + 1
        call MPI_BARRIER(MPI_COMM_WORLD, ierr)
      end do
      close(10)
      call MPI_REDUCE(wrong, all, 1, MPI_INTEGER, MPI_SUM, 0,
     &    MPI_COMM_WORLD, ierr)
      if (rank .eq. 0) write(*, '(a,1x,i0)') 'units', all
      end
