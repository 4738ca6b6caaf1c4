! ranks: 1 2
! A data representation of a program in Fortran, and processes that cannot be started.
module converting
  use mpi_f08
  use, intrinsic :: iso_c_binding
  implicit none
contains
  ! In the file an integer takes eight bytes, the number first.
  subroutine extents(datatype, extent, extra_state, ierror)
    type(MPI_Datatype) :: datatype
    integer(MPI_ADDRESS_KIND) :: extent, extra_state
    integer :: ierror, size
    call MPI_Type_size(datatype, size)
    extent = size * extra_state
    ierror = MPI_SUCCESS
  end subroutine

  subroutine reads(userbuf, datatype, count, filebuf, position, extra_state, ierror)
    type(c_ptr), value :: userbuf, filebuf
    type(MPI_Datatype) :: datatype
    integer :: count, ierror
    integer(MPI_OFFSET_KIND) :: position
    integer(MPI_ADDRESS_KIND) :: extra_state
    integer, pointer :: own(:), their(:)
    call c_f_pointer(userbuf, own, [count])
    call c_f_pointer(filebuf, their, [2 * count])
    own = their(1::2) - 1000
    ierror = merge(MPI_SUCCESS, MPI_ERR_TYPE, datatype == MPI_INTEGER .and. extra_state == 2)
  end subroutine

  subroutine writes(userbuf, datatype, count, filebuf, position, extra_state, ierror)
    type(c_ptr), value :: userbuf, filebuf
    type(MPI_Datatype) :: datatype
    integer :: count, ierror
    integer(MPI_OFFSET_KIND) :: position
    integer(MPI_ADDRESS_KIND) :: extra_state
    integer, pointer :: own(:), their(:)
    call c_f_pointer(userbuf, own, [count])
    call c_f_pointer(filebuf, their, [2 * count])
    their = 0
    their(1::2) = own + 1000
    ierror = merge(MPI_SUCCESS, MPI_ERR_TYPE, datatype == MPI_INTEGER .and. extra_state == 2)
  end subroutine
end module

program represented
  use mpi_f08
  use converting
  implicit none
  type(MPI_File) :: file
  type(MPI_Comm) :: child
  integer :: rank, code, class, in(3), raw(2), errors(1)
  integer(MPI_OFFSET_KIND) :: zero = 0, bytes
  character(len=32) :: name
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  write(name, '(a,i0)') 'fortran_datarep.tmp', rank
  call MPI_Register_datarep('doubled', reads, writes, extents, 2_MPI_ADDRESS_KIND)
  call MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE + MPI_MODE_RDWR + &
      MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, file)
  call MPI_File_set_view(file, zero, MPI_INTEGER, MPI_INTEGER, 'doubled', MPI_INFO_NULL)
  call MPI_File_write(file, [1, 2, 3], 3, MPI_INTEGER, MPI_STATUS_IGNORE)
  call MPI_File_seek(file, zero, MPI_SEEK_SET)
  call MPI_File_read(file, in, 3, MPI_INTEGER, MPI_STATUS_IGNORE)
  call MPI_File_get_size(file, bytes)
  if (any(in /= [1, 2, 3]) .or. bytes /= 24) call MPI_Abort(MPI_COMM_WORLD, 2)
  call MPI_File_set_view(file, zero, MPI_INTEGER, MPI_INTEGER, 'native', MPI_INFO_NULL)
  call MPI_File_read(file, raw, 2, MPI_INTEGER, MPI_STATUS_IGNORE)
  if (any(raw /= [1001, 0])) call MPI_Abort(MPI_COMM_WORLD, 3)
  call MPI_File_close(file)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN)
  call MPI_Comm_spawn('./child', MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, child, errors, &
      code)
  call MPI_Error_class(code, class)
  if (class /= MPI_ERR_SPAWN .or. child /= MPI_COMM_NULL) call MPI_Abort(MPI_COMM_WORLD, 4)
  call MPI_Finalize()
end program
