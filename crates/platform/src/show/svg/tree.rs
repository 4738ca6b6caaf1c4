//! Fat trees: a row of switches per level, nodes below.

use super::cable;
use super::canvas::{Area, Canvas, Class};
use super::glyphs::{dots, node, some_of, switch};
use crate::show::bisection::tree_width;
use crate::show::text::grouped;
use crate::spec::ClusterSpec;
use crate::topology::FatTreeSpec;

/// Most switches drawn per level.
const MOST: usize = 10;

pub(super) fn tree(canvas: &mut Canvas, area: Area, spec: &ClusterSpec, tree: &FatTreeSpec) {
    let levels = tree.down.len();
    let words = format!("every cable {}", cable(spec.wire.bandwidth, spec.wire.latency));
    canvas.text(area.x + area.w / 2.0, area.y + area.h - 2.0, Class::Label, &words);
    let area = area.above(34.0);
    let plot = Area { x: area.x + 110.0, w: area.w - 110.0, ..area };
    // Nodes are the lowest row, the top switches the highest.
    let height =
        |level: usize| plot.y + plot.h * (1.0 - (level as f64 + 0.35) / (levels as f64 + 0.7));
    let rows: Vec<Row> =
        (0..=levels).map(|level| Row::new(tree, level, plot, height(level))).collect();
    for pair in rows.windows(2).skip(1) {
        join(canvas, tree, &pair[0], &pair[1]);
    }
    for row in &rows[1..] {
        draw_switches(canvas, area, row);
    }
    leaves(canvas, area, spec, tree, &rows[1], height(0));
}

/// The switches of one level that are drawn.
struct Row {
    level: usize,
    width: u64,
    shown: Vec<(Option<usize>, (f64, f64))>,
}

impl Row {
    fn new(tree: &FatTreeSpec, level: usize, plot: Area, y: f64) -> Self {
        let width = tree_width(tree, level);
        let shown = some_of(usize::try_from(width).unwrap_or(usize::MAX), MOST);
        let places = plot.spread(shown.len(), y);
        Self { level, width, shown: shown.into_iter().zip(places).collect() }
    }
}

fn draw_switches(canvas: &mut Canvas, area: Area, row: &Row) {
    let y = row.shown[0].1.1;
    let words = format!("{} switches", grouped(row.width));
    canvas.text(area.x + 48.0, y + 4.0, Class::Label, &words);
    let size = (area.w / row.shown.len() as f64 * 0.5).clamp(14.0, 70.0);
    for (index, place) in &row.shown {
        match index {
            Some(_) => switch(canvas, *place, size, 22.0, ""),
            None => dots(canvas, *place),
        }
    }
}

/// Draws the cables between two levels of switches.
fn join(canvas: &mut Canvas, tree: &FatTreeSpec, lower: &Row, upper: &Row) {
    for (below, from) in &lower.shown {
        for (above, to) in &upper.shown {
            let (Some(below), Some(above)) = (below, above) else { continue };
            if joined(tree, lower.level, *below, *above) {
                canvas.line((from.0, from.1 - 11.0), (to.0, to.1 + 11.0), Class::FaintLink);
            }
        }
    }
}

/// Whether a switch is below another: their labels differ in one digit at most, that of the level.
fn joined(tree: &FatTreeSpec, level: usize, below: usize, above: usize) -> bool {
    let label = |level: usize, mut position: usize| -> Vec<usize> {
        (0..tree.down.len())
            .map(|digit| {
                let base = if digit < level { tree.up[digit] } else { tree.down[digit] } as usize;
                let value = position % base;
                position /= base;
                value
            })
            .collect()
    };
    let (a, b) = (label(level, below), label(level + 1, above));
    a.iter().zip(&b).enumerate().all(|(digit, (a, b))| digit == level || a == b)
}

/// A few nodes under each leaf switch.
fn leaves(
    canvas: &mut Canvas,
    area: Area,
    spec: &ClusterSpec,
    tree: &FatTreeSpec,
    row: &Row,
    y: f64,
) {
    let nodes = grouped(spec.naming.count() as u64);
    canvas.text(area.x + 48.0, y + 4.0, Class::Label, &format!("{nodes} nodes"));
    let room = (area.w - 110.0) / row.shown.len() as f64;
    let size = (room / 4.4).clamp(8.0, 22.0);
    for (index, place) in &row.shown {
        if index.is_none() {
            dots(canvas, (place.0, y));
            continue;
        }
        let shown = (tree.down[0] as usize).min(3);
        for nth in 0..shown {
            let shift = (nth as f64 - (shown as f64 - 1.0) / 2.0) * size * 1.3;
            canvas.line((place.0, place.1 + 11.0), (place.0 + shift, y - size / 2.0), Class::Link);
            node(canvas, (place.0 + shift, y), size, spec.node.cores);
        }
        let words = format!("× {}", tree.down[0]);
        canvas.text(place.0, y + size / 2.0 + 16.0, Class::Label, &words);
    }
}
