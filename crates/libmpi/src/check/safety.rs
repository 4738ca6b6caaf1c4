//! Would the program come to its end if every send waited for its receive?
//!
//! Beside the run, which buffers small messages as the platform says, goes a second one that is
//! only thought of: every rank makes the calls that it really made, but a send is complete only
//! when the rank at the other end has come to its receive, and a collective only when all have
//! come to it. A rank of the thought run follows its real one as soon as it can. Ranks that get
//! stuck in a ring there rely on buffering. The simulated time is that of the real run.
//!
//! What the thought run leaves open, it takes for harmless: successful tests, probes, windows and
//! files hold nobody, and ranks with several threads are never held.

mod knot;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use super::operation::{Operation, What};
use super::site::Site;

/// So many steps behind, and it is asked whether ranks are stuck.
const PATIENCE: usize = 1 << 18;

/// The thought run.
#[derive(Default)]
pub(super) struct Safety {
    lines: Vec<Line>,
    /// Steps that the thought run is behind.
    steps: usize,
    /// How many there may be before it is asked whether ranks are stuck.
    limit: usize,
    /// Sends that a rank has come to, and whose receive nobody has come to.
    open: BTreeMap<u64, Rc<Operation>>,
}

/// What a rank really did, and has not done in the thought run.
#[derive(Default)]
struct Line {
    steps: VecDeque<Step>,
    has_ended: bool,
}

/// One step of a rank.
enum Step {
    Begin(Rc<Operation>),
    Await(Awaited),
}

/// A call that waits.
pub(super) struct Awaited {
    site: Site,
    operations: Vec<Rc<Operation>>,
    need: Need,
}

/// How many of several operations a call waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Need {
    All,
    Any,
}

impl Safety {
    fn line(&mut self, rank: u32) -> &mut Line {
        let rank = rank as usize;
        if self.lines.len() <= rank {
            self.lines.resize_with(rank + 1, Line::default);
        }
        &mut self.lines[rank]
    }

    /// A rank begins an operation.
    pub(super) fn begin(&mut self, operation: &Rc<Operation>) {
        self.add(operation.site.rank, Step::Begin(operation.clone()));
    }

    /// A rank waits.
    pub(super) fn wait(&mut self, site: Site, operations: Vec<Rc<Operation>>, need: Need) {
        self.add(site.rank, Step::Await(Awaited { site, operations, need }));
    }

    /// A send and a receive have met in the real run.
    pub(super) fn meet(&mut self, send: &Rc<Operation>, receive: &Rc<Operation>) {
        join(send, receive);
        self.advance(vec![send.site.rank, receive.site.rank]);
    }

    /// An operation is complete whatever others do.
    pub(super) fn release(&mut self, operation: &Operation) {
        operation.is_free.set(true);
        self.open.remove(&operation.number);
        self.advance(vec![operation.site.rank]);
    }

    /// A rank does nothing more.
    pub(super) fn end(&mut self, rank: u32) {
        self.line(rank).has_ended = true;
    }

    fn add(&mut self, rank: u32, step: Step) {
        self.line(rank).steps.push_back(step);
        self.steps += 1;
        if self.lines[rank as usize].steps.len() == 1 {
            self.advance(vec![rank]);
        }
    }

    /// Whether it is time to ask who is stuck: the memory of what is behind grows.
    pub(super) fn is_far_behind(&mut self) -> bool {
        self.limit = self.limit.max(PATIENCE);
        let is_far = self.steps > self.limit;
        if is_far {
            self.limit = 2 * self.steps;
        }
        is_far
    }

    /// Lets ranks go on as far as they can, and those that they set free.
    fn advance(&mut self, mut ranks: Vec<u32>) {
        while let Some(rank) = ranks.pop() {
            while let Some(step) = self.line(rank).steps.front() {
                match step {
                    Step::Await(awaited) if !awaited.is_over() => break,
                    Step::Await(_) => {}
                    Step::Begin(operation) => {
                        let operation = operation.clone();
                        self.reach(&operation, &mut ranks);
                    }
                }
                self.line(rank).steps.pop_front();
                self.steps -= 1;
            }
        }
    }

    /// A rank of the thought run comes to an operation; others may go on by that.
    fn reach(&mut self, operation: &Rc<Operation>, freed: &mut Vec<u32>) {
        operation.is_reached.set(true);
        if let What::Collective(gathering) = &operation.what {
            gathering.reached.borrow_mut().insert(operation.site.rank);
            if gathering.is_complete() {
                freed.extend(gathering.reached.borrow().iter());
            }
            return;
        }
        if operation.is_send() && !operation.is_done() {
            self.open.insert(operation.number, operation.clone());
        }
        if let Some(partner) = operation.partner() {
            partner.is_answered.set(true);
            self.open.remove(&partner.number);
            freed.push(partner.site.rank);
        }
    }
}

impl Awaited {
    fn is_over(&self) -> bool {
        let mut done = self.operations.iter().map(|operation| operation.is_done());
        match self.need {
            Need::All => done.all(|is_done| is_done),
            Need::Any => done.any(|is_done| is_done),
        }
    }

    /// What it still waits for.
    fn rest(&self) -> impl Iterator<Item = &Rc<Operation>> {
        self.operations.iter().filter(|operation| !operation.is_done())
    }
}

/// Lets a send and a receive belong together.
fn join(send: &Rc<Operation>, receive: &Rc<Operation>) {
    for (one, other) in [(send, receive), (receive, send)] {
        one.partner.replace(Some(Rc::downgrade(other)));
        one.is_answered.set(other.is_reached.get());
    }
}
