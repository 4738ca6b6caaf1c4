//! The Fortran face of MPI, over the C one. MPI 4.1 section 19.1.
//!
//! gfortran passes addresses, appends underscores to names and lengths of texts to arguments. An
//! entry point converts what differs (`argument.rs`), calls the C function, and converts back.
//! `table/` has a row for each function, written by `cargo xtask fortran` from the prototypes;
//! what differs more is written by hand in the other files.
//!
//! Names: `mpi_send_` for `mpif.h` and the module `mpi`, `mpi_send_f08ts_` for `mpi_f08`, whose
//! buffers are descriptors, `mpi_wait_f08_` for its functions without buffers; each with a twin
//! that begins with `p`.

// One C function is declared for each dialect, with pointers named as the dialect has them.
#![allow(clashing_extern_declarations)]

pub(crate) mod argument;
mod attribute;
mod buffering;
pub(crate) mod call;
mod callbacks;
mod descriptor;
mod environment;
mod equality;
mod info;
mod process;
mod representation;
mod sentinel;
mod sizes;
mod table;
pub(crate) mod tool;
pub(crate) mod units;

pub(crate) use sentinel::is_special_address;
pub(crate) use tool::is_replaced;
