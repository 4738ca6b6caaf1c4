//! Panel factorisation as a whole: the exchanges of all its columns in one computation.
//!
//! The exchanges of a process column are most of the messages of HPL, small and alike. When
//! nothing else crosses their links, the dates at which they end follow from the dates at which
//! processes come to them: both partners of an exchange end when the other was there and the
//! message has crossed. So the processes of a column gather, the last to come computes the dates
//! of all, and each goes on at its own. What is lost is what other traffic does to the exchanges,
//! and they to it; their messages are not counted either.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use clap::ValueEnum;
use foretell_mpi::{Gathering, LoneMessage, Mode, Result};

use super::factorise::Plan;
use super::panel::Panel;
use super::process::{Halving, Process};

/// How the exchanges of a panel's columns are simulated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Factorise {
    /// Message by message
    Full,
    /// All at once, as if no other traffic crossed their links
    Aggregate,
}

/// The columns of the grid.
#[derive(Debug)]
pub(super) struct Columns(Vec<RefCell<Column>>);

#[derive(Debug, Default)]
struct Column {
    /// Panels that some process has come to, by tag.
    meetings: BTreeMap<i32, Rc<Meeting>>,
    /// What messages between two rows take, by width of the panel.
    costs: BTreeMap<usize, Rc<Costs>>,
}

/// The processes of a column at one panel.
#[derive(Debug)]
struct Meeting {
    gathering: Gathering,
    /// By row: when the process came, what it computes before each exchange, when it ends.
    rows: RefCell<Vec<(f64, Vec<f64>, f64)>>,
}

/// What messages between two rows take: with one row of the panel, with two, without its head.
#[derive(Debug)]
struct Costs {
    rows: usize,
    messages: Vec<[LoneMessage; 3]>,
}

/// Indices into what messages take.
const ONE: usize = 0;
const BOTH: usize = 1;
const TOP: usize = 2;

impl Columns {
    pub(super) fn new(columns: usize) -> Self {
        Self((0..columns).map(|_| RefCell::default()).collect())
    }

    /// Factorises a panel together with the other processes of its column.
    pub(super) async fn factorise(
        &self,
        process: &Process,
        plan: &Plan,
        panel: &Panel,
    ) -> Result<()> {
        process.catch_up().await;
        let computing = plan.computing(process, panel);
        let left = process.take_owed();
        let busy: f64 = computing.iter().sum();
        let p = process.configuration.p;
        let meeting = self.meeting(process, panel);
        meeting.rows.borrow_mut()[process.my_row] = (process.all.now(), computing, 0.0);
        if meeting.gathering.lacks_one() {
            let column = &self.0[process.my_column];
            column.borrow_mut().meetings.remove(&panel.tag);
            let costs = self.costs(process, panel)?;
            dates(&mut meeting.rows.borrow_mut(), &costs, panel.top_row, p);
        }
        process.all.meet_at(&meeting.gathering).await;
        let end = meeting.rows.borrow()[process.my_row].2;
        // Some of the computing was done while others were awaited.
        process.all.spend(busy.min(end - process.all.now())).await;
        process.all.sleep(end - process.all.now()).await;
        process.owe(left);
        Ok(())
    }

    fn meeting(&self, process: &Process, panel: &Panel) -> Rc<Meeting> {
        let column = &mut *self.0[process.my_column].borrow_mut();
        let make = || {
            let p = process.configuration.p;
            let rows = RefCell::new(vec![Default::default(); p]);
            Rc::new(Meeting { gathering: Gathering::new(p as u32), rows })
        };
        column.meetings.entry(panel.tag).or_insert_with(make).clone()
    }

