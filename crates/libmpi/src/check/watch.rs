//! The checker: what it knows, and what calls tell it.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use foretell_launch::Finding;
use foretell_mpi::{Comm, Meeting};

use super::checksum;
use super::finding::{Draft, Findings, Kind};
use super::leak::{Objects, Sort};
use super::ledger::{Described, Ledger};
use super::operation::{Operation, What};
use super::overlap::{Access, Buffers};
use super::point_to_point::Form;
use super::rule::{self, Rule};
use super::safety::{Need, Safety};
use super::site::{Site, Spots};
use super::types;
use crate::abi::*;
use crate::comm::CommObject;
use crate::rank::RankContext;

/// Operations that a call began, to be held with its request.
pub(crate) type Noted = Vec<Rc<Operation>>;

/// More buffers of one call than this are not compared with each other.
const MOST_CLAIMS: usize = 64;

/// What is known of the run.
#[derive(Default)]
pub(super) struct Watch {
    findings: Findings,
    spots: Spots,
    last: u64,
    /// Sends and receives that have met nobody.
    unmet: BTreeMap<u64, Rc<Operation>>,
    /// What the requests of the program are about.
    requests: BTreeMap<MPI_Request, Noted>,
    /// Of each rank.
    buffers: BTreeMap<u32, Buffers>,
    ledger: Ledger,
    pub(super) safety: Safety,
    objects: Objects,
    /// Communicators by context, in words.
    names: BTreeMap<u32, Rc<str>>,
}

thread_local! {
    static WATCH: RefCell<Watch> = RefCell::default();
}

/// Lets `f` at the checker, which has heard of all meetings by then.
pub(super) fn with<R>(here: &RankContext, f: impl FnOnce(&mut Watch) -> R) -> R {
    WATCH.with_borrow_mut(|watch| {
        watch.catch_up(&here.comm);
        f(watch)
    })
}

impl Watch {
    fn catch_up(&mut self, comm: &Comm) {
        for Meeting { send, receive } in comm.take_meetings() {
            let both = (self.unmet.remove(&send), self.unmet.remove(&receive));
            if let (Some(send), Some(receive)) = both {
                self.compare_types(&send, &receive);
                self.safety.meet(&send, &receive);
            }
        }
        if self.safety.is_far_behind() {
            let stuck = self.safety.untie();
            stuck.into_iter().for_each(|draft| self.add(draft));
        }
    }

    fn add(&mut self, draft: Draft) {
        self.findings.add(draft, &mut self.spots);
    }

    fn compare_types(&mut self, send: &Operation, receive: &Operation) {
        let ([sent], [room]) = (send.claims.as_slice(), receive.claims.as_slice()) else { return };
        let (sent, room) = (&sent.buffer, &room.buffer);
        if types::fits(sent, room) {
            return;
        }
        let (from, to) = (&sent.datatype.datatype, &room.datatype.datatype);
        let found = types::difference((from, sent.count), (to, room.count));
        let note = found.map(|found| {
            let name = |basic: Option<foretell_mpi::datatype::Basic>| {
                basic.map_or("nothing", |basic| basic.name())
            };
            let (at, left, right) = (found.at, name(found.left), name(found.right));
            format!("element {at} is sent as {left} and received as {right}")
        });
        self.add(Draft {
            kind: Kind::Types,
            title: "a message is received with other types than it was sent with",
            note,
            rule: rule::TYPES,
            calls: [send, receive].map(|one| (one.site.clone(), one.phrase())).into(),
        });
    }

    /// Where the rank is.
    pub(super) fn site(&mut self, here: &RankContext, comm: Option<&CommObject>) -> Site {
        let comm = comm.map(|comm| self.comm_name(comm));
        let spot = self.spots.spot(here.program, here.caller.get());
        Site { rank: here.number(), call: here.call.get(), spot, comm }
    }

    fn comm_name(&mut self, comm: &CommObject) -> Rc<str> {
        let context = comm.comm.context_number();
        let own = comm.name.borrow();
        if let Some(name) = own.as_deref().filter(|name| !name.is_empty()) {
            let known = self.names.entry(context).or_insert_with(|| name.into());
            if **known != *name {
                *known = name.into();
            }
            return known.clone();
        }
        let name = || match context {
            0 => "MPI_COMM_WORLD".into(),
            2 => "MPI_COMM_SELF".into(),
            _ => format!("a communicator of {} ranks", comm.comm.member_count()).into(),
        };
        self.names.entry(context).or_insert_with(name).clone()
    }

