//! The update of what is behind a panel: rows are swapped, a triangle is solved, and the product
//! of panel and rows is subtracted. Meanwhile the next panel may be on its way.

use foretell_mpi::{KernelId, Result};

use super::broadcast::{Progress, finish};
use super::configuration::Form;
use super::panel::Panel;
use super::process::Process;
use super::swap::{Beside, swap};

/// Updates at most `most` of the columns that are left, and broadcasts `next` beside it to the
/// end.
pub(super) async fn update(
    process: &Process,
    next: Option<&Panel>,
    panel: &mut Panel,
    most: usize,
) -> Result<()> {
    let columns = most.min(panel.columns);
    if columns == 0 {
        return match next {
            Some(next) => finish(process, next).await,
            None => Ok(()),
        };
    }
    let mut beside = Beside { process, panel: next, progress: Progress::KeepTesting };
    beside.advance().await?;
    if process.configuration.p > 1 {
        swap(process, panel, columns, &mut beside).await?;
    }
    let mut left = columns;
    while beside.progress == Progress::KeepTesting {
        // In steps of a block, to look for the message between them.
        let some = process.configuration.nb.min(left);
        apply(process, panel, some);
        left -= some;
        match (left, next) {
            (0, Some(next)) => {
                finish(process, next).await?;
                break;
            }
            _ => beside.advance().await?,
        }
    }
    apply(process, panel, left);
    panel.columns -= columns;
    Ok(())
}

/// Applies a panel to some columns.
fn apply(process: &Process, panel: &Panel, columns: usize) {
    if columns == 0 {
        return;
    }
    let has_one_row = process.configuration.p == 1;
    if has_one_row {
        process.call(KernelId::DLASWP00, panel.width, columns, 1);
    }
    process.call(KernelId::DTRSM, panel.width, columns, 1);
    process.call(KernelId::DGEMM, panel.rows_below(process), columns, panel.width);
    if !has_one_row && panel.is_top(process) {
        let copy = match process.configuration.u {
            Form::Transposed => KernelId::DLATCPY,
            Form::Plain => KernelId::DLACPY,
        };
        process.call(copy, panel.width, columns, 1);
    }
}
