//! Actors: futures that the kernel polls when something they wait for has happened.
//!
//! There is no executor and no waker: a future that must wait tells the kernel the number of the
//! actor being polled ([`crate::Kernel::current`]), and the actor is polled again when that number is
//! woken. A future therefore checks what it waits for each time it is polled.

use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Waker};

use foretell_near as near;

use crate::activity::Then;
use crate::kernel::Kernel;

/// How much of an actor is fetched ahead, in cache lines.
const MOST_FETCHED: usize = 8;

/// An actor. The number is reused once the actor has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ActorId(pub u32);

/// What [`run`] needs of the world around the kernel.
pub trait World {
    /// Lets `f` at the kernel.
    fn with_kernel<R>(&self, f: impl FnOnce(&mut Kernel) -> R) -> R;

    /// An activity with [`Then::Notify`] has ended.
    fn notify(&self, number: u32);

    /// Actors spawned since the last call join the others.
    fn adopt(&self, actors: &mut Actors);

    /// This will happen after what happens now: what it touches may be fetched meanwhile. Gives the
    /// actor that will probably go on then.
    fn foresee(&self, next: Then) -> Option<ActorId> {
        let _ = next;
        None
    }

    /// This will happen after what was foreseen last.
    fn foresee_later(&self, next: Then) {
        let _ = next;
    }

    /// No actor is ready: the last chance to wake some before the clock moves on, or when it
    /// cannot (`is_stuck`). Whether it is to be looked at them again.
    fn settle(&self, is_stuck: bool) -> bool {
        let _ = is_stuck;
        false
    }
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Every actor reached its end.
    Completed,
    /// Actors are left, and nothing will ever wake them.
    Deadlocked,
}

/// The actors of a simulation.
#[derive(Default)]
pub struct Actors {
    futures: Vec<Option<Pin<Box<dyn Future<Output = ()>>>>>,
    free: Vec<u32>,
    alive: usize,
}

impl Actors {
    /// The number that the next spawned actor gets.
    pub fn next_id(&self) -> ActorId {
        ActorId(self.free.last().copied().unwrap_or(self.futures.len() as u32))
    }

    /// Adds an actor; the caller wakes it when it may begin.
    pub fn spawn(&mut self, future: Pin<Box<dyn Future<Output = ()>>>) -> ActorId {
        self.alive += 1;
        match self.free.pop() {
            Some(slot) => {
                self.futures[slot as usize] = Some(future);
                ActorId(slot)
            }
            None => {
                self.futures.push(Some(future));
                ActorId(self.futures.len() as u32 - 1)
            }
        }
    }

    /// How many actors have not ended.
    pub fn alive(&self) -> usize {
        self.alive
    }

    /// Lets the state of an actor come near, which will be polled soon.
    #[inline]
    fn foresee(&self, actor: ActorId) {
        if let Some(Some(future)) = self.futures.get(actor.0 as usize) {
            let lines = size_of_val(&**future).div_ceil(near::LINE).min(MOST_FETCHED);
            near::fetch_lines(std::ptr::from_ref(&**future).addr(), lines);
        }
    }

    fn poll(&mut self, actor: ActorId) {
        // An actor that has ended may still be woken by something it no longer waited for.
        let Some(slot) = self.futures.get_mut(actor.0 as usize) else { return };
        let Some(future) = slot else { return };
        let mut context = Context::from_waker(Waker::noop());
        if future.as_mut().poll(&mut context).is_ready() {
            *slot = None;
            self.free.push(actor.0);
            self.alive -= 1;
        }
    }
}

