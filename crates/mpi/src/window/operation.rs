//! Operations on a target's memory: puts, gets and accumulates. MPI 4.1 section 12.3.

use std::collections::VecDeque;
use std::rc::Rc;

use foretell_kernel::Then;
use foretell_models::SendKind;

use super::Window;
use super::epoch::{Asked, Permission};
use super::lock::LockKind;
use super::signal::Gate;
use crate::error::{Error, Result};
use crate::request::{Request, RequestState};
use crate::wait::{busy, done};
use crate::world::{REQUEST, State};

/// Bytes of a message that says what is wanted.
pub(super) const NOTE: u64 = 16;

/// How many operations of one rank are under way to one target at a time: as network cards do,
/// the others wait for their turn.
const DEPTH: u32 = 64;

/// An operation that a rank begins.
pub struct Operation {
    /// The rank whose memory is meant, in the window.
    pub target: u32,
    /// Bytes that go to the target.
    pub bytes: u64,
    /// Accumulates of one origin are applied in the order they were begun; puts and gets are not.
    pub is_ordered: bool,
    /// The work at the target, done on arrival; gives what comes back.
    pub apply: Box<dyn FnOnce() -> Box<[u8]>>,
    /// What comes back, if anything does.
    pub back: Option<Back>,
}

/// The way back of an operation.
pub struct Back {
    /// Bytes that go to the origin.
    pub bytes: u64,
    /// The work at the origin, done on arrival.
    pub land: Box<dyn FnOnce(Box<[u8]>)>,
}

/// Operations of one rank on one target.
#[derive(Default)]
pub(super) struct Lane {
    /// How many are not complete.
    pending: u32,
    /// Opens when the last ordered one is applied.
    last: Option<Rc<Gate>>,
    /// Those that wait for their turn, in order.
    waiting: VecDeque<Rc<Gate>>,
}

/// The place of an operation in its lane.
struct Turn {
    /// Opens when there is room for it.
    room: Option<Rc<Gate>>,
    /// Opens when the ordered operation before it is applied.
    before: Option<Rc<Gate>>,
    /// Opens when it is applied itself, if it is an ordered one.
    own: Option<Rc<Gate>>,
}

impl State {
    /// A message that nobody receives; the request is complete when it arrives.
    pub(crate) fn start_transfer(
        &mut self,
        owner: u32,
        from: u32,
        to: u32,
        bytes: u64,
    ) -> Result<u32> {
        self.idle_polls = 0;
        self.counters.messages += 1;
        self.counters.bytes += bytes;
        let request = self.requests.insert(RequestState::send(owner, to, 0, 0, bytes));
        let message = self.network_message(from, to, bytes);
        let then = Then::Notify(REQUEST + request);
        match self.network.start(message, [from, to], &mut self.kernel, then) {
            Ok(()) => Ok(request),
            Err(no_route) => {
                self.forget(request);
                Err(Error::NoRoute(no_route.to_string()))
            }
        }
    }
}

impl Window {
    /// Begins an operation, which the next synchronization completes.
    pub async fn operate(&self, operation: Operation) -> Result<()> {
        self.issue(operation, Request::NULL).await
    }

    /// Begins an operation with a request of its own, as `MPI_Rput` does.
    pub async fn operate_with_request(&self, operation: Operation) -> Result<Request> {
        self.own.epochs.borrow().check_locked(Some(operation.target))?;
        let request = self.comm.unheard_event();
        self.issue(operation, request.alias()).await?;
        Ok(request)
    }

    /// That an operation on a target may begin now.
    pub fn check_operation(&self, target: u32) -> Result<()> {
        self.own.epochs.borrow_mut().admit(target).map(drop)
    }

    async fn issue(&self, operation: Operation, request: Request) -> Result<()> {
        let target = operation.target;
        let permission = self.own.epochs.borrow_mut().admit(target)?;
        self.tell_operation(&operation, request.number());
        let overhead = {
            let state = self.comm.world.state.borrow();
            let message =
                state.network_message(self.comm.me, self.world_of(target), operation.bytes);
            state.network.send_overhead(message, SendKind::NonBlocking)
        };
        busy(&self.comm.world, self.comm.me, overhead).await;
        let turn = self.enqueue(target, operation.is_ordered);
        let window = self.clone();
        self.comm.world.spawn(async move {
            if let Err(error) = window.carry_out(operation, permission, turn).await {
                window.comm.world.fail(window.comm.me, error);
                return;
            }
            window.comm.complete_event(&request);
            window.dequeue(target);
        });
        Ok(())
    }

