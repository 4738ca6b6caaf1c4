//! The state all ranks of a simulation share.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;

use foretell_kernel::{ActivityId, ActorId, Actors, Kernel, Then, near};
use foretell_models::{
    Access, Change, Disks, Energy, Network, Nodes, Profiles, Pstates, RankKernels,
};
use foretell_platform::{HostId, Platform};
use rustc_hash::FxHashMap;

use crate::collective::{Library, Meeting, Notes, Reduction, Rules, Selection, Spread};
use crate::comm::{Creation, CreationId};
use crate::error::Error;
use crate::listener::Listener;
use crate::matcher::Matcher;
use crate::memory::Memory;
use crate::observer::{Doing, Watch};
use crate::poll::Sought;
use crate::request::{Kind, RequestState, WaitGroup};
use crate::slab::Slab;
use crate::threads::ThreadState;
use crate::transport::MessageState;
use crate::window::Common;
use crate::witness::Witness;

pub(crate) const NONE: u32 = u32::MAX;

/// Numbers that the kernel notifies: which kind of thing has ended.
pub(crate) const MESSAGE: u32 = 0;
pub(crate) const REQUEST: u32 = 1 << 30;
pub(crate) const PROFILE: u32 = 2 << 30;
pub(crate) const PSTATE: u32 = 3 << 30;
const KIND: u32 = 3 << 30;

/// A simulated MPI world. Ranks hold it by `Rc`; nothing in it is shared between threads.
pub struct World {
    pub(crate) state: RefCell<State>,
    newcomers: RefCell<Vec<Pin<Box<dyn Future<Output = ()>>>>>,
    /// Why the run must end early, if it must.
    failure: RefCell<Option<(u32, f64, Error)>>,
    has_failed: Cell<bool>,
    settings: Settings,
    selection: Selection,
    /// Which collective algorithms run, if somebody wants to know.
    notes: Option<Notes>,
    /// Rules of libraries that algorithms of two levels have asked for.
    libraries: RefCell<Vec<(Library, Rc<Rules>)>>,
    pub(crate) kernels: RefCell<RankKernels>,
    hooks: Hooks,
}

/// What those who set up the simulation want to be asked and told.
#[derive(Default)]
pub(crate) struct Hooks {
    pub(crate) outside: Option<RefCell<Box<Outside>>>,
    pub(crate) foresee: Option<Box<Foresee>>,
}

/// Who is told which actor comes after the next.
pub(crate) type Foresee = dyn Fn(u32);

/// Who is asked whether more is to be done before the clock moves; true when it cannot move.
pub(crate) type Outside = dyn FnMut(bool) -> bool;

/// Figures of the platform that calls look at.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Settings {
    pub(crate) iprobe: f64,
    pub(crate) test: f64,
    pub(crate) wtime: f64,
    pub(crate) init: f64,
    pub(crate) grow_polls: bool,
    pub(crate) computation: Computation,
}

/// Whether computations take simulated time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Computation {
    /// As long as the model says.
    #[default]
    Simulated,
    /// None: communication alone is studied.
    Free,
}

