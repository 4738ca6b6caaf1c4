//! Model, messages, calls, options; nodes that differ; dated changes.

use super::{Page, cluster, number, quantity, text, texts};
use crate::dimemas::Dimemas;
use crate::machine::{HostId, Platform};
use crate::options::OptionOutcome;
use crate::settings::{FactorRole, HostOverheads, LogGps, ModelKind, NetworkSettings};
use crate::spec::{ProfileKind, ProfileSpec};
use crate::tables::{MessageTables, Overheads, Steps};

/// Everything in which the settings differ from the defaults.
pub(super) fn settings(page: &mut Page, platform: &Platform) {
    let (ours, usual) = (platform.network(), NetworkSettings::default());
    table(page, "[network.model]", |lines| model(lines, ours, &usual));
    table(page, "[network.model.loggps]", |lines| loggps(lines, &ours.loggps, &usual.loggps));
    table(page, "[network.model.dimemas]", |lines| {
        dimemas(lines, &ours.dimemas, &usual.dimemas);
    });
    table(page, "[messages]", |lines| tables(lines, &ours.tables, &usual.tables));
    for (title, scoped) in ["node", "group", "between"].iter().zip(&ours.scoped) {
        if let Some(scoped) = scoped {
            page.table(&format!("[messages.{title}]"));
            tables(page, scoped, &ours.tables);
        }
    }
    table(page, "[calls]", |lines| {
        let calls = [
            ("iprobe", ours.iprobe, usual.iprobe),
            ("test", ours.test, usual.test),
            ("wtime", ours.wtime, usual.wtime),
            ("init", ours.init, usual.init),
        ];
        for (key, ours, usual) in calls {
            changed(lines, key, &ours, &usual, |value| quantity::seconds(*value));
        }
        changed(lines, "grow_polls", &ours.grow_polls, &usual.grow_polls, bool::to_string);
    });
    if let Some(storage) = platform.spec().storage {
        page.table("[storage]");
        page.key("read", quantity::bandwidth(storage.read));
        page.key("write", quantity::bandwidth(storage.write));
        page.key("latency", quantity::seconds(storage.latency));
    }
}

/// Writes a table, unless nothing is in it.
fn table(page: &mut Page, header: &str, body: impl FnOnce(&mut Page)) {
    let mut lines = Page::default();
    body(&mut lines);
    if !lines.text.is_empty() {
        page.table(header);
        page.text.push_str(&lines.text);
    }
}

fn changed<T: PartialEq>(
    page: &mut Page,
    key: &str,
    ours: &T,
    usual: &T,
    write: impl FnOnce(&T) -> String,
) {
    if ours != usual {
        page.key(key, write(ours));
    }
}

fn model(page: &mut Page, ours: &NetworkSettings, usual: &NetworkSettings) {
    changed(page, "kind", &ours.model, &usual.model, |model| {
        text(match model {
            ModelKind::Hybrid => "hybrid",
            ModelKind::LogGps => "loggps",
            ModelKind::Constant => "constant",
            ModelKind::Dimemas => "dimemas",
        })
    });
    let seconds = |value: &f64| quantity::seconds(*value);
    changed(page, "bandwidth_factors", &ours.factor_role, &usual.factor_role, |role| {
        text(match role {
            FactorRole::Efficiency => "efficiency",
            FactorRole::Limit => "limit",
        })
    });
    changed(page, "weight_s", &ours.weight_s, &usual.weight_s, |value| number(*value));
    changed(page, "tcp_gamma", &ours.tcp_gamma, &usual.tcp_gamma, |value| quantity::bytes(*value));
    let share = |value: &f64| number(*value);
    changed(page, "cross_traffic", &ours.cross_traffic, &usual.cross_traffic, share);
    changed(page, "envelope", &ours.envelope, &usual.envelope, u64::to_string);
    let precision = (&ours.timing_precision, &usual.timing_precision);
    changed(page, "timing_precision", precision.0, precision.1, seconds);
    let constant = (&ours.constant_latency, &usual.constant_latency);
    changed(page, "constant_latency", constant.0, constant.1, seconds);
    changed(page, "loopback", &ours.loopback, &usual.loopback, |link| cluster::link(*link));
}

fn loggps(page: &mut Page, ours: &LogGps, usual: &LogGps) {
    let figures = [
        ("latency", ours.latency, usual.latency),
        ("overhead", ours.overhead, usual.overhead),
        ("gap", ours.gap, usual.gap),
        ("gap_per_byte", ours.gap_per_byte, usual.gap_per_byte),
        ("overhead_per_byte", ours.overhead_per_byte, usual.overhead_per_byte),
    ];
    for (key, ours, usual) in figures {
        changed(page, key, &ours, &usual, |value| quantity::seconds(*value));
    }
    changed(page, "rendezvous_limit", &ours.rendezvous, &usual.rendezvous, u64::to_string);
}

