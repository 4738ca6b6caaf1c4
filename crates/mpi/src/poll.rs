//! Polling: `MPI_Test` and `MPI_Iprobe` cost time, and a loop of them costs few events.
//!
//! A rank that polls in vain again and again is put to sleep for longer and longer, but is woken
//! as soon as anything happens to it, at the next multiple of the step. What it sees, and when,
//! is thus as if it had polled at every step.

use std::rc::Rc;

use foretell_kernel::Then;

use crate::error::Error;
use crate::request::{Request, RequestState};
use crate::wait::done;
use crate::world::{PollPause, REQUEST, RankState, State, World};

/// Longest sleep of a polling rank, in steps: bounds what a rank that polls and computes in turns
/// can miss of its own computing.
const LONGEST: u32 = 1000;

/// Polls in vain, with nothing else happening, after which the program is told to be stuck: a
/// loop that ends at a date has long passed it by then.
const PATIENCE: usize = 100_000;

/// What a poll is for.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Purpose {
    /// The rank looks once for something, and may go on without success.
    Look(Sought),
    /// The rank stays until there is such a message: if nothing else happens, it stays for ever.
    Await {
        /// The context of the message.
        context: u32,
        /// Its sender, or none for any.
        peer: u32,
        /// Its tag, or a wildcard.
        tag: i32,
    },
}

/// What a rank polls for, for reports.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Sought {
    /// Something that has no name here.
    Something,
    /// A request, by its number; the first of several.
    Request(u32),
    /// A message.
    Message {
        /// Its context.
        context: u32,
        /// Its sender, or none for any.
        peer: u32,
        /// Its tag, or a wildcard.
        tag: i32,
    },
}

impl Sought {
    /// The first of several requests that is not null.
    pub(crate) fn first(requests: &[Request]) -> Self {
        let found = requests.iter().find(|request| !request.is_null());
        found.map_or(Sought::Something, |request| Sought::Request(request.0))
    }
}

/// Lets the rank spend the time of one poll, or of many if it has polled in vain before.
pub(crate) async fn pause(world: &Rc<World>, rank: u32, step: f64, purpose: Purpose) {
    // Time must pass all the same, or a polling program would never end.
    let step = if step > 0.0 { step } else { 1e-9 };
    let steps = match purpose {
        _ if !world.settings().grow_polls => 1,
        Purpose::Look(_) => 1 + world.state.borrow().ranks[rank as usize].failed_polls.min(LONGEST),
        // It does nothing else meanwhile, and is woken by whatever could end its wait.
        Purpose::Await { .. } => LONGEST,
    };
    if world.state.borrow_mut().polls_for_ever() {
        world.fail(rank, Error::PolledInVain);
    }
    let request = {
        let state = &mut *world.state.borrow_mut();
        let (since, length) = (state.kernel.now(), step * f64::from(steps));
        let (request, timer) = match purpose {
            Purpose::Look(_) => {
                let request = state.requests.insert(RequestState::timer(rank));
                (request, state.kernel.wait(length, Then::Notify(REQUEST + request)))
            }
            Purpose::Await { context, peer, tag } => {
                let probe = RequestState::probe(rank, peer, context, tag);
                let request = state.requests.insert(probe);
                let then = Then::Notify(REQUEST + request);
                (request, state.kernel.wait_in_background(since + length, then))
            }
        };
        let sought = match purpose {
            Purpose::Look(sought) => sought,
            Purpose::Await { .. } => Sought::Something,
        };
        let pause = PollPause { timer, request, since, step, sought };
        let rank = &mut state.ranks[rank as usize];
        rank.is_polling = true;
        rank.polls.push(pause);
        request
    };
    done(world, request).await;
    let state = &mut *world.state.borrow_mut();
    state.ranks[rank as usize].end_pause(request);
    state.forget(request);
}

impl RankState {
    /// One of its threads polls no more.
    fn end_pause(&mut self, request: u32) {
        self.polls.retain(|pause| pause.request != request);
        self.is_polling = !self.polls.is_empty();
    }
}

impl State {
    /// Counts a poll; true once so many have come to nothing, while nothing else happened or is
    /// under way, that they will go on for ever.
    fn polls_for_ever(&mut self) -> bool {
        self.idle_polls = self.idle_polls.saturating_add(1);
        if self.idle_polls as usize <= PATIENCE + PATIENCE / 100 * self.ranks.len() {
            return false;
        }
        // Others may poll for long while one computes.
        let is_under_way = self.kernel.awaited() > self.pauses_that_are_awaited();
        if is_under_way {
            self.idle_polls = 0;
        }
        !is_under_way
    }

    fn pauses_that_are_awaited(&self) -> usize {
        let pauses = self.ranks.iter().flat_map(|rank| &rank.polls);
        let is_awaited = |pause: &&PollPause| {
            self.kernel.is_awaited(pause.timer, Then::Notify(REQUEST + pause.request))
        };
        pauses.filter(is_awaited).count()
    }

    /// Something has happened to a rank: if it sleeps between polls, it wakes at its next step.
    pub(crate) fn interrupt_poll(&mut self, rank: u32) {
        if self.ranks[rank as usize].is_polling {
            for nth in 0..self.ranks[rank as usize].polls.len() {
                self.shorten_pause(rank, nth);
            }
        }
    }

    fn shorten_pause(&mut self, rank: u32, nth: usize) {
        let pause = &mut self.ranks[rank as usize].polls[nth];
        let PollPause { timer, request, since, step, .. } = *pause;
        let then = Then::Notify(REQUEST + request);
        // A pause that ends at this very date may have ended already without being told so.
        if self.requests[request].is_done || !self.kernel.goes_on(timer, then) {
            return;
        }
        let passed = ((self.kernel.now() - since) / step).ceil().max(1.0);
        self.kernel.cancel(timer);
        let left = since + passed * step - self.kernel.now();
        pause.timer = self.kernel.wait(left, then);
    }

    /// Remembers whether a poll found something, for the length of the next pause.
    pub(crate) fn note_poll(&mut self, rank: u32, found: bool) {
        let failed = &mut self.ranks[rank as usize].failed_polls;
        *failed = if found { 0 } else { failed.saturating_add(1) };
    }
}