    /// The next number for an operation.
    pub(super) fn next(&mut self) -> u64 {
        self.last += 1;
        self.last
    }

    /// An operation begins: its buffers are compared with those under way, and it takes its place
    /// in the thought run.
    pub(super) fn begin(&mut self, operation: Operation, form: Form) -> Rc<Operation> {
        let operation = Rc::new(operation);
        self.compare_buffers(&operation);
        if form == Form::Later {
            self.buffers.entry(operation.site.rank).or_default().claim(&operation);
        }
        if !matches!(operation.what, What::Collective(_)) {
            self.unmet.insert(operation.number, operation.clone());
        }
        self.safety.begin(&operation);
        operation
    }

    fn compare_buffers(&mut self, operation: &Operation) {
        if let Some(buffers) = self.buffers.get(&operation.site.rank) {
            let found = operation.claims.iter().find_map(|claim| {
                buffers.conflict(claim).map(|(other, at, byte)| (claim.access, other, at, byte))
            });
            if let Some((access, other, at, byte)) = found {
                let theirs = &other.claims[at];
                let first = byte - theirs.buffer.address.min(byte);
                let note = format!(
                    "from byte {first} of the first buffer on, {}",
                    match (theirs.access, access) {
                        (Access::Write, Access::Write) => "both receive",
                        (Access::Write, Access::Read) => "the second reads what the first receives",
                        _ => "the second writes what the first sends",
                    }
                );
                self.add(Draft {
                    kind: Kind::Overlap,
                    title: "a buffer is used while another operation uses it",
                    note: Some(note),
                    rule: rule::OVERLAP,
                    calls: [&other, operation].map(|one| (one.site.clone(), one.phrase())).into(),
                });
            }
        }
        self.compare_own_buffers(operation);
    }

    /// Buffers of one call with each other.
    fn compare_own_buffers(&mut self, operation: &Operation) {
        let claims = &operation.claims;
        if claims.len() < 2 || claims.len() > MOST_CLAIMS {
            return;
        }
        let mut pairs = (1..claims.len()).flat_map(|i| (0..i).map(move |j| (j, i)));
        if pairs.any(|(j, i)| claims[j].conflict(&claims[i]).is_some()) {
            self.own_overlap(operation.site.clone(), rule::ALIAS);
        }
    }

    pub(super) fn own_overlap(&mut self, site: Site, rule: Rule) {
        let (kind, title) = (Kind::Overlap, "two buffers of one call overlap");
        self.add(Draft { kind, title, note: None, rule, calls: vec![(site, String::new())] });
    }

    /// The operations of a request are complete, by the call that the rank is in.
    fn finish_all(&mut self, here: &RankContext, request: MPI_Request) {
        for operation in self.requests.remove(&request).unwrap_or_default() {
            self.finish(here, &operation);
        }
    }

    fn finish(&mut self, here: &RankContext, operation: &Operation) {
        if let Some(buffers) = self.buffers.get_mut(&operation.site.rank) {
            buffers.release(operation);
        }
        let ([claim], Some(before)) = (operation.claims.as_slice(), operation.checksum) else {
            return;
        };
        if operation.is_send() && checksum::of(&claim.buffer).is_some_and(|now| now != before) {
            let end = self.site(here, None);
            self.add(Draft {
                kind: Kind::Changed,
                title: "a send buffer was changed before the send was complete",
                note: None,
                rule: rule::CHANGED,
                calls: vec![
                    (operation.site.clone(), operation.phrase()),
                    (end, " completes it".into()),
                ],
            });
        }
    }
}

/// Whether what a rank does has an order that the thought run could follow.
pub(super) fn is_ordered(here: &RankContext) -> bool {
    here.thread_level.get() < MPI_THREAD_SERIALIZED
}

/// A rank begins its life.
pub(crate) fn follow(comm: &Comm) {
    comm.begin_witness();
}

/// The call that a rank is in, for calls that need no time.
pub(crate) fn name_call(here: &RankContext, call: &'static str) {
    here.call.set(call);
}

/// Holds operations with the request that stands for them.
pub(crate) fn hold(request: MPI_Request, noted: Noted) {
    if !noted.is_empty() {
        WATCH.with_borrow_mut(|watch| _ = watch.requests.insert(request, noted));
    }
}

