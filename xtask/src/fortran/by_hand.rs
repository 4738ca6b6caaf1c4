//! What the rules do not cover, and is written by hand in the library and the modules.

/// Functions without generated interfaces and entry points: `crates/libmpi/src/fortran` has those
/// of the library, `crates/libmpi/fortran` those of the modules.
pub(super) const FUNCTIONS: &[&str] = &[
    // Other arguments than in C.
    "MPI_Init",
    "MPI_Init_thread",
    "MPI_Pcontrol",
    "MPI_Info_create_env",
    "MPI_Comm_spawn",
    "MPI_Comm_spawn_multiple",
    // Attributes and callbacks in Fortran's way.
    "MPI_Comm_create_keyval",
    "MPI_Type_create_keyval",
    "MPI_Win_create_keyval",
    "MPI_Keyval_create",
    "MPI_Comm_set_attr",
    "MPI_Type_set_attr",
    "MPI_Win_set_attr",
    "MPI_Comm_get_attr",
    "MPI_Type_get_attr",
    "MPI_Win_get_attr",
    "MPI_Attr_put",
    "MPI_Attr_get",
    "MPI_Grequest_start",
    "MPI_Register_datarep",
    "MPI_Register_datarep_c",
    // Lengths of texts, which C counts with the final zero.
    "MPI_Info_get",
    "MPI_Info_get_string",
    "MPI_Session_get_nth_pset",
    // An address comes back only where the type for it exists.
    "MPI_Buffer_detach",
    "MPI_Buffer_detach_c",
    "MPI_Comm_detach_buffer",
    "MPI_Comm_detach_buffer_c",
    "MPI_Session_detach_buffer",
    "MPI_Session_detach_buffer_c",
];

/// Functions of the header of removed ones that `mpi_f08` has all the same.
pub(super) const DEPRECATED_IN_F08: &[&str] = &[
    "MPI_Get_elements_x",
    "MPI_Status_set_elements_x",
    "MPI_Type_get_extent_x",
    "MPI_Type_get_true_extent_x",
    "MPI_Type_size_x",
    "MPI_Info_get_valuelen",
];

/// Forms for large counts that have a name of their own, because the arguments of both forms look
/// alike to the compiler.
pub(super) const APART: &[&str] = &["MPI_Op_create_c"];

/// Functions that give an address: in the module `mpi` it is an integer or a `TYPE(C_PTR)`.
pub(super) const WITH_POINTER: &[&str] =
    &["MPI_Alloc_mem", "MPI_Win_allocate", "MPI_Win_allocate_shared", "MPI_Win_shared_query"];
