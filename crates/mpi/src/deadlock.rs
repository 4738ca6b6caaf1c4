//! A deadlock told so that one can find it: who waits, in which call, for whom.

use std::fmt;

use rustc_hash::FxHashMap;

use crate::collective::Tag;
use crate::comm::ANY_TAG;
use crate::poll::Sought;
use crate::request::{Kind, RequestState, Waiter};
use crate::world::{NONE, RankState, State};

/// Every rank that cannot go on, and a cycle among them if there is one.
#[derive(Debug, Clone, PartialEq)]
pub struct Deadlock {
    /// When.
    pub date: f64,
    /// All ranks that had not ended, in order.
    pub blocked: Vec<Blocked>,
    /// Ranks that wait for each other in a ring: each for the next, the last for the first.
    pub cycle: Vec<u32>,
}

/// One rank that cannot go on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Blocked {
    /// Rank in the world.
    pub rank: u32,
    /// Which of its threads, if it calls MPI from several; 0 is the main one.
    pub thread: Option<u32>,
    /// The MPI call it is in.
    pub call: String,
    /// What it waits for, one line each.
    pub waits_for: Vec<String>,
    /// The ranks that could set it free; none if anybody could.
    pub peers: Vec<u32>,
}

impl Deadlock {
    /// Looks at a world in which nothing will happen any more.
    pub(crate) fn find(state: &State) -> Deadlock {
        let tasks = stuck_tasks(state);
        let mut blocked: Vec<Blocked> = Vec::new();
        let mut place_of: FxHashMap<u32, usize> = FxHashMap::default();
        for (rank, of) in (0..).zip(&state.ranks) {
            let first = tasks.partition_point(|task| task.owner < rank);
            let own = tasks[first..].iter().take_while(|task| task.owner == rank);
            let call = match (of.has_ended, own.clone().next()) {
                (false, _) => state.described_call(rank as usize),
                // It has left a collective behind that never ends.
                (true, Some(task)) => Tag(task.tag).call().into(),
                (true, None) => continue,
            };
            let actors = own.filter(|task| of.has_ended || task.is_awaited).map(|task| task.actor);
            let itself = (!of.has_ended).then_some(rank);
            place_of.extend(actors.chain(itself).map(|actor| (actor, blocked.len())));
            let waits_for = polls_in_vain(state, of).into_iter().collect();
            let threads = threads_of(state, rank);
            if threads.is_empty() {
                blocked.push(Blocked { rank, thread: None, call, waits_for, peers: Vec::new() });
            }
            for (actor, thread) in threads {
                place_of.insert(actor, blocked.len());
                blocked.push(thread);
            }
        }
        for (_, request) in state.requests.iter().filter(|(_, request)| !request.is_done) {
            let actor = waiting_actor(state, request);
            if let (Some(at), Some(line)) =
                (actor.and_then(|actor| place_of.get(&actor)), described(state, request))
            {
                blocked[*at].waits_for.push(line);
                if request.peer != NONE {
                    blocked[*at].peers.push(request.peer);
                }
            }
        }
        let cycle = cycle(&blocked);
        Deadlock { date: state.kernel.now(), blocked, cycle }
    }
}

/// The threads of a rank that calls MPI from several, by their numbers, each with its actor.
fn threads_of(state: &State, rank: u32) -> Vec<(u32, Blocked)> {
    let own = state.threads.iter().filter(|(_, thread)| thread.rank == rank);
    let mut threads: Vec<(u32, Blocked)> = own
        .map(|(actor, of)| {
            let call = if of.call.is_empty() { "its own code" } else { of.call }.into();
            let (thread, waits_for, peers) = (Some(of.number), Vec::new(), Vec::new());
            (*actor, Blocked { rank, thread, call, waits_for, peers })
        })
        .collect();
    threads.sort_by_key(|(_, blocked)| blocked.thread);
    threads
}

/// What a rank that polls waits for.
fn polls_in_vain(state: &State, rank: &RankState) -> Option<String> {
    if !rank.is_polling || rank.failed_polls == 0 || rank.has_ended {
        return None;
    }
    let sought = rank.polls.last().and_then(|pause| sought(state, pause.sought));
    let sought = sought.map_or_else(String::new, |sought| format!("{sought}, "));
    Some(format!("{sought}what {} polls in a row have not found", rank.failed_polls))
}

/// What a poll looks for, in words.
fn sought(state: &State, sought: Sought) -> Option<String> {
    match sought {
        Sought::Something => None,
        Sought::Request(number) => described(state, &state.requests[number]),
        Sought::Message { context, peer, tag } => {
            described(state, &RequestState::probe(NONE, peer, context, tag))
        }
    }
}

/// A non-blocking collective that has not ended.
struct StuckTask {
    owner: u32,
    actor: u32,
    tag: i32,
    /// Whether its rank waits for it.
    is_awaited: bool,
}

/// All of them, by rank.
fn stuck_tasks(state: &State) -> Vec<StuckTask> {
    let requests = state.requests.iter().map(|(_, request)| request);
    let stuck = requests.filter(|request| request.kind == Kind::Task && !request.is_done);
    let mut tasks: Vec<StuckTask> = stuck
        .map(|request| StuckTask {
            owner: request.owner,
            actor: request.peer,
            tag: request.tag,
            is_awaited: waiting_actor(state, request).is_some(),
        })
        .collect();
    tasks.sort_by_key(|task| task.owner);
    tasks
}