pub(crate) struct State {
    pub(crate) kernel: Kernel,
    pub(crate) network: Network,
    pub(crate) nodes: Nodes,
    disks: Disks,
    profiles: Profiles,
    pub(crate) ranks: Vec<RankState>,
    /// Where each rank runs: apart from the rest, for those that send to a rank ask for nothing
    /// else of it.
    pub(crate) hosts: Vec<HostId>,
    pub(crate) messages: Slab<MessageState>,
    pub(crate) requests: Slab<RequestState>,
    pub(crate) groups: Slab<WaitGroup>,
    pub(crate) posted: Matcher,
    pub(crate) unexpected: Matcher,
    /// Orders posted receives, so that wildcards respect the order of posting.
    pub(crate) sequence: u32,
    /// Posted receives with wildcards, in order, for the ranks that have had some.
    pub(crate) wilds: Vec<Vec<u32>>,
    /// The collective each rank is in, for reports.
    pub(crate) collectives: Vec<&'static str>,
    pub(crate) next_context: u32,
    /// The next tag for parts of partitioned sends.
    next_part: i32,
    pub(crate) creations: FxHashMap<CreationId, Creation>,
    /// Windows that some ranks have not found yet, by context. Never iterated.
    pub(crate) windows: FxHashMap<u32, Rc<Common>>,
    /// Ranks that wait for others in collectives with formulas, by context and tag. Never iterated.
    pub(crate) meetings: FxHashMap<(u32, i32), Meeting>,
    /// The same for reductions to one rank.
    pub(crate) reductions: FxHashMap<(u32, i32), Reduction>,
    /// Where the ranks of communicators are, as far as that was asked, by context.
    pub(crate) spreads: FxHashMap<u32, Spread>,
    pub(crate) counters: Counters,
    pub(crate) memory: Box<dyn Memory>,
    /// How much of what each rank waits for is unknown; empty unless somebody asks (`outlook.rs`).
    pub(crate) outlook: Vec<u32>,
    /// Polls in vain, of all ranks, since anything else happened.
    pub(crate) idle_polls: u32,
    /// Ranks that call MPI from several threads: the threads, by their actors.
    pub(crate) threads: BTreeMap<u32, ThreadState>,
    /// Who notes which send met which receive; nobody unless a program is checked.
    pub(crate) witness: Option<Box<Witness>>,
    /// Whether there is any of the following: one branch tells that there is not.
    pub(crate) is_followed: bool,
    /// Whether one of them wants to know when sends and receives are found complete.
    pub(crate) ends_are_followed: bool,
    /// Who watches the run; mostly nobody.
    pub(crate) observer: Option<Watch>,
    /// Who hears what ranks do; mostly nobody.
    pub(crate) listener: Option<Box<dyn Listener>>,
    /// Who adds up what nodes draw; nobody unless energy is asked for.
    pub(crate) energy: Option<Box<Energy>>,
    /// Whether who drives the ranks tells the meters which calls they make.
    pub(crate) calls_are_named: bool,
    /// Who chooses the pstates of nodes; nobody unless there are governors or caps.
    pub(crate) pstates: Option<Box<Pstates>>,
    /// Whether any node has come into another pstate than it began with.
    pub(crate) has_changed_pstates: bool,
}

/// What the world knows of one rank: what calls touch comes first, in one cache line.
#[derive(Debug)]
#[repr(C, align(64))]
pub(crate) struct RankState {
    /// The list of its posted receives with wildcards, once it has had one.
    pub(crate) wild: u32,
    /// First and last message nobody has asked for: point-to-point ones, then collective ones.
    pub(crate) arrivals: [(u32, u32); 2],
    /// The call the rank is in, for reports.
    pub(crate) call: Call,
    pub(crate) has_ended: bool,
    pub(crate) is_polling: bool,
    pub(crate) failed_polls: u32,
    /// The first receives without wildcards that it has posted, oldest first, and how many more
    /// are in the table of all ranks (`queues.rs`).
    pub(crate) posted: [u32; 3],
    pub(crate) posted_beyond: u32,
    /// How many messages nobody has asked for, of each of the two kinds, and how many more of both
    /// are in the table of all ranks.
    pub(crate) messages_beyond: u32,
    pub(crate) messages: [u8; 2],
    /// Of these the time of waiting still lies in the line.
    pub(crate) times: RankTimes,
    /// Pauses between polls: of each thread that polls, most ranks having but one.
    pub(crate) polls: Vec<PollPause>,
}

const _: () = assert!(std::mem::offset_of!(RankState, times) == 56);

/// The call a rank is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Call {
    None,
    Compute,
    Send,
    Ssend,
    Bsend,
    Rsend,
    Isend,
    Issend,
    Ibsend,
    Irsend,
    Recv,
    Irecv,
    Sendrecv,
    Iprobe,
    Probe,
    Abort,
    Wait,
    Waitall,
    Waitany,
    Waitsome,
    Test,
    Storage,
}

