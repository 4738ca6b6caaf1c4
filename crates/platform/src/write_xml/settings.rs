//! `<config>`, `<trace>`, and what neither can say.

use super::Page;
use crate::machine::{HostId, Platform};
use crate::options::OptionOutcome;
use crate::settings::{ModelKind, NetworkSettings};
use crate::spec::{ProfileKind, ProfileSpec};
use crate::tables::{Overheads, Steps};

/// The settings that differ from SimGrid's own under its SMPI model.
pub(super) fn settings(page: &mut Page, platform: &Platform) {
    let mut options = changes(platform.network());
    let mut scratch = NetworkSettings::default();
    let rest = platform
        .options()
        .iter()
        .filter(|(key, value)| scratch.apply_option(key, value) == OptionOutcome::Unknown);
    options.extend(rest.cloned());
    if !options.is_empty() {
        page.open("config", &[("id", "General".to_owned())]);
        page.properties(&options);
        page.close("config");
    }
}

fn changes(ours: &NetworkSettings) -> Vec<(String, String)> {
    let usual = NetworkSettings::default();
    let mut found = Vec::new();
    let mut add = |changed: bool, key: &str, value: String| {
        if changed {
            found.push((key.to_owned(), value));
        }
    };
    add(ours.model == ModelKind::Constant, "network/model", "Constant".to_owned());
    add(ours.weight_s != usual.weight_s, "network/weight-S", ours.weight_s.to_string());
    add(ours.tcp_gamma != usual.tcp_gamma, "network/TCP-gamma", ours.tcp_gamma.to_string());
    let cross = u8::from(ours.cross_traffic != 0.0).to_string();
    add((ours.cross_traffic != 0.0) != (usual.cross_traffic != 0.0), "network/crosstraffic", cross);
    let (tables, normal) = (&ours.tables, &usual.tables);
    let factor = &tables.bandwidth_factor;
    add(*factor != normal.bandwidth_factor, "smpi/bw-factor", steps(factor));
    let factor = &tables.latency_factor;
    add(*factor != normal.latency_factor, "smpi/lat-factor", steps(factor));
    add(tables.send != normal.send, "smpi/os", overheads(&tables.send));
    add(tables.isend != normal.isend, "smpi/ois", overheads(&tables.isend));
    add(tables.receive != normal.receive, "smpi/or", overheads(&tables.receive));
    let limit = tables.eager_limit;
    add(limit != normal.eager_limit, "smpi/async-small-thresh", limit.to_string());
    let limit = tables.rendezvous_limit;
    add(limit != normal.rendezvous_limit, "smpi/send-is-detached-thresh", limit.to_string());
    add(ours.iprobe != usual.iprobe, "smpi/iprobe", ours.iprobe.to_string());
    add(ours.test != usual.test, "smpi/test", ours.test.to_string());
    add(ours.wtime != usual.wtime, "smpi/wtime", ours.wtime.to_string());
    add(ours.init != usual.init, "smpi/init", ours.init.to_string());
    let grow = if ours.grow_polls { "yes" } else { "no" };
    add(ours.grow_polls != usual.grow_polls, "smpi/grow-injected-times", grow.to_owned());
    let loopback = ours.loopback;
    let rate = loopback.bandwidth.to_string();
    add(loopback.bandwidth != usual.loopback.bandwidth, "network/loopback-bw", rate);
    let latency = loopback.latency.to_string();
    add(loopback.latency != usual.loopback.latency, "network/loopback-lat", latency);
    let precision = ours.timing_precision.to_string();
    add(ours.timing_precision != usual.timing_precision, "surf/precision", precision);
    found
}

fn steps(table: &Steps) -> String {
    let rows: Vec<_> = table.0.iter().map(|(size, factor)| format!("{size}:{factor}")).collect();
    rows.join(";")
}

fn overheads(table: &Overheads) -> String {
    let row = |(size, base, per_byte): &(u64, f64, f64)| format!("{size}:{base}:{per_byte}");
    let rows: Vec<_> = table.0.iter().map(row).collect();
    rows.join(";")
}

/// Dated changes as traces written into the file.
pub(super) fn profiles(page: &mut Page, profiles: &[ProfileSpec]) {
    for (number, profile) in profiles.iter().enumerate() {
        let kind = match profile.kind {
            ProfileKind::HostSpeed => "SPEED",
            ProfileKind::HostState => "HOST_AVAIL",
            ProfileKind::LinkBandwidth | ProfileKind::LinkLatency | ProfileKind::LinkState => {
                // SimGrid 3.32 stops at a trace connected to a link: it takes them from files only.
                page.lose(format!("the dated changes of link `{}`", profile.element.value));
                continue;
            }
        };
        let name = format!("profile-{number}");
        let last = profile.events.last().map_or(0.0, |event| event.0);
        let period = profile.repeat_after.map_or(-1.0, |pause| last + pause);
        page.line(&format!("<trace id=\"{name}\" periodicity=\"{period}\">"));
        for (date, value) in &profile.events {
            page.text.push_str(&format!("{date} {value}\n"));
        }
        page.line("</trace>");
        let element = profile.element.value.clone();
        let attributes = [("kind", kind.to_owned()), ("trace", name.clone()), ("element", element)];
        page.empty("trace_connect", &attributes);
    }
}

/// Notes what the settings say and SimGrid cannot.
pub(super) fn lost(page: &mut Page, platform: &Platform) {
    let (ours, usual) = (platform.network(), NetworkSettings::default());
    if ours.scoped.iter().any(Option::is_some) {
        page.lose("the message tables inside a node, inside a group and between groups");
    }
    if ours.factor_role != usual.factor_role {
        page.lose("that bandwidth factors limit messages: SimGrid did so up to 3.27");
    }
    if ours.model == ModelKind::LogGps {
        page.lose("the LogGPS model and its parameters");
    }
    if ours.model == ModelKind::Dimemas {
        page.lose("Dimemas' model and its figures");
    }
    if ours.envelope != usual.envelope {
        page.lose(format!("the envelope of {} bytes: SimGrid adds 16", ours.envelope));
    }
    if ours.cross_traffic != 0.0 && ours.cross_traffic != usual.cross_traffic {
        let share = usual.cross_traffic;
        page.lose(format!("the share of cross-traffic: SimGrid has {share} or none"));
    }
    if platform.spec().storage.is_some() {
        page.lose("the file system that all nodes share");
    }
    if !platform.spec().overrides.is_empty() {
        let count = platform.spec().overrides.len();
        page.lose(format!("what sets {count} nodes apart from the rest of their clusters"));
    }
    let from_properties = ours.per_host.iter().all(|costs| {
        let host = platform.host(HostId(costs.hosts.start));
        ["smpi/os", "smpi/ois", "smpi/or"].iter().any(|key| host.property(key).is_some())
    });
    if !from_properties {
        page.lose("the message overheads of single nodes");
    }
}
