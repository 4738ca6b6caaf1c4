//! Threads of a rank that calls MPI from several.
//!
//! They are threads of the system, so that locks, barriers and OpenMP work as they do anywhere,
//! and the rank's main thread becomes one too (`moving.rs`). An MPI call of such a thread is
//! carried out where all ranks live, on the scheduler's thread, while the caller waits
//! ([`Thread::call`]). So nothing of the simulation is ever reached by two threads.
//!
//! Simulated time stands still while a thread computes: after each answer the scheduler waits, in
//! real time, until every thread of the rank is in a call or waits for another one in the kernel
//! ([`Threads::settle`], `quiet.rs`). Calls that have come by then are served in the order in which
//! their threads were made. What two threads do to each other without MPI, such as who gets a lock
//! first, is theirs; all else is meant to be the same in every run, and nearly always is.

mod moving;
mod quiet;
mod thread;

use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU8, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use libc::pthread_t;

use crate::body::{Body, Entry};
use crate::stopwatch::Clock;

pub(crate) use moving::Moved;
pub use moving::ask_for_thread;
use quiet::Look;
pub use thread::{Call, Thread, carry_out, own_name};
pub(crate) use thread::{own, place_locals, with_own};

/// How long a rank may keep others waiting before it is let be while threads of it are in calls:
/// a thread may be waiting for one of those by looking at a variable again and again.
const PATIENCE: Duration = Duration::from_millis(500);

/// The least that remains of it, once it was in vain.
const LEAST_PATIENCE: Duration = Duration::from_millis(2);

/// So many threads, and it is looked for those that have ended when another one is made.
const MANY: usize = 64;

/// Time before the first look at threads that run.
const FIRST_LOOK: Duration = Duration::from_micros(20);

/// Longest time between two looks at threads that run.
const LOOK_AGAIN: Duration = Duration::from_millis(1);

/// Which clock measures threads: 0 for none.
static CLOCK: AtomicU8 = AtomicU8::new(0);

/// The threads of one rank.
#[derive(Debug)]
pub struct Threads {
    rank: u32,
    /// Those that were made and not yet found to have ended, in order of their places.
    all: Mutex<Vec<Arc<Thread>>>,
    made: AtomicU32,
    /// Whether calls of threads are carried out.
    is_served: AtomicBool,
    /// Counts what the scheduler may want to look at.
    bell: (Mutex<u64>, Condvar),
    /// The count when the scheduler last looked.
    heard: AtomicU64,
    /// When the scheduler last let a thread go, on the wall clock, and the simulated date then.
    stretch: AtomicU64,
    date: AtomicU64,
    /// How long it is waited for threads that may be spinning, in nanoseconds.
    patience: AtomicU64,
    /// Whether a thread may call that was not waited for.
    is_loose: AtomicBool,
    /// The exit code, once a thread has ended the rank.
    ending: Mutex<Option<i32>>,
    /// The rank itself, once it has ended.
    home: Mutex<Option<Moved>>,
    /// The thread that the rank went to.
    way: Mutex<Option<pthread_t>>,
    body: AtomicPtr<Body>,
    /// The lock of OpenMP's `critical` without a name, made by the library when first used.
    pub(crate) critical: AtomicPtr<c_void>,
    /// Thread-locals of the program at their distance from the thread pointer, as a new thread
    /// finds them.
    pub(crate) locals: Vec<(isize, Vec<u8>)>,
}

/// What has come of it when a rank is quiet.
#[derive(Debug, Default)]
pub struct Arrivals {
    /// Threads whose calls wait to be carried out, in order.
    pub calling: Vec<Arc<Thread>>,
    /// Threads that have ended.
    pub gone: Vec<Arc<Thread>>,
}

/// Tells which clock measures what threads compute.
pub fn measure_threads_by(clock: Option<Clock>) {
    let number = match clock {
        None => 0,
        Some(Clock::Wall) => 1,
        Some(Clock::ThreadCpu) => 2,
    };
    CLOCK.store(number, Ordering::Relaxed);
}

