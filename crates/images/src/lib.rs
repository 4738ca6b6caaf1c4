//! Private images of a compiled program: every rank has its own globals, all share one process.
//!
//! A rank of an MPI program expects global variables to be its own. This crate maps the program
//! once more for each rank, as the dynamic loader would: code is the same memory for all, data is
//! copied when written, relocations are applied. Nothing happens at a switch between ranks.
//!
//! A [`Program`] is read from the executable's file, with the shared libraries that belong to it.
//! It is linked once into a template; an [`Image`] is two mappings per file and a few words
//! written, some ten microseconds and one or two pages of memory. Images lie in rows of equal
//! slots, so that [`locate`] finds the image of an address by a division.
//!
//! Thread-locals stay where the dynamic loader put them: the caller swaps [`ThreadLocals`] when it
//! switches ranks. Exceptions pass through images if the functions of [`unwind`] stand in for
//! those of the C library.
//!
//! Only x86-64 Linux with glibc is supported. Libraries that a program opens later with `dlopen`
//! are shared by all ranks.

mod arena;
mod copied_image;
mod copies;
mod elf;
mod entry;
mod error;
mod globals;
mod host;
mod image;
mod libraries;
mod limits;
mod link;
mod locate;
mod module;
mod program;
mod shared;
mod thread_locals;
pub mod unwind;

pub use error::ImageError;
pub use image::{Entry, Image};
pub use libraries::Libraries;
pub use limits::check_mappings;
pub use locate::{Location, locate};
pub use program::Program;
pub use thread_locals::ThreadLocals;

/// Whose code refers to a function outside of the images.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Caller {
    /// The program's, or that of a library of its own.
    Program,
    /// That of the compiler's run-time library, which calls nothing of the program.
    RunTime,
}

/// Functions that images call instead of those of the C library.
pub trait Interposed {
    /// The address to use for a name that the program itself does not define.
    fn address(&self, name: &std::ffi::CStr) -> Option<usize>;

    /// The address that private images call in place of a function at `address`, which lies
    /// outside of them. `by` says which of their parts refers to it.
    fn way_out(&self, name: &std::ffi::CStr, address: usize, by: Caller) -> usize {
        let _ = (name, by);
        address
    }
}
