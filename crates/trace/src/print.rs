//! From an action to its line.

use std::fmt::{Display, Formatter, Result};

use crate::action::{Action, Amount, Counts, Message, Mode, Peer, Several, Waited};
use crate::datatype::Datatype;
use crate::root::Root;

impl Display for Action<'_> {
    /// As it stands behind the number of its rank, with no newline.
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match *self {
            Action::Init { doubles: false } => f.write_str("init"),
            Action::Init { doubles: true } => f.write_str("init 1"),
            Action::Finalize => f.write_str("finalize"),
            Action::Communicator(name) | Action::Mark(name) => f.write_str(name),
            Action::Define { id, members } => write!(f, "comm_def {id} {}", members.text()),
            Action::DefineInter { id, sides } => {
                let [first, second] = sides.each();
                write!(f, "inter_def {id} {} | {}", first.text(), second.text())
            }
            Action::Within(id) => write!(f, "within {id}"),
            Action::Later(number) => write!(f, "later {number}"),
            Action::Await(number) => write!(f, "await {number}"),
            Action::Look(number) => write!(f, "look {number}"),
            Action::File(call) => call.fmt(f),
            Action::Window { number, call } => call.print(number, f),
            Action::Passes { sent, received, is_other } => {
                let other = if is_other { " other" } else { "" };
                write!(f, "passes {sent} {received}{other}")
            }
            Action::Region(name) => write!(f, "region {name}"),
            Action::Leave(name) => write!(f, "leave {name}"),
            Action::Younger(by) => write!(f, "younger {by}"),
            Action::Location { file, line } => write!(f, "location {file} {line}"),
            Action::Compute(flops) => write!(f, "compute {flops}"),
            Action::Sleep(seconds) => write!(f, "sleep {seconds}"),
            Action::Send(mode, message) => {
                write!(f, "{} {message}", named(mode, ["send", "Ssend", "bsend"]))
            }
            Action::Isend(mode, message) => {
                write!(f, "{} {message}", named(mode, ["isend", "ISsend", "ibsend"]))
            }
            Action::Recv(message) => write!(f, "recv {message}"),
            Action::Irecv(message) => write!(f, "irecv {message}"),
            Action::Sendrecv { to, sent, from, received } => {
                let types = Types([sent.datatype, received.datatype]);
                let (sent, received) = (Number(sent.count), Number(received.count));
                write!(f, "sendRecv {sent} {to} {received} {from}{types}")
            }
            Action::Wait(waited) => write!(f, "wait {waited}"),
            Action::Test(waited) => write!(f, "test {waited}"),
            Action::Waitall(count) => write!(f, "waitall {count}"),
            Action::Several(Several::WaitAny(count)) => write!(f, "waitAny {count}"),
            Action::Several(Several::TestAny) => f.write_str("testany"),
            Action::Several(Several::TestAll) => f.write_str("testall"),
            Action::Several(Several::TestSome) => f.write_str("testsome"),
            Action::Start(message) => write!(f, "Start {message}"),
            Action::Barrier => f.write_str("barrier"),
            _ => self.fmt_collective(f),
        }
    }
}

impl Action<'_> {
    fn fmt_collective(&self, f: &mut Formatter<'_>) -> Result {
        match *self {
            Action::Bcast { size, root } => {
                write!(f, "bcast {} {root}{}", Number(size.count), Types([size.datatype]))
            }
            Action::Reduce { size, flops, root } => {
                let types = Types([size.datatype]);
                write!(f, "reduce {} {flops} {root}{types}", Number(size.count))
            }
            Action::Allreduce { size, flops } => reduction(f, "allreduce", size, flops),
            Action::Scan { size, flops } => reduction(f, "scan", size, flops),
            Action::Exscan { size, flops } => reduction(f, "exscan", size, flops),
            Action::ReduceScatter { counts, flops } => {
                write!(f, "reducescatter{} {flops}{}", Listed(counts), Types([counts.datatype]))
            }
            Action::Alltoall { sent, received } => exchange(f, "alltoall", sent, received, None),
            Action::Allgather { sent, received } => exchange(f, "allgather", sent, received, None),
            Action::Gather { sent, received, root } => {
                exchange(f, "gather", sent, received, Some(root))
            }
            Action::Scatter { sent, received, root } => {
                exchange(f, "scatter", sent, received, Some(root))
            }
            Action::Alltoallv { sent, received } => {
                let types = Types([sent.datatype, received.datatype]);
                let sums = [sent.list.sum(), received.list.sum()];
                let (sent, received) = (Listed(sent), Listed(received));
                write!(f, "alltoallv {}{sent} {}{received}{types}", sums[0], sums[1])
            }
            Action::Gatherv { sent, received, root } => {
                let types = Types([sent.datatype, received.datatype]);
                write!(f, "gatherv {}{} {root}{types}", Number(sent.count), Listed(received))
            }
            Action::Scatterv { sent, received, root } => {
                let types = Types([sent.datatype, received.datatype]);
                write!(f, "scatterv{} {} {root}{types}", Listed(sent), Number(received.count))
            }
            Action::Allgatherv { sent, received } => {
                let types = Types([sent.datatype, received.datatype]);
                write!(f, "allgatherv {}{}{types}", Number(sent.count), Listed(received))
            }
            _ => Ok(()),
        }
    }
}

fn reduction(f: &mut Formatter<'_>, name: &str, size: Amount, flops: f64) -> Result {
    write!(f, "{name} {} {flops}{}", Number(size.count), Types([size.datatype]))
}

fn exchange(
    f: &mut Formatter<'_>,
    name: &str,
    sent: Amount,
    received: Amount,
    root: Option<Root>,
) -> Result {
    write!(f, "{name} {} {}", Number(sent.count), Number(received.count))?;
    if let Some(root) = root {
        write!(f, " {root}")?;
    }
    write!(f, "{}", Types([sent.datatype, received.datatype]))
}

fn named(mode: Mode, [standard, synchronous, buffered]: [&str; 3]) -> &str {
    match mode {
        Mode::Standard => standard,
        Mode::Synchronous => synchronous,
        Mode::Buffered => buffered,
    }
}

impl Display for Message {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let Message { peer, tag, size } = self;
        write!(f, "{peer} {} {}{}", Tag(*tag), Number(size.count), Types([size.datatype]))
    }
}

impl Display for Waited {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{} {} {}", self.from, self.to, Tag(self.tag))
    }
}

impl Display for Peer {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Peer::Rank(rank) => rank.fmt(f),
            Peer::Any => f.write_str("-555"),
            Peer::Nobody => f.write_str("-666"),
        }
    }
}

/// A tag, or that any is meant.
pub(crate) struct Tag(pub(crate) Option<u32>);

impl Display for Tag {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self.0 {
            Some(tag) => tag.fmt(f),
            None => f.write_str("-444"),
        }
    }
}

struct Number(Option<u64>);

impl Display for Number {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self.0 {
            Some(count) => count.fmt(f),
            None => f.write_str("-1"),
        }
    }
}

/// Datatypes behind the other fields. Where one is not told, those behind it cannot be either.
struct Types<const N: usize>([Option<Datatype>; N]);

impl<const N: usize> Display for Types<N> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        self.0
            .iter()
            .map_while(|datatype| *datatype)
            .try_for_each(|datatype| write!(f, " {}", datatype.number()))
    }
}

/// Counts, each behind a blank.
struct Listed<'a>(Counts<'a>);

impl Display for Listed<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        self.0.list.iter().try_for_each(|count| write!(f, " {count}"))
    }
}
