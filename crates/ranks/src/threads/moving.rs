//! A rank leaves the scheduler's thread for one of its own.
//!
//! Ranks take turns on one thread, so none may wait there for another thread that calls MPI. A
//! rank that may call MPI from several threads therefore goes on in a thread of its own, on the
//! same stack: the switch does not care which thread makes it. What the system keeps per thread
//! goes along: thread-locals of the program, `errno`, floating-point controls. What other
//! libraries keep begins anew there, and is the rank's alone: libgomp's pool, for one.

use std::ffi::c_void;
use std::io;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::thread::place_locals;
use super::{Thread, Threads, locked};
use crate::body::{Body, Entry};
use crate::context;
use crate::crash;
use crate::interposed::threads::real_create;
use crate::rank::Rank;
use crate::regions::Regions;
use crate::switch;

/// A rank that left, for the way there and back.
#[derive(Debug)]
pub(crate) struct Moved(#[allow(dead_code, reason = "kept to be dropped")] Rank);

// SAFETY: a rank that left is used by its own thread alone, until that has ended.
unsafe impl Send for Moved {}

/// What the new thread needs to know.
struct Departure {
    rank: Rank,
    thread: Arc<Thread>,
    locals: Vec<(isize, Vec<u8>)>,
}

/// Asks for a thread of its own for the rank that runs, and goes on there. Does nothing for a rank
/// that has one, or that cannot: a program on its own.
///
/// Addresses of thread-locals that were taken before are wrong afterwards.
#[inline(never)]
pub fn ask_for_thread() {
    let can_move = context::with_body(|body| {
        let can_move = matches!(body.life.entry, Entry::Program(..));
        body.wants_thread.set(can_move);
        can_move
    });
    if can_move == Some(true) && context::is_own_thread() {
        switch::suspend();
    }
}

impl Threads {
    /// Sends the rank away. What of its memory is exchanged at switches and is no thread-local is
    /// returned, for who stands in for it here.
    pub(crate) fn send_away(self: &Arc<Self>, rank: Rank, body: &Body) -> io::Result<Regions> {
        let (locals, rest) = put_aside(body, self);
        let departure = Departure { rank, thread: self.main(), locals };
        self.is_served.store(true, Ordering::Release);
        let mut thread = 0;
        let departure = Box::into_raw(Box::new(departure));
        // SAFETY: the thread gets a box that only it will open.
        let result = unsafe { real_create(&mut thread, ptr::null(), arrive, departure.cast()) };
        if result != 0 {
            // SAFETY: no thread was made, so the box is still ours.
            drop(unsafe { Box::from_raw(departure) });
            return Err(io::Error::from_raw_os_error(result));
        }
        *locked(&self.way) = Some(thread);
        Ok(rest)
    }
}

/// Takes the memory of a rank from the places where ranks take turns.
fn put_aside(body: &Body, threads: &Threads) -> (Vec<(isize, Vec<u8>)>, Regions) {
    context::with(|context| {
        if ptr::eq(context.regions_of.get(), body) {
            body.regions.save();
            context.regions_of.set(ptr::null());
        }
    });
    body.regions.split(threads.locals.iter().map(|(distance, content)| (*distance, content.len())))
}

/// The first code of the rank's own thread: the rank, to its end.
extern "C-unwind" fn arrive(departure: *mut c_void) -> *mut c_void {
    // SAFETY: `send_away` made the box for this thread alone.
    let Departure { mut rank, thread, locals } =
        *unsafe { Box::from_raw(departure.cast::<Departure>()) };
    context::with(|context| context.places.look_up());
    // A thread without a stack for handlers cannot report that its stack is full, no more.
    let _ = crash::lend_stack();
    place_locals(&locals);
    drop(locals);
    thread.begin();
    let code = rank.go_on_here();
    let threads = thread.threads().clone();
    *locked(&threads.home) = Some(Moved(rank));
    threads.end(code);
    ptr::null_mut()
}
