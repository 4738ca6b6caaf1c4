! ranks: 1 2
! Attributes that one language sets and the other gets. C's functions are called from Fortran: the
! integer of a predefined object is its handle in C, in every library.
module in_c
  use, intrinsic :: iso_c_binding
  implicit none
  interface
    integer(c_int) function c_get_attr(comm, keyval, value, flag) bind(C, name='MPI_Comm_get_attr')
      import
      integer(c_intptr_t), value :: comm
      integer(c_int), value :: keyval
      type(c_ptr) :: value
      integer(c_int) :: flag
    end function
    integer(c_int) function c_set_attr(comm, keyval, value) bind(C, name='MPI_Comm_set_attr')
      import
      integer(c_intptr_t), value :: comm
      integer(c_int), value :: keyval
      type(c_ptr), value :: value
    end function
    integer(c_int) function c_type_size(datatype, size) bind(C, name='MPI_Type_size')
      import
      integer(c_intptr_t), value :: datatype
      integer(c_int) :: size
    end function
    integer(c_int) function c_comm_size(comm, size) bind(C, name='MPI_Comm_size')
      import
      integer(c_intptr_t), value :: comm
      integer(c_int) :: size
    end function
  end interface
end module

program languages
  use mpi
  use in_c
  implicit none
  integer :: rank, ierr
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call handles()
  call from_fortran()
  call from_c()
  call predefined()
  call MPI_Finalize(ierr)
contains
  subroutine handles()
    integer(c_int) :: size, ranks
    ierr = c_type_size(int(MPI_DOUBLE_COMPLEX, c_intptr_t), size)
    ierr = c_comm_size(int(MPI_COMM_WORLD, c_intptr_t), ranks)
    if (rank == 0) print '(a,2(1x,i0))', 'handles', size, ranks
  end subroutine

  ! C gets the address of an integer of Fortran.
  subroutine from_fortran()
    integer :: key, old
    integer(c_int) :: flag
    type(c_ptr) :: place
    integer(MPI_ADDRESS_KIND), pointer :: wide
    integer, pointer :: narrow
    logical :: found
    call MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, key, 0_MPI_ADDRESS_KIND, ierr)
    call MPI_Comm_set_attr(MPI_COMM_WORLD, key, 2_MPI_ADDRESS_KIND**35 + rank, ierr)
    ierr = c_get_attr(int(MPI_COMM_WORLD, c_intptr_t), key, place, flag)
    call c_f_pointer(place, wide)
    if (rank == 0) print '(a,2(1x,i0))', 'wide', flag, wide
    call MPI_Attr_put(MPI_COMM_WORLD, key, -7, ierr)
    ierr = c_get_attr(int(MPI_COMM_WORLD, c_intptr_t), key, place, flag)
    call c_f_pointer(place, narrow)
    call MPI_Attr_get(MPI_COMM_WORLD, key, old, found, ierr)
    if (rank == 0) print '(a,3(1x,i0))', 'narrow', flag, narrow, old
    call MPI_Comm_delete_attr(MPI_COMM_WORLD, key, ierr)
    call MPI_Comm_free_keyval(key, ierr)
  end subroutine

  ! Fortran gets a pointer of C as an integer.
  subroutine from_c()
    integer :: key
    integer, target :: variable
    integer(MPI_ADDRESS_KIND) :: value
    logical :: flag
    call MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, key, 0_MPI_ADDRESS_KIND, ierr)
    ierr = c_set_attr(int(MPI_COMM_WORLD, c_intptr_t), key, c_loc(variable))
    call MPI_Comm_get_attr(MPI_COMM_WORLD, key, value, flag, ierr)
    if (rank == 0) print '(a,2(1x,l1))', 'pointer', flag, value == transfer(c_loc(variable), value)
    call MPI_Comm_delete_attr(MPI_COMM_WORLD, key, ierr)
    call MPI_Comm_free_keyval(key, ierr)
  end subroutine

  ! Values for Fortran, addresses of them for C.
  subroutine predefined()
    integer(c_int) :: there
    integer(MPI_ADDRESS_KIND) :: value
    logical :: flag
    type(c_ptr) :: place
    integer, pointer :: largest
    ierr = c_get_attr(int(MPI_COMM_WORLD, c_intptr_t), MPI_TAG_UB, place, there)
    call c_f_pointer(place, largest)
    call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, value, flag, ierr)
    if (rank == 0) print '(a,2(1x,l1),1x,i0)', 'predefined', flag, value == largest, there
  end subroutine
end program
