//! What arguments are in Fortran, and how they become those of C.
//!
//! What they point to is the caller's promise, as in `pointer.rs`.

mod buffer;
mod handle;
mod number;
mod text;

use std::ffi::c_int;

pub(crate) use buffer::{
    Choice, Copied, CountOf, Dense, Described, Gathered, Placed, Status, Statuses, TypeOf, Weights,
    is_sparse, section,
};
pub(crate) use handle::{
    Changed, ChangedAll, Comm, Datatype, Errhandler, File, Given, GivenAll, Group, Info, Made,
    MadeAll, Message, Op, Request, Session, Win, in_degree, integer, out_degree, peers,
    peers_unless_in_place,
};
pub(crate) use number::{
    Function, Index, Indices, Narrow, NarrowArray, NarrowPlace, Place, Value, at,
};
pub(crate) use text::{KeyIn, TextIn, TextOut};

/// An argument on its way from Fortran to C and back.
pub(crate) trait Argument: Sized {
    /// As Fortran passes it.
    type Raw;
    /// As C takes it.
    type C;

    /// Takes it; `with` is what the table says it needs to know besides.
    fn take(raw: Self::Raw, with: usize) -> Self;

    /// Whether C has no way to take it.
    fn is_refused(&self) -> bool {
        false
    }

    /// What the C function gets.
    fn c(&mut self) -> Self::C;

    /// Hands results to the program.
    fn give_back(self, _code: c_int) {}
}
