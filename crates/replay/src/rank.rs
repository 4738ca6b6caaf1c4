//! The life of a rank that does what its trace says.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;

use foretell_mpi::{
    ANY_SOURCE, ANY_TAG, Comm, Error, Group, Op, PROC_NULL, Payload, Request, Result,
};
use foretell_trace::{Action, Amount, Datatype, Message, Mode, Peer, Problem, Trace, Waited};

use crate::collective;
use crate::factors::{Factors, Parts};
use crate::others::Others;
use crate::pending::Pending;
use crate::schedule;

/// A trace about to be replayed.
#[derive(Debug)]
pub struct Replay {
    trace: Rc<Trace>,
    /// Operations on elements of 1, 2, 4, … bytes.
    ops: [Op; 6],
    /// Flops of a unit of computation: of one flop, or of a second that was recorded, once that is
    /// known.
    unit: Cell<Option<f64>>,
    factors: Factors,
    actions: Cell<u64>,
    /// Names of parts of the program that ranks were in.
    parts: RefCell<BTreeSet<String>>,
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
            actions: Cell::new(0),
            parts: RefCell::default(),
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
            actions: Cell::new(0),
            parts: RefCell::default(),
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

    /// How many actions were carried out so far.
    pub fn actions(&self) -> u64 {
        self.actions.get()
    }

    /// The life of one rank.
    ///
    /// # Errors
    ///
    /// If an action fails, or if the trace cannot be read; [`Replay::take_problem`] then tells why.
    pub async fn main(&self, world: Comm) -> Result<()> {
        self.main_from(world, 0).await
    }

