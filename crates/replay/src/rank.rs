//! The life of a rank that does what its trace says.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::pin::Pin;
use std::rc::Rc;

use foretell_mpi::{
    ANY_SOURCE, ANY_TAG, Comm, Error, Group, Mark, Op, PROC_NULL, Payload, Place, Request, Result,
    Turns,
};
use foretell_trace::{
    Action, Amount, Cursor, Datatype, Members, Message, Mode, Peer, Problem, Schedule, Trace,
    Waited,
};

use crate::collective;
use crate::even::Evened;
use crate::factors::{Factors, Parts};
use crate::file;
use crate::later;
use crate::others::{Others, Passed};
use crate::pending::Pending;
use crate::schedule;
use crate::turns::Processors;
use crate::window;

/// A trace about to be replayed.
#[derive(Debug)]
pub struct Replay {
    pub(crate) trace: Rc<Trace>,
    /// Operations on elements of 1, 2, 4, … bytes.
    ops: [Op; 6],
    /// Flops of a unit of computation: of one flop, or of a second that was recorded, once that is
    /// known.
    unit: Cell<Option<f64>>,
    factors: Factors,
    /// What became of computations without noise, if they are to be.
    pub(crate) evened: Cell<Option<Evened>>,
    actions: Cell<u64>,
    /// Names of parts of the program that ranks were in.
    parts: RefCell<BTreeSet<String>>,
    /// The processors of nodes that have too few for their ranks, by the host; once that is known.
    crowded: OnceCell<BTreeMap<u32, Rc<Turns>>>,
    /// What the last action of a rank has shown to be wrong with the trace, until that rank says
    /// where it is.
    mistake: RefCell<Option<String>>,
    problem: RefCell<Option<Problem>>,
}

impl Replay {
    /// Replays this trace.
    pub fn new(trace: Trace) -> Self {
        let ops = [1, 2, 4, 8, 16, 32].map(|bytes| Op::new("size", bytes, |_, _| ()));
        let (unit, factors) =
            (Cell::new((!trace.is_in_seconds()).then_some(1.0)), Factors::default());
        let trace = Rc::new(trace);
        Self {
            trace,
            ops,
            unit,
            factors,
            evened: Cell::default(),
            actions: Cell::new(0),
            parts: RefCell::default(),
            crowded: OnceCell::new(),
            mistake: RefCell::default(),
            problem: RefCell::default(),
        }
    }

    /// The same trace once more, from its beginning, with other factors.
    pub fn again(&self, factors: Factors) -> Self {
        Self {
            trace: self.trace.clone(),
            ops: [1, 2, 4, 8, 16, 32].map(|bytes| Op::new("size", bytes, |_, _| ())),
            unit: self.unit.clone(),
            factors,
            evened: Cell::new(self.evened.get().map(|_| Evened::default())),
            actions: Cell::new(0),
            parts: RefCell::default(),
            crowded: OnceCell::new(),
            mistake: RefCell::default(),
            problem: RefCell::default(),
        }
    }

    /// How much faster than recorded it computes.
    pub fn factors(&self) -> &Factors {
        &self.factors
    }

    /// The parts of the program that ranks were in so far, by their names.
    pub fn parts(&self) -> Vec<String> {
        self.parts.borrow().iter().cloned().collect()
    }

    /// Computes faster, or slower, than the trace tells.
    #[must_use]
    pub fn with_factors(mut self, factors: Factors) -> Self {
        self.factors = factors;
        self
    }

    /// Whether the trace tells computation in seconds, for which [`Replay::record_speed`] is to
    /// say what was done in them.
    pub fn is_in_seconds(&self) -> bool {
        self.trace.is_in_seconds()
    }

    /// A second that was recorded is so many flops.
    pub fn record_speed(&self, flops: f64) {
        if self.is_in_seconds() {
            self.unit.set(Some(flops));
        }
    }

    /// A second that was recorded is so many flops, if nobody has said otherwise.
    pub fn record_speed_unless_known(&self, flops: f64) {
        if self.unit.get().is_none() {
            self.unit.set(Some(flops));
        }
    }

    /// Flops of a unit of computation of a rank, before parts of the program count.
    fn flops(&self) -> f64 {
        self.unit.get().unwrap_or(1.0)
    }

    /// What the trace tells and the replay leaves out, in words.
    pub fn left_out(&self) -> &[String] {
        self.trace.left_out()
    }

