//! What this crate needs of a program in memory, whoever put it there.

use std::ffi::{CStr, c_char, c_int};
use std::rc::Rc;

use crate::settings::Privacy;

/// The `main` of a C program, with the environment as third argument.
pub type Main = unsafe extern "C" fn(c_int, *mut *mut c_char, *mut *mut c_char) -> c_int;

/// A program that ranks can run: the template of which each rank gets its own.
pub trait Template {
    /// Puts the program into memory for rank `number`, with calls of functions that `interposed`
    /// knows redirected there.
    ///
    /// # Errors
    ///
    /// A sentence for the user: what failed and what to do.
    fn load(
        &self,
        number: u32,
        privacy: Privacy,
        interposed: &dyn Fn(&CStr) -> Option<usize>,
    ) -> Result<Rc<dyn Loaded>, String>;

    /// Whether the code of a private image can reach nothing outside but by calls of functions
    /// that `interposed` was told of.
    fn is_self_contained(&self) -> bool {
        false
    }

    /// Kernel mappings that each rank costs.
    fn mappings_per_rank(&self, privacy: Privacy) -> usize;
}

/// A program in memory, for one rank.
pub trait Loaded {
    /// Its `main`.
    fn main(&self) -> Main;

    /// Addresses of functions to call before `main`, in order, with the arguments of `main`.
    fn constructors(&self) -> Vec<usize>;

    /// Addresses of functions to call after the exit handlers, in order.
    fn destructors(&self) -> Vec<usize>;

    /// Memory of the ranks' thread that holds the program's thread-locals.
    fn thread_locals(&self) -> Vec<ThreadLocals>;

    /// The address of the program's own copy of a library's variable, such as `optind`.
    fn copied_variable(&self, name: &CStr) -> Option<usize>;

    /// The address of a symbol that the program exports.
    fn symbol(&self, name: &CStr) -> Option<usize> {
        let _ = name;
        None
    }

    /// Makes this program the one that lists of loaded objects show.
    fn announce(&self) {}
}

/// Thread-locals of a program, in the thread on which ranks run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThreadLocals {
    /// Where they start.
    pub address: usize,
    /// What a new rank, or a new thread of it, finds there.
    pub initial: Vec<u8>,
}
