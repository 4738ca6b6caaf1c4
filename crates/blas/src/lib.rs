//! `libforetell_blas`: the routines of the BLAS that dense programs spend their time in, for
//! programs that run under `foretell run`.
//!
//! A call takes the time that the kernel models of the run (`--kernels`) say, and computes nothing,
//! or computes, or both: see [`choice`]. Names are those of C (`cblas_dgemm`) and of Fortran
//! (`dgemm_`); both end in one [`Routine`](choice::Routine) each. A program that is not simulated
//! computes everything: the library is then an ordinary, slow BLAS.
//!
//! There are: dgemm, dtrsm, dgemv, dger, dtrsv, daxpy, dscal, dcopy, dswap, idamax. Everything else
//! is missing, and the linker says so.

mod cblas;
mod choice;
mod compute;
mod flags;
mod fortran;
mod model;
mod routines;
mod strided;

#[cfg(test)]
mod tests;
