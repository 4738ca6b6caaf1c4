//! Row swaps: the rows of the pivots come to all processes of a column, those at the top go where
//! the pivots came from.
//!
//! Between its messages a process looks after the broadcast that is under way.

use foretell_mpi::{KernelId, Result};

use super::broadcast::{Progress, advance};
use super::configuration::{Configuration, Swap};
use super::panel::Panel;
use super::process::{Halving, Process};
use super::spread_roll::spread_roll;

/// A broadcast that is under way beside other work.
pub(super) struct Beside<'a> {
    pub(super) process: &'a Process,
    pub(super) panel: Option<&'a Panel>,
    pub(super) progress: Progress,
}

impl Beside<'_> {
    /// Does what can be done for it, whether or not it is known to be done.
    pub(super) async fn advance(&mut self) -> Result<()> {
        self.progress = advance(self.process, self.panel).await?;
        Ok(())
    }

    /// Does what can be done for it, unless it is done.
    pub(super) async fn look(&mut self) -> Result<()> {
        match self.progress {
            Progress::KeepTesting => self.advance().await,
            Progress::Done => Ok(()),
        }
    }
}

/// Swaps the rows of `columns` columns.
pub(super) async fn swap(
    process: &Process,
    panel: &Panel,
    columns: usize,
    beside: &mut Beside<'_>,
) -> Result<()> {
    let Configuration { swap, threshold, .. } = process.configuration;
    let is_long = swap == Swap::Long || (swap == Swap::Mix && columns > threshold);
    match is_long {
        true => spread_roll(process, panel, columns, beside).await,
        false => binary_exchange(process, panel, columns, beside).await,
    }
}

/// Exchanges along a hypercube: each process ends with all rows that are swapped in.
async fn binary_exchange(
    process: &Process,
    panel: &Panel,
    columns: usize,
    beside: &mut Beside<'_>,
) -> Result<()> {
    let p = process.configuration.p;
    let (mine, core) = (process.rows_below(panel.top_row), 1 << p.ilog2());
    let place = |distance: usize| (panel.top_row + distance) % p;
    let swaps = &panel.swaps;
    // Every row travels with its destination.
    let (row, whole) = (columns + 1, panel.width * columns);
    let moved = swaps.moved[process.my_row];
    let own = if mine == 0 { 0 } else { moved };
    let pack = if mine == 0 { KernelId::DLASWP01 } else { KernelId::DLASWP02 };
    process.call(pack, moved, columns, 1);
    beside.look().await?;
    let lender = mine ^ core;
    if lender < p {
        let lent = swaps.moved[place(mine | core)] * row;
        let top = if mine == 0 || mine == core { whole } else { 0 };
        match mine & core != 0 {
            true => process.exchange(lent, top, place(lender)).await?,
            false => process.exchange(top, lent, place(lender)).await?,
        }
        if mine == 0 {
            process.call(KernelId::DLASWP03, lent / row, columns, 1);
        }
    }
    beside.look().await?;
    if mine < core {
        for round in 0..p.ilog2() {
            let partner = mine ^ 1 << round;
            let here = swaps.gathered(mine, round);
            let there = swaps.gathered(partner, round);
            match mine >> round {
                0 => {
                    process.exchange(whole, there * row, place(partner)).await?;
                    process.call(KernelId::DLASWP03, there, columns, 1);
                }
                1 => {
                    process.exchange(here * row, whole, place(partner)).await?;
                    process.call(KernelId::DLASWP04, own + here, columns, 1);
                }
                _ => process.exchange(here * row, there * row, place(partner)).await?,
            }
            beside.look().await?;
        }
    } else {
        spread_past_the_power(process, panel, whole, core, beside).await?;
        process.call(KernelId::DLASWP05, own, columns, 1);
    }
    if lender < p {
        match mine & core != 0 {
            true => process.receive_down(whole, place(lender)).await?,
            false => process.send_down(whole, place(lender)).await?,
        }
    }
    beside.look().await
}

/// Among the processes past the power of two, the first passes on what it was given.
async fn spread_past_the_power(
    process: &Process,
    panel: &Panel,
    whole: usize,
    core: usize,
    beside: &mut Beside<'_>,
) -> Result<()> {
    let p = process.configuration.p;
    let (size, root) = (p - core, (panel.top_row + core) % p);
    if size <= 1 {
        return Ok(());
    }
    let mine = process.rows_below(root);
    for step in Halving::below(size) {
        let partner = mine ^ step.bit;
        if mine & step.mask == 0 {
            if mine & step.bit != 0 {
                process.receive_down(whole, (root + partner) % p).await?;
            } else if partner < size {
                process.send_down(whole, (root + partner) % p).await?;
            }
        }
        beside.look().await?;
    }
    Ok(())
}