fn clock() -> Option<Clock> {
    match CLOCK.load(Ordering::Relaxed) {
        0 => None,
        1 => Some(Clock::Wall),
        _ => Some(Clock::ThreadCpu),
    }
}

impl Threads {
    /// The threads of a rank, of which the main one is known.
    pub(crate) fn of(body: &Body) -> Arc<Threads> {
        let locals = match &body.life.entry {
            Entry::Program(loaded, _) => thread::distances(loaded.thread_locals()),
            _ => Vec::new(),
        };
        let threads = Arc::new(Threads {
            rank: body.number,
            all: Mutex::default(),
            made: AtomicU32::new(0),
            is_served: AtomicBool::new(false),
            bell: (Mutex::new(0), Condvar::new()),
            heard: AtomicU64::new(0),
            stretch: AtomicU64::new(0),
            date: AtomicU64::new(0),
            patience: AtomicU64::new(PATIENCE.as_nanos() as u64),
            is_loose: AtomicBool::new(false),
            ending: Mutex::default(),
            home: Mutex::default(),
            way: Mutex::default(),
            body: AtomicPtr::new(ptr::from_ref(body).cast_mut()),
            critical: AtomicPtr::new(ptr::null_mut()),
            locals,
        });
        threads.add(vec![0]);
        threads
    }

    /// The number of the rank.
    pub fn rank(&self) -> u32 {
        self.rank
    }

    /// The rank's main thread.
    ///
    /// # Panics
    ///
    /// Panics when it has ended.
    pub fn main(&self) -> Arc<Thread> {
        locked(&self.all).first().expect("the main thread comes first").clone()
    }

    /// Adds a thread that is about to be made.
    pub(crate) fn add(self: &Arc<Self>, place: Vec<u32>) -> Arc<Thread> {
        let number = self.made.fetch_add(1, Ordering::Relaxed);
        let thread = Arc::new(Thread::new(self.clone(), number, place));
        let mut all = locked(&self.all);
        // Where nobody waits for the rank to be quiet, nobody else notices those that have ended.
        if all.len() >= MANY && all.len().is_power_of_two() && !self.is_served() {
            all.retain(|other| !matches!(quiet::look(other), Look::Gone));
        }
        let at = all.partition_point(|other| other.place < thread.place);
        all.insert(at, thread.clone());
        thread
    }

    /// Takes out a thread that could not be made.
    pub(crate) fn remove(&self, thread: &Thread) {
        locked(&self.all).retain(|other| other.number() != thread.number());
    }

    /// Whether no thread but the one that asks is left.
    pub(crate) fn is_alone(&self) -> bool {
        let all: Vec<Arc<Thread>> = locked(&self.all).clone();
        let others = all.iter().skip(1);
        others.into_iter().all(|thread| matches!(quiet::look(thread), Look::Gone))
    }

    pub(crate) fn is_served(&self) -> bool {
        self.is_served.load(Ordering::Acquire)
    }

    /// Whether a thread may call that nobody waited for.
    pub fn is_loose(&self) -> bool {
        self.is_loose.load(Ordering::Relaxed)
    }

    /// The exit code, once a thread has ended the rank.
    pub fn ending(&self) -> Option<i32> {
        *locked(&self.ending)
    }

    /// Ends the rank, whatever its other threads do; the first code counts.
    pub(crate) fn end(&self, code: i32) {
        locked(&self.ending).get_or_insert(code);
        self.ring();
    }

    /// The scheduler has seen the end: the memory of the program goes, unless threads still use it.
    pub fn conclude(&self) {
        self.is_served.store(false, Ordering::Release);
        let home = locked(&self.home).take();
        if let (Some(_), Some(way)) = (&home, locked(&self.way).take()) {
            // What libraries do at the end of a thread may need the memory of the program.
            // SAFETY: the thread has nothing left to do but that, and is waited for once.
            unsafe { libc::pthread_join(way, ptr::null_mut()) };
        }
        if self.is_alone() {
            drop(home);
        } else {
            std::mem::forget(home);
        }
    }

