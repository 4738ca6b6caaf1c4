//! One step of a rank, without dates.

use crate::datatype::Datatype;
use crate::fields::{List, Members};
use crate::file::FileCall;
use crate::root::Root;
use crate::sides::Sides;
use crate::window::WindowCall;

/// What a rank does. Text that belongs to it is borrowed from the line it was read from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Action<'a> {
    /// `MPI_Init`; counts without a datatype are in doubles if so, else in bytes.
    Init {
        /// In doubles.
        doubles: bool,
    },
    /// `MPI_Finalize`.
    Finalize,
    /// A communicator is made or asked for its size, which such traces tell no more about.
    Communicator(&'a str),
    /// A communicator, which this rank belongs to. Not a word of SimGrid's.
    Define {
        /// What the trace calls it.
        id: u32,
        /// Its ranks in the world, in order.
        members: Members<'a>,
    },
    /// An inter-communicator, of which this rank is on one side. Not a word of SimGrid's.
    DefineInter {
        /// What the trace calls it.
        id: u32,
        /// The ranks of both sides in the world.
        sides: Sides<'a>,
    },
    /// The next collective is one of that communicator, by whose ranks its root is counted. Not a
    /// word of SimGrid's.
    Within(u32),
    /// The next collective is begun, to be waited for later under this number. Not a word of
    /// SimGrid's.
    Later(u32),
    /// Waits for the collective that was begun under that number. Not a word of SimGrid's.
    Await(u32),
    /// Tests whether that collective is complete. Not a word of SimGrid's.
    Look(u32),
    /// What the rank passes to the next collective, in bytes, where that differs from what the
    /// action tells. Not a word of SimGrid's.
    Passes {
        /// To send.
        sent: u64,
        /// To receive.
        received: u64,
        /// Whether it is the other operation of that shape: with equal blocks, or with datatypes.
        is_other: bool,
    },
    /// Does something with a file. Not a word of SimGrid's.
    File(FileCall),
    /// Does something with a window. Not a word of SimGrid's.
    Window {
        /// What the rank calls the window.
        number: u32,
        /// What it does.
        call: WindowCall<'a>,
    },
    /// A part of the program begins. Not a word of SimGrid's, which takes it for a comment.
    Region(&'a str),
    /// The part of that name that began last ends. As such a comment, too.
    Leave(&'a str),
    /// The next wait or test is not for the oldest request that fits it, but for one with so many
    /// older ones of the same ends and tag. As such a comment, too.
    Younger(u32),
    /// A mark of SimGrid's load balancing, which takes no time.
    Mark(&'a str),
    /// Where in the source the next action is.
    Location {
        /// The source file.
        file: &'a str,
        /// The line in it.
        line: u64,
    },
    /// Computes so many flops.
    Compute(f64),
    /// Lets so many seconds pass.
    Sleep(f64),
    /// A blocking send.
    Send(Mode, Message),
    /// A send to be waited for.
    Isend(Mode, Message),
    /// A blocking receive.
    Recv(Message),
    /// A receive to be waited for.
    Irecv(Message),
    /// `MPI_Sendrecv`, without tags.
    Sendrecv {
        /// Where the message goes.
        to: Peer,
        /// What is sent.
        sent: Amount,
        /// Where another comes from.
        from: Peer,
        /// What is received.
        received: Amount,
    },
    /// `MPI_Wait`.
    Wait(Waited),
    /// `MPI_Test`.
    Test(Waited),
    /// `MPI_Waitall` of all requests that are under way.
    Waitall(u64),
    /// A wait or a test for several requests, of which SimGrid does not say which they are.
    Several(Several),
    /// `MPI_Start`: a send, or a receive if the message goes to this rank; from whom, SimGrid does
    /// not say.
    Start(Message),
    /// `MPI_Barrier`.
    Barrier,
    /// `MPI_Bcast`.
    Bcast {
        /// What every rank gets.
        size: Amount,
        /// From whom.
        root: Root,
    },
    /// `MPI_Reduce`.
    Reduce {
        /// What every rank gives.
        size: Amount,
        /// Flops that follow.
        flops: f64,
        /// Who gets the result.
        root: Root,
    },
    /// `MPI_Allreduce`.
    Allreduce {
        /// What every rank gives.
        size: Amount,
        /// Flops that follow.
        flops: f64,
    },
    /// `MPI_Scan`.
    Scan {
        /// What every rank gives.
        size: Amount,
        /// Flops that follow.
        flops: f64,
    },
    /// `MPI_Exscan`.
    Exscan {
        /// What every rank gives.
        size: Amount,
        /// Flops that follow.
        flops: f64,
    },
    /// `MPI_Reduce_scatter`.
    ReduceScatter {
        /// What each rank gets.
        counts: Counts<'a>,
        /// Flops that follow.
        flops: f64,
    },
    /// `MPI_Alltoall`.
    Alltoall {
        /// What goes to each rank.
        sent: Amount,
        /// What comes from each.
        received: Amount,
    },
    /// `MPI_Alltoallv`.
    Alltoallv {
        /// What goes to each rank.
        sent: Counts<'a>,
        /// What comes from each.
        received: Counts<'a>,
    },
    /// `MPI_Gather`.
    Gather {
        /// What every rank gives.
        sent: Amount,
        /// What the root gets from each.
        received: Amount,
        /// The root.
        root: Root,
    },
    /// `MPI_Gatherv`.
    Gatherv {
        /// What this rank gives.
        sent: Amount,
        /// What the root gets from each.
        received: Counts<'a>,
        /// The root.
        root: Root,
    },
    /// `MPI_Scatter`.
    Scatter {
        /// What the root gives to each.
        sent: Amount,
        /// What every rank gets.
        received: Amount,
        /// The root.
        root: Root,
    },
    /// `MPI_Scatterv`.
    Scatterv {
        /// What the root gives to each.
        sent: Counts<'a>,
        /// What this rank gets.
        received: Amount,
        /// The root.
        root: Root,
    },
    /// `MPI_Allgather`.
    Allgather {
        /// What every rank gives.
        sent: Amount,
        /// What comes from each.
        received: Amount,
    },
    /// `MPI_Allgatherv`.
    Allgatherv {
        /// What this rank gives.
        sent: Amount,
        /// What comes from each.
        received: Counts<'a>,
    },
}

impl Action<'_> {
    /// The same in a world whose `ranks` ranks have all moved on by so many places, those at the
    /// end to the front. Roots stay where they are.
    #[inline]
    pub fn shifted(mut self, by: u32, ranks: u32) -> Self {
        match &mut self {
            Action::Send(_, message)
            | Action::Isend(_, message)
            | Action::Recv(message)
            | Action::Irecv(message)
            | Action::Start(message) => message.peer = message.peer.shifted(by, ranks),
            Action::Wait(waited) | Action::Test(waited) => {
                waited.from = waited.from.shifted(by, ranks);
                waited.to = waited.to.shifted(by, ranks);
            }
            Action::Sendrecv { to, from, .. } => {
                *to = to.shifted(by, ranks);
                *from = from.shifted(by, ranks);
            }
            Action::Window { call, .. } => *call = call.moved(|rank| shifted(rank, by, ranks)),
            _ => {}
        }
        self
    }

    /// What its line begins with, if SimGrid's replay does not know that word.
    pub fn own_word(&self) -> Option<&'static str> {
        Some(match self {
            Action::Define { .. } => "comm_def",
            Action::DefineInter { .. } => "inter_def",
            Action::Within(_) => "within",
            Action::Later(_) => "later",
            Action::Await(_) => "await",
            Action::Look(_) => "look",
            Action::Passes { .. } => "passes",
            Action::File(call) => call.word(),
            Action::Window { call, .. } => call.word(),
            _ => return None,
        })
    }

    /// Whether it takes no time and is written as a comment, so that SimGrid passes it over.
    pub fn is_hint(&self) -> bool {
        matches!(self, Action::Region(_) | Action::Leave(_) | Action::Younger(_))
    }

    /// The same, if it is one of the common ones that borrow no text.
    pub(crate) fn without_text(self) -> Option<Action<'static>> {
        Some(match self {
            Action::Compute(flops) => Action::Compute(flops),
            Action::Send(mode, message) => Action::Send(mode, message),
            Action::Isend(mode, message) => Action::Isend(mode, message),
            Action::Recv(message) => Action::Recv(message),
            Action::Irecv(message) => Action::Irecv(message),
            Action::Wait(waited) => Action::Wait(waited),
            Action::Test(waited) => Action::Test(waited),
            Action::Waitall(count) => Action::Waitall(count),
            Action::Younger(by) => Action::Younger(by),
            Action::Within(id) => Action::Within(id),
            Action::Later(number) => Action::Later(number),
            Action::Await(number) => Action::Await(number),
            Action::Passes { sent, received, is_other } => {
                Action::Passes { sent, received, is_other }
            }
            Action::File(call) => Action::File(call),
            Action::Barrier => Action::Barrier,
            Action::Bcast { size, root } => Action::Bcast { size, root },
            Action::Allreduce { size, flops } => Action::Allreduce { size, flops },
            _ => return None,
        })
    }
}

