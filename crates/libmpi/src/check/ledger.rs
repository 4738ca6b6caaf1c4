//! Collectives that do not belong together: each rank's call is compared with those of the others.

use std::collections::BTreeMap;
use std::rc::Rc;

use foretell_mpi::datatype::Signature;
use foretell_mpi::{Comm, Group, Op, Root};

use super::finding::{Draft, Kind};
use super::operation::Gathering;
use super::overlap::{Access, Claim};
use super::rule::{self, Rule};
use super::site::Site;
use super::types;
use crate::buffer::Buffer;
use crate::datatype::TypeObject;

/// A collective as a rank calls it.
pub(crate) struct Described {
    /// The name of the blocking call.
    pub(crate) name: &'static str,
    pub(crate) root: Option<Root>,
    pub(crate) op: Option<&'static str>,
    pub(crate) flow: Flow,
    /// What the rank has for others: the same for each, or something for each.
    pub(crate) send: Side,
    pub(crate) receive: Side,
    pub(crate) claims: Vec<Claim>,
}

/// Who must agree with whom on the elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flow {
    /// Nobody, or it is not looked at.
    None,
    /// What all ranks send is alike.
    Same,
    ToRoot,
    FromRoot,
    /// What one sends is what the other receives, for each pair.
    Everyone,
}

/// What a rank has or expects.
pub(crate) enum Side {
    Nothing,
    One(Piece),
    Each(Vec<Piece>),
}

/// Some elements.
#[derive(Clone)]
pub(crate) struct Piece {
    signature: Signature,
    count: i64,
    datatype: Rc<TypeObject>,
}

impl Piece {
    pub(crate) fn of(buffer: &Buffer) -> Piece {
        let Buffer { count, datatype, .. } = buffer;
        let signature = datatype.datatype.signature(*count);
        Piece { signature, count: *count, datatype: datatype.clone() }
    }

    fn amount(&self) -> String {
        types::amount(self.count, &self.datatype)
    }
}

impl Side {
    fn piece(&self, rank: u32) -> Option<&Piece> {
        match self {
            Side::Nothing => None,
            Side::One(piece) => Some(piece),
            Side::Each(pieces) => pieces.get(rank as usize),
        }
    }
}

impl Described {
    pub(crate) fn new(name: &'static str, flow: Flow) -> Self {
        let (send, receive, claims) = (Side::Nothing, Side::Nothing, Vec::new());
        Self { name, root: None, op: None, flow, send, receive, claims }
    }

    pub(crate) fn rooted(self, root: Root) -> Self {
        Self { root: Some(root), ..self }
    }

    pub(crate) fn reducing(self, op: &Op) -> Self {
        Self { op: Some(op.name()), ..self }
    }

    /// Takes note of one buffer to send from.
    pub(crate) fn sends(mut self, buffer: &Buffer) -> Self {
        self.send = Side::One(Piece::of(buffer));
        self.claims.push(Claim::reads(buffer));
        self
    }

    /// Takes note of one buffer to receive into. One that is also sent from stays in place.
    pub(crate) fn receives(mut self, buffer: &Buffer) -> Self {
        self.receive = Side::One(Piece::of(buffer));
        self.will_write(buffer);
        self
    }

    /// Takes note of a buffer that is written to.
    fn will_write(&mut self, buffer: &Buffer) {
        self.stays(buffer);
        self.claims.push(Claim::writes(buffer));
    }

    /// What is sent from the place of a received part stays in place: nothing overlaps.
    pub(crate) fn stays(&mut self, part: &Buffer) {
        let is_there = |claim: &Claim| claim.buffer.address == part.address;
        self.claims.retain(|claim| claim.access == Access::Write || !is_there(claim));
    }
}

/// A call that was noted.
struct Entry {
    site: Site,
    /// In the communicator.
    rank: u32,
    call: Described,
    is_blocking: bool,
}

/// Calls of collectives that not all ranks have made.
#[derive(Default)]
pub(super) struct Ledger {
    /// By communicator, and by which of its collectives it is.
    slots: BTreeMap<(u32, u32), Slot>,
}

struct Slot {
    entries: Vec<Entry>,
    gathering: Rc<Gathering>,
    /// A mistake was told; the others would be its echoes.
    is_told: bool,
}

impl Ledger {
    /// Notes a call; gives the others that come to the same collective, and what does not match.
    pub(super) fn note(
        &mut self,
        comm: &Comm,
        site: Site,
        call: Described,
        is_blocking: bool,
    ) -> (Rc<Gathering>, Option<Draft>) {
        let key = (comm.context_number(), comm.next_collective());
        let slot = self.slots.entry(key).or_insert_with(|| Slot::new(comm));
        let entry = Entry { site, rank: comm.rank(), call, is_blocking };
        let mut draft = None;
        if !slot.is_told {
            draft = slot.mismatch(&entry, comm.is_inter());
            slot.is_told = draft.is_some();
        }
        slot.entries.push(entry);
        let gathering = slot.gathering.clone();
        if slot.entries.len() as u32 == gathering.members {
            self.slots.remove(&key);
        }
        (gathering, draft)
    }
}

