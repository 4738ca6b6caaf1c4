//! The life of a rank, on its own stack: constructors, `main`, exit handlers, destructors.

use std::ffi::{c_char, c_int};

use crate::ahead;
use crate::body::{Body, Entry, How};
use crate::context;
use crate::loaded::Loaded;
use crate::switch;

/// What the dynamic loader calls before `main`.
type Constructor = unsafe extern "C" fn(c_int, *mut *mut c_char, *mut *mut c_char);

/// Runs a rank from its first instruction to its last.
///
/// Nothing may unwind out of here: below lies the frame that switches stacks.
pub(crate) extern "C" fn live(body: &Body) {
    mark(body);
    let code = match &body.life.entry {
        Entry::Nothing => 0,
        Entry::Function(function) => function.take().map_or(0, |function| function()),
        Entry::Program(loaded, arguments) => run_program(body, &**loaded, arguments.parts()),
    };
    leave(code, How::Returned)
}

/// Notes where the frames of the program begin.
#[inline(always)]
fn mark(body: &Body) {
    let here = 0_u8;
    body.life.frame.set((&raw const here).addr());
}

#[inline(never)]
fn run_program(
    body: &Body,
    loaded: &dyn Loaded,
    (count, argv, envp): (c_int, *mut *mut c_char, *mut *mut c_char),
) -> c_int {
    mark(body);
    for constructor in loaded.constructors() {
        // SAFETY: the loader found these addresses in the program's table of such functions.
        let constructor: Constructor = unsafe { std::mem::transmute(constructor) };
        // SAFETY: called in the order of the table, with the arguments of `main`.
        unsafe { constructor(count, argv, envp) };
        ahead::gate();
    }
    // SAFETY: the program's own entry, with arguments that live as long as the rank.
    let code = unsafe { (loaded.main())(count, argv, envp) };
    ahead::gate();
    code
}

/// Ends the current rank as `exit` does: handlers in reverse order, then destructors.
///
/// A handler that calls `exit` itself comes here again and goes on with those that are left.
pub(crate) fn leave(code: c_int, how: How) -> ! {
    wind_up(code);
    switch::end_as(code & 0xff, how)
}

/// What `exit` does before the end.
pub(crate) fn wind_up(code: c_int) {
    // One borrow for each handler: it may register more.
    while let Some(Some(handler)) =
        context::with_body(|body| body.life.handlers.borrow_mut().next())
    {
        // SAFETY: on the stack of the rank that registered it.
        unsafe { handler.call(code) };
        ahead::gate();
    }
    context::with_body(destruct);
}

/// Runs the program's destructors, once: one of them may call `exit`.
fn destruct(body: &Body) {
    let Entry::Program(loaded, _) = &body.life.entry else { return };
    if body.life.has_destructed.replace(true) {
        return;
    }
    for destructor in loaded.destructors() {
        // SAFETY: the loader found these addresses in the program's table of such functions.
        let destructor: unsafe extern "C" fn() = unsafe { std::mem::transmute(destructor) };
        // SAFETY: called once, after the exit handlers.
        unsafe { destructor() };
        ahead::gate();
    }
}

/// Ends the current rank as `quick_exit` does.
pub(crate) fn leave_quickly(code: c_int) -> ! {
    wind_up_quickly(code);
    switch::end_as(code & 0xff, How::Exited)
}

/// What `quick_exit` does before the end.
pub(crate) fn wind_up_quickly(code: c_int) {
    while let Some(Some(handler)) =
        context::with_body(|body| body.life.handlers.borrow_mut().at_quick_exit.pop())
    {
        // SAFETY: on the stack of the rank that registered it.
        unsafe { handler.call(code) };
        ahead::gate();
    }
}