fn dimemas(page: &mut Page, ours: &Dimemas, usual: &Dimemas) {
    let count = |value: &Option<u32>| value.unwrap_or(0).to_string();
    let seconds = |value: &f64| quantity::seconds(*value);
    let speed = |value: &f64| quantity::bandwidth(*value);
    changed(page, "bandwidth", &ours.bandwidth, &usual.bandwidth, speed);
    changed(page, "buses", &ours.buses, &usual.buses, count);
    let (ours, usual) = (ours.node(0), usual.node(0));
    changed(page, "latency", &ours.latency, &usual.latency, seconds);
    changed(page, "inputs", &ours.inputs, &usual.inputs, count);
    changed(page, "outputs", &ours.outputs, &usual.outputs, count);
    changed(page, "local_latency", &ours.local_latency, &usual.local_latency, seconds);
    changed(page, "local_bandwidth", &ours.local_bandwidth, &usual.local_bandwidth, speed);
    changed(page, "local_buses", &ours.local_buses, &usual.local_buses, count);
    changed(page, "local_inputs", &ours.local_inputs, &usual.local_inputs, count);
    changed(page, "local_outputs", &ours.local_outputs, &usual.local_outputs, count);
}

fn tables(page: &mut Page, ours: &MessageTables, usual: &MessageTables) {
    changed(page, "bandwidth_factor", &ours.bandwidth_factor, &usual.bandwidth_factor, steps);
    changed(page, "latency_factor", &ours.latency_factor, &usual.latency_factor, steps);
    changed(page, "send", &ours.send, &usual.send, overheads);
    changed(page, "isend", &ours.isend, &usual.isend, overheads);
    changed(page, "receive", &ours.receive, &usual.receive, overheads);
    changed(page, "eager_limit", &ours.eager_limit, &usual.eager_limit, u64::to_string);
    let limits = (&ours.rendezvous_limit, &usual.rendezvous_limit);
    changed(page, "rendezvous_limit", limits.0, limits.1, u64::to_string);
}

fn steps(table: &Steps) -> String {
    rows(table.0.iter().map(|(threshold, factor)| format!("[{threshold}, {}]", number(*factor))))
}

fn overheads(table: &Overheads) -> String {
    rows(table.0.iter().map(|(threshold, base, per_byte)| {
        format!("[{threshold}, {}, {}]", number(*base), number(*per_byte))
    }))
}

fn rows(rows: impl Iterator<Item = String>) -> String {
    let rows: Vec<_> = rows.map(|row| format!("    {row},\n")).collect();
    if rows.is_empty() { "[]".to_owned() } else { format!("[\n{}]", rows.concat()) }
}

/// Nodes that differ from their cluster, and overheads of single nodes.
pub(super) fn overrides(page: &mut Page, platform: &Platform) {
    for other in &platform.spec().overrides {
        page.table("[[override]]");
        page.key("nodes", texts([other.name.value.as_str()]));
        page.key("cores", other.node.cores.to_string());
        cluster::speeds(page, &other.node.speeds);
        page.key("pstate", other.node.pstate.to_string());
        cluster::disk(page, other.node.disk);
        page.properties(&other.node.properties);
    }
    let own = &platform.network().per_host;
    // Overheads that come from properties of the hosts are written with those.
    if own.iter().all(|costs| from_properties(platform, costs)) {
        return;
    }
    for costs in own {
        let names: Vec<_> =
            costs.hosts.clone().map(|host| platform.host_name(HostId(host))).collect();
        page.table("[[override]]");
        page.key("nodes", texts(names.iter().map(String::as_str)));
        for (key, table) in
            [("send", &costs.send), ("isend", &costs.isend), ("receive", &costs.receive)]
        {
            if let Some(table) = table {
                page.key(key, overheads(table));
            }
        }
    }
}

fn from_properties(platform: &Platform, costs: &HostOverheads) -> bool {
    let host = platform.host(HostId(costs.hosts.start));
    ["smpi/os", "smpi/ois", "smpi/or"].iter().any(|key| host.property(key).is_some())
}

pub(super) fn profiles(page: &mut Page, profiles: &[ProfileSpec]) {
    for profile in profiles {
        page.table("[[profile]]");
        let (kind, key) = match profile.kind {
            ProfileKind::HostSpeed => ("node", "speed"),
            ProfileKind::HostState => ("node", "state"),
            ProfileKind::LinkBandwidth => ("link", "bandwidth"),
            ProfileKind::LinkLatency => ("link", "latency"),
            ProfileKind::LinkState => ("link", "state"),
        };
        page.text_key(kind, &profile.element.value);
        let events = profile.events.iter().map(|(date, value)| {
            let value = match profile.kind {
                ProfileKind::HostSpeed => number(*value),
                ProfileKind::LinkBandwidth => quantity::bandwidth(*value),
                ProfileKind::LinkLatency => quantity::seconds(*value),
                ProfileKind::HostState | ProfileKind::LinkState => {
                    text(if *value == 0.0 { "off" } else { "on" })
                }
            };
            format!("[{}, {value}]", quantity::seconds(*date))
        });
        page.key(key, rows(events));
        if let Some(pause) = profile.repeat_after {
            page.key("repeat_after", quantity::seconds(pause));
        }
    }
}

/// Options that mean nothing here; the others are in the settings already.
pub(super) fn options(page: &mut Page, platform: &Platform) {
    let mut scratch = NetworkSettings::default();
    let mut rest = platform
        .options()
        .iter()
        .filter(|(key, value)| scratch.apply_option(key, value) == OptionOutcome::Unknown)
        .peekable();
    if rest.peek().is_some() {
        page.table("[options]");
        for (key, value) in rest {
            page.key(&text(key), text(value));
        }
    }
}