impl Slot {
    fn new(comm: &Comm) -> Self {
        let remote: Option<&Group> = comm.remote_group();
        let groups = std::iter::once(comm.group()).chain(remote).cloned().collect();
        let members = comm.member_count();
        let (reached, is_free) = Default::default();
        let gathering = Rc::new(Gathering { groups, members, reached, is_free });
        Self { entries: Vec::new(), gathering, is_told: false }
    }

    /// What is wrong between a call and those that were made before.
    fn mismatch(&self, new: &Entry, is_inter: bool) -> Option<Draft> {
        let first = self.entries.first()?;
        if (first.call.name, first.is_blocking) != (new.call.name, new.is_blocking) {
            let note = "they meet in the same place of the order of collectives".into();
            return Some(draft("ranks call different collectives", rule::ORDER, first, new, note));
        }
        if is_inter {
            return None;
        }
        if let (Some(Root::Rank(one)), Some(Root::Rank(other))) = (first.call.root, new.call.root)
            && one != other
        {
            let note = format!("one says root {one}, the other root {other}");
            return Some(draft(
                "ranks name different roots",
                rule::root(new.call.name),
                first,
                new,
                note,
            ));
        }
        if let (Some(one), Some(other)) = (first.call.op, new.call.op)
            && one != other
        {
            let note = format!("one says {}, the other {}", op_name(one), op_name(other));
            let title = "ranks name different reduction operations";
            return Some(draft(title, rule::reduction(new.call.name), first, new, note));
        }
        self.amounts(new)
    }

    /// What is wrong with the elements that ranks send each other.
    fn amounts(&self, new: &Entry) -> Option<Draft> {
        let is_plain = |entry: &Entry| !matches!(entry.call.send, Side::Each(_));
        let root = |entry: &&Entry| entry.call.root == Some(Root::Rank(entry.rank));
        match new.call.flow {
            Flow::None => None,
            Flow::Same => {
                let first = self.entries.first()?;
                let pieces = (first.call.send.piece(0)?, new.call.send.piece(0)?);
                let title = "ranks name different counts or datatypes";
                let is_reduction = new.call.op.is_some();
                let rule = if is_reduction { rule::reduction(new.call.name) } else { rule::AMOUNT };
                compared(title, rule, (first, pieces.0), (new, pieces.1), "has")
            }
            Flow::ToRoot if root(&new) => self.entries.iter().find_map(|one| sent(one, new)),
            Flow::ToRoot => self.entries.iter().find(root).and_then(|root| sent(new, root)),
            Flow::FromRoot if root(&new) => self.entries.iter().find_map(|one| sent(new, one)),
            Flow::FromRoot => self.entries.iter().find(root).and_then(|root| sent(root, new)),
            Flow::Everyone => {
                // Where all send and expect one amount, the first rank stands for all.
                let is_uniform = is_plain(new) && matches!(new.call.receive, Side::One(_));
                let others = if is_uniform { 1 } else { self.entries.len() };
                let mut others = self.entries.iter().take(others);
                others.find_map(|other| sent(new, other).or_else(|| sent(other, new)))
            }
        }
    }
}

/// What is wrong with the elements that one rank sends another.
fn sent(from: &Entry, to: &Entry) -> Option<Draft> {
    let pieces = (from.call.send.piece(to.rank)?, to.call.receive.piece(from.rank)?);
    let title = "a rank sends other elements than another expects";
    compared(title, rule::AMOUNT, (from, pieces.0), (to, pieces.1), "sends")
}

/// Compares two amounts; `verb` says what the first does with its own.
fn compared(
    title: &'static str,
    rule: Rule,
    (one, left): (&Entry, &Piece),
    (other, right): (&Entry, &Piece),
    verb: &str,
) -> Option<Draft> {
    if left.signature.matches(right.signature) {
        return None;
    }
    let pair = |piece: &Piece| (piece.datatype.datatype.clone(), piece.count);
    let (l, r) = (pair(left), pair(right));
    let note = match types::difference((&l.0, l.1), (&r.0, r.1)) {
        Some(found) => {
            let name = |basic: Option<foretell_mpi::datatype::Basic>| {
                basic.map_or("nothing more", |basic| basic.name())
            };
            let (at, left, right) = (found.at, name(found.left), name(found.right));
            let expects = if verb == "has" { verb } else { "expects" };
            format!(
                "they part at element {at}: rank {} {verb} {left}, rank {} {expects} {right}",
                one.site.rank, other.site.rank
            )
        }
        None => "they part after very many elements".into(),
    };
    let mut draft = draft(title, rule, one, other, note);
    for ((_, what), piece) in draft.calls.iter_mut().zip([left, right]) {
        *what = format!(" with {}", piece.amount());
    }
    Some(draft)
}

fn draft(title: &'static str, rule: Rule, one: &Entry, other: &Entry, note: String) -> Draft {
    let calls = [one, other].map(|entry| (entry.site.clone(), String::new())).into();
    Draft { kind: Kind::Collective, title, note: Some(note), rule, calls }
}

/// Operations of the program have no names.
fn op_name(name: &'static str) -> &'static str {
    if name == "user" { "an operation of its own" } else { name }
}