    /// The processors that a rank shares with others, if its node has too few for all.
    fn processors_of(&self, world: &Comm) -> Option<Processors> {
        let crowded = self.crowded.get_or_init(|| {
            let nodes = world.crowded_nodes().into_iter();
            nodes.map(|(host, count)| (host, Rc::new(Turns::new(count)))).collect()
        });
        crowded.get(&world.host().0).map(|turns| Processors::new(turns.clone()))
    }

    /// Why a rank fails that has come so far in its trace.
    pub(crate) fn blamed(&self, cursor: &Cursor, error: Error) -> Error {
        match self.mistake.take() {
            Some(what) => self.unreadable(cursor.blame(what)),
            None => error,
        }
    }

    fn note_part(&self, name: &str) {
        let mut parts = self.parts.borrow_mut();
        if !parts.contains(name) {
            parts.insert(name.to_owned());
        }
    }

    pub(crate) fn count(&self) {
        self.actions.set(self.actions.get() + 1);
    }

    /// How many ranks there are.
    pub fn ranks(&self) -> u32 {
        self.trace.ranks()
    }

    /// What was wrong with the trace, after a run that failed.
    pub fn take_problem(&self) -> Option<Problem> {
        self.problem.borrow_mut().take()
    }

    /// Where ranks were in the trace, of these, when the run ended before them.
    pub fn places_left(&self, ranks: &[u32]) -> Vec<(u32, String)> {
        self.trace.places_left(ranks)
    }

    /// How many actions were carried out so far.
    pub fn actions(&self) -> u64 {
        self.actions.get()
    }

    /// The life of one rank.
    ///
    /// # Errors
    ///
    /// If an action fails, or if the trace cannot be read; [`Replay::take_problem`] then tells why.
    pub fn main(self: &Rc<Self>, world: Comm) -> impl Future<Output = Result<()>> + use<> {
        self.main_from(world, 0)
    }

    /// The life of one rank of a world whose first rank is this one of the simulation.
    pub(crate) fn main_from(
        self: &Rc<Self>,
        world: Comm,
        first: u32,
    ) -> impl Future<Output = Result<()>> + use<> {
        let mut rank = Rank::new(self.clone(), world, first);
        async move {
            if let Some(schedule) = rank.replay.trace.schedule(rank.world.rank()) {
                return rank.replay.follow(rank.world, schedule).await;
            }
            if rank.needs_care() {
                return rank.live_with_care().await;
            }
            let mut cursor = match rank.replay.cursor(rank.world.rank()) {
                Ok(cursor) => cursor,
                Err(problem) => return Err(rank.replay.unreadable(problem)),
            };
            loop {
                let action = match cursor.next() {
                    Ok(Some(action)) => action,
                    Ok(None) => break,
                    Err(problem) => return Err(rank.replay.unreadable(problem)),
                };
                // What ranks do most often is done here, and taken apart before: an action that has
                // to be kept while it is under way is copied, and is in every rank's future.
                let outcome = match action {
                    Action::Send(Mode::Standard, message) => {
                        let (bytes, to, tag) = rank.outgoing(message);
                        rank.world.send(bytes, to, tag).await
                    }
                    Action::Recv(Message {
                        peer,
                        tag: with,
                        size: Amount { count: Some(_), .. },
                    }) => rank.world.recv_unseen(source(peer), tag(with)).await,
                    Action::Isend(Mode::Standard, message) => {
                        let (bytes, to, tag) = rank.outgoing(message);
                        rank.pending.name(rank.sent(message));
                        let request = rank.world.isend(bytes, to, tag).await;
                        request.map(|request| rank.pending.begin(request))
                    }
                    Action::Irecv(
                        message @ Message { size: Amount { count: Some(_), .. }, .. },
                    ) => rank.irecv(message),
                    Action::Wait(waited) => match rank.pending.take(waited) {
                        Some(request) => rank.world.wait(request).await.map(drop),
                        None => Ok(()),
                    },
                    Action::Waitall(_) => {
                        let outcome = rank.world.wait_all(rank.pending.all()).await;
                        rank.pending.clear();
                        outcome
                    }
                    Action::Compute(flops) => {
                        rank.world.compute(flops * rank.scale).await;
                        Ok(())
                    }
                    other => {
                        // In one place: what two have to keep is not laid over anything else.
                        let (outcome, was_collective) = match rank.act(other) {
                            Deed::Done(outcome) => (outcome, false),
                            Deed::Lasts { deed, is_collective } => (deed.await, is_collective),
                        };
                        if was_collective {
                            rank.leave_comm();
                        }
                        outcome
                    }
                };
                if let Err(error) = outcome {
                    return Err(rank.replay.blamed(&cursor, error));
                }
                rank.replay.count();
            }
            rank.end().await
        }
    }

