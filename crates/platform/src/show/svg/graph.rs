//! Members of all kinds: routers within, hosts and zones around them.

use rustc_hash::FxHashMap;

use super::canvas::{Area, Canvas, Class};
use super::glyphs::{node, switch};
use super::zones::node_count;
use crate::show::text::grouped;
use crate::spec::{GeneralSpec, Member};

/// Most members and lines drawn.
const MOST: usize = 40;
const MOST_LINES: usize = 400;

pub(super) fn graph(canvas: &mut Canvas, area: Area, spec: &GeneralSpec) {
    let shown = &spec.members[..spec.members.len().min(MOST)];
    let names: FxHashMap<&str, usize> =
        shown.iter().enumerate().map(|(index, member)| (name(member), index)).collect();
    let lines: Vec<(usize, usize)> = spec
        .routes
        .iter()
        .filter_map(|route| {
            Some((*names.get(route.from.value.as_str())?, *names.get(route.to.value.as_str())?))
        })
        .take(MOST_LINES)
        .collect();
    let places = places(area.above(24.0), shown, &lines);
    for (from, to) in &lines {
        canvas.line(places[*from], places[*to], Class::Link);
    }
    for (member, place) in shown.iter().zip(&places) {
        draw(canvas, member, *place);
    }
    if spec.members.len() > shown.len() {
        let words =
            format!("{} of {} members shown", shown.len(), grouped(spec.members.len() as u64));
        canvas.text(area.x + area.w / 2.0, area.y + area.h, Class::Label, &words);
    }
}

fn name(member: &Member) -> &str {
    match member {
        Member::Host(host) => &host.name.value,
        Member::Router(router) => &router.name.value,
        Member::Zone(zone) => &zone.name.value,
        Member::Peer(peer) => &peer.name.value,
        Member::Cabinet(row) => row.naming.prefix(),
    }
}

fn draw(canvas: &mut Canvas, member: &Member, place: (f64, f64)) {
    let mut below = 32.0;
    match member {
        Member::Host(host) => node(canvas, place, 30.0, host.node.cores),
        Member::Peer(peer) => node(canvas, place, 30.0, peer.node.cores),
        Member::Router(_) => switch(canvas, place, 34.0, 20.0, ""),
        Member::Zone(zone) => {
            canvas.rect(Area::around(place, 92.0, 46.0), 8.0, Class::Node);
            let words = format!("× {}", grouped(node_count(zone)));
            canvas.text(place.0, place.1 + 5.0, Class::Count, &words);
            below = 38.0;
        }
        Member::Cabinet(row) => {
            node(canvas, place, 30.0, row.node.cores);
            let words = format!("× {}", grouped(row.naming.count() as u64));
            canvas.text(place.0, place.1 - 20.0, Class::Label, &words);
        }
    }
    if matches!(member, Member::Router(_)) {
        below = 24.0;
    }
    canvas.text(place.0, place.1 + below, Class::Label, name(member));
}

/// Routers on an inner oval, all else on an outer one next to the router it hangs on.
fn places(area: Area, members: &[Member], lines: &[(usize, usize)]) -> Vec<(f64, f64)> {
    let is_router = |index: usize| matches!(members[index], Member::Router(_));
    let routers: Vec<usize> = (0..members.len()).filter(|index| is_router(*index)).collect();
    let rank: FxHashMap<usize, usize> =
        routers.iter().enumerate().map(|(rank, index)| (*index, rank)).collect();
    let home = |index: usize| {
        lines
            .iter()
            .filter_map(|(a, b)| match index {
                index if index == *a => rank.get(b),
                index if index == *b => rank.get(a),
                _ => None,
            })
            .min()
            .copied()
            .unwrap_or(usize::MAX)
    };
    let mut outer: Vec<usize> = (0..members.len()).filter(|index| !is_router(*index)).collect();
    outer.sort_by_key(|index| (home(*index), *index));

    let wide = area.inside(46.0);
    let (w, h) = if outer.is_empty() { (1.0, 1.0) } else { (0.46, 0.46) };
    let within = Area::around(wide.middle(), wide.w * w, wide.h * h);
    let mut places = vec![wide.middle(); members.len()];
    let mut turns: Vec<Vec<f64>> = vec![Vec::new(); routers.len()];
    for (rank, index) in outer.iter().enumerate() {
        let turn = rank as f64 / outer.len() as f64;
        places[*index] = wide.on_ellipse(turn);
        if let Some(list) = turns.get_mut(home(*index)) {
            list.push(turn);
        }
    }
    for (rank, index) in routers.iter().enumerate() {
        // Towards what hangs on it, if anything does.
        let turn = match turns[rank].as_slice() {
            [] => rank as f64 / routers.len() as f64,
            list => list.iter().sum::<f64>() / list.len() as f64,
        };
        if routers.len() > 1 {
            places[*index] = within.on_ellipse(turn);
        }
    }
    places
}
