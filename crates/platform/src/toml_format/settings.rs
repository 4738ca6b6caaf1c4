//! `[network.model]`, `[messages]`, `[calls]`, `[options]`: what things cost.

use super::section::Section;
use super::tables;
use super::value::Value;
use super::wires;
use crate::dimemas::{Dimemas, DimemasNode};
use crate::machine::Policy;
use crate::options::OptionOutcome;
use crate::settings::{FactorRole, LogGps, ModelKind, NetworkSettings, Scope};
use crate::spec::PlatformSpec;

const MODELS: [(&str, ModelKind); 4] = [
    ("hybrid", ModelKind::Hybrid),
    ("loggps", ModelKind::LogGps),
    ("constant", ModelKind::Constant),
    ("dimemas", ModelKind::Dimemas),
];

const FACTORS: [(&str, FactorRole); 2] =
    [("efficiency", FactorRole::Efficiency), ("limit", FactorRole::Limit)];

const SCOPES: [(&str, Scope); 3] =
    [("node", Scope::Node), ("group", Scope::Group), ("between", Scope::Between)];

/// The settings of the whole file; what it does not mention keeps its default.
pub(super) fn settings(file: &Section<'_>) -> NetworkSettings {
    let mut settings = NetworkSettings::default();
    if let Some(network) = file.section("network")
        && let Some(model) = network.section("model")
    {
        read_model(&model, &mut settings);
        model.finish();
    }
    if let Some(messages) = file.section("messages") {
        messages_of(&messages, &mut settings);
        messages.finish();
    }
    if let Some(calls) = file.section("calls") {
        set(&calls, "iprobe", Value::seconds, &mut settings.iprobe);
        set(&calls, "test", Value::seconds, &mut settings.test);
        set(&calls, "wtime", Value::seconds, &mut settings.wtime);
        set(&calls, "init", Value::seconds, &mut settings.init);
        set(&calls, "grow_polls", Value::flag, &mut settings.grow_polls);
        calls.finish();
    }
    settings
}

/// `[options]`: settings by their SimGrid names, kept as they are.
pub(super) fn options(file: &Section<'_>, spec: &mut PlatformSpec) {
    let Some(section) = file.section("options") else { return };
    let mut found: Vec<_> = section
        .entries()
        .filter_map(|(key, value)| Some((value.span(), key.to_owned(), value.text()?.value)))
        .collect();
    // The model sets figures that the other options change.
    found.sort_by_key(|(_, key, _)| key != "network/model");
    for (span, key, value) in &found {
        if let OptionOutcome::Bad(why) = spec.network.apply_option(key, value) {
            section.mistakes.error(span.clone(), format!("`{key}`: {why}"));
        }
    }
    found.sort_by_key(|(span, ..)| span.start);
    for (span, key, value) in found {
        spec.options.push((key, value));
        spec.option_spans.push(span);
    }
}

fn read_model(model: &Section<'_>, settings: &mut NetworkSettings) {
    set(model, "kind", |value| value.choice(&MODELS), &mut settings.model);
    set(model, "bandwidth_factors", |value| value.choice(&FACTORS), &mut settings.factor_role);
    set(model, "weight_s", Value::number_not_negative, &mut settings.weight_s);
    set(model, "tcp_gamma", Value::bytes, &mut settings.tcp_gamma);
    set(model, "cross_traffic", share, &mut settings.cross_traffic);
    set(model, "envelope", Value::size, &mut settings.envelope);
    set(model, "timing_precision", Value::seconds, &mut settings.timing_precision);
    set(model, "constant_latency", Value::seconds, &mut settings.constant_latency);
    let loopback = |value: &Value<'_>| wires::link(value.clone(), Policy::FatPipe);
    set(model, "loopback", loopback, &mut settings.loopback);
    if let Some(section) = model.section("loggps") {
        loggps(&section, &mut settings.loggps);
        section.finish();
    }
    if let Some(section) = model.section("dimemas") {
        dimemas(&section, &mut settings.dimemas);
        section.finish();
    }
}

fn loggps(section: &Section<'_>, loggps: &mut LogGps) {
    set(section, "latency", Value::seconds, &mut loggps.latency);
    set(section, "overhead", Value::seconds, &mut loggps.overhead);
    set(section, "gap", Value::seconds, &mut loggps.gap);
    set(section, "gap_per_byte", Value::seconds, &mut loggps.gap_per_byte);
    set(section, "overhead_per_byte", Value::seconds, &mut loggps.overhead_per_byte);
    set(section, "rendezvous_limit", Value::size, &mut loggps.rendezvous);
}

/// All nodes are alike here; a configuration of Dimemas may tell them apart.
fn dimemas(section: &Section<'_>, figures: &mut Dimemas) {
    let some = |value: &Value<'_>| value.size().map(|number| u32::try_from(number).ok());
    set(section, "bandwidth", Value::bandwidth, &mut figures.bandwidth);
    set(section, "buses", some, &mut figures.buses);
    let mut node = DimemasNode::default();
    set(section, "latency", Value::seconds, &mut node.latency);
    set(section, "inputs", some, &mut node.inputs);
    set(section, "outputs", some, &mut node.outputs);
    set(section, "local_latency", Value::seconds, &mut node.local_latency);
    set(section, "local_bandwidth", Value::bandwidth, &mut node.local_bandwidth);
    set(section, "local_buses", some, &mut node.local_buses);
    set(section, "local_inputs", some, &mut node.local_inputs);
    set(section, "local_outputs", some, &mut node.local_outputs);
    // None at all would let nothing move: zero means any number, as in Dimemas.
    let DimemasNode { inputs, outputs, local_buses, local_inputs, local_outputs, .. } = &mut node;
    let counts = [inputs, outputs, local_buses, local_inputs, local_outputs, &mut figures.buses];
    for count in counts {
        *count = count.filter(|count| *count > 0);
    }
    figures.nodes = vec![node];
}

fn messages_of(messages: &Section<'_>, settings: &mut NetworkSettings) {
    tables::read(messages, &mut settings.tables);
    for (key, scope) in SCOPES {
        let Some(section) = messages.section(key) else { continue };
        // A scope starts from what the file says of all messages.
        let mut tables = settings.tables.clone();
        tables::read(&section, &mut tables);
        section.finish();
        settings.scoped[scope as usize] = Some(Box::new(tables));
    }
}

/// Replaces a setting if its key is there and makes sense.
fn set<'a, T>(
    section: &Section<'a>,
    key: &'static str,
    read: impl FnOnce(&Value<'a>) -> Option<T>,
    setting: &mut T,
) {
    if let Some(value) = section.value(key).and_then(|value| read(&value)) {
        *setting = value;
    }
}

/// A share between 0 and 1, or `false` for none.
fn share(value: &Value<'_>) -> Option<f64> {
    if value.is_flag() {
        let usual = NetworkSettings::default().cross_traffic;
        return value.flag().map(|on| if on { usual } else { 0.0 });
    }
    let share = value.number_not_negative()?;
    if share > 1.0 {
        value.error(format!("{} is a share from 0 to 1", value.title));
        return None;
    }
    Some(share)
}
