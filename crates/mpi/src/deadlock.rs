//! A deadlock told so that one can find it: who waits, in which call, for whom.

use std::fmt;

use crate::comm::ANY_TAG;
use crate::request::{Kind, Waiter};
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
        let mut blocked: Vec<Blocked> = state
            .ranks
            .iter()
            .enumerate()
            .filter(|(_, rank)| !rank.has_ended)
            .map(|(rank, of)| Blocked {
                rank: rank as u32,
                call: of.described_call(),
                waits_for: Vec::new(),
                peers: Vec::new(),
            })
            .collect();
        for (_, request) in state.requests.iter() {
            if request.is_done || request.waiter == Waiter::Nobody {
                continue;
            }
            let Ok(at) = blocked.binary_search_by_key(&request.owner, |blocked| blocked.rank)
            else {
                continue;
            };
            let (peer, tag) = (request.peer, request.tag);
            let tag = if tag == ANY_TAG { "any tag".into() } else { format!("tag {tag}") };
            let place = place(state, request.context);
            let line = match request.kind {
                Kind::Receive if peer == NONE => format!("a message from any rank, {tag}{place}"),
                Kind::Receive if request.message != NONE => {
                    format!("a message on its way from rank {}, {tag}{place}", request.source)
                }
                Kind::Receive => format!("a message from rank {peer}, {tag}{place}"),
                Kind::Send => format!("rank {peer} to receive {} bytes, {tag}{place}", request.bytes),
                Kind::Computation => "a computation on a host that is off".into(),
                Kind::Timer | Kind::Task => continue,
            };
            blocked[at].waits_for.push(line);
            if peer != NONE {
                blocked[at].peers.push(peer);
            }
        }
        let cycle = cycle(&blocked);
        Deadlock { date: state.kernel.now(), blocked, cycle }
    }
}

impl RankState {
    /// The call a rank is in, for people.
    pub(crate) fn described_call(&self) -> String {
        match (self.collective, self.call) {
            ("", "") => "its own code".into(),
            ("", call) => call.into(),
            (collective, _) => collective.into(),
        }
    }
}

fn place(state: &State, context: u32) -> String {
    let _ = state;
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
        writeln!(f, "deadlock at {:.9} s: {} ranks wait for ever", self.date, self.blocked.len())?;
        for blocked in self.blocked.iter().take(MOST) {
            write!(f, "  rank {} in {}", blocked.rank, blocked.call)?;
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