    /// The life of a rank that has a schedule instead of actions.
    fn follow(&self, world: Comm, schedule: std::result::Result<Schedule, Problem>) -> Lasting<'_> {
        Box::pin(async move {
            let schedule = schedule.map_err(|problem| self.unreadable(problem))?;
            let scale = self.flops() / self.factors.of_rank(world.rank());
            schedule::run(self, &world, &schedule, scale).await
        })
    }

    #[cold]
    pub(crate) fn unreadable(&self, problem: Problem) -> Error {
        let error = Error::BadArgument(problem.to_string());
        self.problem.borrow_mut().get_or_insert(problem);
        error
    }

    /// An operation on elements of a datatype.
    pub(crate) fn op(&self, datatype: Datatype) -> &Op {
        let bytes = datatype.size().clamp(1, 32) as usize;
        &self.ops[bytes.trailing_zeros().min(5) as usize]
    }
}

/// A rank and what it has under way.
pub(crate) struct Rank {
    pub(crate) replay: Rc<Replay>,
    pub(crate) world: Comm,
    /// The first rank of that world, among all of the simulation.
    first: u32,
    /// What few ranks have, once it has some of it.
    pub(crate) others: Option<Box<Others>>,
    /// Flops of a unit of computation, with all factors.
    pub(crate) scale: f64,
    /// Where in the program it is, once that is told.
    parts: Option<Box<Parts>>,
    pub(crate) pending: Pending,
    /// The datatype of counts that name none.
    pub(crate) usual: Datatype,
}

/// What a rank has yet to do for an action.
pub(crate) enum Deed<'a> {
    /// Nothing: this came of it.
    Done(Result<()>),
    Lasts {
        deed: Lasting<'a>,
        /// Afterwards collectives are of the world again.
        is_collective: bool,
    },
}

impl<'a> Deed<'a> {
    fn lasts(deed: impl Future<Output = Result<()>> + 'a) -> Self {
        Deed::Lasts { deed: Box::pin(deed), is_collective: false }
    }
}

/// Something that takes time; boxed, so that a rank that only sends is small.
pub(crate) type Lasting<'a> = Pin<Box<dyn Future<Output = Result<()>> + 'a>>;

impl Rank {
    /// What nobody waited for must end before the rank does. If there is nothing, there is no call
    /// either: the program made none.
    pub(crate) async fn end(&mut self) -> Result<()> {
        if self.pending.is_empty() {
            return Ok(());
        }
        self.world.call_from(0);
        self.world.wait_all(self.pending.all()).await
    }

    fn new(replay: Rc<Replay>, world: Comm, first: u32) -> Self {
        let others =
            replay.processors_of(&world).map(|processors| Box::new(Others::with(processors)));
        Self {
            first,
            scale: replay.flops() / replay.factors.of_rank(world.rank()),
            parts: None,
            replay,
            world,
            others,
            pending: Pending::default(),
            usual: Datatype::BYTE,
        }
    }

    /// Collectives are of the world again.
    pub(crate) fn leave_comm(&mut self) {
        self.others.as_deref_mut().into_iter().for_each(Others::leave);
    }

