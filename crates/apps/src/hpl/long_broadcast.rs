//! The long broadcasts: a panel is spread in pieces over a binomial tree, then the pieces are
//! rolled around in both directions until all have all.

use foretell_mpi::Result;

use super::broadcast::Progress;
use super::panel::Panel;
use super::process::{Halving, Process};

/// Those who take part in spreading and rolling, by their distance from the root.
struct Circle<'a> {
    process: &'a Process,
    panel: &'a Panel,
    mine: usize,
    size: usize,
    /// Whether the process after the root is left out.
    leaves_out_next: bool,
}

/// Spreads and rolls a panel among all processes of the row.
pub(super) async fn long(process: &Process, panel: &Panel) -> Result<Progress> {
    let size = process.configuration.q;
    let mine = super::blocks::distance(process.my_column, panel.root, size);
    let circle = Circle { process, panel, mine, size, leaves_out_next: false };
    circle.spread_and_roll().await
}

/// Sends the panel whole to the next root, then spreads and rolls it among the others.
pub(super) async fn long_modified(process: &Process, panel: &Panel) -> Result<Progress> {
    let size = process.configuration.q;
    let mine = super::blocks::distance(process.my_column, panel.root, size);
    let (row, tag, root) = (&process.row, panel.tag, panel.root);
    match mine {
        0 => row.ssend(process.doubles(panel.length), ((root + 1) % size) as i32, tag).await?,
        1 => row.recv(root as i32, tag).await.map(drop)?,
        _ => {}
    }
    if mine == 1 || size == 2 {
        return Ok(Progress::Done);
    }
    let mine = mine.saturating_sub(1);
    let circle = Circle { process, panel, mine, size: size - 1, leaves_out_next: true };
    circle.spread_and_roll().await
}

impl Circle<'_> {
    async fn spread_and_roll(&self) -> Result<Progress> {
        self.spread().await?;
        self.roll().await?;
        Ok(Progress::Done)
    }

    /// The process column at a distance.
    fn column(&self, distance: usize) -> i32 {
        let skipped = usize::from(self.leaves_out_next && distance > 0);
        ((self.panel.root + distance + skipped) % self.process.configuration.q) as i32
    }

    /// Doubles of one piece but the last, which may have more.
    fn piece(&self) -> usize {
        (self.panel.length / self.size).max(1)
    }

    /// Doubles of a piece.
    fn length(&self, piece: usize) -> usize {
        let (total, first) = (self.panel.length, piece * self.piece());
        let end = if piece == self.size - 1 { total } else { first + self.piece() };
        end.min(total).saturating_sub(first)
    }

    async fn spread(&self) -> Result<()> {
        let (row, tag, total) = (&self.process.row, self.panel.tag, self.panel.length);
        for step in Halving::below(self.size) {
            if self.mine & step.mask != 0 {
                continue;
            }
            // Who receives gets the pieces from its own up to the next receiver's.
            let first = self.mine | step.bit;
            let begin = (first * self.piece()).min(total);
            let end = match first + step.bit < self.size {
                true => ((first + step.bit) * self.piece()).min(total),
                false => total,
            };
            let partner = self.mine ^ step.bit;
            if self.mine & step.bit != 0 {
                row.recv(self.column(partner), tag).await?;
            } else if partner < self.size {
                row.ssend(self.process.doubles(end - begin), self.column(partner), tag).await?;
            }
        }
        Ok(())
    }

    async fn roll(&self) -> Result<()> {
        let (row, tag, size, mine) = (&self.process.row, self.panel.tag, self.size, self.mine);
        let (before, after) = ((mine + size - 1) % size, (mine + 1) % size);
        for round in 0..size - 1 {
            let step = round / 2;
            let (piece, partner) = match (mine + round) % 2 {
                1 => ((mine + step) % size, before),
                _ => ((mine + size - step) % size, after),
            };
            let partner = self.column(partner);
            let leaving =
                row.issend(self.process.doubles(self.length(piece)), partner, tag).await?;
            row.recv(partner, tag).await?;
            row.wait(leaving).await?;
        }
        Ok(())
    }
}
