//! Who watches a run as it goes, with dates: what timed traces are made of.
//!
//! Nobody watches unless asked to. A [`Listener`](crate::Listener) hears what each rank does, free
//! of dates; an observer sees when, and sees messages cross the network. Time passes only in calls
//! and computations, so a rank is in one of them from the date at which it enters it until it
//! enters the next.

mod names;
mod notes;
mod places;

use foretell_models::Mode;
use foretell_platform::HostId;

use crate::comm::Comm;
use crate::group::Group;
use crate::matcher::Envelope;
use crate::request::{Kind, RequestState};
use crate::transport::MessageState;
use crate::world::{Call, NONE, State};
use names::Names;
pub use notes::{Ear, Name, Notes};
pub use places::Place;
use places::Places;

/// Who watches a run. Dates never go back.
pub trait Observer {
    /// What it wants to be told beside calls, sends, receives, collectives and power. This is
    /// asked once, before anything is told.
    fn interests(&self) -> Interests {
        Interests::ALL
    }

    /// This has happened at these dates, in this order. What happens often is told in batches. Who
    /// wants to keep one may put another in its place; what is in that is forgotten.
    fn observe(&mut self, notes: &mut Notes);

    /// A communicator is made of one or two groups of ranks. That of all ranks is number 0; each
    /// rank alone has number 2.
    fn observe_comm(&mut self, date: f64, comm: u32, groups: [Option<&Group>; 2]);

    /// A place in the source of the program gets a number; names may be told with it from now on.
    fn observe_place(&mut self, number: u32, place: &Place<'_>) {
        let _ = (number, place);
    }

    /// The program marks a date, or begins or ends a part of it that has a name.
    fn observe_mark(&mut self, date: f64, rank: u32, mark: Mark, name: &str);
}

/// What an observer may do without: what is told of each message costs time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interests {
    /// How messages move: [`Happening::Arrives`], [`Happening::Delivers`].
    pub ways: bool,
    /// When sends and receives are found complete: [`Happening::Takes`].
    pub takings: bool,
    /// For how long ranks wait: [`Happening::Waited`].
    pub waits: bool,
    /// How much is told at once, in words of eight bytes.
    pub batch: usize,
}

impl Interests {
    /// Everything, in batches that stay in the nearest cache, where the code that takes them in
    /// stays meanwhile.
    pub const ALL: Interests = Interests { ways: true, takings: true, waits: true, batch: 1024 };
}

/// Who watches, and what it is still to be told.
pub(crate) struct Watch {
    observer: Box<dyn Observer>,
    interests: Interests,
    notes: Notes,
    names: Names,
    places: Places,
}

impl Watch {
    pub(crate) fn new(observer: Box<dyn Observer>) -> Self {
        let interests = observer.interests();
        let (notes, names) = (Notes::with_room(interests.batch), Names::new());
        Self { observer, interests, notes, names, places: Places::default() }
    }

    pub(crate) fn interests(&self) -> Interests {
        self.interests
    }

    #[inline(always)]
    fn note(&mut self, date: f64, what: Happening) {
        self.notes.add(date, &what);
        if self.notes.is_full() {
            self.settle();
        }
    }

    /// The number of a name that was met at a place of the program.
    #[inline(always)]
    fn number(&mut self, text: &'static str, place: u32) -> u16 {
        let (number, is_new) = self.names.number(text, place);
        if is_new {
            self.notes.name(Name { text, place });
        }
        number
    }

    /// Tells all that is still to be told.
    #[cold]
    fn settle(&mut self) {
        self.observer.observe(&mut self.notes);
        self.notes.clear();
    }

    /// The observer, who knows all that has happened so far.
    pub(crate) fn observer(&mut self) -> &mut dyn Observer {
        self.settle();
        &mut *self.observer
    }
}