    /// Counts an operation, and gives its place.
    fn enqueue(&self, target: u32, is_ordered: bool) -> Turn {
        let mut lanes = self.own.lanes.borrow_mut();
        let lane = lanes.entry(target).or_default();
        lane.pending += 1;
        let room = (lane.pending > DEPTH).then(Rc::<Gate>::default);
        lane.waiting.extend(room.clone());
        let own = is_ordered.then(Rc::<Gate>::default);
        let before = own.as_ref().and_then(|own| lane.last.replace(own.clone()));
        Turn { room, before, own }
    }

    /// An operation is complete: another one may go its way.
    fn dequeue(&self, target: u32) {
        let mut next = None;
        if let Some(lane) = self.own.lanes.borrow_mut().get_mut(&target) {
            lane.pending -= 1;
            next = lane.waiting.pop_front();
            if lane.pending == 0 {
                lane.last = None;
            }
        }
        let state = &mut *self.comm.world.state.borrow_mut();
        if let Some(next) = next {
            next.open(state);
        }
        self.own.progress.raise(state);
    }

    /// An operation from the first message to the last.
    async fn carry_out(
        &self,
        operation: Operation,
        permission: Permission,
        turn: Turn,
    ) -> Result<()> {
        let Operation { target, bytes, apply, back, .. } = operation;
        let (world, me) = (&self.comm.world, self.comm.me);
        if let Some(room) = &turn.room {
            room.pass(world, me).await;
        }
        self.wait_for_permission(target, permission).await?;
        self.transfer(self.rank(), target, bytes).await?;
        if let Some(before) = &turn.before {
            before.pass(world, me).await;
        }
        let brought = apply();
        {
            let state = &mut *world.state.borrow_mut();
            if let Some(own) = &turn.own {
                own.open(state);
            }
            // The owner may be looking at its memory again and again.
            state.interrupt_poll(self.world_of(target));
        }
        if let Some(Back { bytes, land }) = back {
            self.transfer(target, self.rank(), bytes).await?;
            land(brought);
        }
        Ok(())
    }

    /// Waits for what allows an operation to reach its target.
    async fn wait_for_permission(&self, target: u32, permission: Permission) -> Result<()> {
        match permission {
            Permission::Given => Ok(()),
            Permission::Post(number) => {
                self.wait_for_post(target, number).await;
                Ok(())
            }
            Permission::Lock => self.share_lock(target).await,
        }
    }

    /// Takes part in the lock of a target that `MPI_Win_lock_all` promised.
    async fn share_lock(&self, target: u32) -> Result<()> {
        let asked = || {
            let epochs = self.own.epochs.borrow();
            epochs.lock_all.as_ref().and_then(|all| all.asked.get(&target).copied())
        };
        let note = |asked: Asked| {
            if let Some(all) = &mut self.own.epochs.borrow_mut().lock_all {
                all.asked.insert(target, asked);
            }
        };
        if asked().is_none() {
            note(Asked::UnderWay);
            self.acquire(target, LockKind::Shared).await?;
            note(Asked::Granted);
            self.own.progress.raise(&mut self.comm.world.state.borrow_mut());
        }
        let is_granted = || asked() == Some(Asked::Granted);
        self.own.progress.until(&self.comm.world, self.comm.me, is_granted).await;
        Ok(())
    }

    /// Waits until operations on a target, or on all, are complete.
    pub(super) async fn settle(&self, target: Option<u32>) {
        let is_settled = || {
            let lanes = self.own.lanes.borrow();
            match target {
                Some(target) => lanes.get(&target).is_none_or(|lane| lane.pending == 0),
                None => lanes.values().all(|lane| lane.pending == 0),
            }
        };
        self.own.progress.until(&self.comm.world, self.comm.me, is_settled).await;
    }

    /// Lets a message pass between two ranks of the window.
    pub(super) async fn transfer(&self, from: u32, to: u32, bytes: u64) -> Result<()> {
        let (world, me) = (&self.comm.world, self.comm.me);
        let (from, to) = (self.world_of(from), self.world_of(to));
        let request = world.state.borrow_mut().start_transfer(me, from, to, bytes)?;
        done(world, request).await;
        world.state.borrow_mut().forget(request);
        Ok(())
    }

    /// Tells another rank something by a small message, without waiting for its arrival.
    pub(super) fn notify(&self, to: u32, then: impl FnOnce(&Window, &mut State) + 'static) {
        let window = self.clone();
        self.comm.world.spawn(async move {
            if to != window.rank()
                && let Err(error) = window.transfer(window.rank(), to, NOTE).await
            {
                window.comm.world.fail(window.comm.me, error);
                return;
            }
            then(&window, &mut window.comm.world.state.borrow_mut());
        });
    }

    pub(super) fn world_of(&self, rank: u32) -> u32 {
        self.comm.group().world_rank(rank)
    }
}
