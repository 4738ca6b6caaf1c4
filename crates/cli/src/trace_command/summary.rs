//! Sums over a run, for people and for programs.

use std::fmt::Write;

use foretell_trace::timed::{Late, Meeting, RegionTime, SiteTime, StateTime, Tally, Traffic};
use serde_json::{Value, json as value};

use crate::figures::{count, counted, data, percent, result, time};

/// How many ranks and pairs of ranks are named.
const MOST: usize = 5;
/// How many places of the program are.
const MOST_PLACES: usize = 10;

/// For people.
pub(super) fn text(tally: &Tally, ideal: Option<f64>) -> String {
    let cast = &tally.cast;
    let (ranks, nodes) =
        (counted(cast.ranks().into(), "rank"), counted(cast.nodes.len() as u64, "node"));
    let mut text = format!("{}: {ranks} on {nodes} of {}\n", cast.program, cast.machine);
    let mut line = |title: &str, words: String| _ = writeln!(text, "  {title:<24} {words}");
    line("simulated time", result(tally.end));
    if let Some(efficiency) = tally.efficiency() {
        let share = |part: f64| percent(part, 1.0);
        line("parallel efficiency", share(efficiency.parallel));
        line("  load balance", share(efficiency.load_balance));
        line("  communication", share(efficiency.communication));
        if let Some(ideal) = ideal {
            let (transfer, serialization) = efficiency.parts(tally.end, ideal);
            line("    transfer", share(transfer));
            line("    serialization", share(serialization));
        }
    }
    line("computing of a rank", spread(tally.ranks.iter().map(|rank| rank.computing)));
    line("in calls of a rank", spread(tally.ranks.iter().map(|rank| rank.calls)));
    line("waiting of a rank", spread(tally.ranks.iter().map(|rank| rank.waited)));
    let all = total(tally);
    line("messages", format!("{}, {}", count(all.messages), data(all.bytes as f64)));
    line("late senders", late(&tally.late_senders, "receivers waited"));
    line("late receivers", late(&tally.late_receivers, "senders waited"));
    let whole = tally.end * f64::from(cast.ranks());
    let _ = writeln!(
        text,
        "\n  {:<26} {:>12} {:>8} {:>12} {:>12}",
        "time in", "times", "share", "of it waiting", "most of a rank"
    );
    for state in by_time(tally) {
        let most = state.ranks.iter().copied().fold(0.0, f64::max);
        let _ = writeln!(
            text,
            "  {:<26} {:>12} {:>8} {:>13} {:>14}",
            state.name,
            count(state.count),
            percent(state.seconds, whole),
            percent(state.waited, state.seconds),
            time(most),
        );
    }
    text.push_str(&meetings(tally));
    text.push_str(&regions(tally));
    text.push_str(&sites(tally));
    let _ = writeln!(text, "\n  {:<26} {:>12} {:>12}", "most between ranks", "messages", "bytes");
    for ((from, to), traffic) in busiest(tally) {
        let pair = format!("{from} to {to}");
        let bytes = data(traffic.bytes as f64);
        let _ = writeln!(text, "  {pair:<26} {:>12} {bytes:>12}", count(traffic.messages));
    }
    text
}

/// For how long ranks waited in collective calls for the last to come, and who that was.
fn meetings(tally: &Tally) -> String {
    if tally.meetings.is_empty() {
        return String::new();
    }
    let mut text = format!(
        "\n  {:<26} {:>12} {:>12}  most for\n",
        "waiting for the last in", "calls", "all ranks"
    );
    let mut meetings: Vec<_> = tally.meetings.iter().collect();
    meetings.sort_by(|a, b| b.1.seconds.total_cmp(&a.1.seconds));
    for (name, meeting) in meetings {
        let most = meeting.last.iter().max_by(|a, b| a.1.1.total_cmp(&b.1.1).then(b.0.cmp(a.0)));
        let most = most.map_or_else(String::new, |(rank, (times, seconds))| {
            let times = counted(*times, "time");
            format!("rank {rank}: last {times}, {}", time(*seconds))
        });
        let (calls, seconds) = (count(meeting.count), time(meeting.seconds));
        let _ = writeln!(text, "  {name:<26} {calls:>12} {seconds:>12}  {most}");
    }
    text
}

/// How well ranks were used in the regions of the program.
fn regions(tally: &Tally) -> String {
    if tally.regions.is_empty() {
        return String::new();
    }
    let mut text = format!(
        "\n  {:<26} {:>12} {:>12} {:>9} {:>9} {:>9}\n",
        "region", "times", "all ranks", "parallel", "balance", "communic."
    );
    for region in &tally.regions {
        let all: f64 = region.ranks.iter().map(|rank| rank.end).sum();
        let shares = region.efficiency().map_or_else(String::new, |found| {
            let [parallel, balance, communication] =
                [found.parallel, found.load_balance, found.communication]
                    .map(|part| percent(part, 1.0));
            format!("{parallel:>9} {balance:>9} {communication:>9}")
        });
        let (times, all) = (count(region.count), time(all));
        let _ = writeln!(text, "  {:<26} {times:>12} {all:>12} {shares}", region.name);
    }
    text
}

/// Where in the program the calls stand that took most time, if that is known.
fn sites(tally: &Tally) -> String {
    if tally.sites.is_empty() {
        return String::new();
    }
    let whole = tally.end * f64::from(tally.cast.ranks());
    let mut text = format!(
        "\n  {:<26} {:>12} {:>8} {:>12}  where\n",
        "time by call in the source", "times", "share", "of it waiting"
    );
    for site in longest(tally).iter().take(MOST_PLACES) {
        let _ = writeln!(
            text,
            "  {:<26} {:>12} {:>8} {:>13}  {}",
            site.name,
            count(site.count),
            percent(site.seconds, whole),
            percent(site.waited, site.seconds),
            site.place,
        );
    }
    text
}