    /// Simulated date when the rank last went on.
    pub(crate) fn date(&self) -> f64 {
        f64::from_bits(self.date.load(Ordering::Relaxed))
    }

    pub(crate) fn body(&self) -> *const Body {
        self.body.load(Ordering::Relaxed)
    }

    /// Something has happened that the scheduler may wait for.
    pub(crate) fn ring(&self) {
        *locked(&self.bell.0) += 1;
        self.bell.1.notify_one();
    }

    /// A stretch of the rank's own code begins.
    fn begin_stretch(&self, date: f64) {
        self.stretch.store(Clock::Wall.read().to_bits(), Ordering::Relaxed);
        self.date.store(date.to_bits(), Ordering::Relaxed);
    }

    /// Waits until every thread is in a call, or waits for another thread, or has ended; and says
    /// who calls.
    pub fn settle(&self) -> Arrivals {
        let began = Instant::now();
        let mut pause = FIRST_LOOK;
        let mut gone = Vec::new();
        // Whoever was let go will most often call soon, and is not looked at before.
        self.wait_for_ring(self.heard.load(Ordering::Relaxed), FIRST_LOOK);
        loop {
            let rings = *locked(&self.bell.0);
            self.heard.store(rings, Ordering::Relaxed);
            let all = locked(&self.all).clone();
            let (calling, outside): (Vec<_>, Vec<_>) =
                all.into_iter().partition(|thread| !thread.is_outside());
            let look = self.look(&outside, &mut gone);
            if self.ending().is_some() || look == Look::Blocked {
                self.is_loose.store(self.will_leave(), Ordering::Relaxed);
                break;
            }
            let is_spinning = !calling.is_empty() && began.elapsed() > self.patience();
            if look == Look::Timed || is_spinning {
                self.is_loose.store(true, Ordering::Relaxed);
                if is_spinning {
                    let less = (self.patience() / 4).max(LEAST_PATIENCE);
                    self.patience.store(less.as_nanos() as u64, Ordering::Relaxed);
                }
                break;
            }
            self.wait_for_ring(rings, pause);
            pause = (pause * 2).min(LOOK_AGAIN);
        }
        Arrivals { calling: self.calling(), gone }
    }

    /// Threads whose calls wait to be carried out, in order.
    pub fn calling(&self) -> Vec<Arc<Thread>> {
        let all = locked(&self.all);
        all.iter().filter(|thread| thread.is_calling()).cloned().collect()
    }

    /// Waits until a thread calls that was not waited for; none if no thread will.
    pub fn await_loose(&self) -> Vec<Arc<Thread>> {
        while self.is_loose() && self.ending().is_none() {
            let calling = self.calling();
            if !calling.is_empty() {
                return calling;
            }
            let rings = *locked(&self.bell.0);
            let outside: Vec<_> =
                locked(&self.all).iter().filter(|thread| thread.is_outside()).cloned().collect();
            let look = self.look(&outside, &mut Vec::new());
            let is_loose = look != Look::Blocked || self.will_leave();
            self.is_loose.store(is_loose, Ordering::Relaxed);
            if is_loose {
                self.wait_for_ring(rings, LOOK_AGAIN);
            }
        }
        self.calling()
    }

    /// Whether the main thread waited for the others to end, which they have: it ends soon.
    fn will_leave(&self) -> bool {
        let all = locked(&self.all);
        all.len() == 1 && all[0].is_parked()
    }

    fn patience(&self) -> Duration {
        Duration::from_nanos(self.patience.load(Ordering::Relaxed))
    }

    fn wait_for_ring(&self, rings: u64, pause: Duration) {
        let bell = locked(&self.bell.0);
        let waited = self.bell.1.wait_timeout_while(bell, pause, |now| *now == rings);
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }

