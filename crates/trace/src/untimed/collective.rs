//! Collective calls: what all of their ranks tell, put together.
//!
//! A rank tells what it gives or gets alone. Its line needs what the others tell of the same call,
//! so each rank leaves room for it until the last one has joined. The calls of a communicator are
//! told apart by their order, which is the same for all of its ranks.

use std::collections::BTreeMap;
use std::fmt::Write;

use rustc_hash::FxHashMap;

use crate::action::{Action, Amount, Counts};
use crate::datatype::Datatype;
use crate::fields::{List, Members};
use crate::spool::{Place, Spool};
use crate::timed::Collective;

/// Room for a line without a list.
const LINE: usize = 96;
/// Room for a number of a list.
const NUMBER: usize = 14;
/// With more ranks, lists are not worth their room, and all ranks are told the mean.
const MOST: u32 = 1024;

/// Calls under way.
#[derive(Debug, Default)]
pub(crate) struct Collectives {
    /// How many calls of each communicator a rank has joined.
    joined: FxHashMap<(u32, u32), u64>,
    open: FxHashMap<(u32, u64), Call>,
    /// Calls in which ranks do not agree on what is called.
    confused: BTreeMap<String, u64>,
}

#[derive(Debug)]
struct Call {
    name: String,
    /// The root, as soon as one of the ranks tells it.
    root: Option<u32>,
    parts: Vec<Part>,
}

#[derive(Debug, Clone, Copy)]
struct Part {
    rank: u32,
    place: Place,
    bytes: u64,
    /// What a trace of Dimemas says of the root.
    says: Option<i64>,
}

/// What a trace of Dimemas says of a call beside its bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Told {
    /// The root's task, or whether this one is it; which of both shows when all have told.
    pub(crate) root: i64,
    /// Bytes that are passed to send.
    pub(crate) sent: u64,
    /// Bytes that are passed to receive.
    pub(crate) received: u64,
    /// Whether the rank goes on before the call is done.
    pub(crate) goes_on: bool,
}

impl Collectives {
    /// A rank joins a call of a communicator, which is the world if no members are told. False if
    /// there is no such operation.
    pub(crate) fn join(
        &mut self,
        spool: &mut Spool,
        rank: u32,
        name: &str,
        args: Collective<'_>,
        members: Option<&[u32]>,
    ) -> bool {
        self.join_as_told(spool, rank, name, args, members, None)
    }

    /// The same for a trace of Dimemas, which tells more.
    pub(crate) fn join_as_told(
        &mut self,
        spool: &mut Spool,
        rank: u32,
        name: &str,
        args: Collective<'_>,
        members: Option<&[u32]>,
        told: Option<Told>,
    ) -> bool {
        let Some(shape) = Shape::of(name) else { return false };
        let nth = self.joined.entry((rank, args.comm)).or_default();
        let key = (args.comm, *nth);
        *nth += 1;
        if let Some(told) = told
            && shape.leaves_out(told)
        {
            let Told { sent, received, goes_on, .. } = told;
            let is_other = matches!(name, "MPI_Reduce_scatter_block" | "MPI_Alltoallw");
            spool.add(rank, &Action::Passes { sent, received, goes_on, is_other });
        }
        if shape == Shape::Barrier {
            within(args.comm).iter().for_each(|action| spool.add(rank, action));
            spool.add(rank, &Action::Barrier);
            return true;
        }
        let ranks = spool.ranks();
        let width = match shape.has_lists() && ranks <= MOST {
            true => LINE + 2 * NUMBER * ranks as usize,
            false => LINE,
        };
        // A root must be one of the ranks.
        let size = members.map_or(ranks as usize, <[u32]>::len);
        let root = args.root.filter(|root| (*root as usize) < size);
        let place = spool.leave_room(rank, width);
        let call = self.open.entry(key).or_insert_with(|| Call {
            name: name.to_owned(),
            root: None,
            parts: Vec::new(),
        });
        call.root = call.root.or(root);
        if call.name != name {
            *self.confused.entry(name.to_owned()).or_default() += 1;
        }
        let says = told.map(|told| told.root);
        call.parts.push(Part { rank, place, bytes: args.bytes.min(1 << 40), says });
        if call.parts.len() == size
            && let Some(call) = self.open.remove(&key)
        {
            tell(spool, shape, call, args.comm, members);
        }
        true
    }

    /// What was begun and not joined by all, and how often.
    pub(crate) fn unfinished(&self) -> BTreeMap<String, u64> {
        let mut all = self.confused.clone();
        self.open.values().for_each(|call| *all.entry(call.name.clone()).or_default() += 1);
        all
    }
}

