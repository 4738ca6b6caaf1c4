//! Ranks of Dimemas: they pay for receives before they wait, and share processors. A rank that does
//! so runs until it has to wait, and gets a processor again when it is the first of those that could
//! go on. After a computation it lets the others go first if another one follows.

use std::future::poll_fn;
use std::pin::pin;
use std::rc::Rc;

use foretell_mpi::{Comm, Result, Turn, Turns};
use foretell_trace::{Action, Amount, Message, Mode, Peer};

use crate::rank::{Deed, Lasting, Rank, source, tag};

/// The processors of its node, for a rank that does not have one for itself.
pub(crate) struct Processors {
    turns: Rc<Turns>,
    /// Whether its last action was a computation, or an event between two.
    has_computed: bool,
}

impl Processors {
    pub(crate) fn new(turns: Rc<Turns>) -> Self {
        Self { turns, has_computed: false }
    }
}

/// Waits without a processor, if there is anything to wait for and processors are shared.
async fn aside<T>(
    comm: &Comm,
    turns: Option<&Turns>,
    turn: Turn,
    what: impl Future<Output = T>,
) -> T {
    let Some(turns) = turns else { return what.await };
    let mut what = pin!(what);
    let mut is_aside = false;
    let outcome = poll_fn(|context| {
        let polled = what.as_mut().poll(context);
        if polled.is_pending() && !std::mem::replace(&mut is_aside, true) {
            comm.end_turn(turns);
        }
        polled
    })
    .await;
    if is_aside {
        comm.take_turn(turns, turn).await;
    }
    outcome
}

impl Rank {
    /// Whether receives cost time before their messages are looked for, or ranks share processors.
    pub(crate) fn needs_care(&self) -> bool {
        self.turns().is_some() || self.world.receives_cost()
    }

    /// The life of such a rank.
    pub(crate) fn live_with_care(mut self) -> Lasting<'static> {
        Box::pin(async move {
            let replay = self.replay.clone();
            let cursor = replay.cursor(self.world.rank());
            let mut cursor = cursor.map_err(|problem| replay.unreadable(problem))?;
            if let Some(turns) = self.turns() {
                self.world.take_turn(&turns, Turn::Last).await;
            }
            loop {
                let action = match cursor.next() {
                    Ok(Some(action)) => action,
                    Ok(None) => break,
                    Err(problem) => return Err(replay.unreadable(problem)),
                };
                if let Err(error) = self.act_with_care(action).await {
                    return Err(replay.blamed(&cursor, error));
                }
                replay.count();
            }
            if let Some(turns) = self.turns() {
                self.world.end_turn(&turns);
            }
            self.end().await
        })
    }

    fn turns(&self) -> Option<Rc<Turns>> {
        let processors = self.others.as_ref()?.processors.as_ref()?;
        Some(processors.turns.clone())
    }

    /// Whether the last action was a computation, now that this one comes.
    fn follow_work(&mut self, action: &Action<'_>) -> bool {
        let is_work = matches!(action, Action::Compute(_) | Action::Region(_) | Action::Leave(_));
        let processors = self.others.as_mut().and_then(|others| others.processors.as_mut());
        processors.is_some_and(|own| std::mem::replace(&mut own.has_computed, is_work))
    }

    /// Carries out an action with a processor, and waits without one.
    fn act_with_care<'a>(&'a mut self, action: Action<'a>) -> Lasting<'a> {
        let had_computed = self.follow_work(&action);
        let turns = self.turns();
        Box::pin(async move {
            let (world, turns) = (self.world.clone(), turns.as_deref());
            match action {
                Action::Compute(flops) => {
                    if had_computed && let Some(turns) = turns {
                        world.end_turn(turns);
                        world.take_turn(turns, Turn::Last).await;
                    }
                    world.compute(flops * self.scale).await;
                    Ok(())
                }
                Action::Send(Mode::Standard, message) => {
                    let (bytes, to, tag) = self.outgoing(message);
                    world.send(bytes, to, tag).await
                }
                Action::Send(Mode::Synchronous, message) => {
                    let (bytes, to, tag) = self.outgoing(message);
                    let request = world.issend(bytes, to, tag).await?;
                    aside(&world, turns, Turn::First, world.wait(request)).await.map(drop)
                }
                Action::Recv(Message { peer, tag: with, size: Amount { count: Some(_), .. } }) => {
                    world.prepare_receive(source(peer)).await;
                    let received = world.recv_unseen(source(peer), tag(with));
                    aside(&world, turns, Turn::Last, received).await
                }
                Action::Wait(waited) => {
                    let Some(request) = self.pending.take(waited) else { return Ok(()) };
                    if waited.to == Peer::Rank(world.rank()) {
                        world.prepare_receive(source(waited.from)).await;
                    }
                    aside(&world, turns, Turn::Last, world.wait(request)).await.map(drop)
                }
                Action::Waitall(_) => {
                    while let Some((from, request)) = self.pending.take_oldest(world.rank()) {
                        world.prepare_receive(from).await;
                        aside(&world, turns, Turn::Last, world.wait(request)).await?;
                    }
                    Ok(())
                }
                Action::Irecv(message @ Message { size: Amount { count: Some(_), .. }, .. }) => {
                    self.irecv(message)
                }
                Action::Isend(..) => self.begun_or_done(action).await,
                other => aside(&world, turns, Turn::Last, self.begun_or_done(other)).await,
            }
        })
    }

    async fn begun_or_done<'a>(&'a mut self, action: Action<'a>) -> Result<()> {
        let was_collective = match self.act(action) {
            Deed::Done(outcome) => return outcome,
            Deed::Lasts { deed, is_collective } => {
                deed.await?;
                is_collective
            }
        };
        if was_collective {
            self.leave_comm();
        }
        Ok(())
    }
}
