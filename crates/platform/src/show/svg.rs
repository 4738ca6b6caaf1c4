//! A picture of a machine, as a self-contained SVG.
//!
//! Small machines are drawn node by node; of large ones a few of each kind stand for the rest and
//! the numbers are written beside them.

mod canvas;
mod dragonfly;
mod glyphs;
mod graph;
mod grid;
mod star;
mod tree;
mod zones;

use foretell_units::{FlopPerSecond, Seconds};

use self::canvas::{Area, Canvas, Class};
use super::text::grouped;
use super::{Summary, rounded};
use crate::machine::Platform;
use crate::spec::{ClusterSpec, Topology, ZoneContent, ZoneSpec};

const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 620.0;
const MARGIN: f64 = 28.0;

/// Draws a machine.
pub fn svg(platform: &Platform) -> String {
    let summary = Summary::of(platform);
    let mut canvas = Canvas::new(WIDTH, HEIGHT);
    header(&mut canvas, &summary);
    let area = Area { x: MARGIN, y: 88.0, w: WIDTH - 2.0 * MARGIN, h: HEIGHT - 88.0 - 58.0 };
    canvas.rect(area, 10.0, Class::Panel);
    zone(&mut canvas, area.inside(18.0), &platform.spec().root, Detail::Whole);
    footer(&mut canvas, &summary);
    canvas.finish()
}

/// How much room a part of the picture has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Detail {
    /// The whole panel.
    Whole,
    /// One box among others.
    Part,
}

fn zone(canvas: &mut Canvas, area: Area, zone: &ZoneSpec, detail: Detail) {
    match &zone.content {
        ZoneContent::Cluster(spec) => cluster(canvas, area, spec, detail),
        ZoneContent::General(spec) => zones::general(canvas, area, spec, detail),
    }
}

fn cluster(canvas: &mut Canvas, area: Area, spec: &ClusterSpec, detail: Detail) {
    match &spec.topology {
        Topology::Star => star::cluster(canvas, area, spec, detail),
        Topology::Torus(dims) => grid::grid(canvas, area, spec, dims, grid::Ends::Joined),
        Topology::Mesh(dims) => grid::grid(canvas, area, spec, dims, grid::Ends::Open),
        Topology::FatTree(shape) => tree::tree(canvas, area, spec, shape),
        Topology::Dragonfly(shape) => dragonfly::dragonfly(canvas, area, spec, shape),
    }
}

fn header(canvas: &mut Canvas, summary: &Summary) {
    canvas.text(MARGIN, 42.0, Class::Title, &summary.name);
    let (fewest, most) = summary.node_cores;
    let cores = if fewest == most { most.to_string() } else { format!("{fewest} to {most}") };
    let plural = if cores == "1" { "core" } else { "cores" };
    let peak = FlopPerSecond::new(rounded(summary.peak));
    let nodes = if summary.nodes == 1 { "node" } else { "nodes" };
    let line = format!(
        "{} {nodes} of {cores} {plural} · {peak} · {}",
        grouped(summary.nodes),
        summary.topology
    );
    canvas.text(MARGIN, 68.0, Class::Subtitle, &line);
}

fn footer(canvas: &mut Canvas, summary: &Summary) {
    let mut parts = Vec::new();
    if let Some(near) = &summary.nearest {
        let latency = Seconds::new(rounded(near.latency));
        parts.push(format!("nearest nodes {latency}, {}", bits(near.bandwidth)));
    }
    if let Some(far) = &summary.farthest {
        let latency = Seconds::new(rounded(far.latency));
        parts.push(format!("farthest {latency}, {}", super::counted(summary.diameter, "link")));
    }
    if let Some(bisection) = summary.bisection {
        parts.push(format!("bisection {} each way", bits(bisection)));
    }
    parts.push(format!("{} links", grouped(summary.links)));
    canvas.text(MARGIN, HEIGHT - 24.0, Class::Note, &parts.join("   ·   "));
}

/// A bandwidth as networks are sold.
fn bits(bytes_per_second: f64) -> String {
    let value = rounded(bytes_per_second * 8.0);
    let (scale, prefix) = match value {
        value if value >= 1e15 => (1e15, "P"),
        value if value >= 1e12 => (1e12, "T"),
        value if value >= 1e9 => (1e9, "G"),
        value if value >= 1e6 => (1e6, "M"),
        value if value >= 1e3 => (1e3, "k"),
        _ => (1.0, ""),
    };
    format!("{} {prefix}b/s", rounded(value / scale))
}

/// The figures of a cable: "10 Gb/s, 2.5 us".
fn cable(bandwidth: f64, latency: f64) -> String {
    format!("{}, {}", bits(bandwidth), Seconds::new(rounded(latency)))
}

#[cfg(test)]
mod tests;
