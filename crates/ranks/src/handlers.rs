//! Exit handlers of one rank, in place of the process-wide lists of the C library.

use std::ffi::{c_int, c_void};

/// A function to call when the rank ends.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Handler {
    /// From `atexit` or `at_quick_exit`.
    Plain(unsafe extern "C" fn()),
    /// From `__cxa_atexit`: with its argument, and the object it belongs to.
    OfObject(unsafe extern "C" fn(*mut c_void), *mut c_void, *mut c_void),
    /// From `on_exit`: with the exit code and its argument.
    WithCode(unsafe extern "C" fn(c_int, *mut c_void), *mut c_void),
}

impl Handler {
    /// Calls the function.
    ///
    /// # Safety
    ///
    /// On the stack of the rank that registered it, whose program is still in memory.
    pub(crate) unsafe fn call(self, code: c_int) {
        // SAFETY: the caller's promise.
        unsafe {
            match self {
                Handler::Plain(f) => f(),
                Handler::OfObject(f, argument, _) => f(argument),
                Handler::WithCode(f, argument) => f(code, argument),
            }
        }
    }
}

/// The handlers of one rank, each list called from its end.
#[derive(Debug, Default)]
pub(crate) struct Handlers {
    /// Destructors of thread-locals, which come first.
    pub(crate) of_thread: Vec<Handler>,
    /// Of `exit`, and of a return from `main`.
    pub(crate) at_exit: Vec<Handler>,
    /// Of `quick_exit`.
    pub(crate) at_quick_exit: Vec<Handler>,
}

impl Handlers {
    /// Takes the next handler of `exit`.
    pub(crate) fn next(&mut self) -> Option<Handler> {
        self.of_thread.pop().or_else(|| self.at_exit.pop())
    }

    /// Takes the next handler that belongs to an object, or any for a null object.
    pub(crate) fn next_of(&mut self, object: *mut c_void) -> Option<Handler> {
        let is_of = |handler: &Handler| match handler {
            _ if object.is_null() => true,
            Handler::OfObject(_, _, of) => *of == object,
            _ => false,
        };
        let last = self.at_exit.iter().rposition(is_of)?;
        Some(self.at_exit.remove(last))
    }
}
