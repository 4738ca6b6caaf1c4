//! Row swaps for many columns: rows are spread over a tree, evened out, then rolled around.

use foretell_mpi::{KernelId, Result};

use super::configuration::Form;
use super::panel::Panel;
use super::process::{Halving, Process};
use super::swap::Beside;

/// Where to a process spreads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

/// Swaps the rows of `columns` columns in the long form.
pub(super) async fn spread_roll(
    process: &Process,
    panel: &Panel,
    columns: usize,
    beside: &mut Beside<'_>,
) -> Result<()> {
    let swaps = &panel.swaps;
    let mine = swaps.places[process.my_row];
    let mut starts = swaps.starts.clone();
    let is_top = panel.is_top(process);
    if is_top {
        process.call(KernelId::DLASWP01, swaps.moved[process.my_row], columns, 1);
    }
    let all = Spread { process, panel, columns, source: 0 };
    all.run(Side::Right, &starts, beside).await?;
    if !is_top {
        process.call(KernelId::DLASWP06, starts[mine + 1] - starts[mine], columns, 1);
    }
    if process.configuration.equilibration {
        even_out(process, panel, columns, &mut starts, beside).await?;
    }
    roll(process, panel, columns, &starts, beside).await?;
    let permute = match process.configuration.u {
        Form::Transposed => KernelId::DLASWP10,
        Form::Plain => KernelId::DLASWP00,
    };
    process.call(permute, panel.width, columns, 1);
    Ok(())
}

/// Rows that one process holds, on their way to others over a tree.
struct Spread<'a> {
    process: &'a Process,
    panel: &'a Panel,
    columns: usize,
    /// The place of the process that has them.
    source: usize,
}

impl Spread<'_> {
    async fn run(&self, side: Side, starts: &[usize], beside: &mut Beside<'_>) -> Result<()> {
        let p = self.process.configuration.p;
        let place = self.panel.swaps.places[self.process.my_row];
        let (size, mine) = match side {
            Side::Left => (self.source + 1, self.source.checked_sub(place)),
            Side::Right => (p - self.source, place.checked_sub(self.source)),
        };
        let Some(mine) = mine.filter(|_| size > 1) else { return Ok(()) };
        for step in Halving::below(size) {
            if mine & step.mask == 0 {
                self.step(side, starts, mine, size, step).await?;
            }
            beside.look().await?;
        }
        Ok(())
    }

    async fn step(
        &self,
        side: Side,
        starts: &[usize],
        mine: usize,
        size: usize,
        step: Halving,
    ) -> Result<()> {
        // Who receives gets its own rows and those of all it will serve.
        let first = mine | step.bit;
        let end = (first + step.bit).min(size);
        let rows = match (side, first < size) {
            (_, false) => 0,
            (Side::Right, true) => starts[self.source + end] - starts[self.source + first],
            // To the left HPL sends one share more than is needed.
            (Side::Left, true) => starts[size - first] - starts[(size - end).saturating_sub(1)],
        };
        let partner = mine ^ step.bit;
        if rows == 0 || partner >= size {
            return Ok(());
        }
        let place = match side {
            Side::Left => self.source - partner,
            Side::Right => self.source + partner,
        };
        let (row, count) = (self.panel.swaps.order[place], rows * self.columns);
        match mine & step.bit != 0 {
            true => self.process.receive_down(count, row).await,
            false => self.process.send_down(count, row).await,
        }
    }
}

/// Spreads what some have too much of, until all have equal shares but for one row.
async fn even_out(
    process: &Process,
    panel: &Panel,
    columns: usize,
    starts: &mut [usize],
    beside: &mut Beside<'_>,
) -> Result<()> {
    let p = process.configuration.p;
    let total = starts[p];
    let (least, extra) = (total / p, total % p);
    let most = total.div_ceil(p);
    let target = |place: usize| place * least + place.min(extra);
    let is_even = |length: usize| length == least || length == most;
    // As in HPL, the last process is not looked at.
    if p <= 2 || starts.windows(2).take(p - 1).all(|pair| is_even(pair[1] - pair[0])) {
        return Ok(());
    }
    for place in 0..p {
        let (begin, end) = (starts[place], starts[place + 1]);
        let goes_left = begin < target(place);
        let goes_right = target(place + 1) < end;
        if begin == end || !(goes_left || goes_right) {
            continue;
        }
        // The rows of this process, by whom they will belong to.
        let shares: Vec<usize> = (0..=p).map(|other| target(other).clamp(begin, end)).collect();
        let spread = Spread { process, panel, columns, source: place };
        if goes_left {
            spread.run(Side::Left, &shares, beside).await?;
        }
        if goes_right {
            spread.run(Side::Right, &shares, beside).await?;
        }
    }
    (0..p).for_each(|place| starts[place] = target(place));
    Ok(())
}

/// Rolls the rows around in both directions until all have all.
async fn roll(
    process: &Process,
    panel: &Panel,
    columns: usize,
    starts: &[usize],
    beside: &mut Beside<'_>,
) -> Result<()> {
    let p = process.configuration.p;
    let (order, mine) = (&panel.swaps.order, panel.swaps.places[process.my_row]);
    let length = |place: usize| starts[place + 1] - starts[place];
    for round in 0..p - 1 {
        let step = round / 2;
        let (send, receive, partner) = match (mine + round) % 2 {
            1 => ((mine + step) % p, (mine + p - step - 1) % p, (mine + p - 1) % p),
            _ => ((mine + p - step) % p, (mine + step + 1) % p, (mine + 1) % p),
        };
        let (send, receive) = (length(send) * columns, length(receive) * columns);
        process.exchange(send, receive, order[partner]).await?;
        beside.look().await?;
    }
    Ok(())
}
