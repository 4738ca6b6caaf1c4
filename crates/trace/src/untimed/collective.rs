//! Collective calls: what all of their ranks tell, put together.
//!
//! A rank tells what it gives or gets alone. Its line needs what the others tell of the same call,
//! so each rank leaves room for it until the last one has joined. The calls of a communicator are
//! told apart by their order, which is the same for all of its ranks.

use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write;

use rustc_hash::FxHashMap;

use super::between::Between;
use super::party::Party;
use crate::action::{Action, Amount, Counts};
use crate::datatype::Datatype;
use crate::fields::List;
use crate::root::Root;
use crate::spool::{Place, Spool};
use crate::timed::Collective;

/// Room for a line without a list.
const LINE: usize = 96;
/// Room for the number under which an operation is begun.
const LATER: usize = 36;
/// Room for a number of a list.
const NUMBER: usize = 14;
/// With more ranks, lists are not worth their room, and all ranks are told the mean.
pub(super) const MOST: u32 = 1024;

/// Calls under way.
#[derive(Debug, Default)]
pub(crate) struct Collectives {
    /// How many calls of each communicator a rank has joined.
    joined: FxHashMap<(u32, u32), u64>,
    open: FxHashMap<(u32, u64), Call>,
    /// Calls of ranks that have begun an operation whose communicator is not known yet, in order.
    waiting: FxHashMap<u32, VecDeque<Waiting>>,
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
pub(super) struct Part {
    rank: u32,
    place: Place,
    /// The number under which it is begun.
    later: Option<u32>,
    pub(super) bytes: u64,
    pub(super) gathered: u64,
    /// The root, if this rank names it.
    pub(super) root: Option<u32>,
    /// What a trace of Dimemas says of the root.
    says: Option<i64>,
}

/// A call of a rank that others wait for, or that waits for others.
#[derive(Debug)]
struct Waiting {
    later: Option<u32>,
    name: String,
    place: Place,
    /// What it is about, once that is known.
    told: Option<Told>,
}

/// What a call is about.
#[derive(Debug)]
struct Told {
    comm: u32,
    root: Option<u32>,
    bytes: u64,
    gathered: u64,
    /// The ranks, and how many of them are on the first side.
    members: Option<(Vec<u32>, usize)>,
}

impl Told {
    fn new(args: Collective<'_>, members: Option<Party<'_>>) -> Self {
        let Collective { comm, root, bytes, gathered, .. } = args;
        Self {
            comm,
            root,
            bytes,
            gathered,
            members: members.map(|party| (party.members.to_vec(), party.first)),
        }
    }
}

/// What a trace of Dimemas says of a call beside its bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Said {
    /// The root's task, or whether this one is it; which of both shows when all have told.
    pub(crate) root: i64,
    /// Bytes that are passed to send.
    pub(crate) sent: u64,
    /// Bytes that are passed to receive.
    pub(crate) received: u64,
}

impl Collectives {
    /// A rank joins a call of a communicator, which is the world if no members are told; a trace of
    /// Dimemas says more of it. False if there is no such operation.
    pub(crate) fn join(
        &mut self,
        spool: &mut Spool,
        rank: u32,
        name: &str,
        args: Collective<'_>,
        members: Option<Party<'_>>,
        said: Option<Said>,
    ) -> bool {
        let Some(shape) = Shape::of(name) else { return false };
        if self.waiting.contains_key(&rank) {
            let place = spool.leave_room(rank, shape.width(spool.ranks()));
            let told = Some(Told::new(args, members));
            self.waiting.entry(rank).or_default().push_back(Waiting {
                later: None,
                name: name.to_owned(),
                place,
                told,
            });
            return true;
        }
        if let Some(Said { sent, received, .. }) = said.filter(|said| shape.leaves_out(*said)) {
            let is_other = matches!(name, "MPI_Reduce_scatter_block" | "MPI_Alltoallw");
            spool.add(rank, &Action::Passes { sent, received, is_other });
        }
        if shape == Shape::Barrier {
            self.count(rank, args.comm);
            within(args.comm).iter().for_each(|action| spool.add(rank, action));
            spool.add(rank, &Action::Barrier);
            return true;
        }
        let place = spool.leave_room(rank, shape.width(spool.ranks()));
        let says = said.map(|said| said.root);
        self.enter(spool, rank, (name, place, None), args, members, says);
        true
    }