    /// The life of one rank of a world whose first rank is this one of the simulation.
    pub(crate) async fn main_from(&self, world: Comm, first: u32) -> Result<()> {
        let number = world.rank();
        if let Some(schedule) = self.trace.schedule(number) {
            let schedule = schedule.map_err(|problem| self.unreadable(problem))?;
            let scale = self.flops() / self.factors.of_rank(number);
            return Box::pin(schedule::run(self, &world, &schedule, scale)).await;
        }
        let mut cursor = self.trace.cursor(number);
        let mut rank = Rank {
            first,
            scale: self.flops() / self.factors.of_rank(number),
            parts: None,
            replay: self,
            world,
            others: Others::default(),
            pending: Pending::default(),
            mistake: None,
            usual: Datatype::BYTE,
        };
        loop {
            let action = match cursor.next() {
                Ok(Some(action)) => action,
                Ok(None) => break,
                Err(problem) => return Err(self.unreadable(problem)),
            };
            // What ranks do most often is done here: an action that has to be kept while it is
            // under way is copied, and what is in it is needed before that is through.
            let outcome = match action {
                Action::Send(Mode::Standard, ref message) => {
                    let (bytes, to, tag) = rank.outgoing(message);
                    rank.world.send(bytes, to, tag).await
                }
                Action::Recv(ref message) if message.size.count.is_some() => {
                    let (from, tag) = (source(message.peer), tag(message.tag));
                    rank.world.recv_unseen(from, tag).await
                }
                Action::Isend(Mode::Standard, ref message) => {
                    let (bytes, to, tag) = rank.outgoing(message);
                    rank.pending.name(rank.sent(message));
                    let request = rank.world.isend(bytes, to, tag).await;
                    request.map(|request| rank.pending.begin(request))
                }
                Action::Irecv(ref message) if message.size.count.is_some() => {
                    rank.pending.name(rank.incoming(message));
                    let (from, tag) = (source(message.peer), tag(message.tag));
                    rank.world.irecv(from, tag).map(|request| rank.pending.begin(request))
                }
                Action::Wait(ref waited) => match rank.pending.take(waited) {
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
                // Boxed, so that a rank that only sends is small.
                _ => Box::pin(rank.act(action)).await,
            };
            if let Err(error) = outcome {
                let blamed = rank.mistake.take();
                return Err(blamed.map_or(error, |what| self.unreadable(cursor.blame(what))));
            }
            self.count();
        }
        // What nobody waited for must end before the rank does.
        rank.world.wait_all(rank.pending.all()).await
    }

    #[cold]
    fn unreadable(&self, problem: Problem) -> Error {
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
pub(crate) struct Rank<'a> {
    pub(crate) replay: &'a Replay,
    pub(crate) world: Comm,
    /// The first rank of that world, among all of the simulation.
    first: u32,
    pub(crate) others: Others,
    /// Flops of a unit of computation, with all factors.
    scale: f64,
    /// Where in the program it is, once that is told.
    parts: Option<Box<Parts>>,
    pending: Pending,
    /// What the last action has shown to be wrong with the trace.
    mistake: Option<String>,
    /// The datatype of counts that name none.
    pub(crate) usual: Datatype,
}

impl Rank<'_> {
    /// What ranks do less often.
    async fn act(&mut self, action: Action<'_>) -> Result<()> {
        match action {
            Action::Send(mode, message) => self.send(mode, message).await,
            Action::Isend(mode, message) => self.isend(mode, message).await,
            Action::Recv(message) => {
                self.find_size(message).await?;
                self.world.recv_unseen(source(message.peer), tag(message.tag)).await
            }
            Action::Irecv(message) => {
                self.find_size(message).await?;
                let request = self.world.irecv(source(message.peer), tag(message.tag))?;
                self.pending.add(self.incoming(&message), request);
                Ok(())
            }
            Action::Init { doubles } => {
                self.usual = if doubles { Datatype::DOUBLE } else { Datatype::BYTE };
                Ok(())
            }
            Action::Define { id, members } => {
                let group = Group::new(members.iter().map(|rank| self.first + rank).collect());
                let comm = self.world.agreed(&group, id as i32);
                let outcome = self.others.define(id, comm);
                self.blame(outcome)
            }
            Action::Within(id) => {
                let outcome = self.others.enter(id);
                self.blame(outcome)
            }
            Action::Region(name) => {
                self.be(|parts, factors| parts.enter(name, factors));
                self.replay.note_part(name);
                Ok(())
            }
            Action::Leave(name) => {
                self.be(|parts, _| parts.leave(name));
                Ok(())
            }
            Action::Location { file, line } => {
                self.be(|parts, factors| parts.be_at(file, line, factors));
                Ok(())
            }
            Action::Finalize | Action::Communicator(_) | Action::Mark(_) => Ok(()),
            Action::Sleep(seconds) => {
                self.world.sleep(seconds).await;
                Ok(())
            }
            Action::Test(waited) => match self.pending.find(&waited) {
                // A request that a test finds done is null from then on, and waits pass it by.
                Some(request) => self.world.test(request).await.map(drop),
                None => Ok(()),
            },
            Action::Sendrecv { to, sent, from, .. } => {
                let payload = self.payload(sent);
                self.world.sendrecv(payload, source(to), 0, source(from), 0).await.map(drop)
            }
            _ => {
                let outcome = collective::act(self, action).await;
                self.others.leave();
                outcome
            }
        }
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
        outcome.map_err(|what| {
            let error = Error::BadArgument(what.clone());
            self.mistake = Some(what);
            error
        })
    }

    /// The communicator of the collective at hand.
    pub(crate) fn comm(&self) -> &Comm {
        self.others.entered().unwrap_or(&self.world)
    }

    async fn send(&self, mode: Mode, message: Message) -> Result<()> {
        let (payload, to, tag) = self.outgoing(&message);
        match mode {
            Mode::Standard => self.world.send(payload, to, tag).await,
            Mode::Synchronous => self.world.ssend(payload, to, tag).await,
            Mode::Buffered => self.world.bsend(payload, to, tag).await,
        }
    }

    async fn isend(&mut self, mode: Mode, message: Message) -> Result<()> {
        let (payload, to, tag) = self.outgoing(&message);
        let request: Request = match mode {
            Mode::Standard => self.world.isend(payload, to, tag).await?,
            Mode::Synchronous => self.world.issend(payload, to, tag).await?,
            Mode::Buffered => self.world.ibsend(payload, to, tag).await?,
        };
        self.pending.add(self.sent(&message), request);
        Ok(())
    }

    /// Size, destination and tag of what is sent.
    #[inline]
    fn outgoing(&self, message: &Message) -> (u64, i32, i32) {
        (self.bytes(message.size), source(message.peer), tag(message.tag))
    }

    fn sent(&self, message: &Message) -> Waited {
        Waited { from: Peer::Rank(self.world.rank()), to: message.peer, tag: message.tag }
    }

    fn incoming(&self, message: &Message) -> Waited {
        Waited { from: message.peer, to: Peer::Rank(self.world.rank()), tag: message.tag }
    }

    /// A receive that does not know its size asks for it before, as SimGrid's does.
    async fn find_size(&self, message: Message) -> Result<()> {
        if message.size.count.is_none() {
            self.world.probe(source(message.peer), tag(message.tag)).await?;
        }
        Ok(())
    }

    pub(crate) fn payload(&self, size: Amount) -> Payload {
        Payload::Size(self.bytes(size))
    }

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
