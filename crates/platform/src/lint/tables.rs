//! Message tables that make little sense.

use foretell_units::Bytes;

use super::Findings;
use crate::machine::{HostId, Platform};
use crate::settings::Scope;
use crate::tables::MessageTables;

/// Looks at the tables of all messages and of each scope.
pub(super) fn look(platform: &Platform, findings: &mut Findings) {
    let settings = platform.network();
    look_at(&settings.tables, "messages", findings);
    for (scope, tables) in ["node", "group", "between"].iter().zip(&settings.scoped) {
        if let Some(tables) = tables {
            look_at(tables, &format!("messages.{scope}"), findings);
        }
    }
    if settings.scoped[Scope::Between as usize].is_some() && one_group(platform) {
        findings.add(
            findings.place("messages.between"),
            "[messages.between] has no effect: all nodes are in one group",
            "set `group_size` in [network], or use zones",
        );
    }
}

fn one_group(platform: &Platform) -> bool {
    let last = platform.host_count().saturating_sub(1);
    // Groups are numbered in host order.
    platform.host_count() == 0
        || platform.host(HostId(0)).group == platform.host(HostId(last as u32)).group
}

fn look_at(tables: &MessageTables, section: &str, findings: &mut Findings) {
    // The place in this section, or that of the table it is inherited from, told only once.
    let place = |findings: &Findings, key: &str| findings.place(&format!("{section}.{key}"));
    for (size, factor) in &tables.bandwidth_factor.0 {
        let span = place(findings, "bandwidth_factor");
        if span.is_empty() {
            break;
        }
        if *factor == 0.0 {
            let message = format!("from {size} bytes on, messages get no bandwidth at all");
            findings.add(span, message, "a factor is a share of the link's bandwidth, above 0");
        } else if *factor > 1.5 {
            let message =
                format!("from {size} bytes on, messages get {factor} times the bandwidth");
            findings.add(
                span,
                message,
                "a factor is a share of the link's bandwidth, rarely above 1",
            );
        }
    }
    for (name, table) in [
        ("bandwidth_factor", &tables.bandwidth_factor.0),
        ("latency_factor", &tables.latency_factor.0),
    ] {
        let span = place(findings, name);
        if !span.is_empty() && !table.is_sorted_by(|a, b| a.0 < b.0) {
            let message = format!("the sizes of `{name}` do not grow");
            findings.add(span, message, "sort the table by message size");
        }
    }
    let limits = (tables.eager_limit, tables.rendezvous_limit);
    let span = match place(findings, "eager_limit") {
        span if span.is_empty() => place(findings, "rendezvous_limit"),
        span => span,
    };
    if limits.0 > limits.1 && !span.is_empty() {
        let [eager, rendezvous] = [limits.0, limits.1].map(|limit| Bytes::new(limit as f64));
        findings.add(
            span,
            format!("the eager limit of {eager} is above the rendezvous limit of {rendezvous}"),
            "messages between the two are eager, then; raise `rendezvous_limit` if that is meant",
        );
    }
}