impl Call {
    /// The name for people.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Call::None => "its own code",
            Call::Compute => "computing",
            Call::Send => "MPI_Send",
            Call::Ssend => "MPI_Ssend",
            Call::Bsend => "MPI_Bsend",
            Call::Rsend => "MPI_Rsend",
            Call::Isend => "MPI_Isend",
            Call::Issend => "MPI_Issend",
            Call::Ibsend => "MPI_Ibsend",
            Call::Irsend => "MPI_Irsend",
            Call::Recv => "MPI_Recv",
            Call::Irecv => "MPI_Irecv",
            Call::Sendrecv => "MPI_Sendrecv",
            Call::Iprobe => "MPI_Iprobe",
            Call::Probe => "MPI_Probe",
            Call::Abort => "MPI_Abort",
            Call::Wait => "MPI_Wait",
            Call::Waitall => "MPI_Waitall",
            Call::Waitany => "MPI_Waitany",
            Call::Waitsome => "MPI_Waitsome",
            Call::Test => "MPI_Test",
            Call::Storage => "reading or writing a file",
        }
    }
}

/// A rank that polls without success sleeps until something happens to it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PollPause {
    pub(crate) timer: ActivityId,
    pub(crate) request: u32,
    pub(crate) since: f64,
    pub(crate) step: f64,
    pub(crate) sought: Sought,
}

/// Where a rank's time went, in seconds.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[repr(C)]
pub struct RankTimes {
    /// Waiting for messages to arrive or to leave.
    pub waiting: f64,
    /// Computing.
    pub computing: f64,
    /// Busy sending or receiving: overheads and polling.
    pub overhead: f64,
    /// When it reached its end.
    pub end: f64,
}

/// What a simulation did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counters {
    /// Messages sent, those of collectives included.
    pub messages: u64,
    /// Their payload.
    pub bytes: u64,
    /// Bytes read from files.
    pub read: u64,
    /// Bytes written to files.
    pub written: u64,
}

impl World {
    pub(crate) fn new(
        platform: Rc<Platform>,
        hosts: Vec<HostId>,
        computation: Computation,
        selection: Selection,
        kernels: RankKernels,
        memory: Box<dyn Memory>,
        hooks: Hooks,
    ) -> Rc<Self> {
        let network_settings = platform.network();
        let settings = Settings {
            iprobe: network_settings.iprobe,
            test: network_settings.test,
            wtime: network_settings.wtime,
            init: network_settings.init,
            grow_polls: network_settings.grow_polls,
            computation,
        };
        let mut kernel = Kernel::new(network_settings.timing_precision);
        let profiles = Profiles::new(platform.clone());
        profiles.begin(&mut kernel, PROFILE);
        let count = hosts.len();
        let ranks = hosts.iter().map(|_| RankState::new()).collect();
        Rc::new(World {
            state: RefCell::new(State {
                kernel,
                network: Network::new(platform.clone()),
                nodes: Nodes::new(platform.clone()),
                disks: Disks::new(platform),
                profiles,
                ranks,
                hosts,
                messages: Slab::default(),
                requests: Slab::default(),
                groups: Slab::default(),
                posted: Matcher::default(),
                unexpected: Matcher::default(),
                sequence: 0,
                wilds: Vec::new(),
                collectives: vec![""; count],
                next_context: 4,
                next_part: 0,
                creations: FxHashMap::default(),
                windows: FxHashMap::default(),
                meetings: FxHashMap::default(),
                reductions: FxHashMap::default(),
                spreads: FxHashMap::default(),
                counters: Counters::default(),
                memory,
                outlook: Vec::new(),
                idle_polls: 0,
                threads: BTreeMap::new(),
                is_followed: false,
                ends_are_followed: false,
                observer: None,
                witness: None,
                listener: None,
                energy: None,
                calls_are_named: false,
                pstates: None,
                has_changed_pstates: false,
            }),
            newcomers: RefCell::new(Vec::new()),
            failure: RefCell::new(None),
            has_failed: Cell::new(false),
            settings,
            notes: selection.is_noted().then(Notes::default),
            selection,
            libraries: RefCell::new(Vec::new()),
            kernels: RefCell::new(kernels),
            hooks,
        })
    }

    /// The simulated date, in seconds since the start.
    pub fn now(&self) -> f64 {
        self.state.borrow().kernel.now()
    }

    /// What was sent so far.
    pub fn counters(&self) -> Counters {
        self.state.borrow().counters
    }