    fn costs(&self, process: &Process, panel: &Panel) -> Result<Rc<Costs>> {
        let column = &self.0[process.my_column];
        if let Some(known) = column.borrow().costs.get(&panel.width) {
            return Ok(known.clone());
        }
        let (p, width) = (process.configuration.p, panel.width);
        let mut messages = Vec::with_capacity(p * p);
        for from in 0..p as i32 {
            for to in 0..p as i32 {
                let lone =
                    |doubles: usize| process.column.lone_message(from, to, 8 * doubles as u64);
                messages.push([lone(width + 4)?, lone(2 * width + 4)?, lone(width)?]);
            }
        }
        let costs = Rc::new(Costs { rows: p, messages });
        column.borrow_mut().costs.insert(width, costs.clone());
        Ok(costs)
    }
}

/// Computes when each process is done with the last exchange.
fn dates(rows: &mut [(f64, Vec<f64>, f64)], costs: &Costs, top: usize, p: usize) {
    let mut now: Vec<f64> = rows.iter().map(|(came, ..)| *came).collect();
    let exchanges = rows.first().map_or(0, |(_, computing, _)| computing.len());
    for exchange in 0..exchanges {
        for (date, (_, computing, _)) in now.iter_mut().zip(rows.iter()) {
            *date += computing[exchange];
        }
        one_exchange(&mut now, costs, top, p);
    }
    rows.iter_mut().zip(now).for_each(|((.., end), date)| *end = date);
}

/// The exchange for one column, as in [`super::max_swap`].
fn one_exchange(now: &mut [f64], costs: &Costs, top: usize, p: usize) {
    let place = |distance: usize| (top + distance) % p;
    let core = 1 << p.ilog2();
    for lender in core..p {
        let borrower = lender - core;
        match borrower {
            0 => costs.swap(now, (place(lender), ONE), (place(0), TOP)),
            _ => costs.send(now, place(lender), place(borrower), ONE),
        }
    }
    for round in 0..p.ilog2() {
        for mine in (0..core).filter(|mine| mine & (1 << round) == 0) {
            let partner = mine | 1 << round;
            let size = if mine >> round == 0 { BOTH } else { ONE };
            costs.swap(now, (place(mine), size), (place(partner), ONE));
        }
    }
    if p - core > 1 {
        for step in Halving::below(p - core) {
            for mine in (0..p - core).filter(|mine| mine & (step.mask | step.bit) == 0) {
                if mine | step.bit < p - core {
                    costs.send(now, place(core + mine), place(core + (mine | step.bit)), TOP);
                }
            }
        }
    }
    for lender in core..p {
        costs.send(now, place(lender - core), place(lender), ONE);
    }
}

impl Costs {
    fn of(&self, from: usize, to: usize, size: usize) -> &LoneMessage {
        &self.messages[from * self.rows + to][size]
    }

    /// When a message arrives that is ready at one date and may be received from another.
    fn arrival(message: &LoneMessage, ready: f64, awaited: f64) -> f64 {
        let start = if message.mode == Mode::Eager { ready } else { ready.max(awaited) };
        start + message.transfer
    }

    /// Two processes send to each other.
    fn swap(&self, now: &mut [f64], (a, from_a): (usize, usize), (b, from_b): (usize, usize)) {
        let (there, back) = (self.of(a, b, from_a), self.of(b, a, from_b));
        let (sent_a, sent_b) = (now[a] + there.send_overhead, now[b] + back.send_overhead);
        let to_b = Self::arrival(there, sent_a, now[b]);
        let to_a = Self::arrival(back, sent_b, now[a]);
        let waits = |message: &LoneMessage| message.mode == Mode::Rendezvous;
        now[a] = sent_a.max(to_a) + back.receive_overhead;
        now[b] = sent_b.max(to_b) + there.receive_overhead;
        if waits(there) {
            now[a] = now[a].max(to_b);
        }
        if waits(back) {
            now[b] = now[b].max(to_a);
        }
    }

    /// One process sends to another.
    fn send(&self, now: &mut [f64], from: usize, to: usize, size: usize) {
        let message = self.of(from, to, size);
        let sent = now[from] + message.send_overhead;
        let arrived = Self::arrival(message, sent, now[to]);
        now[from] = if message.mode == Mode::Rendezvous { arrived } else { sent };
        now[to] = now[to].max(arrived) + message.receive_overhead;
    }
}