/// Something that happens often. Ranks are those of the world; numbers of messages and requests are
/// used again once they are gone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Happening {
    /// A rank leaves what it was in and begins something else.
    Enters {
        /// The rank.
        rank: u32,
        /// What it begins: the number of a name.
        name: u16,
    },
    /// A rank has waited since a date.
    Waited {
        /// The rank.
        rank: u32,
        /// Since when.
        since: f64,
    },
    /// The program of a rank has ended.
    Ends {
        /// The rank.
        rank: u32,
    },
    /// A message is sent.
    Sends {
        /// Its number.
        message: u32,
        /// What it is.
        letter: Letter,
    },
    /// A receive is posted.
    Posts {
        /// The rank that will receive.
        rank: u32,
        /// The number of its request.
        request: u32,
        /// Which messages it is for.
        traffic: Traffic,
        /// Whether the rank stays in the call until it is done.
        is_blocking: bool,
    },
    /// A message has crossed the network before anybody asked for it.
    Arrives {
        /// Its number.
        message: u32,
    },
    /// A message has crossed the network and met its receive.
    Delivers {
        /// Its number, which is free from now on.
        message: u32,
        /// The number of the receive.
        request: u32,
    },
    /// A rank takes note that a send is complete.
    TakesSend {
        /// The rank.
        rank: u32,
        /// The request, whose number is free from now on.
        request: u32,
    },
    /// A rank takes note that a receive is complete.
    TakesReceive {
        /// The rank.
        rank: u32,
        /// The request, whose number is free from now on.
        request: u32,
        /// What has come.
        received: Incoming,
    },
    /// A rank begins a collective operation.
    Joins {
        /// The rank.
        rank: u32,
        /// The communicator.
        comm: u32,
        /// The root, as a rank of the communicator.
        root: Option<u32>,
        /// Whether the rank stays in it until its own part is done.
        is_blocking: bool,
    },
    /// A rank has chosen an algorithm; the first choice after it joined is that of the operation.
    Chooses {
        /// The rank.
        rank: u32,
        /// The bytes of the operation, as rules count them.
        bytes: u64,
        /// The algorithm: the number of its name.
        name: u16,
    },
    /// A node draws another power from now on.
    Draws {
        /// The node.
        host: HostId,
        /// What it draws.
        watts: f64,
    },
    /// The cores of a node run at another speed from now on, or are in another pstate.
    Runs {
        /// The node.
        host: HostId,
        /// The pstate.
        pstate: u16,
        /// The speed of one core, in operations per second.
        speed: f64,
    },
}

/// What a rank is in, by its name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Doing {
    name: &'static str,
    /// Whether it is a call, which stands somewhere in the program.
    is_call: bool,
}

impl Doing {
    /// It computes.
    pub(crate) const COMPUTING: Doing = Doing { name: "computing", is_call: false };
    /// It lets time pass.
    pub(crate) const SLEEPING: Doing = Doing { name: "sleeping", is_call: false };

    /// It is in a call.
    pub(crate) const fn call(name: &'static str) -> Self {
        Doing { name, is_call: true }
    }
}

/// What a program says about where it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// This very date.
    Here,
    /// A part of the program begins.
    Begin,
    /// The part that began last ends.
    End,
}

/// Which messages: those of which communicator and of which kind of call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Traffic {
    /// The communicator.
    pub comm: u32,
    /// The kind of call.
    pub lane: TrafficLane,
}

/// Which kind of call messages belong to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TrafficLane {
    /// Sends and receives of the program.
    PointToPoint,
    /// Parts of collective operations.
    Collective,
    /// Parts of partitioned operations.
    Partitioned,
}

/// A message as it is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Letter {
    /// The sender.
    pub from: u32,
    /// The receiver.
    pub to: u32,
    /// Which messages it belongs to.
    pub traffic: Traffic,
    /// Its tag.
    pub tag: i32,
    /// Its size.
    pub bytes: u64,
    /// The number of the sender's request; none if the send is complete for the sender.
    pub request: Option<u32>,
    /// Whether the sender stays in the call until the send is complete.
    pub is_blocking: bool,
    /// Whether it moves at once; else it does when its receive is posted, if that is later.
    pub is_eager: bool,
}

/// A message as its receiver knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Incoming {
    /// The sender.
    pub from: u32,
    /// Which messages it belongs to.
    pub traffic: Traffic,
    /// Its tag.
    pub tag: i32,
    /// Its size.
    pub bytes: u64,
}

impl Traffic {
    #[inline]
    fn of(context: u32) -> Self {
        let lane = match (context >> 30, context & 1) {
            (0, 0) => TrafficLane::PointToPoint,
            (0, _) => TrafficLane::Collective,
            _ => TrafficLane::Partitioned,
        };
        Self { comm: context & !(3 << 30) & !1, lane }
    }
}

impl State {
    /// Tells the observer, if there is one.
    #[inline(always)]
    pub(crate) fn observe(&mut self, what: Happening) {
        if let Some(watch) = &mut self.observer {
            watch.note(self.kernel.now(), what);
        }
    }

    /// The run has ended: the observer is told what it was not told yet.
    pub(crate) fn end_watch(&mut self) {
        if let Some(watch) = &mut self.observer {
            watch.settle();
        }
    }

    /// Tells how a message moves, if there is an observer who wants to know.
    #[inline(always)]
    pub(crate) fn observe_way(&mut self, what: Happening) {
        if let Some(watch) = &mut self.observer
            && watch.interests.ways
        {
            watch.note(self.kernel.now(), what);
        }
    }

