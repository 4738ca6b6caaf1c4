! The module `mpi`: MPI with interfaces that the compiler checks; handles are integers.
!
! It is interfaces, constants and common blocks only, so that there is nothing to link. The files
! that it includes are written by `cargo xtask fortran`, but for mpi_by_hand.inc.

module mpi
  use, intrinsic :: iso_c_binding, only: c_ptr
  implicit none
  private :: c_ptr

  ! A status of mpi_f08, which programs of this module convert.
  type, bind(C) :: MPI_Status
    integer :: MPI_SOURCE
    integer :: MPI_TAG
    integer :: MPI_ERROR
    integer, private :: MPI_internal(5)
  end type

  include 'mpi_constants.inc'
  include 'mpi_by_hand.inc'
  include 'mpi_environment.inc'
  include 'mpi_point_to_point.inc'
  include 'mpi_datatypes.inc'
  include 'mpi_communicators.inc'
  include 'mpi_collectives.inc'
  include 'mpi_topologies.inc'
  include 'mpi_attributes.inc'
  include 'mpi_one_sided.inc'
  include 'mpi_files.inc'
  include 'mpi_languages.inc'
  include 'mpi_removed.inc'
end module
