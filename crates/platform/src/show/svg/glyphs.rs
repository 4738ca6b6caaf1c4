//! Nodes and switches.

use super::canvas::{Area, Canvas, Class};

/// A node with its cores, as many as can be told apart.
pub(super) fn node(canvas: &mut Canvas, middle: (f64, f64), size: f64, cores: u32) {
    let area = Area::around(middle, size, size);
    canvas.rect(area, size * 0.18, Class::Node);
    if size < 13.0 {
        return;
    }
    let side = match cores {
        0 | 1 => 1,
        2..=4 => 2,
        5..=9 => 3,
        _ => 4,
    };
    let inner = area.inside(size * 0.18);
    let step = inner.w / f64::from(side);
    for index in 0..cores.min(side * side) {
        let (column, row) = (index % side, index / side);
        let core = Area {
            x: inner.x + step * (f64::from(column) + 0.12),
            y: inner.y + step * (f64::from(row) + 0.12),
            w: step * 0.76,
            h: step * 0.76,
        };
        canvas.rect(core, 1.0, Class::Core);
    }
}

/// A switch, with a word on it if there is room.
pub(super) fn switch(canvas: &mut Canvas, middle: (f64, f64), w: f64, h: f64, word: &str) {
    canvas.rect(Area::around(middle, w, h), 5.0, Class::Switch);
    if word.len() as f64 * 7.0 < w {
        canvas.text(middle.0, middle.1 + 4.0, Class::OnSwitch, word);
    }
}

/// Which of many things to draw: all, or the first few and the last with a gap between.
pub(super) fn some_of(count: usize, most: usize) -> Vec<Option<usize>> {
    if count <= most {
        return (0..count).map(Some).collect();
    }
    let first = most.saturating_sub(2).max(1);
    (0..first).map(Some).chain([None, Some(count - 1)]).collect()
}

/// Three dots for what is left out.
pub(super) fn dots(canvas: &mut Canvas, middle: (f64, f64)) {
    for shift in [-7.0, 0.0, 7.0] {
        canvas.circle((middle.0 + shift, middle.1), 1.8, Class::Core);
    }
}
