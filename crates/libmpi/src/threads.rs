//! Ranks that call MPI from several threads: who carries the calls out. MPI 4.1 section 11.6.
//!
//! A rank whose program asks for `MPI_THREAD_SERIALIZED` or more leaves the scheduler's thread for
//! one of its own, and each thread of it has a servant here: an actor with a stack, on which the
//! thread's calls run as those of a rank do. The rank's own actor serves its main thread. When a
//! call has ended its thread goes on, and the servant waits until the whole rank is quiet
//! ([`Threads::settle`]); then the servants of all threads that have called are woken, in the order
//! of the threads. No other rank runs meanwhile, so measured times are a rank's own.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::ffi::{c_int, c_void};
use std::future::poll_fn;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::Poll;

use foretell_mpi::{Actor, Error};
use foretell_ranks::{Arrivals, Call, Rank, Ranks, Start, Step, Thread, Threads, suspend};
use libc::{pthread_attr_t, pthread_t};

use crate::abi::*;
use crate::call::CALLER;
use crate::meter;
use crate::rank::RankContext;
use crate::report;

/// Where calls of the threads of one rank arrive.
pub(crate) struct Post {
    ranks: Rc<Ranks>,
    context: Rc<RankContext>,
    threads: Arc<Threads>,
    servants: RefCell<BTreeMap<u32, Servant>>,
    /// How many calls are being carried out.
    inside: Cell<u32>,
}

/// Who carries out the calls of a thread.
#[derive(Debug, Clone, Copy)]
enum Servant {
    /// It has not begun.
    Coming,
    At(Actor),
    /// Its thread has ended.
    Gone(Option<Actor>),
}

thread_local! {
    /// Those of all ranks that have left, in the order in which they did.
    static POSTS: RefCell<Vec<Rc<Post>>> = const { RefCell::new(Vec::new()) };
}

impl Post {
    /// Sends a rank that asked for it to its own thread. Returns where its calls arrive, and who
    /// carries out those of its main thread.
    pub(crate) fn open(
        ranks: &Rc<Ranks>,
        context: &Rc<RankContext>,
        rank: Rank,
    ) -> Result<(Rc<Post>, Rank), Error> {
        let threads = rank.threads().clone();
        let post = Rc::new(Post {
            ranks: ranks.clone(),
            context: context.clone(),
            threads: threads.clone(),
            servants: RefCell::default(),
            inside: Cell::new(0),
        });
        let main = threads.main();
        post.serves(&main);
        let serve = {
            let post = post.clone();
            move || {
                post.settle();
                post.serve(&main)
            }
        };
        let servant = ranks.move_to_thread(rank, serve);
        let servant = servant.map_err(|error| Error::Unhandled(error.to_string()))?;
        POSTS.with_borrow_mut(|posts| posts.push(post.clone()));
        Ok((post, servant))
    }

    /// The exit code, once the rank has ended.
    pub(crate) fn ending(&self) -> Option<i32> {
        self.threads.ending()
    }

    /// The rank has ended: nobody serves its threads any more.
    pub(crate) fn close(&self) {
        for servant in self.servants.borrow().values() {
            if let Servant::At(actor) | Servant::Gone(Some(actor)) = servant {
                self.context.comm.wake(*actor);
            }
        }
        POSTS.with_borrow_mut(|posts| posts.retain(|post| !std::ptr::eq(&**post, self)));
        self.threads.conclude();
    }

    /// The actor being polled carries out the calls of a thread.
    fn serves(&self, thread: &Thread) {
        let actor = self.context.comm.actor();
        self.servants.borrow_mut().insert(thread.number(), Servant::At(actor));
        self.context.comm.note_thread(thread.number(), "");
    }

    /// Carries out the calls of a thread, for as long as there is one.
    fn serve(&self, thread: &Thread) -> i32 {
        loop {
            let Some(call) = thread.take_call() else {
                suspend();
                continue;
            };
            self.carry_out(thread, &call);
            thread.let_go(self.context.comm.now());
            self.settle();
        }
    }

    fn carry_out(&self, thread: &Thread, call: &Call) {
        let here = &*self.context;
        if self.inside.get() > 0 && here.thread_level.get() == MPI_THREAD_SERIALIZED {
            report::fatal(&format!(
                "{}: thread {} called {} while another thread is in an MPI call; MPI was started \
                 with MPI_THREAD_SERIALIZED, which allows one at a time: ask for \
                 MPI_THREAD_MULTIPLE",
                report::who(),
                thread.number(),
                call.name
            ));
        }
        self.inside.set(self.inside.get() + 1);
        here.comm.note_thread(thread.number(), call.name);
        here.is_main_thread.set(thread.number() == 0);
        meter::resume_after(here, call.elapsed);
        call.carry_out();
        here.comm.note_thread(thread.number(), "");
        self.inside.set(self.inside.get() - 1);
    }

