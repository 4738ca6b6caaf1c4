//! A panel: some columns that are factorised, sent around, and applied to the rest.

use std::rc::Rc;

use super::blocks::{held, holder};
use super::configuration::Configuration;
use super::pivots::{AllSwaps, Swaps};
use super::process::Process;

/// A panel as one process sees it.
pub(super) struct Panel {
    /// Its number of columns.
    pub(super) width: usize,
    /// Rows of the panel, and below it, that the process holds.
    pub(super) rows: usize,
    /// Columns behind it that the process holds and has not updated yet.
    pub(super) columns: usize,
    /// The process row that holds its top.
    pub(super) top_row: usize,
    /// The process column that holds it.
    pub(super) root: usize,
    pub(super) tag: i32,
    /// Doubles that the broadcast moves.
    pub(super) length: usize,
    pub(super) swaps: Rc<Swaps>,
}

impl Panel {
    /// The panel that begins at column `first`.
    pub(super) fn new(process: &Process, swaps: &AllSwaps, first: usize, tag: i32) -> Self {
        let Configuration { n, nb, p, q, .. } = process.configuration;
        let width = nb.min(n - first);
        let rows = held(n - first, first, nb, process.my_row, p);
        let columns = held(n + 1 - first, first, nb, process.my_column, q);
        let (top_row, root) = (holder(first, nb, p), holder(first, nb, q));
        let below = if process.my_row == top_row { rows - width } else { rows };
        let length = below * width + width * width + width + 1;
        let swaps = swaps.of(first, width);
        Self { width, rows, columns, top_row, root, tag, length, swaps }
    }

    /// Whether the process holds the top of the panel, or would if it were in its column.
    pub(super) fn is_top(&self, process: &Process) -> bool {
        process.my_row == self.top_row
    }

    /// Rows of the process below the top.
    pub(super) fn rows_below(&self, process: &Process) -> usize {
        if self.is_top(process) { self.rows - self.width } else { self.rows }
    }
}
