//! What a trace with dates tells.

use std::fmt;
use std::num::NonZeroU64;

use crate::file::FileCall;
use crate::window::WindowCall;

/// Who takes part and where, known before the first event.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cast {
    /// What runs.
    pub program: String,
    /// The machine.
    pub machine: String,
    /// Names of the nodes that ranks run on.
    pub nodes: Vec<String>,
    /// For each rank its node, as a place in the list.
    pub places: Vec<u32>,
}

impl Cast {
    /// How many ranks there are.
    pub fn ranks(&self) -> u32 {
        self.places.len() as u32
    }
}

/// Something that happens. Ranks are those of the world, dates are seconds, sizes are bytes.
///
/// States and communicators go by numbers, counted from 0, and are told before they are used.
/// Communicator 0 has all ranks and is not told. Calls of one name from several places of the
/// program are several states, where places are known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Event<'a> {
    /// A state that ranks can be in gets a number: computing, sleeping, or a call by its name.
    Names {
        /// The number.
        state: u32,
        /// The name.
        name: &'a str,
        /// Where in the program the call stands, if that is known.
        place: Option<Place<'a>>,
    },
    /// A communicator gets a number.
    Forms {
        /// The number.
        comm: u32,
        /// Its ranks, in their order.
        members: &'a [u32],
        /// How many of them are on the first side, if it is an inter-communicator; else 0.
        first_side: usize,
    },
    /// A rank begins to be in a state.
    Enters {
        /// The rank.
        rank: u32,
        /// The state.
        state: u32,
    },
    /// A rank leaves a state; this alone tells all of its stay.
    Leaves {
        /// The rank.
        rank: u32,
        /// The state.
        state: u32,
        /// When it entered.
        since: f64,
        /// For how long it could do nothing but wait.
        waited: f64,
        /// What the call was about, if it was a collective one.
        collective: Option<Collective<'a>>,
    },
    /// A rank sends a message of its own.
    Sends(&'a Letter),
    /// A rank asks for a message and goes on.
    Posts {
        /// The rank.
        rank: u32,
        /// The number of the request, not used twice at the same time by one rank.
        request: u32,
    },
    /// A rank takes note that a send or a receive is complete.
    Takes {
        /// The rank.
        rank: u32,
        /// The request; none for a receive that the rank stayed in the call for.
        request: Option<u32>,
        /// What has come or gone.
        taken: Taken,
    },
    /// A rank begins a collective operation, in the call that it is in, and goes on.
    Begins {
        /// The rank.
        rank: u32,
        /// The number of the request.
        request: u32,
    },
    /// A rank takes note that a collective operation that it has begun, or one on a window that has
    /// a request, is complete.
    Completes {
        /// The rank.
        rank: u32,
        /// The request.
        request: u32,
        /// What a collective one was about; none if nothing is known of its communicator.
        collective: Option<Collective<'a>>,
    },
    /// A rank does something with a file.
    File {
        /// The rank.
        rank: u32,
        /// The communicator that the file is of.
        comm: u32,
        /// What it does.
        call: FileCall,
        /// The request of an access that has one.
        request: Option<u32>,
    },
    /// A rank does something with a window.
    Window {
        /// The rank.
        rank: u32,
        /// The number of the window.
        window: u32,
        /// The communicator that it is of.
        comm: u32,
        /// What it does.
        call: WindowCall<'a>,
        /// The request of an operation that has one.
        request: Option<u32>,
    },
    /// A message has come and met its receive; this alone tells all of its way.
    Delivers(&'a Message),
    /// A node draws another power from now on.
    Draws {
        /// The node, as a place in the list of nodes.
        node: u32,
        /// What it draws.
        watts: f64,
    },
    /// The cores of a node run at another speed from now on. Nodes whose speed can change tell it
    /// at the start, others never.
    Runs {
        /// The node, as a place in the list of nodes.
        node: u32,
        /// The pstate that it is in.
        pstate: u32,
        /// The speed of one core, in operations per second.
        speed: f64,
    },
    /// The program says where it is.
    Marks {
        /// The rank.
        rank: u32,
        /// How.
        mark: Mark,
        /// The name.
        name: &'a str,
    },
    /// The program of a rank has ended.
    Ends {
        /// The rank.
        rank: u32,
    },
}

/// A place in the source of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place<'a> {
    /// The file.
    pub file: &'a str,
    /// The number of the line.
    pub line: u32,
    /// The function; empty if that is not known.
    pub function: &'a str,
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

impl<'a> Place<'a> {
    /// From `file:line`.
    pub fn parse(text: &'a str) -> Option<Self> {
        let (file, line) = text.rsplit_once(':')?;
        Some(Self { file, line: line.parse().ok()?, function: "" })
    }
}

/// A message as its sender knows it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Letter {
    /// Tells it from all other messages of the run.
    pub serial: u64,
    /// The sender.
    pub from: u32,
    /// The receiver.
    pub to: u32,
    /// The communicator.
    pub comm: u32,
    /// Which calls it belongs to.
    pub lane: Lane,
    /// Its tag.
    pub tag: i32,
    /// Its size.
    pub bytes: u64,
    /// The sender's request, if the sender does not stay in the call until the send is complete
    /// and the send is not complete already.
    pub request: Option<u32>,
    /// Whether the sender stays in the call until the send is complete.
    pub is_blocking: bool,
    /// How it meets its receiver.
    pub protocol: Protocol,
}

