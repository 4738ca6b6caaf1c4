! The module `mpi_f08`: MPI with interfaces that the compiler checks, handles of types of their own,
! and buffers that may be array sections.
!
! It is types, interfaces, constants and common blocks only, so that there is nothing to link. The
! constants and the interfaces of the chapters are written by `cargo xtask fortran`.

module mpi_f08
  use, intrinsic :: iso_c_binding, only: c_ptr
  implicit none
  private :: c_ptr

  include 'mpi_f08_types.inc'
  include 'mpi_f08_constants.inc'
  include 'mpi_f08_callbacks.inc'
  include 'mpi_f08_by_hand.inc'
  include 'mpi_f08_environment.inc'
  include 'mpi_f08_point_to_point.inc'
  include 'mpi_f08_datatypes.inc'
  include 'mpi_f08_communicators.inc'
  include 'mpi_f08_collectives.inc'
  include 'mpi_f08_topologies.inc'
  include 'mpi_f08_attributes.inc'
  include 'mpi_f08_one_sided.inc'
  include 'mpi_f08_files.inc'
  include 'mpi_f08_languages.inc'
  include 'mpi_f08_removed.inc'
end module
