//! Threads that the program makes itself: they belong to their rank, and start with its
//! thread-locals.
//!
//! `pthread_create` stands in for the C library's in every library of the process, since OpenMP
//! and C++ make threads by it; the others only in programs.

use std::arch::naked_asm;
use std::ffi::{c_int, c_void};
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use libc::{pthread_attr_t, pthread_t};

use super::{Entry, table};
use crate::body::How;
use crate::context;
use crate::life;
use crate::openmp::{begin_critical, end_critical};
use crate::surroundings;
use crate::threads::{self, Thread, place_locals};

pub(super) fn table() -> Vec<Entry> {
    table![
        pthread_create => create,
        pthread_exit => exit_thread,
        thrd_create => create_c11,
        sched_yield => give_way,
        pthread_yield => give_way,
        thrd_yield => give_way,
        GOMP_critical_start => begin_critical,
        GOMP_critical_end => end_critical,
    ]
}

/// What a thread runs. It may be unwound: `pthread_exit` does that.
pub type Start = extern "C-unwind" fn(*mut c_void) -> *mut c_void;

type Create =
    unsafe extern "C" fn(*mut pthread_t, *const pthread_attr_t, Start, *mut c_void) -> c_int;

/// What a new thread needs to know.
struct Birth {
    start: Start,
    argument: *mut c_void,
    thread: Arc<Thread>,
}

/// Makes a thread, which belongs to the rank that calls.
///
/// # Safety
///
/// As for `pthread_create`.
pub unsafe extern "C" fn create(
    thread: *mut pthread_t,
    attributes: *const pthread_attr_t,
    start: Start,
    argument: *mut c_void,
) -> c_int {
    let Some(child) = child() else {
        // SAFETY: passed on as it came.
        return unsafe { real_create(thread, attributes, start, argument) };
    };
    let birth = Box::into_raw(Box::new(Birth { start, argument, thread: child.clone() }));
    // SAFETY: the thread gets a box that only it will open.
    let result = unsafe { real_create(thread, attributes, begin, birth.cast()) };
    if result != 0 {
        // SAFETY: no thread was made, so the box is still ours.
        drop(unsafe { Box::from_raw(birth) });
        child.threads().remove(&child);
    }
    result
}

/// The thread that is about to be made by a rank, or by one of its threads.
fn child() -> Option<Arc<Thread>> {
    let maker =
        threads::own().or_else(|| context::with_body(|body| body.life.threads(body).main()))?;
    Some(maker.threads().add(maker.next_place()))
}

/// `pthread_create` of the C library.
///
/// # Safety
///
/// As for `pthread_create`.
pub(crate) unsafe fn real_create(
    thread: *mut pthread_t,
    attributes: *const pthread_attr_t,
    start: Start,
    argument: *mut c_void,
) -> c_int {
    static REAL: AtomicUsize = AtomicUsize::new(0);
    let mut real = REAL.load(Ordering::Relaxed);
    if real == 0 {
        // SAFETY: looks a name up in the libraries after this one.
        real = unsafe { libc::dlsym(libc::RTLD_NEXT, c"pthread_create".as_ptr()) }.addr();
        REAL.store(real, Ordering::Relaxed);
    }
    if real == 0 {
        return libc::ENOSYS;
    }
    // SAFETY: the C library's function has this type; the arguments are the caller's.
    unsafe {
        let real: Create = std::mem::transmute(real);
        real(thread, attributes, start, argument)
    }
}

/// The first code of a thread: jumps into the program's, so that no frame of ours is below it.
/// `pthread_exit` unwinds what is there, and a library that aborts on panics would abort on that.
#[unsafe(naked)]
extern "C-unwind" fn begin(birth: *mut c_void) -> *mut c_void {
    naked_asm!(
        "sub rsp, 8",
        "call {prepare}",
        "add rsp, 8",
        "mov rdi, rdx",
        "jmp rax",
        prepare = sym prepare,
    )
}

/// What a thread runs, in the two registers that such a structure is returned in.
#[repr(C)]
struct Errand {
    start: Start,
    argument: *mut c_void,
}

/// Makes a new thread known; returns what it runs.
extern "C" fn prepare(birth: *mut c_void) -> Errand {
    // SAFETY: `create` made the box for this thread alone.
    let Birth { start, argument, thread } = *unsafe { Box::from_raw(birth.cast::<Birth>()) };
    place_locals(&thread.threads().locals);
    thread.begin();
    Errand { start, argument }
}

/// `thrd_create`: the C library keeps one kind of threads.
unsafe extern "C" fn create_c11(
    thread: *mut pthread_t,
    start: Start,
    argument: *mut c_void,
) -> c_int {
    const ERROR: c_int = 2;
    const NO_MEMORY: c_int = 3;
    // SAFETY: passed on as it came. What such a function returns is an `int`, in the lower half of
    // the register that holds a pointer, and who joins the thread takes no more.
    match unsafe { create(thread, ptr::null(), start, argument) } {
        0 => 0,
        libc::EAGAIN | libc::ENOMEM => NO_MEMORY,
        _ => ERROR,
    }
}

/// `pthread_exit`: on the main thread of a rank the others go on, and the rank ends with the last.
/// Any other thread ends in the C library, with no frame of ours to be unwound.
#[unsafe(naked)]
unsafe extern "C-unwind" fn exit_thread(result: *mut c_void) -> ! {
    naked_asm!(
        "push rdi",
        "call {leave_if_main}",
        "pop rdi",
        "jmp [rip + {real}@GOTPCREL]",
        leave_if_main = sym leave_if_main,
        real = sym pthread_exit,
    )
}

/// Ends the rank if this is its main thread, once the other threads have ended.
extern "C" fn leave_if_main() {
    let Some(threads) = context::with_body(|body| body.life.threads(body).clone()) else { return };
    threads.main().park(true);
    while !threads.is_alone() {
        std::thread::sleep(Duration::from_millis(1));
    }
    threads.main().park(false);
    drop(threads);
    life::leave(0, How::Returned)
}

/// `sched_yield`: who gives way waits for something, so simulated time must pass.
extern "C" fn give_way() -> c_int {
    /// As long as a look at a variable of another processor takes, about.
    const STEP: f64 = 1e-7;
    let is_threaded = !context::is_own_thread();
    if is_threaded && surroundings::ask("sched_yield", |around| around.sleep(STEP)).is_some() {
        return 0;
    }
    // SAFETY: lets others run.
    unsafe { libc::sched_yield() }
}

unsafe extern "C-unwind" {
    fn pthread_exit(result: *mut c_void) -> !;
}
