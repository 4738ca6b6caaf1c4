//! What may be other than it is.

use foretell_platform::NetworkFactors;
use foretell_replay::{Factors, Loads, Replay};

use super::{Changes, Places, placements};
use crate::figures::counted;
use crate::mapping::Placement;

/// With more parts, the rest are not tried.
pub(super) const MOST_PARTS: usize = 64;
/// A rank that computes so many times the mean stands out.
const STANDS_OUT: f64 = 1.25;

/// A trace with one thing other.
pub(super) struct Variant {
    pub(super) name: String,
    factors: Factors,
    pub(super) network: NetworkFactors,
    is_without_noise: bool,
    /// Where ranks are, if not where they are.
    pub(super) placement: Option<Placement>,
}

impl Variant {
    pub(super) fn as_it_is(replay: &Replay, network: NetworkFactors) -> Self {
        let factors = replay.factors().clone();
        let name = String::new();
        Self { name, factors, network, is_without_noise: false, placement: None }
    }

    /// That trace with what is other.
    pub(super) fn of(&self, replay: &Replay) -> Replay {
        let again = replay.again(self.factors.clone());
        if self.is_without_noise { again.without_noise() } else { again }
    }
}

/// All that is tried of a trace that has run.
pub(super) fn all(
    replay: &Replay,
    loads: &Loads,
    changes: &Changes,
    places: &Places,
) -> Vec<Variant> {
    let (factors, network) = (replay.factors(), changes.network());
    let usual = |name: &str| {
        let usual = Variant::as_it_is(replay, network);
        Variant { name: name.to_owned(), ..usual }
    };
    let faster = Factors { all: factors.all * 2.0, ..factors.clone() };
    let wider = NetworkFactors { bandwidth: network.bandwidth * 2.0, ..network };
    let nearer = NetworkFactors { latency: network.latency / 2.0, ..network };
    let mut all = vec![
        Variant { factors: faster, ..usual("processors x2") },
        Variant { network: wider, ..usual("bandwidth x2") },
        Variant { network: nearer, ..usual("latency /2") },
    ];
    if !changes.no_noise && !replay.has_schedules() {
        all.push(Variant { is_without_noise: true, ..usual("no noise") });
    }
    if !changes.balance && loads.most().is_some() {
        all.push(Variant { factors: loads.balanced(factors), ..usual("balanced") });
    }
    if let Some((name, ranks)) = standing_out(loads, replay.ranks()) {
        all.push(Variant { factors: loads.at_mean(factors, ranks), ..usual(&name) });
    }
    for (name, placement) in placements::others(places) {
        all.push(Variant { placement: Some(placement), ..usual(name) });
    }
    for part in replay.parts().iter().take(MOST_PARTS) {
        let mut faster = factors.clone();
        *faster.parts.entry(part.clone()).or_insert(1.0) *= 2.0;
        all.push(Variant { factors: faster, ..usual(&format!("{part} x2")) });
    }
    all
}

/// Ranks that compute much more than others, if they are few: what spreading their work alone
/// would bring is of interest then.
fn standing_out(loads: &Loads, ranks: u32) -> Option<(String, Vec<u32>)> {
    let above = loads.above(STANDS_OUT);
    match above[..] {
        [] => None,
        [rank] => Some((format!("rank {rank} at the mean"), above)),
        _ if above.len() as u32 > ranks / 8 => None,
        _ => Some((format!("{} at the mean", counted(above.len() as u64, "rank")), above)),
    }
}