/// The actor that waits for a request: a rank, by its number, or a task.
fn waiting_actor(state: &State, request: &RequestState) -> Option<u32> {
    match request.waiter {
        Waiter::Nobody => None,
        Waiter::Actor(actor) => Some(actor.0),
        Waiter::Group(group) => state.groups[group].actor.map(|actor| actor.0),
    }
}

/// What a request waits for, if it says more than its call.
fn described(state: &State, request: &RequestState) -> Option<String> {
    let peer = Peer { rank: request.peer, has_ended: has_ended(state, request.peer) };
    let label = match (request.context & 1, request.tag) {
        (0, ANY_TAG) => ", any tag".into(),
        (0, tag) => format!(", tag {tag}"),
        (_, tag) => format!(" of {}", Tag(tag).call()),
    };
    let place = place(request.context);
    match request.kind {
        Kind::Receive if request.is_matched => {
            Some(format!("a message on its way from {peer}{label}{place}"))
        }
        Kind::Receive | Kind::Probe if peer.rank == NONE => {
            Some(format!("a message from any rank{label}{place}"))
        }
        Kind::Receive | Kind::Probe => Some(format!("a message from {peer}{label}{place}")),
        Kind::Send => Some(format!("{peer} to receive {} bytes{label}{place}", request.bytes)),
        Kind::Computation => Some("a computation on a host that is off".into()),
        Kind::Access => Some("a file".into()),
        Kind::Timer | Kind::Task => None,
    }
}

/// A rank that somebody waits for.
struct Peer {
    rank: u32,
    has_ended: bool,
}

impl fmt::Display for Peer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = if self.has_ended { " (which has ended)" } else { "" };
        write!(f, "rank {}{end}", self.rank)
    }
}

fn has_ended(state: &State, rank: u32) -> bool {
    state.ranks.get(rank as usize).is_some_and(|rank| rank.has_ended)
}

impl State {
    /// The call a rank is in, for people.
    pub(crate) fn described_call(&self, rank: usize) -> String {
        match self.collectives[rank] {
            "" => self.ranks[rank].call.name().into(),
            collective => collective.into(),
        }
    }
}

fn place(context: u32) -> String {
    match context {
        0 | 1 => String::new(),
        2 | 3 => " on the communicator of itself".into(),
        context => format!(" on communicator {}", context / 2),
    }
}

/// Follows each rank's first peer until a rank comes twice.
fn cycle(blocked: &[Blocked]) -> Vec<u32> {
    let find = |rank: u32| blocked.binary_search_by_key(&rank, |blocked| blocked.rank).ok();
    let mut seen_from = vec![usize::MAX; blocked.len()];
    for start in 0..blocked.len() {
        let mut path = Vec::new();
        let mut at = start;
        while seen_from[at] == usize::MAX {
            seen_from[at] = start;
            path.push(at);
            match blocked[at].peers.first().and_then(|peer| find(*peer)) {
                Some(next) => at = next,
                None => break,
            }
        }
        if let Some(entry) = path.iter().position(|place| *place == at)
            && seen_from[at] == start
            && blocked[*path.last().expect("the path has its start")].peers.first()
                == Some(&blocked[at].rank)
        {
            return path[entry..].iter().map(|place| blocked[*place].rank).collect();
        }
    }
    Vec::new()
}

impl fmt::Display for Deadlock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// A list longer than this is cut: nobody reads ten thousand blocked ranks.
        const MOST: usize = 32;
        let mut ranks: Vec<u32> = self.blocked.iter().map(|blocked| blocked.rank).collect();
        ranks.dedup();
        let who = match ranks.len() {
            1 => "1 rank waits".into(),
            count => format!("{count} ranks wait"),
        };
        writeln!(f, "deadlock at {:.9} s: {who} for ever", self.date)?;
        for blocked in self.blocked.iter().take(MOST) {
            write!(f, "  rank {}", blocked.rank)?;
            blocked.thread.map_or(Ok(()), |thread| write!(f, ", thread {thread}"))?;
            write!(f, " in {}", blocked.call)?;
            match blocked.waits_for.as_slice() {
                [] => writeln!(f)?,
                [first, rest @ ..] => {
                    write!(f, " waits for {first}")?;
                    rest.iter().take(3).try_for_each(|line| write!(f, "; {line}"))?;
                    match rest.len().checked_sub(4) {
                        Some(more) => writeln!(f, "; and {} more", more + 1)?,
                        None => writeln!(f)?,
                    }
                }
            }
        }
        if let Some(more) = self.blocked.len().checked_sub(MOST + 1) {
            writeln!(f, "  and {} more ranks", more + 1)?;
        }
        match self.cycle.as_slice() {
            [] => write!(f, "  there is no cycle: a message is missing that no rank sends"),
            [rank] => write!(f, "  rank {rank} waits for itself"),
            cycle => {
                let ring: Vec<String> =
                    cycle.iter().chain(&cycle[..1]).map(u32::to_string).collect();
                write!(f, "  they wait in a ring: {}", ring.join(" -> "))
            }
        }
    }
}
