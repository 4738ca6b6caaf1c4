//! The solution of a system: panel after panel, with or without look-ahead, then backwards.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use foretell_mpi::{KernelId, Result};

use super::aggregate::{Columns, Factorise};
use super::back_substitution::back_substitution;
use super::blocks::{held, holder};
use super::broadcast::finish;
use super::configuration::Configuration;
use super::factorise::Plan;
use super::panel::Panel;
use super::pivots::{AllSwaps, Pivots};
use super::process::{Process, Sent, next_panel_tag};
use super::update::update;

/// What all processes share of one configuration.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) configuration: Configuration,
    swaps: AllSwaps,
    /// How a panel of full width is factorised, and the last one.
    plans: [Plan; 2],
    /// Where panels are factorised as a whole, if they are.
    columns: Option<Columns>,
    /// The longest time of a process, and what each has sent.
    noted: RefCell<(f64, Vec<Sent>)>,
}

impl Shared {
    pub(super) fn new(configuration: Configuration, pivots: Pivots, panel: Factorise) -> Self {
        let last = (configuration.n - 1) % configuration.nb + 1;
        let plans = [configuration.nb.min(configuration.n), last];
        Self {
            configuration,
            swaps: AllSwaps::new(configuration, pivots),
            plans: plans.map(|width| Plan::new(&configuration, width)),
            columns: (panel == Factorise::Aggregate).then(|| Columns::new(configuration.q)),
            noted: RefCell::new((0.0, vec![Sent::default(); configuration.processes()])),
        }
    }

    /// Notes what a process has measured.
    pub(super) fn note(&self, process: usize, seconds: f64, sent: Sent) {
        let (longest, all) = &mut *self.noted.borrow_mut();
        *longest = longest.max(seconds);
        all[process] = sent;
    }

    /// The longest time, and what each process has sent.
    pub(super) fn noted(&self) -> (f64, Vec<Sent>) {
        self.noted.borrow().clone()
    }

    fn plan(&self, width: usize) -> &Plan {
        &self.plans[usize::from(self.plans[0].width != width)]
    }
}

/// One process, solving.
pub(super) struct Solver<'a> {
    process: &'a Process,
    shared: Rc<Shared>,
    tag: Option<i32>,
}

/// Factorises the matrix and solves for the right-hand side.
pub(super) async fn solve(process: &Process, shared: Rc<Shared>) -> Result<()> {
    let Configuration { depth, q, .. } = process.configuration;
    let mut solver = Solver { process, shared, tag: None };
    match depth {
        0 => solver.without_look_ahead().await?,
        _ if q == 1 => solver.without_look_ahead().await?,
        depth => solver.with_look_ahead(depth).await?,
    }
    back_substitution(process).await?;
    process.catch_up().await;
    Ok(())
}

impl Solver<'_> {
    async fn without_look_ahead(&mut self) -> Result<()> {
        let Configuration { n, nb, .. } = self.process.configuration;
        for first in (0..n).step_by(nb) {
            let mut panel = self.next_panel(first);
            self.factorise(&mut panel).await?;
            self.broadcast(&panel).await?;
            update(self.process, None, &mut panel, usize::MAX).await?;
        }
        Ok(())
    }

    async fn with_look_ahead(&mut self, depth: usize) -> Result<()> {
        let Configuration { n, nb, q, .. } = self.process.configuration;
        let mine = self.process.my_column;
        let ahead = n.min(depth * nb);
        let mut panels: VecDeque<Panel> =
            (0..ahead).step_by(nb).map(|first| self.next_panel(first)).collect();
        let mut columns = held(n + 1, 0, nb, mine, q) - held(ahead, 0, nb, mine, q);
        for (at, panel) in panels.iter_mut().enumerate() {
            let end = ahead.min((at + 1) * nb);
            self.factorise(panel).await?;
            self.broadcast(panel).await?;
            if at + 1 < depth {
                update(self.process, None, panel, held(ahead - end, end, nb, mine, q)).await?;
            }
        }
        for first in (ahead..n).step_by(nb) {
            let mut panel = self.next_panel(first);
            let mut done = 0;
            if mine == panel.root {
                done = panel.width;
                for earlier in &mut panels {
                    update(self.process, None, earlier, done).await?;
                }
                self.factorise(&mut panel).await?;
            }
            if let Some(oldest) = panels.front_mut() {
                update(self.process, Some(&panel), oldest, columns - done).await?;
            }
            columns -= done;
            panels.pop_front();
            panels.push_back(panel);
        }
        let last = held(1, n, nb, mine, q);
        for panel in &mut panels {
            update(self.process, None, panel, last).await?;
        }
        Ok(())
    }

    fn next_panel(&mut self, first: usize) -> Panel {
        let tag = next_panel_tag(self.tag);
        self.tag = Some(tag);
        Panel::new(self.process, &self.shared.swaps, first, tag)
    }

    async fn factorise(&self, panel: &mut Panel) -> Result<()> {
        if self.process.my_column != panel.root {
            return Ok(());
        }
        let plan = self.shared.plan(panel.width);
        match &self.shared.columns {
            None => plan.follow(self.process, panel).await?,
            Some(columns) => columns.factorise(self.process, plan, panel).await?,
        }
        let Configuration { copies_l, q, .. } = self.process.configuration;
        if copies_l && q > 1 {
            self.process.call(KernelId::DLACPY, panel.rows_below(self.process), panel.width, 1);
        }
        panel.columns -= panel.width;
        Ok(())
    }

    async fn broadcast(&self, panel: &Panel) -> Result<()> {
        finish(self.process, panel).await
    }
}

/// The process column that holds the right-hand side.
pub(super) fn right_hand_side(configuration: &Configuration) -> usize {
    holder(configuration.n, configuration.nb, configuration.q)
}
