//! Traces of MPI programs: what each rank did, in a vocabulary of its own, and the formats that
//! traces are kept in.
//!
//! Traces of other tools become actions, too: OTF2 archives, Paraver, Dimemas, GOAL, DUMPI.
//!
//! Time-independent traces tell amounts, not dates: flops computed, bytes sent. [`Action`] is one
//! line of such a trace, in the text format of SimGrid, whose rules the book's page on replay
//! explains. [`Trace::open`] finds out how a trace is laid out; a [`Cursor`] then reads the
//! actions of one rank in small pieces, so that a trace may be larger than memory.
//!
//! ```
//! use foretell_trace::{Action, Amount, Datatype, Mode, Peer};
//!
//! let action = Action::parse(b"send 3 10 80 0", 4).unwrap();
//! let size = Amount::new(80, Datatype::DOUBLE);
//! let Action::Send(Mode::Standard, message) = action else { panic!() };
//! assert_eq!((message.peer, message.tag, message.size), (Peer::Rank(3), Some(10), size));
//! assert_eq!(action.to_string(), "send 3 10 80 0");
//! ```
#![forbid(unsafe_code)]

mod action;
mod colons;
mod compact;
mod cursor;
mod datatype;
mod dimemas;
mod dumpi;
mod echo;
mod fields;
mod file;
mod files;
mod form;
mod goal;
mod hint;
mod job_list;
mod layout;
mod left;
mod means;
mod merged;
mod mistake;
mod packed;
mod parse;
mod print;
mod quick;
mod root;
mod said;
mod sides;
mod spool;
pub mod timed;
mod untimed;
mod window;
mod writer;

pub use action::{Action, Amount, Counts, Message, Mode, Peer, Several, Waited};
pub use compact::{COMPACT, compact, compact_into};
pub use cursor::Cursor;
pub use datatype::Datatype;
pub use dimemas::{Written, write_dimemas};
pub use fields::{List, Members};
pub use file::FileCall;
pub use form::Form;
pub use goal::{Operation, Schedule, Task};
pub use job_list::Listed;
pub use layout::Trace;
pub use means::Means;
pub use mistake::{Mistake, Problem};
pub use root::Root;
pub use sides::Sides;
pub use untimed::word;
pub use window::{Access, WindowCall};
pub use writer::{INDEX, TextWriter};
