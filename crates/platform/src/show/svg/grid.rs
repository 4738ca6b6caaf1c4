//! Tori and meshes of one to three dimensions; further ones are told in words.

use super::cable;
use super::canvas::{Area, Canvas, Class};
use super::glyphs::node;
use crate::spec::ClusterSpec;

/// Whether the ends of each dimension are joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ends {
    Joined,
    Open,
}

/// Most nodes drawn along each dimension of a plane, and of a stack of planes.
const MOST_FLAT: [usize; 3] = [10, 7, 1];
const MOST_DEEP: [usize; 3] = [5, 4, 3];

/// How far each plane is set off from the one before it, in steps of the grid.
const RIGHT: f64 = 0.36;
const UP: f64 = 0.3;

/// Most nodes of a ring drawn one by one.
const MOST_IN_RING: usize = 36;

pub(super) fn grid(canvas: &mut Canvas, area: Area, spec: &ClusterSpec, dims: &[u32], ends: Ends) {
    let words = format!("every link {}", cable(spec.wire.bandwidth, spec.wire.latency));
    let (middle, bottom) = (area.x + area.w / 2.0, area.y + area.h);
    canvas.text(middle, bottom - 2.0, Class::Label, &words);
    let area = area.above(28.0);
    let long: Vec<usize> =
        dims.iter().map(|size| *size as usize).filter(|size| *size > 1).collect();
    match long.as_slice() {
        [] => node(canvas, area.middle(), 40.0, spec.node.cores),
        [one] if ends == Ends::Joined && *one <= MOST_IN_RING => ring(canvas, area, spec, *one),
        [one] => planes(canvas, area, spec, [*one, 1, 1], ends, 0),
        [a, b] => planes(canvas, area, spec, [*a, *b, 1], ends, 0),
        [a, b, c, rest @ ..] => planes(canvas, area, spec, [*a, *b, *c], ends, rest.len()),
    }
}

fn ring(canvas: &mut Canvas, area: Area, spec: &ClusterSpec, count: usize) {
    let oval = area.inside(40.0);
    let places: Vec<_> = (0..count).map(|i| oval.on_ellipse(i as f64 / count as f64)).collect();
    for (index, place) in places.iter().enumerate() {
        canvas.line(*place, places[(index + 1) % count], Class::Link);
        node(canvas, *place, 24.0, spec.node.cores);
    }
}

/// Where the nodes of an oblique stack of planes stand.
struct Stack {
    shown: [usize; 3],
    origin: (f64, f64),
    step: f64,
}

impl Stack {
    fn fitting(area: Area, sizes: [usize; 3]) -> Self {
        let most = if sizes[2] > 1 { MOST_DEEP } else { MOST_FLAT };
        let shown = [0, 1, 2].map(|axis| sizes[axis].min(most[axis]));
        let [x, y, z] = shown.map(|count| count as f64);
        // Planes are set off to the right and up; ends need room for their stubs.
        let (wide, high) = (x + RIGHT * (z - 1.0), y + UP * (z - 1.0));
        let step = (area.w / wide).min(area.h / high).min(110.0);
        let (mx, my) = area.middle();
        let used = (step * (x - 1.0 + RIGHT * (z - 1.0)), step * (y - 1.0 + UP * (z - 1.0)));
        let origin = (mx - used.0 / 2.0, my - used.1 / 2.0 + step * UP * (z - 1.0));
        Self { shown, origin, step }
    }

    fn place(&self, at: [f64; 3]) -> (f64, f64) {
        let x = self.origin.0 + self.step * (at[0] + RIGHT * at[2]);
        let y = self.origin.1 + self.step * (at[1] - UP * at[2]);
        (x, y)
    }
}

fn planes(
    canvas: &mut Canvas,
    area: Area,
    spec: &ClusterSpec,
    sizes: [usize; 3],
    ends: Ends,
    further: usize,
) {
    let stack = Stack::fitting(area, sizes);
    let [columns, rows, layers] = stack.shown;
    let share = if layers > 1 { 0.22 } else { 0.34 };
    let size = (stack.step * share).clamp(8.0, 30.0);
    for z in (0..layers).rev() {
        for y in 0..rows {
            for x in 0..columns {
                let at = [x, y, z];
                links(canvas, &stack, sizes, at, ends);
                node(canvas, stack.place(at.map(|n| n as f64)), size, spec.node.cores);
            }
        }
    }
    let cut = sizes != stack.shown;
    let mut words = Vec::new();
    if cut {
        let shown: Vec<_> = stack.shown.iter().filter(|n| **n > 1).map(usize::to_string).collect();
        words.push(format!("a corner of {} nodes is shown", shown.join(" x ")));
    }
    if further > 0 {
        words.push(format!("and {further} further dimensions are not"));
    }
    canvas.text(area.x + area.w / 2.0, area.y + area.h + 8.0, Class::Label, &words.join(", "));
}

/// The links of a node to its next neighbours, and stubs where they leave the picture.
fn links(canvas: &mut Canvas, stack: &Stack, sizes: [usize; 3], at: [usize; 3], ends: Ends) {
    let here = at.map(|n| n as f64);
    for axis in 0..3 {
        let mut step = |way: f64, class| {
            let mut there = here;
            there[axis] += way;
            canvas.line(stack.place(here), stack.place(there), class);
        };
        let class = if axis == 2 { Class::FaintLink } else { Class::Link };
        let (first, last) = (at[axis] == 0, at[axis] + 1 == stack.shown[axis]);
        if !last {
            step(1.0, class);
        }
        let joined = ends == Ends::Joined && sizes[axis] > 1;
        if last && (joined || sizes[axis] > stack.shown[axis]) {
            step(0.38, class);
        }
        if first && joined {
            step(-0.38, class);
        }
    }
}