    /// Follows a rank into a call or a computation.
    #[cold]
    pub(crate) fn follow_call(&mut self, rank: u32, call: Call) {
        match call {
            Call::Compute => self.observe_entry(rank, Doing::COMPUTING),
            _ if self.calls_are_named => {}
            call => self.note_call(rank, call.name()),
        }
    }

    /// Tells what the rank itself or one of its threads begins; what runs beside it is not its.
    #[inline]
    pub(crate) fn observe_entry(&mut self, rank: u32, doing: Doing) {
        if self.observer.is_none() {
            return;
        }
        if self.is_rank_itself(rank) {
            self.note_entry(rank, doing);
        } else {
            self.observe_thread(rank, doing);
        }
    }

    #[inline(always)]
    fn note_entry(&mut self, rank: u32, doing: Doing) {
        if let Some(watch) = &mut self.observer {
            let place = if doing.is_call { watch.places.of(rank) } else { 0 };
            let name = watch.number(doing.name, place);
            watch.note(self.kernel.now(), Happening::Enters { rank, name });
        }
    }

    /// Tells which algorithm a rank has chosen.
    pub(crate) fn observe_choice(&mut self, rank: u32, bytes: u64, algorithm: &'static str) {
        if let Some(watch) = &mut self.observer {
            let name = watch.number(algorithm, 0);
            watch.note(self.kernel.now(), Happening::Chooses { rank, bytes, name });
        }
    }

    /// Tells what the actor being polled begins if it is a thread of a rank.
    #[cold]
    fn observe_thread(&mut self, rank: u32, doing: Doing) {
        if self.threads.contains_key(&self.kernel.current().0) {
            self.note_entry(rank, doing);
        }
    }

    /// Tells of a message that was just posted.
    #[inline]
    pub(crate) fn observe_send(&mut self, message: u32, send: u32) {
        if self.observer.is_none() {
            return;
        }
        let &MessageState { envelope, bytes, mode, .. } = &self.messages[message];
        let Envelope { to, context, from, tag } = envelope;
        let call = self.ranks[from as usize].call;
        let is_blocking = matches!(call, Call::Send | Call::Ssend | Call::Bsend | Call::Rsend);
        let request = (send != NONE).then_some(send);
        let (traffic, is_eager) = (Traffic::of(context), mode == Mode::Eager);
        let letter = Letter { from, to, traffic, tag, bytes, request, is_blocking, is_eager };
        self.observe(Happening::Sends { message, letter });
    }

    /// Tells of a receive that was just posted.
    #[inline]
    pub(crate) fn observe_receive(&mut self, request: u32) {
        if self.observer.is_none() {
            return;
        }
        let &RequestState { owner: rank, context, .. } = &self.requests[request];
        let is_blocking = self.ranks[rank as usize].call == Call::Recv;
        let traffic = Traffic::of(context);
        self.observe(Happening::Posts { rank, request, traffic, is_blocking });
    }

    /// Tells that a rank has waited since a date.
    #[cold]
    pub(crate) fn observe_wait(&mut self, rank: u32, since: f64) {
        if let Some(watch) = &mut self.observer
            && watch.interests.waits
            && since < self.kernel.now()
        {
            watch.note(self.kernel.now(), Happening::Waited { rank, since });
        }
    }

    /// Tells that a rank takes a send or a receive that is complete. A receive that was withdrawn
    /// brings nothing.
    pub(crate) fn observe_taking(&mut self, request: u32) {
        let Some(watch) = self.observer.as_mut().filter(|watch| watch.interests.takings) else {
            return;
        };
        let state = &self.requests[request];
        let &RequestState { owner: rank, peer: from, tag, bytes, context, .. } = state;
        let what = match state.kind {
            Kind::Send => Happening::TakesSend { rank, request },
            Kind::Receive if state.is_matched => {
                let received = Incoming { from, traffic: Traffic::of(context), tag, bytes };
                Happening::TakesReceive { rank, request, received }
            }
            _ => return,
        };
        watch.note(self.kernel.now(), what);
    }

    /// Tells what the node of a rank draws now.
    pub(crate) fn observe_power(&mut self, host: HostId) {
        if let Some(energy) = &self.energy {
            let watts = energy.watts(host);
            self.observe(Happening::Draws { host, watts });
        }
    }
}

impl Comm {
    /// Marks a date, or the beginning or end of a part of the program, for who watches or listens
    /// and for the meters.
    pub fn mark(&self, mark: Mark, name: &str) {
        self.tell_mark(mark, name);
        let state = &mut *self.world.state.borrow_mut();
        if let Some(energy) = &mut state.energy
            && mark != Mark::Here
        {
            let name = (mark == Mark::Begin).then_some(name);
            energy.enter_region(self.me, name, state.kernel.now());
        }
        if let Some(watch) = &mut state.observer {
            watch.observer().observe_mark(state.kernel.now(), self.me, mark, name);
        }
    }
}