    /// What ranks do less often.
    pub(crate) fn act<'a>(&'a mut self, action: Action<'a>) -> Deed<'a> {
        match action {
            Action::Send(mode, message) => Deed::lasts(self.send(mode, message)),
            Action::Isend(mode, message) => Deed::lasts(self.isend(mode, message)),
            // A receive that does not know its size asks for it before, as SimGrid's does.
            Action::Recv(message) => Deed::lasts(async move {
                self.find(message).await?;
                self.world.recv_unseen(source(message.peer), tag(message.tag)).await
            }),
            Action::Irecv(message) => Deed::lasts(async move {
                self.find(message).await?;
                self.irecv(message)
            }),
            Action::Sleep(seconds) => Deed::lasts(async move {
                self.world.sleep(seconds).await;
                Ok(())
            }),
            Action::Test(waited) => Deed::lasts(async move {
                match self.pending.find(waited) {
                    // One that a test finds done is null from then on, and waits pass it by.
                    Some(request) => self.world.test(request).await.map(drop),
                    None => Ok(()),
                }
            }),
            Action::Several(several) => Deed::lasts(self.several(several)),
            Action::Start(message) if message.peer == Peer::Rank(self.world.rank()) => {
                Deed::Done(self.irecv(Message { peer: Peer::Any, ..message }))
            }
            Action::Start(message) => Deed::lasts(self.isend(Mode::Standard, message)),
            Action::Sendrecv { to, sent, from, .. } => {
                let payload = self.payload(sent);
                Deed::lasts(async move {
                    self.world.sendrecv(payload, source(to), 0, source(from), 0).await.map(drop)
                })
            }
            Action::Init { .. }
            | Action::Define { .. }
            | Action::DefineInter { .. }
            | Action::Within(_)
            | Action::Later(_)
            | Action::Passes { .. }
            | Action::Region(_)
            | Action::Leave(_)
            | Action::Younger(_)
            | Action::Location { .. }
            | Action::Finalize
            | Action::Communicator(_)
            | Action::Mark(_) => Deed::Done(self.note(action)),
            Action::File(call) => {
                let later = self.others.as_deref_mut().and_then(Others::take_later);
                let deed = Box::pin(file::act(self, call, later));
                Deed::Lasts { deed, is_collective: true }
            }
            Action::Window { number, call } => {
                let later = self.others.get_or_insert_default().take_later();
                let deed = Box::pin(window::act(self, number, call, later));
                Deed::Lasts { deed, is_collective: true }
            }
            Action::Await(number) => Deed::lasts(later::end(self, number)),
            Action::Look(number) => Deed::lasts(later::look(self, number)),
            _ => self.join(action),
        }
    }

    /// Takes part in a collective, or begins to.
    fn join<'a>(&'a mut self, action: Action<'a>) -> Deed<'a> {
        let later = self.others.as_deref_mut().and_then(Others::take_later);
        let deed = match later {
            None => collective::act(self, action),
            Some(number) => later::begin(self, number, action),
        };
        Deed::Lasts { deed, is_collective: true }
    }

    /// Actions that take no time.
    fn note(&mut self, action: Action<'_>) -> Result<()> {
        match action {
            Action::Init { doubles } => {
                self.usual = if doubles { Datatype::DOUBLE } else { Datatype::BYTE };
            }
            Action::Define { id, members } => {
                let comm = self.world.agreed(&self.group(members), id as i32);
                let reason = "without being in it";
                let outcome = self.others.get_or_insert_default().define(id, comm, reason);
                return self.blame(outcome);
            }
            Action::DefineInter { id, sides } => {
                let [first, second] = sides.each().map(|side| self.group(side));
                let comm = self.world.agreed_between([&first, &second], id as i32);
                let reason = "without being on a side of it, or with a rank on both";
                let outcome = self.others.get_or_insert_default().define(id, comm, reason);
                return self.blame(outcome);
            }
            Action::Within(id) => {
                let outcome = self.others.get_or_insert_default().enter(id);
                return self.blame(outcome);
            }
            Action::Later(number) => self.others.get_or_insert_default().put_off(number),
            Action::Passes { sent, received, is_other } => {
                let passed = Passed { volume: (sent, received), is_other };
                self.others.get_or_insert_default().passed.set(Some(passed));
            }
            Action::Region(name) => {
                self.be(|parts, factors| parts.enter(name, factors));
                self.replay.note_part(name);
                self.world.mark(Mark::Begin, name);
            }
            Action::Leave(name) => {
                let mut left = 0;
                self.be(|parts, _| left = parts.leave(name));
                (0..left).for_each(|_| self.world.mark(Mark::End, name));
            }
            Action::Younger(by) => self.pending.pass_over(by),
            Action::Location { file, line } => {
                self.be(|parts, factors| parts.be_at(file, line, factors));
                if self.parts.as_ref().is_some_and(|parts| parts.is_at_a_part()) {
                    self.replay.note_part(&format!("{file}:{line}"));
                }
                let line = u32::try_from(line).unwrap_or(0);
                // Line 0 says that nobody knows.
                let place = Place { file, line, function: "" };
                let number = if line == 0 { 0 } else { self.world.number_place(&place) };
                self.world.call_from(number);
            }
            _ => {}
        }
        Ok(())
    }

    /// The rank goes to another part of the program.
    fn be(&mut self, go: impl FnOnce(&mut Parts, &Factors)) {
        let factors = &self.replay.factors;
        let parts = self.parts.get_or_insert_default();
        go(parts, factors);
        let speed_up = factors.of_rank(self.world.rank()) * parts.factor();
        self.scale = self.replay.flops() / speed_up;
    }

