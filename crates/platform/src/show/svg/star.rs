//! A switch and a row of nodes.

use super::canvas::{Area, Canvas, Class};
use super::glyphs::{dots, node, some_of, switch};
use super::{Detail, bits, cable};
use crate::show::text::grouped;
use crate::spec::ClusterSpec;

/// Most nodes drawn one by one.
const MOST_NODES: usize = 16;

pub(super) fn cluster(canvas: &mut Canvas, area: Area, spec: &ClusterSpec, detail: Detail) {
    let whole = detail == Detail::Whole;
    let top = if whole { area.y + 0.22 * area.h } else { area.y + 16.0 };
    let centre = (area.x + area.w / 2.0, top);
    let (width, height) = if whole { (230.0, 40.0) } else { ((area.w * 0.6).min(90.0), 20.0) };
    switch(canvas, centre, width, height, if whole { "switch" } else { "" });
    if let Some(backbone) = spec.backbone {
        let bar = Area::around((centre.0, top - height / 2.0 - 7.0), width, 5.0);
        canvas.rect(bar, 2.5, Class::Limiter);
        if whole {
            let words = format!("backbone {}", cable(backbone.bandwidth, backbone.latency));
            canvas.text(centre.0, bar.y - 8.0, Class::Label, &words);
        }
    }
    let y = if whole { area.y + 0.68 * area.h } else { area.y + area.h - 30.0 };
    let from = (centre.0, top + height / 2.0);
    row(canvas, Area { y, ..area }, from, width, spec, whole);
    caption(canvas, area, spec, whole);
}

fn row(
    canvas: &mut Canvas,
    area: Area,
    from: (f64, f64),
    width: f64,
    spec: &ClusterSpec,
    whole: bool,
) {
    let count = spec.naming.count();
    let fit = ((area.w / 24.0) as usize).clamp(3, MOST_NODES);
    let shown = some_of(count, fit);
    let size = (area.w / shown.len() as f64 * 0.62).clamp(9.0, 46.0);
    let places = area.spread(shown.len(), area.y);
    for (place, index) in places.iter().zip(&shown) {
        let Some(index) = *index else {
            dots(canvas, *place);
            continue;
        };
        // Cables leave the switch side by side.
        let share = (place.0 - area.x) / area.w - 0.5;
        let port = (from.0 + share * width * 0.9, from.1);
        canvas.line(port, (place.0, place.1 - size / 2.0), Class::Link);
        if spec.limiter.is_some() {
            let mark = Area::around((place.0, place.1 - size / 2.0 - 4.0), size * 0.5, 3.0);
            canvas.rect(mark, 1.5, Class::Limiter);
        }
        node(canvas, *place, size, spec.node.cores);
        let ends = index == 0 || index + 1 == count;
        if whole && (count <= 8 || ends) {
            let name = spec.naming.name(index);
            canvas.text(place.0, place.1 + size / 2.0 + 16.0, Class::Label, &name);
        }
    }
}

fn caption(canvas: &mut Canvas, area: Area, spec: &ClusterSpec, whole: bool) {
    let middle = area.x + area.w / 2.0;
    let count = format!("× {}", grouped(spec.naming.count() as u64));
    if !whole {
        canvas.text(middle, area.y + area.h - 2.0, Class::Label, &count);
        return;
    }
    let bottom = area.y + area.h;
    canvas.text(middle, bottom - 34.0, Class::Count, &format!("{count} nodes"));
    let mut words = format!("each on {}", cable(spec.wire.bandwidth, spec.wire.latency));
    if let Some(limiter) = spec.limiter {
        words += &format!(", both ways together {}", bits(limiter));
    }
    canvas.text(middle, bottom - 12.0, Class::Label, &words);
}