    /// Waits until the rank is quiet, and sees to those that have called or ended by then.
    fn settle(self: &Post) {
        let Arrivals { calling, gone } = self.threads.settle();
        for thread in gone {
            let servants = &mut *self.servants.borrow_mut();
            let before = servants.get(&thread.number()).copied();
            let actor = if let Some(Servant::At(actor)) = before { Some(actor) } else { None };
            servants.insert(thread.number(), Servant::Gone(actor));
            actor.into_iter().for_each(|actor| self.context.comm.wake(actor));
        }
        self.wake(&calling);
        self.wake_at_end();
    }

    /// Lets the rank's own actor see that the rank has ended, whichever thread ended it.
    fn wake_at_end(&self) -> bool {
        let main = self.servants.borrow().get(&0).copied();
        match main {
            Some(Servant::At(actor)) if self.ending().is_some() => {
                self.context.comm.wake(actor);
                true
            }
            _ => false,
        }
    }

    /// Lets the servants of threads go on; those of new threads begin.
    fn wake(&self, calling: &[Arc<Thread>]) {
        for thread in calling {
            let known = self.servants.borrow().get(&thread.number()).copied();
            match known {
                Some(Servant::At(actor)) => self.context.comm.wake(actor),
                Some(_) => {}
                None => self.hire(thread),
            }
        }
    }

    fn hire(&self, thread: &Arc<Thread>) {
        self.servants.borrow_mut().insert(thread.number(), Servant::Coming);
        let own = POSTS
            .with_borrow(|posts| posts.iter().find(|post| std::ptr::eq(&***post, self)).cloned());
        if let Some(post) = own {
            self.context.comm.spawn_beside(attend(post, thread.clone()));
        }
    }

    fn is_gone(&self, thread: &Thread) -> bool {
        matches!(self.servants.borrow().get(&thread.number()), Some(Servant::Gone(_)))
    }
}

/// Carries out the calls of a thread other than the main one, until it or its rank has ended.
async fn attend(post: Rc<Post>, thread: Arc<Thread>) {
    let here = post.context.clone();
    let serve = {
        let (post, thread) = (post.clone(), thread.clone());
        move || {
            post.serves(&thread);
            post.serve(&thread)
        }
    };
    let mut servant = match post.ranks.begin_servant(here.number(), serve) {
        Ok(servant) => servant,
        Err(error) => return here.comm.fail(&error.to_string()),
    };
    let strand = Strand::default();
    poll_fn(|_| {
        if post.is_gone(&thread) || post.ending().is_some() {
            return Poll::Ready(());
        }
        strand.exchange(&here);
        let step = here.run(|| servant.resume());
        strand.exchange(&here);
        if let Step::Ended(..) = step { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
    here.comm.forget_thread();
}

/// What a rank's context knows of the thread that calls, while another one does.
#[derive(Default)]
struct Strand {
    call: Cell<&'static str>,
    caller: Cell<usize>,
    since: Cell<f64>,
    site: Cell<u32>,
    owed: Cell<f64>,
    readings: Cell<u32>,
    is_main_thread: Cell<bool>,
}

impl Strand {
    fn exchange(&self, here: &RankContext) {
        self.call.swap(&here.call);
        self.caller.swap(&here.caller);
        self.since.swap(&here.since);
        self.site.swap(&here.site);
        self.owed.swap(&here.owed);
        self.readings.swap(&here.readings);
        self.is_main_thread.swap(&here.is_main_thread);
    }
}

/// Before the clock moves: threads may have called that could not be waited for. When it cannot
/// move, they are waited for.
pub(crate) fn settle(is_stuck: bool) -> bool {
    let posts: Vec<Rc<Post>> = POSTS.with_borrow(|posts| {
        posts.iter().filter(|post| post.threads.is_loose()).cloned().collect()
    });
    let mut has_woken = false;
    for post in posts {
        let calling = if is_stuck { post.threads.await_loose() } else { post.threads.calling() };
        post.wake(&calling);
        has_woken |= post.wake_at_end() | !calling.is_empty();
    }
    has_woken
}

/// Has something done by the scheduler, where this is a thread of a rank that may call MPI; on the
/// scheduler's own thread it is simply done. None on threads that may not call.
pub(crate) fn on_behalf<R>(name: &'static str, f: impl FnOnce() -> R) -> Option<R> {
    if foretell_ranks::is_own_thread() || foretell_ranks::own_name().is_none() {
        return Some(f());
    }
    elsewhere(name, f)
}

/// Has something done by the scheduler; none on threads that may not call MPI.
pub(crate) fn elsewhere<R>(name: &'static str, f: impl FnOnce() -> R) -> Option<R> {
    let caller = CALLER.load(Ordering::Relaxed);
    let (mut f, mut result) = (Some(f), None);
    foretell_ranks::carry_out(name, &mut || {
        CALLER.store(caller, Ordering::Relaxed);
        result = f.take().map(|f| f());
    });
    result
}

/// `pthread_create` for every library of the process: threads belong to the rank that makes them.
///
/// # Safety
///
/// As for the C library's.
#[unsafe(no_mangle)]
unsafe extern "C" fn pthread_create(
    thread: *mut pthread_t,
    attributes: *const pthread_attr_t,
    start: Start,
    argument: *mut c_void,
) -> c_int {
    // SAFETY: by the caller.
    unsafe { foretell_ranks::create_thread(thread, attributes, start, argument) }
}