    /// Notes what is wrong with the trace, whose place the reader knows.
    fn blame(&mut self, outcome: std::result::Result<(), String>) -> Result<()> {
        outcome.map_err(|what| self.wrong(what))
    }

    /// Notes what is wrong with the trace.
    pub(crate) fn wrong(&self, what: String) -> Error {
        let error = Error::BadArgument(what.clone());
        self.replay.mistake.replace(Some(what));
        error
    }

    /// A rank of the trace, among all of the simulation.
    pub(crate) fn in_simulation(&self, rank: u32) -> u32 {
        self.first + rank
    }

    /// Ranks of the trace, among all of the simulation.
    fn group(&self, members: Members<'_>) -> Group {
        Group::new(members.iter().map(|rank| self.in_simulation(rank)).collect())
    }

    /// The communicator of the collective at hand.
    pub(crate) fn comm(&self) -> &Comm {
        self.others.as_ref().and_then(|others| others.entered()).unwrap_or(&self.world)
    }

    async fn send(&self, mode: Mode, message: Message) -> Result<()> {
        let (payload, to, tag) = self.outgoing(message);
        match mode {
            Mode::Standard => self.world.send(payload, to, tag).await,
            Mode::Synchronous => self.world.ssend(payload, to, tag).await,
            Mode::Buffered => self.world.bsend(payload, to, tag).await,
        }
    }

    async fn isend(&mut self, mode: Mode, message: Message) -> Result<()> {
        let (payload, to, tag) = self.outgoing(message);
        let request: Request = match mode {
            Mode::Standard => self.world.isend(payload, to, tag).await?,
            Mode::Synchronous => self.world.issend(payload, to, tag).await?,
            Mode::Buffered => self.world.ibsend(payload, to, tag).await?,
        };
        self.pending.add(self.sent(message), request);
        Ok(())
    }

    /// Size, destination and tag of what is sent.
    #[inline(always)]
    pub(crate) fn outgoing(&self, message: Message) -> (u64, i32, i32) {
        (self.bytes(message.size), source(message.peer), tag(message.tag))
    }

    #[inline(always)]
    fn sent(&self, message: Message) -> Waited {
        Waited { from: Peer::Rank(self.world.rank()), to: message.peer, tag: message.tag }
    }

    #[inline(always)]
    fn incoming(&self, message: Message) -> Waited {
        Waited { from: message.peer, to: Peer::Rank(self.world.rank()), tag: message.tag }
    }

    /// Begins a receive of a known size.
    #[inline(always)]
    pub(crate) fn irecv(&mut self, message: Message) -> Result<()> {
        self.pending.name(self.incoming(message));
        let request = self.world.irecv(source(message.peer), tag(message.tag));
        request.map(|request| self.pending.begin(request))
    }

    /// Waits until a message can be received.
    async fn find(&self, message: Message) -> Result<()> {
        self.world.probe(source(message.peer), tag(message.tag)).await.map(drop)
    }

    pub(crate) fn payload(&self, size: Amount) -> Payload {
        Payload::Size(self.bytes(size))
    }

    #[inline(always)]
    pub(crate) fn bytes(&self, size: Amount) -> u64 {
        size.bytes(self.usual).unwrap_or_default()
    }
}

pub(crate) fn source(peer: Peer) -> i32 {
    match peer {
        Peer::Rank(rank) => rank as i32,
        Peer::Any => ANY_SOURCE,
        Peer::Nobody => PROC_NULL,
    }
}

pub(crate) fn tag(tag: Option<u32>) -> i32 {
    tag.map_or(ANY_TAG, |tag| tag as i32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use foretell_mpi::Simulation;
    use foretell_trace::Form;

    /// How many ranks fit into memory depends on what each has of its own.
    #[test]
    fn a_rank_takes_a_third_of_a_kibibyte_and_a_barrier_less() {
        let file = tempfile::Builder::new().suffix(".txt").tempfile().unwrap();
        std::fs::write(file.path(), "0 init\n0 finalize\n").unwrap();
        let replay = Replay::new(Trace::open_as(file.path(), Form::TimeIndependent).unwrap());
        let replay = Rc::new(replay);
        let platform = foretell_platform::Platform::named("star-64").unwrap();
        let report = Simulation::new(platform).ranks(1).run(async move |comm| {
            let barrier = size_of_val(&comm.barrier());
            assert!(barrier <= 240, "{barrier}");
            let life = replay.main(comm);
            assert!(size_of_val(&life) <= 352, "{}", size_of_val(&life));
            life.await
        });
        report.unwrap();
    }
}