/// Runs until all actors have ended, or none can go on.
///
/// `each_date` is called whenever the clock has moved, for progress and interruption: a false
/// answer ends the run early, as if the rest were deadlocked.
pub fn run(
    world: &impl World,
    actors: &mut Actors,
    mut each_date: impl FnMut(f64) -> bool,
) -> Outcome {
    let mut fired: Vec<Then> = Vec::new();
    loop {
        world.adopt(actors);
        while let Some(actor) = world.with_kernel(|kernel| kernel.ready.next()) {
            if let Some(soon) = world.with_kernel(|kernel| kernel.ready.first()) {
                foresee(world, actors, Then::Wake(soon));
            }
            actors.poll(actor);
            world.adopt(actors);
        }
        if actors.alive() == 0 {
            return Outcome::Completed;
        }
        if world.settle(false) {
            continue;
        }
        let Some(now) =
            world.with_kernel(|kernel| kernel.advance(&mut fired).then(|| kernel.now()))
        else {
            if world.settle(true) {
                continue;
            }
            return Outcome::Deadlocked;
        };
        let [next, later] = world.with_kernel(|kernel| kernel.upcoming());
        if let Some(next) = next {
            foresee(world, actors, next);
        }
        if let Some(later) = later {
            world.foresee_later(later);
        }
        for (at, then) in fired.iter().enumerate() {
            if let Some(next) = fired.get(at + 1) {
                foresee(world, actors, *next);
            }
            match *then {
                Then::Wake(actor) => world.with_kernel(|kernel| kernel.wake(actor)),
                Then::Notify(number) => world.notify(number),
            }
        }
        fired.clear();
        if !each_date(now) {
            return Outcome::Deadlocked;
        }
    }
}

/// Lets come near what will be touched when this happens.
#[inline]
fn foresee(world: &impl World, actors: &Actors, next: Then) {
    if let Some(actor) = world.foresee(next) {
        actors.foresee(actor);
    }
}

/// The queue of actors that may go on now, each at most once.
#[derive(Debug, Default)]
pub(crate) struct Ready {
    queue: VecDeque<ActorId>,
    is_queued: Vec<bool>,
    current: u32,
}

impl Ready {
    pub(crate) fn push(&mut self, actor: ActorId) {
        let index = actor.0 as usize;
        if self.is_queued.len() <= index {
            self.is_queued.resize(index + 1, false);
        }
        if !std::mem::replace(&mut self.is_queued[index], true) {
            self.queue.push_back(actor);
        }
    }

    pub(crate) fn next(&mut self) -> Option<ActorId> {
        let actor = self.queue.pop_front()?;
        self.is_queued[actor.0 as usize] = false;
        self.current = actor.0;
        Some(actor)
    }

    /// The actor that is next.
    pub(crate) fn first(&self) -> Option<ActorId> {
        self.queue.front().copied()
    }

    pub(crate) fn current(&self) -> ActorId {
        ActorId(self.current)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::{Cell, RefCell};
    use std::future::poll_fn;
    use std::rc::Rc;
    use std::task::Poll;

    use super::*;

    struct Plain(RefCell<Kernel>);

    impl World for Plain {
        fn with_kernel<R>(&self, f: impl FnOnce(&mut Kernel) -> R) -> R {
            f(&mut self.0.borrow_mut())
        }

        fn notify(&self, _: u32) {}

        fn adopt(&self, _: &mut Actors) {}
    }

    async fn sleep(world: Rc<Plain>, seconds: f64) {
        let until = world.with_kernel(|kernel| kernel.now()) + seconds;
        let mut started = false;
        poll_fn(|_| {
            world.with_kernel(|kernel| {
                if !std::mem::replace(&mut started, true) {
                    let current = kernel.current();
                    kernel.wait(seconds, Then::Wake(current));
                }
                if kernel.now() >= until { Poll::Ready(()) } else { Poll::Pending }
            })
        })
        .await;
    }

    #[test]
    fn actors_sleep_in_simulated_time() {
        let world = Rc::new(Plain(RefCell::new(Kernel::new(1e-9))));
        let mut actors = Actors::default();
        let total = Rc::new(Cell::new(0.0));
        for seconds in [3.0, 1.0, 2.0] {
            let (here, total) = (world.clone(), total.clone());
            let actor = actors.spawn(Box::pin(async move {
                sleep(here.clone(), seconds).await;
                total.set(total.get() * 10.0 + here.with_kernel(|kernel| kernel.now()));
            }));
            world.with_kernel(|kernel| kernel.wake(actor));
        }
        assert_eq!(run(&*world, &mut actors, |_| true), Outcome::Completed);
        assert_eq!(total.get(), 123.0);
    }

    #[test]
    fn waiting_for_nothing_is_a_deadlock() {
        let world = Plain(RefCell::new(Kernel::new(1e-9)));
        let mut actors = Actors::default();
        let actor = actors.spawn(Box::pin(std::future::pending()));
        world.with_kernel(|kernel| kernel.wake(actor));
        assert_eq!(run(&world, &mut actors, |_| true), Outcome::Deadlocked);
    }
}
