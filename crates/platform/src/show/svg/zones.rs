//! Zones of listed members: boxes under a switch, or a graph.

use super::canvas::{Area, Canvas, Class};
use super::glyphs::{node, switch};
use super::{Detail, bits, graph, zone};
use crate::show::counted;
use crate::show::text::grouped;
use crate::spec::{GeneralSpec, Member, ZoneSpec};

/// Most boxes side by side, and in all.
const MOST_IN_ROW: usize = 6;
const MOST: usize = 12;

pub(super) fn general(canvas: &mut Canvas, area: Area, spec: &GeneralSpec, detail: Detail) {
    if detail == Detail::Part {
        return inner(canvas, area, spec);
    }
    let boxes = |member: &Member| matches!(member, Member::Zone(_) | Member::Cabinet(_));
    if spec.members.iter().all(boxes) && spec.members.len() > 1 {
        cabinets(canvas, area, spec);
    } else if let [Member::Zone(only)] = spec.members.as_slice() {
        zone(canvas, area, only, Detail::Whole);
    } else {
        graph::graph(canvas, area, spec);
    }
}

/// A zone within a zone within a zone is told in words.
fn inner(canvas: &mut Canvas, area: Area, spec: &GeneralSpec) {
    let (x, y) = area.middle();
    canvas.text(x, y, Class::Label, &counted(spec.members.len(), "member"));
}

fn cabinets(canvas: &mut Canvas, area: Area, spec: &GeneralSpec) {
    let shown = spec.members.len().min(MOST);
    let rows = shown.div_ceil(MOST_IN_ROW);
    let columns = shown.div_ceil(rows);
    let centre = (area.x + area.w / 2.0, area.y + 34.0);
    switch(canvas, centre, 250.0, 38.0, "between zones");
    let plot = area.below(110.0);
    let (w, h) = (plot.w / columns as f64, plot.h / rows as f64);
    let cell = |index: usize| {
        let (column, row) = ((index % columns) as f64, (index / columns) as f64);
        Area { x: plot.x + w * column, y: plot.y + h * row, w, h }
    };
    for index in 0..shown {
        let column = (index % columns) as f64 + 0.5 - columns as f64 / 2.0;
        let port = (centre.0 + column * 220.0 / columns as f64, centre.1 + 19.0);
        canvas.line(port, (cell(index).x + w / 2.0, cell(index).y + 8.0), Class::BackLink);
    }
    for (index, member) in spec.members.iter().take(shown).enumerate() {
        cabinet(canvas, cell(index).inside(8.0), member);
    }
    if let Some(words) = uplink(spec) {
        canvas.text(centre.0, centre.1 - 26.0, Class::Label, &words);
    }
    if spec.members.len() > shown {
        let more = format!("and {} more", grouped((spec.members.len() - shown) as u64));
        canvas.text(area.x + area.w / 2.0, area.y + area.h + 10.0, Class::Label, &more);
    }
}

fn cabinet(canvas: &mut Canvas, area: Area, member: &Member) {
    canvas.rect(area, 8.0, Class::Zone);
    let inside = area.inside(10.0);
    let (x, _) = area.middle();
    match member {
        Member::Zone(spec) => {
            canvas.text(x, area.y + 18.0, Class::Label, &spec.name.value);
            zone(canvas, limited(inside.below(18.0)), spec, Detail::Part);
        }
        Member::Cabinet(row) => {
            canvas.text(x, area.y + 18.0, Class::Label, &format!("{}…", row.naming.name(0)));
            node(canvas, area.middle(), 36.0, row.node.cores);
            let count = format!("× {}", grouped(row.naming.count() as u64));
            canvas.text(x, area.y + area.h - 14.0, Class::Label, &count);
        }
        Member::Host(_) | Member::Router(_) | Member::Peer(_) => {}
    }
}

/// Small drawings look lost in a tall box.
fn limited(area: Area) -> Area {
    let h = area.h.min(area.w * 1.1);
    Area { y: area.y + (area.h - h) / 2.0, h, ..area }
}

/// What the links between zones carry, if they all carry the same.
fn uplink(spec: &GeneralSpec) -> Option<String> {
    let mut rates = spec.links.iter().map(|link| link.bandwidth);
    let first = rates.next()?;
    let (least, most) = rates.fold((first, first), |(a, b), rate| (a.min(rate), b.max(rate)));
    Some(match least == most {
        true => format!("links of {}", bits(least)),
        false => format!("links of {} to {}", bits(least), bits(most)),
    })
}

/// The number of nodes inside a zone.
pub(super) fn node_count(zone: &ZoneSpec) -> u64 {
    match &zone.content {
        crate::spec::ZoneContent::Cluster(cluster) => cluster.naming.count() as u64,
        crate::spec::ZoneContent::General(general) => general
            .members
            .iter()
            .map(|member| match member {
                Member::Zone(inner) => node_count(inner),
                Member::Cabinet(row) => row.naming.count() as u64,
                Member::Host(_) | Member::Peer(_) => 1,
                Member::Router(_) => 0,
            })
            .sum(),
    }
}