    /// What threads outside of calls do: the least quiet of them counts. Those that have ended
    /// are taken out.
    fn look(&self, outside: &[Arc<Thread>], gone: &mut Vec<Arc<Thread>>) -> Look {
        let mut seen = Vec::with_capacity(outside.len());
        let mut sum = Look::Blocked;
        for thread in outside {
            let runs = quiet::runs(thread);
            match quiet::look(thread) {
                Look::Blocked | Look::Timed if thread.is_answered() => return Look::Running,
                Look::Gone => {
                    self.remove(thread);
                    gone.push(thread.clone());
                    // Its end may have woken one that was seen waiting.
                    sum = Look::Running;
                }
                Look::Running => return Look::Running,
                look => {
                    seen.push((thread, runs));
                    sum = sum.max(look);
                }
            }
        }
        // One that was seen waiting may have been woken by one that was looked at later, and that
        // only then went to wait itself; or it may have run between the two things that were read
        // of it.
        let has_run = |(thread, runs): &(&Arc<Thread>, u64)| {
            quiet::runs(thread) != *runs || quiet::look(thread) == Look::Running
        };
        if sum < Look::Running && seen.iter().any(has_run) {
            return Look::Running;
        }
        sum
    }
}

/// Locks; a thread that panicked while it held the lock has ended the process.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;
    use crate::arena::Bounds;
    use crate::regions::Regions;

    /// Threads of a rank whose main thread waits for the others to end.
    fn threads() -> Arc<Threads> {
        let body = Body::new(7, Bounds::NONE, Regions::default(), Entry::Nothing);
        let threads = Threads::of(&body);
        threads.main().park(true);
        threads.is_served.store(true, Ordering::Release);
        threads
    }

    #[test]
    fn calls_are_taken_in_the_order_in_which_threads_were_made() {
        let threads = threads();
        let made: Vec<_> = (0..4).map(|nth| threads.add(vec![0, nth])).collect();
        let begun: Vec<_> = made
            .into_iter()
            .rev()
            .map(|own| {
                thread::spawn(move || {
                    own.begin();
                    let mut answer = 0;
                    let number = own.number();
                    assert!(carry_out("a call", &mut || answer = 10 * number));
                    answer
                })
            })
            .collect();
        let calling = threads.settle().calling;
        let numbers: Vec<u32> = calling.iter().map(|thread| thread.number()).collect();
        assert_eq!(numbers, [1, 2, 3, 4]);
        for thread in calling {
            let call = thread.take_call().unwrap();
            assert_eq!(call.name, "a call");
            call.carry_out();
            thread.let_go(0.0);
        }
        let answers: Vec<u32> = begun.into_iter().map(|thread| thread.join().unwrap()).collect();
        assert_eq!(answers, [40, 30, 20, 10]);
        assert_eq!(threads.settle().gone.len(), 4);
        assert!(threads.is_alone());
    }

    #[test]
    fn a_thread_that_waits_for_another_is_quiet() {
        let threads = threads();
        let lock = Arc::new(Mutex::new(()));
        let held = lock.lock().unwrap();
        let (own, same) = (threads.add(vec![0, 0]), lock.clone());
        let waits = thread::spawn(move || {
            own.begin();
            drop(same.lock().unwrap());
        });
        let arrivals = threads.settle();
        assert!(arrivals.calling.is_empty() && arrivals.gone.is_empty());
        assert!(!threads.is_loose());
        drop(held);
        waits.join().unwrap();
        assert_eq!(threads.settle().gone.len(), 1);
    }

    #[test]
    fn who_ends_the_rank_is_not_waited_for() {
        let threads = threads();
        let own = threads.add(vec![0, 0]);
        let ends = thread::spawn(move || {
            own.begin();
            own.threads().end(3);
            thread::sleep(Duration::from_millis(20));
        });
        threads.settle();
        assert_eq!(threads.ending(), Some(3));
        ends.join().unwrap();
    }
}
