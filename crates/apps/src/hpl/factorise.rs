//! Panel factorisation, recursive down to a few columns.
//!
//! What a process calls depends on the panel's width and on the rows that it holds, not on data.
//! So the recursion is unrolled once for each width, and every process follows the list.

use foretell_mpi::{KernelId, Result};

use super::configuration::{Configuration, Factorisation, Form};
use super::panel::Panel;
use super::process::Process;

/// One step of a factorisation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    /// A kernel that all processes of the column call.
    Call(KernelId, Extent, usize, usize),
    /// A kernel that the process row at the top of the panel calls.
    AtTop(KernelId, Extent, usize, usize),
    /// All agree on the pivot of a column and swap its row to the top.
    Exchange,
}

/// The first dimension of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// So many.
    Of(usize),
    /// The rows that a process holds; at the top without so many.
    Rows(usize),
}

impl Extent {
    fn of(self, panel: &Panel, is_top: bool) -> usize {
        match self {
            Extent::Of(count) => count,
            Extent::Rows(used) if is_top => panel.rows.saturating_sub(used),
            Extent::Rows(_) => panel.rows,
        }
    }
}

/// The steps of a factorisation of one width.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) width: usize,
    steps: Vec<Step>,
}

impl Plan {
    pub(super) fn new(configuration: &Configuration, width: usize) -> Self {
        let mut maker = Maker { configuration, width, steps: Vec::new() };
        maker.divide(0, width);
        Self { width, steps: maker.steps }
    }

    /// Computes all that a process computes, and gives what comes before each exchange; what
    /// comes after the last is left to be caught up with.
    pub(super) fn computing(&self, process: &Process, panel: &Panel) -> Vec<f64> {
        let is_top = panel.is_top(process);
        let mut before = Vec::with_capacity(self.width);
        for step in &self.steps {
            match *step {
                Step::Call(kernel, m, n, k) => process.call(kernel, m.of(panel, is_top), n, k),
                Step::AtTop(kernel, m, n, k) if is_top => {
                    process.call(kernel, m.of(panel, is_top), n, k);
                }
                Step::AtTop(..) => {}
                Step::Exchange => before.push(process.take_owed()),
            }
        }
        before
    }

    /// Factorises a panel together with the other processes of its column.
    pub(super) async fn follow(&self, process: &Process, panel: &Panel) -> Result<()> {
        let is_top = panel.is_top(process);
        for step in &self.steps {
            match *step {
                Step::Call(kernel, m, n, k) => process.call(kernel, m.of(panel, is_top), n, k),
                Step::AtTop(kernel, m, n, k) if is_top => {
                    process.call(kernel, m.of(panel, is_top), n, k);
                }
                Step::AtTop(..) => {}
                Step::Exchange => super::max_swap::max_swap(process, panel).await?,
            }
        }
        Ok(())
    }
}

struct Maker<'a> {
    configuration: &'a Configuration,
    width: usize,
    steps: Vec<Step>,
}

impl Maker<'_> {
    /// Factorises `count` columns from `first`, part by part.
    fn divide(&mut self, first: usize, count: usize) {
        let Configuration { nbmin, ndiv, rfact, .. } = *self.configuration;
        if count <= nbmin {
            return self.columns(first, count);
        }
        let part = count.div_ceil(nbmin).div_ceil(ndiv) * nbmin;
        let mut done = 0;
        while done < count {
            let width = part.min(count - done);
            let (at, left) = (first + done, count - done - width);
            match rfact {
                Factorisation::Left => {
                    self.call(KernelId::DTRSM, Extent::Of(done), width, 1);
                    self.call(KernelId::DGEMM, Extent::Rows(at), width, done);
                    self.divide(at, width);
                }
                Factorisation::Crout => {
                    self.call(KernelId::DGEMM, Extent::Rows(at), width, done);
                    self.divide(at, width);
                    self.call(KernelId::DGEMM, Extent::Of(left), width, done);
                    self.call(KernelId::DTRSM, Extent::Of(width), left, 1);
                }
                Factorisation::Right => {
                    self.divide(at, width);
                    self.call(KernelId::DTRSM, Extent::Of(width), left, 1);
                    self.call(KernelId::DGEMM, Extent::Rows(at + width), left, width);
                }
            }
            self.at_top(self.copy(), Extent::Of(at), width);
            done += width;
        }
    }

    /// Factorises columns one by one.
    fn columns(&mut self, first: usize, count: usize) {
        self.call(KernelId::IDAMAX, Extent::Rows(first), 1, 1);
        for column in 0..count {
            let (at, left) = (first + column, count - column - 1);
            self.exchange();
            match self.configuration.pfact {
                Factorisation::Left => self.left(at, column, left),
                Factorisation::Crout => self.crout(at, column, left),
                Factorisation::Right => self.right(at, left),
            }
        }
    }

    fn left(&mut self, at: usize, before: usize, left: usize) {
        let (rows, known) = (Extent::Rows(at + 1), before + 1);
        if left > 0 {
            self.call(KernelId::DTRSV, Extent::Of(known), 1, 1);
        }
        self.call(KernelId::DSCAL, rows, 1, 1);
        if left > 0 {
            self.call(KernelId::DGEMV, rows, known, 1);
            self.call(KernelId::IDAMAX, rows, 1, 1);
            self.at_top(KernelId::DCOPY, Extent::Of(known), 1);
        }
    }

    fn crout(&mut self, at: usize, before: usize, left: usize) {
        let rows = Extent::Rows(at + 1);
        if left > 0 && before > 0 {
            self.call(KernelId::DGEMV, Extent::Of(left), before, 1);
            self.at_top(KernelId::DCOPY, Extent::Of(left), 1);
        }
        self.call(KernelId::DSCAL, rows, 1, 1);
        if left > 0 {
            self.call(KernelId::DGEMV, rows, before + 1, 1);
            self.call(KernelId::IDAMAX, rows, 1, 1);
        }
    }

    fn right(&mut self, at: usize, left: usize) {
        let rows = Extent::Rows(at + 1);
        self.call(KernelId::DSCAL, rows, 1, 1);
        if left > 0 {
            self.call(KernelId::DAXPY, rows, 1, 1);
            self.call(KernelId::IDAMAX, rows, 1, 1);
            self.call(KernelId::DGER, rows, left - 1, 1);
        }
    }

    /// The pivot's row and the top one are copied aside, exchanged, and put in their places.
    fn exchange(&mut self) {
        let whole_row = Extent::Of(self.width);
        self.call(KernelId::DCOPY, whole_row, 1, 1);
        self.at_top(KernelId::DCOPY, whole_row, 1);
        self.steps.push(Step::Exchange);
        self.call(KernelId::DCOPY, whole_row, 1, 1);
    }

    fn copy(&self) -> KernelId {
        match self.configuration.l1 {
            Form::Transposed => KernelId::DLATCPY,
            Form::Plain => KernelId::DLACPY,
        }
    }

    fn call(&mut self, kernel: KernelId, m: Extent, n: usize, k: usize) {
        if m != Extent::Of(0) && n > 0 && k > 0 {
            self.steps.push(Step::Call(kernel, m, n, k));
        }
    }

    fn at_top(&mut self, kernel: KernelId, m: Extent, n: usize) {
        if m != Extent::Of(0) {
            self.steps.push(Step::AtTop(kernel, m, n, 1));
        }
    }
}
