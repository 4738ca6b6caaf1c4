! ranks: 1 2
! Files in mpi_f08: every way to read and write, told by sums of what was read.
module reading
  use mpi_f08
  implicit none
  integer :: rank, ranks, out(2), in(2)
contains
  subroutine fill(value)
    integer, intent(in) :: value
    out = [100 * rank + value, 100 * rank + value + 1]
    in = 0
  end subroutine

  subroutine tell(name)
    character(len=*), intent(in) :: name
    integer :: total(2)
    call MPI_Reduce(in, total, 2, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD)
    if (rank == 0) print '(a,2(1x,i0))', name, total
  end subroutine
end module

program files
  use mpi_f08
  use reading
  implicit none
  type(MPI_File) :: file
  type(MPI_Status) :: status
  type(MPI_Request) :: request
  type(MPI_Group) :: group
  type(MPI_Datatype) :: element, filetype
  integer(MPI_OFFSET_KIND) :: place, bytes, zero = 0
  integer(MPI_ADDRESS_KIND) :: extent
  integer :: amode, count
  logical :: flag
  character(len=64) :: name
  character(len=MPI_MAX_DATAREP_STRING) :: representation
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  call name_file()
  call MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE + MPI_MODE_RDWR, MPI_INFO_NULL, file)
  call MPI_File_set_view(file, zero, MPI_INTEGER, MPI_INTEGER, 'native', MPI_INFO_NULL)
  place = 2 * rank
  call alone()
  call together()
  call shared()
  call questions()
  call MPI_File_close(file)
  call MPI_Barrier(MPI_COMM_WORLD)
  if (rank == 0) call MPI_File_delete(name, MPI_INFO_NULL)
  call MPI_Finalize()
contains
  subroutine name_file()
    integer :: seed(8)
    call date_and_time(values=seed)
    write(name, '(a,3i0)') '/tmp/parity-fortran-', seed(6:8)
    call MPI_Bcast(name, len(name), MPI_CHARACTER, 0, MPI_COMM_WORLD)
  end subroutine

  subroutine alone()
    call fill(1)
    call MPI_File_seek(file, place, MPI_SEEK_SET)
    call MPI_File_write(file, out, 2, MPI_INTEGER, status)
    call MPI_Get_count(status, MPI_INTEGER, count)
    call MPI_File_sync(file)
    call MPI_File_seek(file, place, MPI_SEEK_SET)
    call MPI_File_read(file, in, 2, MPI_INTEGER, status)
    call tell('read')
    call fill(2)
    call MPI_File_write_at(file, place, out, 2, MPI_INTEGER, MPI_STATUS_IGNORE)
    call MPI_File_read_at(file, place, in, count, MPI_INTEGER, MPI_STATUS_IGNORE)
    call tell('read_at')
    call fill(3)
    call MPI_File_iwrite_at(file, place, out, 2, MPI_INTEGER, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call MPI_File_iread_at(file, place, in, 2, MPI_INTEGER, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call tell('iread_at')
    call fill(4)
    call MPI_File_seek(file, place, MPI_SEEK_SET)
    call MPI_File_iwrite(file, out, 2, MPI_INTEGER, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call MPI_File_seek(file, place, MPI_SEEK_SET)
    call MPI_File_iread(file, in, 2, MPI_INTEGER, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call tell('iread')
  end subroutine

  subroutine together()
    call fill(5)
    call MPI_File_write_at_all(file, place, out, 2, MPI_INTEGER, MPI_STATUS_IGNORE)
    call MPI_File_read_at_all(file, place, in, 2, MPI_INTEGER, MPI_STATUS_IGNORE)
    call tell('read_at_all')
    call fill(6)
    call MPI_File_seek(file, place, MPI_SEEK_SET)
    call MPI_File_write_all(file, out, 2, MPI_INTEGER, MPI_STATUS_IGNORE)
    call MPI_File_seek(file, place, MPI_SEEK_SET)
    call MPI_File_read_all(file, in, 2, MPI_INTEGER, MPI_STATUS_IGNORE)
    call tell('read_all')
    call fill(7)
    call MPI_File_write_at_all_begin(file, place, out, 2, MPI_INTEGER)
    call MPI_File_write_at_all_end(file, out, MPI_STATUS_IGNORE)
    call MPI_File_read_at_all_begin(file, place, in, 2, MPI_INTEGER)
    call MPI_File_read_at_all_end(file, in, MPI_STATUS_IGNORE)
    call tell('read_at_all_end')
    call fill(8)
    call MPI_File_iwrite_at_all(file, place, out, 2, MPI_INTEGER, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call MPI_File_iread_at_all(file, place, in, 2, MPI_INTEGER, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call tell('iread_at_all')
    call fill(9)
    call MPI_File_seek_shared(file, zero, MPI_SEEK_SET)
    call MPI_File_write_ordered(file, out, 2, MPI_INTEGER, MPI_STATUS_IGNORE)
    call MPI_File_seek_shared(file, zero, MPI_SEEK_SET)
    call MPI_File_read_ordered(file, in, 2, MPI_INTEGER, MPI_STATUS_IGNORE)
    call tell('read_ordered')
  end subroutine

  subroutine shared()
    call fill(10)
    call MPI_File_seek_shared(file, zero, MPI_SEEK_SET)
    call MPI_File_read_shared(file, in, 2, MPI_INTEGER, MPI_STATUS_IGNORE)
    call tell('read_shared')
    call MPI_Barrier(MPI_COMM_WORLD)
    call MPI_File_get_position_shared(file, place)
    if (rank == 0) print '(a,1x,i0)', 'shared pointer', place
    call MPI_Barrier(MPI_COMM_WORLD)
  end subroutine

  subroutine questions()
    call MPI_File_get_size(file, bytes)
    call MPI_File_get_amode(file, amode)
    call MPI_File_get_group(file, group)
    call MPI_Group_size(group, count)
    call MPI_Group_free(group)
    call MPI_File_get_view(file, place, element, filetype, representation)
    call MPI_File_get_type_extent(file, MPI_INTEGER, extent)
    call MPI_File_set_atomicity(file, .true.)
    call MPI_File_get_atomicity(file, flag)
    if (rank == 0) then
      print '(a,4(1x,i0),1x,l1)', 'file', bytes, count, place, extent, flag
      print '(a,1x,l1)', trim(representation), amode == MPI_MODE_CREATE + MPI_MODE_RDWR
    end if
    call MPI_File_get_byte_offset(file, 3_MPI_OFFSET_KIND, place)
    call MPI_File_set_size(file, 100_MPI_OFFSET_KIND)
    call MPI_File_preallocate(file, 200_MPI_OFFSET_KIND)
    call MPI_File_get_size(file, bytes)
    if (rank == 0) print '(a,2(1x,i0))', 'offset and size', place, bytes
  end subroutine
end program
