//! Threads that the program makes itself: they start with the thread-locals of their rank.

use std::arch::asm;
use std::ffi::{c_int, c_void};
use std::ptr;

use libc::{pthread_attr_t, pthread_t};

use super::{Entry, table};
use crate::body::Entry as RankEntry;
use crate::context;
use crate::loaded::ThreadLocals;

pub(super) fn table() -> Vec<Entry> {
    table![pthread_create => create]
}

type Start = extern "C" fn(*mut c_void) -> *mut c_void;

/// What a new thread needs to know.
struct Birth {
    start: Start,
    argument: *mut c_void,
    rank: Option<u32>,
    /// Thread-locals of the rank's image, at their distance from the thread pointer.
    locals: Vec<(isize, Vec<u8>)>,
}

unsafe extern "C" fn create(
    thread: *mut pthread_t,
    attributes: *const pthread_attr_t,
    start: Start,
    argument: *mut c_void,
) -> c_int {
    let rank = context::current().or_else(context::made_by);
    let locals = context::with_body(|body| match &body.life.entry {
        RankEntry::Program(loaded, _) => distances(loaded.thread_locals()),
        _ => Vec::new(),
    });
    let birth = Birth { start, argument, rank, locals: locals.unwrap_or_default() };
    let birth = Box::into_raw(Box::new(birth));
    // SAFETY: the thread gets a box that only it will open.
    let result = unsafe { libc::pthread_create(thread, attributes, begin, birth.cast()) };
    if result != 0 {
        // SAFETY: no thread was made, so the box is still ours.
        drop(unsafe { Box::from_raw(birth) });
    }
    result
}

/// Thread-locals by their distance from the thread pointer, which is the same in every thread.
fn distances(locals: Vec<ThreadLocals>) -> Vec<(isize, Vec<u8>)> {
    let here = thread_pointer();
    let distance = |locals: &ThreadLocals| locals.address.wrapping_sub(here).cast_signed();
    locals.into_iter().map(|locals| (distance(&locals), locals.initial)).collect()
}

extern "C" fn begin(birth: *mut c_void) -> *mut c_void {
    // SAFETY: `create` made the box for this thread alone.
    let Birth { start, argument, rank, locals } = *unsafe { Box::from_raw(birth.cast::<Birth>()) };
    context::with(|context| context.made_by.set(rank));
    for (distance, initial) in &locals {
        let place = thread_pointer().wrapping_add_signed(*distance) as *mut u8;
        // SAFETY: the static block of thread-locals has the same layout in every thread, and no
        // code of the program has run in this one yet.
        unsafe { ptr::copy_nonoverlapping(initial.as_ptr(), place, initial.len()) };
    }
    drop(locals);
    start(argument)
}

/// The thread pointer, which the x86-64 ABI keeps at its own address.
fn thread_pointer() -> usize {
    let pointer: usize;
    // SAFETY: reads the first word of the thread's control block.
    unsafe { asm!("mov {}, fs:0", out(reg) pointer, options(nostack, pure, readonly)) };
    pointer
}