/// A request is complete.
pub(crate) fn finished(here: &RankContext, request: MPI_Request) {
    with(here, |watch| watch.finish_all(here, request));
}

/// The program frees a request: what becomes of its operations nobody can tell.
pub(crate) fn freed(here: &RankContext, request: MPI_Request) {
    with(here, |watch| {
        for operation in watch.requests.remove(&request).unwrap_or_default() {
            if let Some(buffers) = watch.buffers.get_mut(&operation.site.rank) {
                buffers.release(&operation);
            }
        }
    });
}

/// The program has withdrawn an operation.
pub(crate) fn withdrawn(here: &RankContext, request: MPI_Request) {
    with(here, |watch| {
        for operation in watch.requests.get(&request).cloned().unwrap_or_default() {
            watch.unmet.remove(&operation.number);
            watch.safety.release(&operation);
        }
    });
}

/// The rank waits for requests. If it waits for all, they are complete when it goes on: nothing of
/// it runs before.
pub(crate) fn waits(here: &RankContext, requests: &[MPI_Request], need: Need) {
    with(here, |watch| {
        let known = requests.iter().filter_map(|request| watch.requests.get(request));
        let operations: Noted = known.flatten().cloned().collect();
        // Of a request that is not followed it is not known what it waits for.
        let all_known = requests
            .iter()
            .all(|request| *request == MPI_REQUEST_NULL || watch.requests.contains_key(request));
        if !operations.is_empty() && is_ordered(here) && (need == Need::All || all_known) {
            let site = watch.site(here, None);
            watch.safety.wait(site, operations, need);
        }
        if need == Need::All {
            requests.iter().for_each(|request| watch.finish_all(here, *request));
        }
    });
}

/// The rank calls a collective. `on` is its communicator, `comm` what it runs on.
pub(crate) fn collective(
    here: &RankContext,
    on: &CommObject,
    comm: &Comm,
    mut call: Described,
    form: Form,
) -> Noted {
    with(here, |watch| {
        let site = watch.site(here, Some(on));
        let claims = std::mem::take(&mut call.claims);
        let is_blocking = form == Form::Now;
        let (gathering, draft) = watch.ledger.note(comm, site.clone(), call, is_blocking);
        draft.into_iter().for_each(|draft| watch.add(draft));
        let number = watch.next();
        let what = What::Collective(gathering);
        let operation = watch.begin(Operation::new(number, site.clone(), what, claims), form);
        if is_blocking && is_ordered(here) {
            watch.safety.wait(site, vec![operation.clone()], Need::All);
        }
        vec![operation]
    })
}

/// The program has made an object.
pub(crate) fn made(sort: Sort, handle: Handle) {
    if let Some(here) = RankContext::peek() {
        WATCH.with_borrow_mut(|watch| {
            let site = watch.site(here, None);
            watch.objects.add(sort, handle, site);
        });
    }
}

/// The program has freed an object that may live on.
pub(crate) fn forget(here: &RankContext, sort: Sort, handle: Handle) {
    WATCH.with_borrow_mut(|watch| watch.objects.remove(here.number(), sort, handle));
}

/// The rank is about to end MPI: what has it left?
pub(crate) fn leaks(here: &RankContext) {
    with(here, |watch| {
        let left = watch.objects.left(here.number());
        left.into_iter().for_each(|draft| watch.add(draft));
    });
}

/// The rank has ended, or is taken from the run.
pub(crate) fn end(here: &RankContext, has_ended: bool) {
    with(here, |watch| {
        if has_ended {
            watch.safety.end(here.number());
        }
    });
}

/// All that was found. What was sent and never received is a finding if the run came to its end.
pub(crate) fn conclude(is_complete: bool) -> Vec<Finding> {
    WATCH.with_borrow_mut(|watch| {
        for operation in std::mem::take(&mut watch.unmet).into_values() {
            if !is_complete || !operation.is_send() || operation.is_free.get() {
                continue;
            }
            watch.add(Draft {
                kind: Kind::Lost,
                title: "a message is never received",
                note: None,
                rule: rule::LOST,
                calls: vec![(operation.site.clone(), operation.phrase())],
            });
            watch.safety.release(&operation);
        }
        let stuck = watch.safety.untie();
        stuck.into_iter().for_each(|draft| watch.add(draft));
        watch.findings.take()
    })
}
