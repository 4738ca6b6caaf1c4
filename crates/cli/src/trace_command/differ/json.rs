//! `foretell trace diff --json`.

use foretell_trace::timed::{Clocks, Difference};
use serde_json::{Map, Value, json as value};

/// For programs.
pub(in crate::trace_command) fn json(found: &Difference) -> String {
    let shifts = found.shifts.iter().map(|shift| {
        value!({
            "rank": shift.rank, "nth": shift.nth, "call": shift.call, "ends_s": shift.ends,
            "before_s": shift.before, "within_s": shift.within,
        })
    });
    let each = found.each.iter().map(|rank| {
        value!({
            "rank": rank.rank, "computing_s": rank.computing, "calls_s": rank.calls,
            "behind_s": rank.lag,
        })
    });
    let beyond = found.beyond.as_ref().map(|beyond| {
        value!({
            "rank": beyond.rank, "nth": beyond.nth, "call": beyond.call, "ends_s": beyond.ends,
            "behind_s": beyond.lag,
        })
    });
    let clocks = match found.clocks {
        Clocks::Begin => "begin",
        Clocks::Collective => "collective",
    };
    let all = value!({
        "ends_s": found.ends, "ranks": found.ranks, "clocks": clocks,
        "too_early": found.too_early, "is_none": found.is_none(),
        "paired": found.paired, "alone": found.alone, "alone_by": alone(found),
        "changed": changed(found), "states": states(found), "regions": regions(found),
        "each": each.collect::<Vec<_>>(), "beyond": beyond, "partings": partings(found),
        "shifts": shifts.collect::<Vec<_>>(),
    });
    format!("{all:#}\n")
}

fn alone(found: &Difference) -> Vec<Value> {
    let row = |((call, is_idle), counts): (&(String, bool), &[u64; 2])| value!({ "call": call, "to_nobody": is_idle, "counts": counts });
    found.alone_by.iter().map(row).collect()
}

fn changed(found: &Difference) -> Vec<Value> {
    let row = |((call, what), times): (&(String, String), &u64)| value!({ "call": call, "what": what, "count": times });
    found.changed.iter().map(row).collect()
}

fn states(found: &Difference) -> Map<String, Value> {
    let row = |[one, other]: &[(u64, f64); 2]| value!({ "counts": [one.0, other.0], "seconds": [one.1, other.1], "ratio": ratio(one.1, other.1) });
    found.states.iter().map(|(name, sums)| (name.clone(), row(sums))).collect()
}

fn regions(found: &Difference) -> Map<String, Value> {
    let row = |[one, other]: &[(u64, f64, f64); 2]| {
        value!({
            "counts": [one.0, other.0], "seconds": [one.1, other.1], "calls_s": [one.2, other.2],
            "ratio": ratio(one.1, other.1),
        })
    };
    found.regions.iter().map(|(name, sums)| (name.clone(), row(sums))).collect()
}

fn ratio(first: f64, second: f64) -> Option<f64> {
    (first > 0.0).then(|| second / first)
}

fn partings(found: &Difference) -> Vec<Value> {
    let row = |parting: &foretell_trace::timed::Parting| {
        let told = |call: &Option<(String, f64)>| {
            call.as_ref().map(|(name, begin)| value!({ "call": name, "begin_s": begin }))
        };
        let [first, second] = &parting.calls;
        value!({
            "rank": parting.rank, "nth": parting.nth,
            "first": told(first), "second": told(second),
        })
    };
    found.partings.iter().map(row).collect()
}