/// What an operation is like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    Barrier,
    Bcast,
    Reduce,
    Allreduce,
    Scan,
    Exscan,
    Allgather,
    Alltoall,
    Gather,
    Scatter,
    ReduceScatter,
    Gatherv,
    Scatterv,
    Allgatherv,
    Alltoallv,
}

impl Shape {
    fn of(call: &str) -> Option<Self> {
        let call = call.strip_prefix("MPI_")?;
        Some(match call.strip_suffix("_c").unwrap_or(call) {
            "Barrier" => Shape::Barrier,
            "Bcast" => Shape::Bcast,
            "Reduce" => Shape::Reduce,
            "Allreduce" => Shape::Allreduce,
            "Scan" => Shape::Scan,
            "Exscan" => Shape::Exscan,
            "Allgather" => Shape::Allgather,
            "Alltoall" => Shape::Alltoall,
            "Gather" => Shape::Gather,
            "Scatter" => Shape::Scatter,
            "Reduce_scatter" | "Reduce_scatter_block" => Shape::ReduceScatter,
            "Gatherv" => Shape::Gatherv,
            "Scatterv" => Shape::Scatterv,
            "Allgatherv" => Shape::Allgatherv,
            "Alltoallv" | "Alltoallw" => Shape::Alltoallv,
            _ => return None,
        })
    }

    fn has_lists(self) -> bool {
        use Shape::{Allgatherv, Alltoallv, Gatherv, ReduceScatter, Scatterv};
        matches!(self, Gatherv | Scatterv | Allgatherv | Alltoallv | ReduceScatter)
    }

    /// Whether the action does not say all of what is told.
    fn leaves_out(self, told: Told) -> bool {
        let Told { sent, received, goes_on, .. } = told;
        let is_said = match self {
            Shape::Barrier => sent == 0 && received == 0,
            Shape::Bcast => sent == 0 || received == 0,
            Shape::Reduce | Shape::Allreduce | Shape::Scan | Shape::Exscan => sent == received,
            _ => false,
        };
        goes_on || !is_said
    }

    /// The operation in which all give or get the same.
    fn even(self) -> Self {
        match self {
            Shape::Gatherv => Shape::Gather,
            Shape::Scatterv => Shape::Scatter,
            Shape::Allgatherv => Shape::Allgather,
            Shape::Alltoallv => Shape::Alltoall,
            other => other,
        }
    }

    /// The action of a rank that gives or gets so many bytes, where all do the same; `lists` is
    /// what each of them does.
    fn action<'a>(self, bytes: u64, root: u32, list: List<'a>) -> Action<'a> {
        let (block, flops) = (Amount::of_bytes(bytes), 0.0);
        let (vector, (sent, received)) = (elements(bytes), (block, block));
        let counts = Counts { list, datatype: Some(Datatype::BYTE) };
        match self {
            Shape::Barrier => Action::Barrier,
            Shape::Bcast => Action::Bcast { size: block, root },
            Shape::Reduce => Action::Reduce { size: vector, flops, root },
            Shape::Allreduce => Action::Allreduce { size: vector, flops },
            Shape::Scan => Action::Scan { size: vector, flops },
            Shape::Exscan => Action::Exscan { size: vector, flops },
            Shape::Allgather => Action::Allgather { sent, received },
            Shape::Alltoall => Action::Alltoall { sent, received },
            Shape::Gather => Action::Gather { sent, received, root },
            Shape::Scatter => Action::Scatter { sent, received, root },
            Shape::ReduceScatter => Action::ReduceScatter { counts, flops },
            Shape::Gatherv => Action::Gatherv { sent, received: counts, root },
            Shape::Scatterv => Action::Scatterv { sent: counts, received, root },
            Shape::Allgatherv => Action::Allgatherv { sent, received: counts },
            Shape::Alltoallv => Action::Alltoallv { sent: counts, received: counts },
        }
    }
}

