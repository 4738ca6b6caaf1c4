//! Links and cables, wherever the format has them.

use super::section::Section;
use super::value::Value;
use crate::machine::{Link, Policy};
use crate::network_power::{PORT, RANGE, SWITCH};
use crate::spec::{Local, Properties, Sharing, WireSpec};

const SHARING: [(&str, Sharing); 3] =
    [("duplex", Sharing::SplitDuplex), ("shared", Sharing::Shared), ("fatpipe", Sharing::FatPipe)];

const POLICY: [(&str, Policy); 2] = [("shared", Policy::Shared), ("fatpipe", Policy::FatPipe)];

/// `bandwidth`, `latency` and `sharing`: cables are duplex unless told otherwise.
pub(super) fn wire(section: &Section<'_>) -> WireSpec {
    let (bandwidth, latency) = rates(section);
    let sharing = section.value("sharing").and_then(|value| value.choice(&SHARING));
    WireSpec { bandwidth, latency, sharing: sharing.unwrap_or(Sharing::SplitDuplex) }
}

/// `bandwidth` and `latency`, both needed.
pub(super) fn rates(section: &Section<'_>) -> (f64, f64) {
    section.require(&["bandwidth", "latency"]);
    // The stand-ins of missing figures are never used: what is missing has been reported.
    let bandwidth = section.value("bandwidth").and_then(|value| value.bandwidth()).unwrap_or(1.0);
    let latency = section.value("latency").and_then(|value| value.seconds()).unwrap_or(0.0);
    (bandwidth, latency)
}

/// A link that is not a cable: `{ bandwidth, latency, sharing }`, no duplex.
pub(super) fn link(value: Value<'_>, usual: Policy) -> Option<Link> {
    let section = value.clone().section(value.title.clone())?;
    let bandwidth = section.value("bandwidth").and_then(|value| value.bandwidth());
    section.require(&["bandwidth"]);
    let latency = section.value("latency").and_then(|value| value.seconds()).unwrap_or(0.0);
    let policy = section.value("sharing").and_then(|value| value.choice(&POLICY));
    section.finish();
    Some(Link { bandwidth: bandwidth?, latency, policy: policy.unwrap_or(usual) })
}

/// Messages of a node to itself: a link of their own, or out to the network and back.
pub(super) fn local(value: Value<'_>) -> Option<Local> {
    if value.is_text() {
        return value.choice(&[("network", Local::Crossing), ("platform", Local::Platform)]);
    }
    let section = value.clone().section(value.title.clone())?;
    section.require(&["bandwidth"]);
    let bandwidth = section.value("bandwidth").and_then(|value| value.bandwidth());
    let latency = section.value("latency").and_then(|value| value.seconds()).unwrap_or(0.0);
    section.finish();
    Some(Local::Own { bandwidth: bandwidth?, latency })
}

/// What a card or a switch sustains in both directions together: a bandwidth, or a multiple of
/// its link as in `"1.5x"`.
pub(super) fn limiter(value: &Value<'_>, link_bandwidth: f64) -> Option<f64> {
    if value.is_text()
        && let Some(times) = value.text()?.value.trim().strip_suffix('x')
    {
        let times = times.trim().parse::<f64>().ok();
        return match times.filter(|times| times.is_finite() && *times > 0.0) {
            Some(times) => Some(times * link_bandwidth),
            None => {
                value.error("`limiter` is a bandwidth, or a multiple of the link like \"1.5x\"");
                None
            }
        };
    }
    value.bandwidth()
}

/// What cables, switches and ports of a cluster draw.
#[derive(Debug, Clone, Default)]
pub(super) struct NetworkPower {
    /// Idle and busy watts of a link, as SimGrid writes them.
    pub(super) range: Option<String>,
    pub(super) switch: Option<f64>,
    pub(super) port: Option<f64>,
}

impl NetworkPower {
    /// Reads `[network.power]`.
    pub(super) fn read(network: &Section<'_>) -> Self {
        let Some(section) = network.section("power") else { return Self::default() };
        let single = |key| section.value(key).and_then(|value| value.watts());
        let (switch, port) = (single("switch"), single("port"));
        let range = (section.has("idle") || section.has("busy")).then(|| range(&section));
        if section.value("idle").is_none() && switch.is_none() && port.is_none() {
            let message = "[network.power] needs `idle` and `busy`, `switch` or `port`";
            section.mistakes.error(section.span.clone(), message);
        }
        section.finish();
        Self { range: range.flatten(), switch, port }
    }

    /// The same as properties of the cluster's zone.
    pub(super) fn properties(&self) -> Properties {
        let figure = |key: &str, watts: Option<f64>| watts.map(|w| (key.to_owned(), w.to_string()));
        let range = self.range.clone().map(|range| (RANGE.to_owned(), range));
        [range, figure(SWITCH, self.switch), figure(PORT, self.port)]
            .into_iter()
            .flatten()
            .collect()
    }
}

/// Adds it to the properties of a zone, in place of what they say of it.
pub(super) fn add_power(properties: &mut Properties, power: &NetworkPower) {
    let own = power.properties();
    properties.retain(|(key, _)| !own.iter().any(|(known, _)| known == key));
    properties.extend(own);
}

/// `power` of a single link, as a property of it.
pub(super) fn link_power(part: &Section<'_>, properties: &mut Properties) {
    let Some(section) = part.section("power") else { return };
    let range = range(&section);
    section.finish();
    if let Some(range) = range {
        properties.retain(|(key, _)| key != RANGE);
        properties.push((RANGE.to_owned(), range));
    }
}

/// `idle` and `busy`.
fn range(section: &Section<'_>) -> Option<String> {
    section.require(&["idle", "busy"]);
    let watts = |key| section.value(key).and_then(|value| value.watts());
    let (idle, busy) = (watts("idle"), watts("busy"));
    Some(format!("{}:{}", idle?, busy?))
}