    /// How many ranks there are.
    pub fn size(&self) -> u32 {
        self.state.borrow().ranks.len() as u32
    }

    /// Where the ranks run.
    pub(crate) fn hosts(&self) -> Vec<HostId> {
        self.state.borrow().hosts.clone()
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Notes of which collective algorithms run, if somebody wants them.
    pub(crate) fn notes(&self) -> Option<&Notes> {
        self.notes.as_ref()
    }

    pub(crate) fn selection(&self) -> &Selection {
        &self.selection
    }

    /// The rules of a library, read when they are first asked for.
    pub(crate) fn rules_of(&self, library: Library) -> Rc<Rules> {
        let libraries = &mut *self.libraries.borrow_mut();
        let known = libraries.iter().find(|(other, _)| *other == library);
        known.map(|(_, rules)| rules.clone()).unwrap_or_else(|| {
            let rules = library.rules();
            libraries.push((library, rules.clone()));
            rules
        })
    }

    /// Runs a future as an actor of its own; the rank goes on meanwhile.
    pub(crate) fn spawn(&self, future: impl Future<Output = ()> + 'static) {
        self.newcomers.borrow_mut().push(Box::pin(future));
    }

    /// Ends the run: rank `rank` met an error nobody handles.
    pub(crate) fn fail(&self, rank: u32, error: Error) {
        self.has_failed.set(true);
        self.failure.borrow_mut().get_or_insert((rank, self.now(), error));
    }

    pub(crate) fn has_failed(&self) -> bool {
        self.has_failed.get()
    }

    pub(crate) fn take_failure(&self) -> Option<(u32, f64, Error)> {
        self.failure.borrow_mut().take()
    }
}

impl foretell_kernel::World for World {
    fn with_kernel<R>(&self, f: impl FnOnce(&mut Kernel) -> R) -> R {
        f(&mut self.state.borrow_mut().kernel)
    }

    fn notify(&self, number: u32) {
        let state = &mut *self.state.borrow_mut();
        let index = number & !KIND;
        // Who waits for what it kept is on its way before anybody hears of it.
        state.network.ended(number, &mut state.kernel);
        match number & KIND {
            MESSAGE => state.message_arrived(index),
            REQUEST => {
                state.note_end_of_request(index);
                state.complete(index);
            }
            PSTATE => state.notice_pstates(index),
            _ => {
                let State { kernel, network, nodes, profiles, .. } = state;
                let switched = profiles.play(index as usize, kernel, network, nodes, PROFILE);
                if let (Some((host, is_on)), Some(energy)) = (switched, &mut state.energy) {
                    energy.switch(host, is_on, state.kernel.now());
                    state.observe_power(host);
                }
                state.observe_profile(index);
            }
        }
    }

    fn adopt(&self, actors: &mut Actors) {
        let mut newcomers = self.newcomers.borrow_mut();
        if newcomers.is_empty() {
            return;
        }
        let kernel = &mut self.state.borrow_mut().kernel;
        for future in newcomers.drain(..) {
            kernel.wake(actors.spawn(future));
        }
    }

    #[inline]
    fn foresee(&self, next: Then) -> Option<ActorId> {
        let state = self.state.borrow();
        let actor = match next {
            Then::Wake(actor) => actor,
            Then::Notify(number) if number & KIND == MESSAGE => {
                ActorId(state.foresee_arrival(number)?)
            }
            Then::Notify(_) => return None,
        };
        if let Some(foresee) = &self.hooks.foresee {
            foresee(actor.0);
        }
        Some(actor)
    }

    #[inline]
    fn foresee_later(&self, next: Then) {
        if let Then::Notify(number) = next
            && number & KIND == MESSAGE
        {
            near::fetch(&self.state.borrow().messages[number]);
        }
    }

    fn settle(&self, is_stuck: bool) -> bool {
        self.hooks.outside.as_ref().is_some_and(|outside| outside.borrow_mut()(is_stuck))
    }
}

impl State {
    /// Whether the actor being polled is the rank, not a collective that runs beside it: what the
    /// latter waits for is not the rank's time. Ranks are the first actors, in order.
    #[inline]
    pub(crate) fn is_rank_itself(&self, rank: u32) -> bool {
        self.kernel.current().0 == rank && !self.ranks[rank as usize].has_ended
    }