/// How several requests are waited or tested for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Several {
    /// `MPI_Waitany` of so many.
    WaitAny(u64),
    /// `MPI_Testany`.
    TestAny,
    /// `MPI_Testall`.
    TestAll,
    /// `MPI_Testsome`.
    TestSome,
}

/// A message as one of its ends sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Message {
    /// The other end.
    pub peer: Peer,
    /// Its tag; none for a receive of any.
    pub tag: Option<u32>,
    /// How much it is. A receive may not know.
    pub size: Amount,
}

/// What is waited for: the oldest request for such a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Waited {
    /// Who sends it.
    pub from: Peer,
    /// Who receives it.
    pub to: Peer,
    /// Its tag; none for a receive of any.
    pub tag: Option<u32>,
}

/// The other end of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Peer {
    /// A rank in the world.
    Rank(u32),
    /// Whoever sends.
    Any,
    /// Nobody: nothing happens.
    Nobody,
}

impl Peer {
    /// As many places further among `ranks` ranks; behind the last is the first.
    #[inline]
    fn shifted(self, by: u32, ranks: u32) -> Self {
        match self {
            Peer::Rank(rank) => Peer::Rank(shifted(rank, by, ranks)),
            other => other,
        }
    }
}

#[inline]
fn shifted(rank: u32, by: u32, ranks: u32) -> u32 {
    let moved = u64::from(rank) + u64::from(by);
    let ranks = u64::from(ranks);
    (if moved >= ranks { moved - ranks } else { moved }) as u32
}