    /// A rank begins an operation under a number; of which communicator it is is told when it is
    /// complete. Until then its later calls wait, since calls are told apart by their order. False
    /// if there is no such operation.
    pub(crate) fn begin(&mut self, spool: &mut Spool, rank: u32, number: u32, name: &str) -> bool {
        let Some(shape) = Shape::of(name) else { return false };
        let place = spool.leave_room(rank, shape.width(spool.ranks()) + LATER);
        let waiting = Waiting { later: Some(number), name: name.to_owned(), place, told: None };
        self.waiting.entry(rank).or_default().push_back(waiting);
        true
    }

    /// An operation that a rank has begun is complete. False if none of that number is to be
    /// waited for.
    pub(crate) fn complete(
        &mut self,
        spool: &mut Spool,
        rank: u32,
        number: u32,
        args: Option<Collective<'_>>,
        members: Option<Party<'_>>,
    ) -> bool {
        let Some(queue) = self.waiting.get_mut(&rank) else { return false };
        let is_it = |one: &Waiting| one.later == Some(number) && one.told.is_none();
        let Some(at) = queue.iter().position(is_it) else { return false };
        match args {
            Some(args) => queue[at].told = Some(Told::new(args, members)),
            None => _ = queue.remove(at),
        }
        self.settle(spool, rank);
        args.is_some()
    }

    /// Carries on with calls of a rank that wait for none any more.
    fn settle(&mut self, spool: &mut Spool, rank: u32) {
        while let Some(queue) = self.waiting.get_mut(&rank) {
            match queue.front_mut().map(|front| front.told.take()) {
                None => _ = self.waiting.remove(&rank),
                Some(None) => return,
                Some(Some(told)) => {
                    let Some(Waiting { later, name, place, .. }) = queue.pop_front() else {
                        return;
                    };
                    let Told { comm, root, bytes, gathered, members } = told;
                    let args = Collective { comm, root, bytes, gathered, algorithm: "" };
                    let members = members.as_ref();
                    let party = members.map(|(members, first)| Party { members, first: *first });
                    self.enter(spool, rank, (&name, place, later), args, party, None);
                }
            }
        }
    }

    /// What was begun and is not complete at the end is left out.
    pub(crate) fn give_up(&mut self, spool: &mut Spool) {
        let mut ranks: Vec<u32> = self.waiting.keys().copied().collect();
        ranks.sort_unstable();
        for rank in ranks {
            if let Some(queue) = self.waiting.get_mut(&rank) {
                for one in queue.iter().filter(|one| one.told.is_none()) {
                    *self.confused.entry(one.name.clone()).or_default() += 1;
                }
                queue.retain(|one| one.told.is_some());
            }
            self.settle(spool, rank);
        }
    }

    /// Which call of a communicator the next one of a rank is.
    fn count(&mut self, rank: u32, comm: u32) -> u64 {
        let count = self.joined.entry((rank, comm)).or_default();
        *count += 1;
        *count - 1
    }

    /// A rank takes part in a call, whose line has a place.
    fn enter(
        &mut self,
        spool: &mut Spool,
        rank: u32,
        (name, place, later): (&str, Place, Option<u32>),
        args: Collective<'_>,
        members: Option<Party<'_>>,
        says: Option<i64>,
    ) {
        let Some(shape) = Shape::of(name) else { return };
        let key = (args.comm, self.count(rank, args.comm));
        // A root must be one of the ranks.
        let size = members.map_or(spool.ranks() as usize, |party| party.members.len());
        let root = args.root.filter(|root| (*root as usize) < size);
        let call = self.open.entry(key).or_insert_with(|| Call {
            name: name.to_owned(),
            root: None,
            parts: Vec::new(),
        });
        call.root = call.root.or(root);
        if call.name != name {
            *self.confused.entry(name.to_owned()).or_default() += 1;
        }
        let [bytes, gathered] = [args.bytes, args.gathered].map(|bytes| bytes.min(1 << 40));
        call.parts.push(Part { rank, place, later, bytes, gathered, root, says });
        if call.parts.len() == size
            && let Some(call) = self.open.remove(&key)
            && !tell(spool, shape, call, args.comm, members)
        {
            *self.confused.entry(name.to_owned()).or_default() += size as u64;
        }
    }