/// Calls by their places in the source, those that took most first.
fn longest(tally: &Tally) -> Vec<&SiteTime> {
    let mut sites: Vec<&SiteTime> = tally.sites.iter().collect();
    sites.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    sites
}

/// All messages together.
fn total(tally: &Tally) -> Traffic {
    tally.pairs.values().fold(Traffic::default(), |all, pair| Traffic {
        messages: all.messages + pair.messages,
        bytes: all.bytes + pair.bytes,
    })
}

/// States, those that took most first.
fn by_time(tally: &Tally) -> Vec<&StateTime> {
    let mut states: Vec<&StateTime> = tally.states.iter().collect();
    states.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    states
}

/// The pairs of ranks with most bytes.
fn busiest(tally: &Tally) -> Vec<((u32, u32), Traffic)> {
    let mut pairs: Vec<_> = tally.pairs.iter().map(|(pair, traffic)| (*pair, *traffic)).collect();
    // Equal ones keep their order, which is that of ranks.
    pairs.sort_by_key(|(_, traffic)| std::cmp::Reverse(traffic.bytes));
    pairs.truncate(MOST);
    pairs
}

/// Mean, least and most of ranks, and who has the most.
fn spread(values: impl Iterator<Item = f64> + Clone) -> String {
    let ranks = values.clone().count().max(1) as f64;
    let mean = values.clone().sum::<f64>() / ranks;
    let least = values.clone().fold(f64::INFINITY, f64::min);
    let most = values.enumerate().fold((0, 0.0), |most, (rank, value)| match value > most.1 {
        true => (rank, value),
        false => most,
    });
    format!("{} on average, {} to {} (rank {})", time(mean), time(least), time(most.1), most.0)
}

fn late(late: &Late, who: &str) -> String {
    match late.worst {
        None => "none".to_owned(),
        Some((most, from, to)) => format!(
            "{}, {who} {} in all; most from rank {from} to rank {to}: {}",
            counted(late.count, "message"),
            time(late.seconds),
            time(most),
        ),
    }
}

/// For programs.
pub(super) fn json(tally: &Tally, ideal: Option<f64>) -> String {
    let states = tally.states.iter().map(|state| {
        value!({
            "name": state.name, "count": state.count, "seconds": state.seconds,
            "waiting_s": state.waited, "per_rank_s": state.ranks,
        })
    });
    let ranks = tally.ranks.iter().map(|rank| {
        value!({
            "computing_s": rank.computing, "calls_s": rank.calls, "waiting_s": rank.waited,
            "end_s": rank.end,
        })
    });
    let pairs = tally.pairs.iter().map(|((from, to), traffic)| {
        value!({ "from": from, "to": to, "messages": traffic.messages, "bytes": traffic.bytes })
    });
    let sites = longest(tally).into_iter().map(|site| {
        value!({
            "name": site.name, "place": site.place, "count": site.count,
            "seconds": site.seconds, "waiting_s": site.waited,
        })
    });
    let efficiency = tally.efficiency().map(|efficiency| {
        let (transfer, serialization) =
            ideal.map(|ideal| efficiency.parts(tally.end, ideal)).unzip();
        value!({
            "parallel": efficiency.parallel, "load_balance": efficiency.load_balance,
            "communication": efficiency.communication, "transfer": transfer,
            "serialization": serialization,
        })
    });
    let all = value!({
        "program": tally.cast.program, "machine": tally.cast.machine,
        "nodes": tally.cast.nodes, "simulated_s": tally.end, "efficiency": efficiency,
        "late_senders": late_json(&tally.late_senders),
        "late_receivers": late_json(&tally.late_receivers),
        "meetings": meetings_json(tally), "regions": regions_json(tally),
        "states": states.collect::<Vec<_>>(), "sites": sites.collect::<Vec<_>>(), "ranks": ranks.collect::<Vec<_>>(),
        "pairs": pairs.collect::<Vec<_>>(),
    });
    format!("{all:#}\n")
}

fn meetings_json(tally: &Tally) -> Vec<Value> {
    let row = |(name, meeting): (&String, &Meeting)| {
        let last = meeting.last.iter().map(
            |(rank, (times, seconds))| value!({ "rank": rank, "times": times, "seconds": seconds }),
        );
        let (count, seconds) = (meeting.count, meeting.seconds);
        let last = last.collect::<Vec<_>>();
        value!({ "name": name, "count": count, "seconds": seconds, "last": last })
    };
    tally.meetings.iter().map(row).collect()
}

fn regions_json(tally: &Tally) -> Vec<Value> {
    let row = |region: &RegionTime| {
        let ranks = region.ranks.iter().map(|rank| {
            value!({
                "seconds": rank.end, "computing_s": rank.computing, "calls_s": rank.calls,
                "waiting_s": rank.waited,
            })
        });
        let efficiency = region.efficiency().map(|found| {
            value!({
                "parallel": found.parallel, "load_balance": found.load_balance,
                "communication": found.communication,
            })
        });
        value!({
            "name": region.name, "count": region.count, "efficiency": efficiency,
            "ranks": ranks.collect::<Vec<_>>(),
        })
    };
    tally.regions.iter().map(row).collect()
}

fn late_json(late: &Late) -> Value {
    let worst = late
        .worst
        .map(|(seconds, from, to)| value!({ "seconds": seconds, "from": from, "to": to }));
    value!({ "messages": late.count, "seconds": late.seconds, "worst": worst })
}