/// How a message meets its receiver.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Protocol {
    /// It moves at once, and its sender goes on.
    #[default]
    Eager,
    /// It moves when its receiver has asked for it, and its sender goes on meanwhile.
    Detached,
    /// It moves when its receiver has asked for it, and the send is complete when it has come.
    Rendezvous,
}

impl Protocol {
    /// All of them.
    pub const ALL: [Protocol; 3] = [Protocol::Eager, Protocol::Detached, Protocol::Rendezvous];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Protocol::Eager => "eager",
            Protocol::Detached => "detached",
            Protocol::Rendezvous => "rendezvous",
        }
    }
}

/// A message that has come, and the dates of its way. Each is the date of the next if it is not
/// known.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Message {
    /// What it is.
    pub letter: Letter,
    /// When the sender called.
    pub called: f64,
    /// When it was sent: the sender has paid for the call.
    pub sent: f64,
    /// When it began to move.
    pub departed: f64,
    /// When the receiver asked for it.
    pub posted: f64,
    /// When it had crossed the network.
    pub arrived: f64,
    /// What the writer said when it was sent: [`Writer::keep_place`](super::Writer::keep_place).
    pub place: Option<NonZeroU64>,
}

/// Which calls a message belongs to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Lane {
    /// Sends and receives of the program.
    #[default]
    PointToPoint,
    /// A part of a collective operation.
    Collective,
    /// A part of a partitioned operation.
    Partitioned,
}

/// What a request has brought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Taken {
    /// What was sent has gone.
    Send,
    /// What was asked for has come.
    Receive {
        /// Which message it is, if that is known. It is where the ways of messages are told.
        serial: Option<u64>,
        /// The sender.
        from: u32,
        /// The communicator.
        comm: u32,
        /// The tag.
        tag: i32,
        /// The size.
        bytes: u64,
    },
}

impl Taken {
    /// A receive that brought this.
    pub fn receive(letter: &Letter) -> Self {
        let &Letter { serial, from, comm, tag, bytes, .. } = letter;
        Taken::Receive { serial: Some(serial), from, comm, tag, bytes }
    }
}

/// A collective call of one rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Collective<'a> {
    /// The communicator.
    pub comm: u32,
    /// The root, as a rank of the communicator.
    pub root: Option<u32>,
    /// Its bytes: of the vector for bcast, reductions and scans, of one rank's block for the
    /// others, where that is known.
    pub bytes: u64,
    /// What it gets of all ranks where blocks differ, or of one on average where it has one for
    /// each: for tools that do not tell its own block. 0 if that is not known. Of two groups, what
    /// the rank gets of each rank of the other, or of the root.
    pub gathered: u64,
    /// The algorithm; empty if there is no choice.
    pub algorithm: &'a str,
}

/// What a program says about where it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// This very date.
    Here,
    /// A part of it begins.
    Begin,
    /// The part that began last ends.
    End,
}
