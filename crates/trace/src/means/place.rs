//! Where in the program a rank is, as far as its actions tell.

use std::fmt::Write;

use crate::action::{Action, Amount, Message, Peer, Several, Waited};

/// How many of the last actions tell where a rank is, if no line of the source does.
const RECENT: usize = 4;

/// Follows a rank.
///
/// A place is told by the parts of the program that the rank is in, and there by the line of the
/// source if the trace tells one, else by the last actions of the rank in that part. How much is
/// computed tells nothing; how often the rank has computed since its last other action does.
#[derive(Debug, Default)]
pub(crate) struct Whereabouts {
    here: Part,
    /// The parts around this one, the outermost first.
    around: Vec<Part>,
    /// The line of the source that was told last.
    line: u64,
    told: Told,
    /// What was told of the next action.
    ahead: u64,
    /// Computations since the last other action.
    computations: u64,
}

/// Which action the last line of the source was told of.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
enum Told {
    #[default]
    Earlier,
    Last,
    Next,
}

/// A part of the program that a rank is in.
#[derive(Debug, Default)]
struct Part {
    name: u64,
    /// Its name and those of the parts around it.
    path: u64,
    /// The last actions in it, the latest first.
    recent: [u64; RECENT],
    /// Whether the latest is a wait, or several: in which order requests complete is a matter of
    /// time, so they are one.
    waits: bool,
}

impl Whereabouts {
    /// The rank goes on with this action; the place, if it is a computation.
    pub(crate) fn pass(&mut self, action: &Action<'_>) -> Option<u64> {
        match *action {
            Action::Compute(_) => return Some(self.compute()),
            Action::Region(name) => self.enter(text(name)),
            Action::Leave(name) => self.leave(text(name)),
            Action::Location { file, line } => {
                self.line = mixed(text(file), line);
                self.told = Told::Next;
            }
            // How often a rank looks for a message is a matter of time.
            Action::Test(_) | Action::Look(_) | Action::Sleep(_) | Action::Mark(_) => {}
            // In which order requests complete is, too.
            Action::Younger(_) => {}
            Action::Several(Several::WaitAny(count)) => self.wait(mixed(12, count)),
            Action::Several(_) => {}
            Action::Within(_) | Action::Passes { .. } => {
                self.ahead = mixed(self.ahead, printed(action));
            }
            // These are numbered one by one.
            Action::Later(_) => self.ahead = mixed(self.ahead, 1),
            Action::Await(_) => self.act(1),
            Action::Wait(request) => self.wait(waited(request)),
            _ => self.act(identity(action)),
        }
        None
    }

    /// The place of the next computation.
    fn compute(&mut self) -> u64 {
        let place = mixed(mixed(self.here.path, self.line), self.computations);
        self.computations += 1;
        match self.told {
            Told::Earlier => self.here.recent.iter().copied().fold(place, mixed),
            Told::Last => place,
            Told::Next => {
                self.told = Told::Last;
                place
            }
        }
    }

    fn act(&mut self, identity: u64) {
        let ahead = self.step();
        self.here.add(mixed(ahead, identity));
    }

    fn wait(&mut self, identity: u64) {
        let ahead = self.step();
        let identity = mixed(ahead, identity);
        match self.here.waits {
            true => self.here.recent[0] = self.here.recent[0].wrapping_add(identity),
            false => self.here.add(identity),
        }
        self.here.waits = true;
    }

    /// An action comes that is no computation; what was told of it.
    fn step(&mut self) -> u64 {
        self.computations = 0;
        self.told = match self.told {
            Told::Next => Told::Last,
            _ => Told::Earlier,
        };
        std::mem::take(&mut self.ahead)
    }

    fn enter(&mut self, name: u64) {
        let path = mixed(self.here.path, name);
        let part = Part { name, path, ..Part::default() };
        self.around.push(std::mem::replace(&mut self.here, part));
        self.computations = 0;
    }

    /// The part of this name that began last ends, and all that began in it. What was done in it
    /// is one action of the part around it.
    fn leave(&mut self, name: u64) {
        let inner =
            (self.here.name == name && !self.around.is_empty()).then_some(self.around.len());
        // The first of those around is no part, but what is outside of all.
        let outer = || (1..self.around.len()).rev().find(|at| self.around[*at].name == name);
        let Some(at) = inner.or_else(outer) else { return };
        self.around.truncate(at);
        if let Some(around) = self.around.pop() {
            self.here = around;
            self.here.add(name);
        }
        self.computations = 0;
    }
}

impl Part {
    fn add(&mut self, identity: u64) {
        self.recent.rotate_right(1);
        self.recent[0] = identity;
        self.waits = false;
    }
}

/// What is the same of an action when it comes again: everything but amounts of computation.
fn identity(action: &Action<'_>) -> u64 {
    match *action {
        Action::Send(mode, message) => message_of(2 + mode as u64, message),
        Action::Isend(mode, message) => message_of(5 + mode as u64, message),
        Action::Recv(message) => message_of(8, message),
        Action::Irecv(message) => message_of(9, message),
        Action::Waitall(count) => mixed(10, count),
        Action::Reduce { size, root, .. } => printed(&Action::Reduce { size, root, flops: 0.0 }),
        Action::Allreduce { size, .. } => printed(&Action::Allreduce { size, flops: 0.0 }),
        Action::Scan { size, .. } => printed(&Action::Scan { size, flops: 0.0 }),
        Action::Exscan { size, .. } => printed(&Action::Exscan { size, flops: 0.0 }),
        Action::ReduceScatter { counts, .. } => {
            printed(&Action::ReduceScatter { counts, flops: 0.0 })
        }
        _ => printed(action),
    }
}

fn message_of(kind: u64, Message { peer, tag, size }: Message) -> u64 {
    let words = [peer_of(peer), tag_of(tag), size_of(size)];
    words.into_iter().fold(kind, mixed)
}

fn waited(Waited { from, to, tag }: Waited) -> u64 {
    [peer_of(from), peer_of(to), tag_of(tag)].into_iter().fold(11, mixed)
}

fn peer_of(peer: Peer) -> u64 {
    match peer {
        Peer::Rank(rank) => u64::from(rank),
        Peer::Any => u64::MAX,
        Peer::Nobody => u64::MAX - 1,
    }
}

fn tag_of(tag: Option<u32>) -> u64 {
    tag.map_or(u64::MAX, u64::from)
}

fn size_of(Amount { count, datatype }: Amount) -> u64 {
    let datatype = datatype.map_or(u64::MAX, |datatype| datatype.number() as u64);
    mixed(count.unwrap_or(u64::MAX), datatype)
}

fn text(text: &str) -> u64 {
    let mut hash = Hash(0);
    hash.add(text);
    hash.0
}

fn printed(action: &Action<'_>) -> u64 {
    let mut hash = Hash(0);
    // Nothing can go wrong: what is written is only added up.
    let _ = write!(hash, "{action}");
    hash.0
}

/// What is written to it, in a number.
struct Hash(u64);

impl Hash {
    fn add(&mut self, text: &str) {
        self.0 = text.bytes().fold(self.0, |hash, byte| mixed(hash, u64::from(byte)));
    }
}

impl Write for Hash {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.add(text);
        Ok(())
    }
}

/// One number for two, in their order. As the last step of the generator splitmix64 (Steele and
/// others, 2014), after which every bit depends on all.
fn mixed(hash: u64, word: u64) -> u64 {
    let mut mixed = hash.rotate_left(5) ^ word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
