//! Dragonflies: groups in a circle, every one joined to every other.

use super::canvas::{Area, Canvas, Class};
use super::{bits, cable};
use crate::show::counted;
use crate::spec::ClusterSpec;
use crate::topology::DragonflySpec;

/// Most groups, chassis and routers drawn.
const MOST_GROUPS: u32 = 12;
const MOST_CHASSIS: u32 = 6;
const MOST_ROUTERS: u32 = 10;

pub(super) fn dragonfly(
    canvas: &mut Canvas,
    area: Area,
    spec: &ClusterSpec,
    shape: &DragonflySpec,
) {
    let (middle, bottom) = (area.x + area.w / 2.0, area.y + area.h);
    let words = format!(
        "each group: {} of {} with {}",
        counted(shape.chassis as usize, "chassis").replace("chassiss", "chassis"),
        counted(shape.routers as usize, "router"),
        counted(shape.nodes as usize, "node")
    );
    canvas.text(middle, bottom - 20.0, Class::Label, &words);
    let between = bits(spec.wire.bandwidth * f64::from(shape.blue));
    let words = format!(
        "between groups {between}, every cable {}",
        cable(spec.wire.bandwidth, spec.wire.latency)
    );
    canvas.text(middle, bottom - 2.0, Class::Label, &words);

    let shown = shape.groups.min(MOST_GROUPS);
    let plot = area.above(44.0);
    let (width, height) = group_size(shape);
    let oval = Area {
        x: plot.x + width * 0.7,
        y: plot.y + height * 0.6,
        w: plot.w - width * 1.4,
        h: plot.h - height * 1.4,
    };
    let places: Vec<_> =
        (0..shown).map(|group| oval.on_ellipse(f64::from(group) / f64::from(shown))).collect();
    for (index, from) in places.iter().enumerate() {
        for to in &places[index + 1..] {
            canvas.line(*from, *to, Class::LongLink);
        }
    }
    for place in &places {
        group(canvas, Area::around(*place, width, height), shape);
    }
    if shape.groups > shown {
        let (x, y) = oval.middle();
        canvas.text(x, y, Class::Count, &format!("{shown} of {} groups shown", shape.groups));
    }
}

fn group_size(shape: &DragonflySpec) -> (f64, f64) {
    let columns = f64::from(shape.routers.min(MOST_ROUTERS));
    let rows = f64::from(shape.chassis.min(MOST_CHASSIS));
    (columns * 11.0 + 12.0, rows * 13.0 + 12.0)
}

/// A box with a row of routers per chassis.
fn group(canvas: &mut Canvas, area: Area, shape: &DragonflySpec) {
    canvas.rect(area, 6.0, Class::Node);
    let (columns, rows) = (shape.routers.min(MOST_ROUTERS), shape.chassis.min(MOST_CHASSIS));
    let inner = area.inside(6.0);
    for row in 0..rows {
        for column in 0..columns {
            let router = Area {
                x: inner.x + inner.w * (f64::from(column) + 0.14) / f64::from(columns),
                y: inner.y + inner.h * (f64::from(row) + 0.14) / f64::from(rows),
                w: inner.w / f64::from(columns) * 0.72,
                h: inner.h / f64::from(rows) * 0.72,
            };
            canvas.rect(router, 1.5, Class::Switch);
        }
    }
}