    /// Tags for so many parts of a partitioned send. After two thousand million they repeat.
    pub(crate) fn take_part_tags(&mut self, parts: u32) -> i32 {
        if self.next_part.checked_add_unsigned(parts).is_none() {
            self.next_part = 0;
        }
        let first = self.next_part;
        self.next_part = first.saturating_add_unsigned(parts);
        first
    }

    /// Tells the meters and governors what a rank begins or ends, if there are any.
    pub(crate) fn note(&mut self, rank: u32, change: Change) {
        if let Some(energy) = &mut self.energy {
            energy.note(rank, change, self.kernel.now());
            if self.observer.is_some() {
                self.observe_power(self.hosts[rank as usize]);
            }
        }
        if self.pstates.is_some() {
            self.note_load(rank, change);
        }
    }

    /// Tells those who follow that a rank begins a call, unless that is part of a collective one.
    #[inline]
    pub(crate) fn note_call(&mut self, rank: u32, call: &'static str) {
        if self.collectives[rank as usize].is_empty() {
            self.note_collective(rank, call);
        }
    }

    /// Tells those who follow that a rank begins a call that others may be part of.
    #[inline]
    pub(crate) fn note_collective(&mut self, rank: u32, call: &'static str) {
        if self.calls_are_named {
            return;
        }
        if self.energy.is_some() {
            self.meter_call(rank, call);
        } else {
            self.observe_entry(rank, Doing::call(call));
        }
    }

    /// The same where energy is metered. Apart, so that a call of which a trace alone is told has
    /// nothing to keep for later.
    #[cold]
    fn meter_call(&mut self, rank: u32, call: &'static str) {
        if let Some(energy) = &mut self.energy {
            energy.enter(rank, call, self.kernel.now());
        }
        self.observe_entry(rank, Doing::call(call));
    }

    /// Tells meters and governors that a computation or a use of a file has ended.
    fn note_end_of_request(&mut self, request: u32) {
        if self.energy.is_some() || self.pstates.is_some() {
            let (owner, kind) = (self.requests[request].owner, self.requests[request].kind);
            match kind {
                Kind::Computation => self.note(owner, Change::Computed),
                Kind::Access => self.note(owner, Change::Returns),
                _ => {}
            }
        }
    }

    /// A request that completes after `seconds`, during which the rank is busy.
    pub(crate) fn timer(&mut self, rank: u32, seconds: f64) -> u32 {
        let request = self.requests.insert(RequestState::timer(rank));
        self.kernel.wait(seconds, Then::Notify(REQUEST + request));
        request
    }

    /// A request that completes when `flops` operations are done.
    pub(crate) fn computation(&mut self, rank: u32, flops: f64) -> u32 {
        self.idle_polls = 0;
        let request = self.requests.insert(RequestState::computation(rank));
        let host = self.hosts[rank as usize];
        self.nodes.execute(host, flops, &mut self.kernel, Then::Notify(REQUEST + request));
        self.note(rank, Change::Computes);
        request
    }

    /// A request that completes when so much was read or written; nothing if that takes no time.
    pub(crate) fn access(&mut self, rank: u32, access: Access, bytes: u64) -> Option<u32> {
        *match access {
            Access::Read => &mut self.counters.read,
            Access::Write => &mut self.counters.written,
        } += bytes;
        let request = self.requests.insert(RequestState::access(rank));
        let host = self.hosts[rank as usize];
        let then = Then::Notify(REQUEST + request);
        if self.disks.access(host, access, bytes, &mut self.kernel, then).is_none() {
            self.forget(request);
            return None;
        }
        self.idle_polls = 0;
        self.note(rank, Change::Leaves);
        Some(request)
    }
}

impl RankState {
    fn new() -> Self {
        Self {
            wild: NONE,
            arrivals: [(NONE, NONE); 2],
            posted: [NONE; 3],
            posted_beyond: 0,
            messages_beyond: 0,
            messages: [0; 2],
            call: Call::None,
            has_ended: false,
            is_polling: false,
            failed_polls: 0,
            times: RankTimes::default(),
            polls: Vec::new(),
        }
    }
}
