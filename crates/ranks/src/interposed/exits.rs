//! `exit` and its kin end the rank, not the process; exit handlers are the rank's.

use std::ffi::{c_int, c_void};

use super::{Entry, table};
use crate::body::How;
use crate::context;
use crate::handlers::{Handler, Handlers};
use crate::life;
use crate::switch;
use crate::threads;

pub(super) fn table() -> Vec<Entry> {
    table![
        exit => exit_rank,
        _exit => end_rank,
        _Exit => end_rank,
        quick_exit,
        atexit,
        on_exit,
        at_quick_exit,
        __cxa_atexit => cxa_atexit,
        __cxa_at_quick_exit => cxa_at_quick_exit,
        __cxa_thread_atexit => cxa_thread_atexit,
        __cxa_thread_atexit_impl => cxa_thread_atexit,
        __cxa_finalize => cxa_finalize,
    ]
}

type Plain = unsafe extern "C" fn();
type OfObject = unsafe extern "C" fn(*mut c_void);
type WithCode = unsafe extern "C" fn(c_int, *mut c_void);

extern "C" fn exit_rank(code: c_int) -> ! {
    if context::current().is_none() {
        leave_from_thread(code, life::wind_up);
    }
    life::leave(code, How::Exited)
}

extern "C" fn end_rank(code: c_int) -> ! {
    if context::current().is_none() {
        leave_from_thread(code, |_| ());
    }
    switch::end(code & 0xff)
}

extern "C" fn quick_exit(code: c_int) -> ! {
    if context::current().is_none() {
        leave_from_thread(code, life::wind_up_quickly);
    }
    life::leave_quickly(code)
}

/// A thread of a rank asks for the end of it. Where calls of threads are carried out, the rank
/// ends after its handlers; this thread waits for what becomes of the process.
fn leave_from_thread(code: c_int, wind_up: impl FnOnce(c_int)) -> ! {
    let Some(thread) = threads::own().filter(|thread| thread.threads().is_served()) else {
        leave_process(code)
    };
    context::with(|context| context.current.set(thread.threads().body()));
    wind_up(code);
    thread.threads().end(code & 0xff);
    loop {
        std::thread::park();
    }
}

/// A thread of the program asks for the end of a rank that runs on the scheduler's thread: that
/// cannot be carried out from here, so the whole process ends. Handlers belong to ranks and are
/// not called.
fn leave_process(code: c_int) -> ! {
    // SAFETY: flushes what was printed, then ends the process.
    unsafe {
        libc::fflush(std::ptr::null_mut());
        libc::_exit(code)
    }
}

/// Adds to the handlers of the rank; on a thread of the program, forgets the handler: it may
/// outlive the rank's memory, and no one would know whose it is.
fn add(handler: Handler, list: impl FnOnce(&mut Handlers) -> &mut Vec<Handler>) -> c_int {
    context::with_body(|body| list(&mut body.life.handlers.borrow_mut()).push(handler));
    0
}

extern "C" fn atexit(f: Plain) -> c_int {
    add(Handler::Plain(f), |handlers| &mut handlers.at_exit)
}

extern "C" fn on_exit(f: WithCode, argument: *mut c_void) -> c_int {
    add(Handler::WithCode(f, argument), |handlers| &mut handlers.at_exit)
}

extern "C" fn at_quick_exit(f: Plain) -> c_int {
    add(Handler::Plain(f), |handlers| &mut handlers.at_quick_exit)
}

extern "C" fn cxa_atexit(f: OfObject, argument: *mut c_void, object: *mut c_void) -> c_int {
    add(Handler::OfObject(f, argument, object), |handlers| &mut handlers.at_exit)
}

extern "C" fn cxa_at_quick_exit(f: Plain, _object: *mut c_void) -> c_int {
    at_quick_exit(f)
}

extern "C" fn cxa_thread_atexit(f: OfObject, argument: *mut c_void, object: *mut c_void) -> c_int {
    if context::current().is_none() {
        // SAFETY: what the program asked for, on a thread that ends before its rank.
        return unsafe { __cxa_thread_atexit_impl(f, argument, object) };
    }
    add(Handler::OfObject(f, argument, object), |handlers| &mut handlers.of_thread)
}

extern "C" fn cxa_finalize(object: *mut c_void) {
    while let Some(Some(handler)) =
        context::with_body(|body| body.life.handlers.borrow_mut().next_of(object))
    {
        // SAFETY: on the stack of the rank that registered it, whose program is in memory.
        unsafe { handler.call(0) };
        crate::ahead::gate();
    }
}

unsafe extern "C" {
    fn __cxa_thread_atexit_impl(f: OfObject, argument: *mut c_void, object: *mut c_void) -> c_int;
}