    /// A rank tells what it sends to each rank of a communicator and what it gets from each, so
    /// that it waits for nobody. False if the world is too large for lists.
    pub(crate) fn exchange(
        &self,
        spool: &mut Spool,
        rank: u32,
        comm: u32,
        [sent, received]: [&[u64]; 2],
    ) -> bool {
        let ranks = spool.ranks();
        if ranks > MOST {
            return false;
        }
        let [sent, received] = [sent, received].map(|all| {
            let bytes = all.iter().map(|bytes| (*bytes).min(1 << 40));
            listed(bytes, ranks)
        });
        let datatype = Some(Datatype::BYTE);
        let [sent, received] = [&sent, &received]
            .map(|text| Counts { list: List::written(text.as_bytes(), ranks), datatype });
        within(comm).iter().for_each(|action| spool.add(rank, action));
        spool.add(rank, &Action::Alltoallv { sent, received });
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
pub(super) enum Shape {
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

    /// Room for the line of one rank.
    fn width(self, ranks: u32) -> usize {
        match self.has_lists() && ranks <= MOST {
            true => LINE + 2 * NUMBER * ranks as usize,
            false => LINE,
        }
    }

    /// Whether one rank is the root.
    pub(super) fn is_rooted(self) -> bool {
        use Shape::{Bcast, Gather, Gatherv, Reduce, Scatter, Scatterv};
        matches!(self, Bcast | Reduce | Gather | Gatherv | Scatter | Scatterv)
    }

    pub(super) fn has_lists(self) -> bool {
        use Shape::{Allgatherv, Alltoallv, Gatherv, ReduceScatter, Scatterv};
        matches!(self, Gatherv | Scatterv | Allgatherv | Alltoallv | ReduceScatter)
    }

    /// Whether the action does not say all of what is told.
    fn leaves_out(self, said: Said) -> bool {
        let Said { sent, received, .. } = said;
        !match self {
            Shape::Barrier => sent == 0 && received == 0,
            Shape::Bcast => sent == 0 || received == 0,
            Shape::Reduce | Shape::Allreduce | Shape::Scan | Shape::Exscan => sent == received,
            _ => false,
        }
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
    fn action<'a>(self, bytes: u64, root: Root, list: List<'a>) -> Action<'a> {
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

/// Fills the place of a rank.
fn fill(spool: &mut Spool, part: &Part, comm: u32, action: &dyn std::fmt::Display) {
    let mut text = String::new();
    for before in part.later.map(Action::Later).iter().chain(&within(comm)) {
        let _ = writeln!(text, "{} {before}", part.rank);
    }
    let _ = write!(text, "{} {action}", part.rank);
    spool.fill(part.place, text.as_bytes());
}

/// All ranks have joined: their places are filled, unless what they tell does not fit together.
fn tell(
    spool: &mut Spool,
    shape: Shape,
    mut call: Call,
    comm: u32,
    members: Option<Party<'_>>,
) -> bool {
    put_in_order(&mut call.parts, members.map(|party| party.members));
    match members.and_then(Party::sides) {
        Some([one, _]) => {
            let ranks = spool.ranks();
            let Some(between) = Between::new(shape, &call.parts, one.len(), ranks) else {
                return false;
            };
            let parts = call.parts.iter().enumerate();
            parts.for_each(|(at, part)| fill(spool, part, comm, &between.line(at)));
        }
        _ => tell_all(spool, shape, call, comm),
    }
    true
}

fn tell_all(spool: &mut Spool, shape: Shape, call: Call, comm: u32) {
    let Call { root, mut parts, .. } = call;
    let root = flagged(&parts).or(root).unwrap_or(0).into();
    fill_in(shape, &mut parts);
    let ranks = spool.ranks();
    let largest = parts.iter().map(|part| part.bytes).max().unwrap_or(0);
    let mean = parts.iter().map(|part| part.bytes).sum::<u64>() / parts.len().max(1) as u64;
    let mut write = |part: &Part, action: Action<'_>| fill(spool, part, comm, &action);
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

/// Finds the blocks that ranks do not tell since they are in place already: of those that say they
/// give nothing, where all ranks get more than the others give.
fn fill_in(shape: Shape, parts: &mut [Part]) {
    let told: u64 = parts.iter().map(|part| part.bytes).sum();
    match shape {
        Shape::Allgatherv => {
            let all = parts.iter().map(|part| part.gathered).max().unwrap_or(0);
            let silent = parts.iter().filter(|part| part.bytes == 0).count() as u64;
            let share = all.saturating_sub(told).checked_div(silent).unwrap_or(0);
            parts.iter_mut().filter(|part| part.bytes == 0).for_each(|part| part.bytes = share);
        }
        // In place, a rank gives each what it gets of it.
        Shape::Alltoallv if told == 0 => {
            parts.iter_mut().for_each(|part| part.bytes = part.gathered);
        }
        _ => {}
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
pub(super) fn listed(numbers: impl Iterator<Item = u64>, ranks: u32) -> String {
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

pub(super) fn within(comm: u32) -> Vec<Action<'static>> {
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