/// All ranks have joined: their places are filled.
fn tell(spool: &mut Spool, shape: Shape, call: Call, comm: u32, members: Option<&[u32]>) {
    let Call { root, mut parts, .. } = call;
    put_in_order(&mut parts, members);
    let root = flagged(&parts).or(root).unwrap_or(0);
    let ranks = spool.ranks();
    let largest = parts.iter().map(|part| part.bytes).max().unwrap_or(0);
    let mean = parts.iter().map(|part| part.bytes).sum::<u64>() / parts.len().max(1) as u64;
    let before = within(comm);
    let mut write = |part: &Part, action: Action<'_>| {
        let mut text = String::new();
        for action in before.iter().chain([&action]) {
            let _ = writeln!(text, "{} {action}", part.rank);
        }
        spool.fill(part.place, text.trim_end().as_bytes());
    };
    let even = if shape.has_lists() { mean } else { largest };
    if !shape.has_lists() || (ranks > MOST && shape != Shape::ReduceScatter) {
        let (shape, none) = (shape.even(), List::written(b"", 0));
        return parts.iter().for_each(|part| write(part, shape.action(even, root, none)));
    }
    if ranks > MOST {
        // No operation without a list comes nearer.
        let size = elements(mean.saturating_mul(parts.len() as u64));
        let action = Action::Allreduce { size, flops: 0.0 };
        return parts.iter().for_each(|part| write(part, action));
    }
    // Those who are not told of their own list give or get nothing.
    let list = listed(parts.iter().map(|part| part.bytes), ranks);
    for part in &parts {
        if shape == Shape::Alltoallv {
            // A rank tells what it sends on average to each; what it gets is what others send.
            let sent = listed(parts.iter().map(|_| part.bytes), ranks);
            let datatype = Some(Datatype::BYTE);
            let sent = Counts { list: List::written(sent.as_bytes(), ranks), datatype };
            let received = Counts { list: List::written(list.as_bytes(), ranks), datatype };
            write(part, Action::Alltoallv { sent, received });
        } else {
            write(part, shape.action(part.bytes, root, List::written(list.as_bytes(), ranks)));
        }
    }
}

/// The root, if each rank says whether it is the root itself: one does, and the others do not. Where
/// they name a task, all name the same.
fn flagged(parts: &[Part]) -> Option<u32> {
    let is_flagged = |part: &Part| part.says == Some(1);
    let roots = parts.iter().filter(|part| is_flagged(part)).count();
    let others = parts.iter().filter(|part| part.says == Some(0)).count();
    let is_told = roots == 1 && roots + others == parts.len();
    let place = parts.iter().position(is_flagged).filter(|_| is_told)?;
    Some(place as u32)
}

/// Numbers behind blanks, as many as the world has ranks.
fn listed(numbers: impl Iterator<Item = u64>, ranks: u32) -> String {
    let mut text = String::new();
    for number in numbers.chain(std::iter::repeat(0)).take(ranks as usize) {
        let _ = write!(text, " {number}");
    }
    text
}

/// In the order of the communicator.
fn put_in_order(parts: &mut [Part], members: Option<&[u32]>) {
    match members {
        None => parts.sort_unstable_by_key(|part| part.rank),
        Some(members) => {
            let mut places: Vec<(u32, u32)> = members.iter().copied().zip(0..).collect();
            places.sort_unstable();
            parts.sort_unstable_by_key(|part| {
                let found = places.binary_search_by_key(&part.rank, |(rank, _)| *rank);
                found.map_or(0, |at| places[at].1)
            });
        }
    }
}

fn within(comm: u32) -> Vec<Action<'static>> {
    if comm == 0 { Vec::new() } else { vec![Action::Within(comm)] }
}

/// So many bytes, in the largest elements that fit: algorithms cut between elements.
pub(crate) fn elements(bytes: u64) -> Amount {
    const INT: i64 = 1;
    match bytes {
        bytes if bytes.is_multiple_of(8) => Amount::new(bytes / 8, Datatype::DOUBLE),
        bytes if bytes.is_multiple_of(4) => match Datatype::numbered(INT) {
            Some(int) => Amount::new(bytes / 4, int),
            None => Amount::of_bytes(bytes),
        },
        bytes => Amount::of_bytes(bytes),
    }
}

/// The bytes of the vector or of a block, of what a rank is told to send and to receive by tools
/// that tell what is passed to the call.
pub(crate) fn block(name: &str, size: u64, sent: u64, received: u64) -> u64 {
    let first = |one: u64, other: u64| if one > 0 { one } else { other };
    let bytes = match name {
        "MPI_Scatter" | "MPI_Scatterv" | "MPI_Reduce_scatter" => first(received, sent),
        "MPI_Alltoallv" | "MPI_Alltoallw" => first(sent, received) / size.max(1),
        "MPI_Bcast" => sent.max(received),
        _ => first(sent, received),
    };
    bytes.min(1 << 40)
}

/// A rank says which ranks a communicator has.
pub(crate) fn define(spool: &mut Spool, rank: u32, comm: u32, members: &[u32]) {
    let text = Members::written(members);
    if let Ok(members) = Members::parse(text.as_bytes(), spool.ranks()) {
        spool.add(rank, &Action::Define { id: comm, members });
    }
}
