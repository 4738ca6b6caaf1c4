//! The pivot of one column: the largest element of all processes of the column, the row it is in
//! and the row at the top, found and exchanged in one sweep over a hypercube.

use foretell_mpi::Result;

use super::panel::Panel;
use super::process::{Halving, Process};

/// Doubles that go with a row: the element, where it is, and who holds it.
const HEAD: usize = 4;

/// Takes part in the exchange for one column.
pub(super) async fn max_swap(process: &Process, panel: &Panel) -> Result<()> {
    let p = process.configuration.p;
    let (one, both) = (panel.width + HEAD, 2 * panel.width + HEAD);
    let mine = process.rows_below(panel.top_row);
    let place = |distance: usize| (panel.top_row + distance) % p;
    let core = 1 << p.ilog2();
    let lender = mine ^ core;
    // Processes past the power of two lend their candidate; the first of them gets the top row.
    if lender < p {
        let top = if mine == core || lender == core { panel.width } else { 0 };
        match mine & core != 0 {
            true => process.exchange(one, top, place(lender)).await?,
            false => process.exchange(top, one, place(lender)).await?,
        }
    }
    if mine < core {
        for round in 0..p.ilog2() {
            // The top row goes along until all have it.
            let (send, receive) = match mine >> round {
                0 => (both, one),
                1 => (one, both),
                _ => (one, one),
            };
            process.exchange(send, receive, place(mine ^ 1 << round)).await?;
        }
    } else if p - core > 1 {
        spread_top_row(process, panel, core).await?;
    }
    if lender < p {
        match mine & core != 0 {
            true => process.receive_down(one, place(lender)).await?,
            false => process.send_down(one, place(lender)).await?,
        }
    }
    Ok(())
}

/// Among the processes past the power of two, the first passes the top row on.
async fn spread_top_row(process: &Process, panel: &Panel, core: usize) -> Result<()> {
    let (p, width) = (process.configuration.p, panel.width);
    let (size, root) = (p - core, (panel.top_row + core) % p);
    let mine = process.rows_below(root);
    for step in Halving::below(size) {
        let partner = mine ^ step.bit;
        if mine & step.mask != 0 {
            continue;
        }
        if mine & step.bit != 0 {
            process.receive_down(width, (root + partner) % p).await?;
        } else if partner < size {
            process.send_down(width, (root + partner) % p).await?;
        }
    }
    Ok(())
}
