//! One thread of a rank, and how its calls reach the scheduler.

use std::arch::asm;
use std::cell::RefCell;
use std::ptr;
use std::sync::atomic::{AtomicI32, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use super::quiet::Files;
use super::{Threads, clock, locked};
use crate::context;
use crate::loaded::ThreadLocals;
use crate::stopwatch::Clock;

/// A thread of a rank.
#[derive(Debug)]
pub struct Thread {
    threads: Arc<Threads>,
    number: u32,
    /// The how-manieth of its maker it is, and so on up to the main thread: an order that does
    /// not depend on which of two makers was faster.
    pub(super) place: Vec<u32>,
    children: AtomicU32,
    /// Its number in the system, 0 before it runs.
    tid: AtomicI32,
    /// Where the kernel tells what it does.
    pub(super) files: Files,
    doing: Mutex<Doing>,
    answered: Condvar,
    /// When its own code last went on, on the clock that measures it.
    resumed: AtomicU64,
    /// The call it is in or made last.
    call: Mutex<&'static str>,
}

/// What a thread does, as far as calls go.
#[derive(Debug)]
enum Doing {
    /// Its own code.
    Outside,
    /// It has called, and waits until somebody sees to it.
    Calling(Call),
    /// Its call is being carried out.
    Served,
    /// Its call was carried out; it has not noticed yet.
    Answered,
    /// The main thread, which waits for the others to end.
    Parked,
}

/// A call that somebody else carries out.
#[derive(Debug)]
pub struct Call {
    what: *mut (dyn FnMut() + 'static),
    /// The name of the call, for reports.
    pub name: &'static str,
    /// How long the thread computed before it, in seconds.
    pub elapsed: f64,
}

// SAFETY: the caller waits until the call was carried out, so that what it points to is there and
// used by one thread at a time.
unsafe impl Send for Call {}

impl Call {
    /// Carries the call out, where and when the scheduler wants it.
    pub fn carry_out(&self) {
        // SAFETY: the caller keeps it alive until it is let go, and runs nothing meanwhile.
        unsafe { (*self.what)() }
    }
}

thread_local! {
    /// Which thread of a rank this is; taken back before the thread ends.
    static OWN: RefCell<Option<Own>> = const { RefCell::new(None) };
}

/// Keeps a thread known for as long as it can call.
struct Own(Arc<Thread>);

impl Drop for Own {
    fn drop(&mut self) {
        context::with(|context| context.thread.set(ptr::null()));
    }
}

impl Thread {
    pub(super) fn new(threads: Arc<Threads>, number: u32, place: Vec<u32>) -> Self {
        Self {
            threads,
            number,
            place,
            children: AtomicU32::new(0),
            tid: AtomicI32::new(0),
            files: Files::default(),
            doing: Mutex::new(Doing::Outside),
            answered: Condvar::new(),
            resumed: AtomicU64::new(0),
            call: Mutex::new(""),
        }
    }

    /// Its number among all threads that the rank has made; 0 is the main one.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// The threads of its rank.
    pub fn threads(&self) -> &Arc<Threads> {
        &self.threads
    }

    /// Its number in the system, once it runs.
    pub(super) fn tid(&self) -> Option<i32> {
        Some(self.tid.load(Ordering::Acquire)).filter(|tid| *tid != 0)
    }

    /// Where the next thread that this one makes comes in the order.
    pub(crate) fn next_place(&self) -> Vec<u32> {
        let nth = self.children.fetch_add(1, Ordering::Relaxed);
        self.place.iter().copied().chain([nth]).collect()
    }

    /// Makes the thread that calls this one the thread that is meant.
    pub(crate) fn begin(self: &Arc<Self>) {
        context::with(|context| {
            context.made_by.set(Some(self.threads.rank()));
            context.thread.set(Arc::as_ptr(self));
        });
        OWN.set(Some(Own(self.clone())));
        self.note_resumed();
        // SAFETY: only asks for a number.
        self.tid.store(unsafe { libc::gettid() }, Ordering::Release);
    }

    pub(super) fn is_outside(&self) -> bool {
        matches!(*locked(&self.doing), Doing::Outside | Doing::Answered)
    }

    /// Whether it was let go and has not run since.
    pub(super) fn is_answered(&self) -> bool {
        matches!(*locked(&self.doing), Doing::Answered)
    }

    pub(super) fn is_parked(&self) -> bool {
        matches!(*locked(&self.doing), Doing::Parked)
    }

    /// Whether a call of it waits to be carried out.
    pub fn is_calling(&self) -> bool {
        matches!(*locked(&self.doing), Doing::Calling(_))
    }

    /// The call that waits to be carried out, for who does it.
    pub fn take_call(&self) -> Option<Call> {
        let doing = &mut *locked(&self.doing);
        match std::mem::replace(doing, Doing::Served) {
            Doing::Calling(call) => Some(call),
            other => {
                *doing = other;
                None
            }
        }
    }

    /// The call has been carried out: the thread goes on, at this simulated date.
    pub fn let_go(&self, date: f64) {
        self.threads.begin_stretch(date);
        *locked(&self.doing) = Doing::Answered;
        self.answered.notify_one();
    }

    /// Lets others be looked at while this thread waits for all of them to end.
    pub(crate) fn park(&self, is_parked: bool) {
        *locked(&self.doing) = if is_parked { Doing::Parked } else { Doing::Outside };
        self.threads.ring();
    }

    /// Has something carried out by the scheduler, and waits for it.
    fn call(&self, name: &'static str, what: &mut dyn FnMut()) {
        // SAFETY: only the lifetime changes, and this function waits until it was carried out.
        let what =
            unsafe { std::mem::transmute::<&mut dyn FnMut(), &'static mut dyn FnMut()>(what) };
        let call = Call { what, name, elapsed: self.elapsed() };
        *locked(&self.call) = name;
        let mut doing = locked(&self.doing);
        *doing = Doing::Calling(call);
        drop(doing);
        self.threads.ring();
        doing = locked(&self.doing);
        while !matches!(*doing, Doing::Answered) {
            doing = self.answered.wait(doing).unwrap_or_else(PoisonError::into_inner);
        }
        *doing = Doing::Outside;
        drop(doing);
        self.note_resumed();
    }

    fn note_resumed(&self) {
        let now = clock().map_or(0.0, Clock::read);
        self.resumed.store(now.to_bits(), Ordering::Relaxed);
    }

    /// How long the thread has computed, or waited for others of its rank that did: since the
    /// rank last went on. Before that it waited for a thread that was in a call.
    fn elapsed(&self) -> f64 {
        let resumed = f64::from_bits(self.resumed.load(Ordering::Relaxed));
        let Some(clock) = clock() else { return 0.0 };
        let since = match clock {
            Clock::Wall => {
                resumed.max(f64::from_bits(self.threads.stretch.load(Ordering::Relaxed)))
            }
            Clock::ThreadCpu => resumed,
        };
        (clock.read() - since).max(0.0)
    }
}

/// Runs `f` with the thread of a rank that this is, if it is one whose calls are carried out.
pub(crate) fn with_own<R>(f: impl FnOnce(&Thread) -> R) -> Option<R> {
    let thread = context::with(|context| context.thread.get());
    // SAFETY: `OWN` keeps it alive for as long as it is set.
    (!thread.is_null()).then(|| f(unsafe { &*thread }))
}

/// The thread of a rank that this is.
pub(crate) fn own() -> Option<Arc<Thread>> {
    OWN.try_with(|own| own.borrow().as_ref().map(|own| own.0.clone())).ok().flatten()
}

/// Has something carried out by the scheduler, on behalf of the thread that calls; false where
/// nobody does that: on the scheduler's thread itself, or in ranks with one thread.
pub fn carry_out(name: &'static str, what: &mut dyn FnMut()) -> bool {
    let done = with_own(|thread| {
        let is_served = thread.threads.is_served();
        if is_served {
            thread.call(name, what);
        }
        is_served
    });
    done.unwrap_or(false)
}

/// The rank and the number of the thread that calls, and its last MPI call, for reports.
pub fn own_name() -> Option<(u32, u32, &'static str)> {
    with_own(|thread| {
        // A report may be written while the name is being changed.
        let call = thread.call.try_lock().map_or("", |call| *call);
        (thread.threads.rank(), thread.number, call)
    })
}

/// Thread-locals by their distance from the thread pointer, which is the same in every thread.
pub(super) fn distances(locals: Vec<ThreadLocals>) -> Vec<(isize, Vec<u8>)> {
    let here = thread_pointer();
    let distance = |locals: &ThreadLocals| locals.address.wrapping_sub(here).cast_signed();
    locals.into_iter().map(|locals| (distance(&locals), locals.initial)).collect()
}

/// Puts thread-locals of the program in place, in a thread that has run none of its code.
pub(crate) fn place_locals(locals: &[(isize, Vec<u8>)]) {
    for (distance, content) in locals {
        let place = thread_pointer().wrapping_add_signed(*distance) as *mut u8;
        // SAFETY: the static block of thread-locals has the same layout in every thread, and no
        // code of the program has run in this one yet.
        unsafe { ptr::copy_nonoverlapping(content.as_ptr(), place, content.len()) };
    }
}

/// The thread pointer, which the x86-64 ABI keeps at its own address.
fn thread_pointer() -> usize {
    let pointer: usize;
    // SAFETY: reads the first word of the thread's control block.
    unsafe { asm!("mov {}, fs:0", out(reg) pointer, options(nostack, pure, readonly)) };
    pointer
}