/// How a send completes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// As its size has it.
    Standard,
    /// With its receive.
    Synchronous,
    /// By itself.
    Buffered,
}

/// So many elements of a datatype.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Amount {
    /// How many; none if the trace does not tell.
    pub count: Option<u64>,
    /// Of what; none if it goes by the rank's first line.
    pub datatype: Option<Datatype>,
}

/// So many elements for each rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counts<'a> {
    /// How many for each.
    pub list: List<'a>,
    /// Of what; none if it goes by the rank's first line.
    pub datatype: Option<Datatype>,
}

impl Amount {
    /// So many of this datatype.
    pub fn new(count: u64, datatype: Datatype) -> Self {
        Self { count: Some(count), datatype: Some(datatype) }
    }

    /// So many bytes.
    pub fn of_bytes(bytes: u64) -> Self {
        Self::new(bytes, Datatype::BYTE)
    }

    /// In bytes, if that is known.
    pub fn bytes(&self, usual: Datatype) -> Option<u64> {
        Some(self.count?.saturating_mul(self.datatype.unwrap_or(usual).size()))
    }
}

impl<'a> Counts<'a> {
    /// In bytes, rank after rank.
    pub fn bytes(&self, usual: Datatype) -> impl Iterator<Item = u64> + use<'a> {
        let size = self.datatype.unwrap_or(usual).size();
        self.list.iter().map(move |count| count.saturating_mul(size))
    }
}
