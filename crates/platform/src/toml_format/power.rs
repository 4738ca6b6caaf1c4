//! `[nodes.power]`: what a node draws, written down as the properties that SimGrid has for it.

use super::section::Section;
use super::value::Value;
use crate::power::{
    BOOT, CAP, OFF, OLD_PER_STATE, PER_STATE, POLLING, SECOND_SOCKET, SHUTDOWN, static_part,
};
use crate::spec::Properties;

/// The power of a node of so many cores in so many pstates.
pub(super) struct PowerTable {
    off: Option<f64>,
    idle: Vec<f64>,
    work: Work,
    polling: Option<Vec<f64>>,
    second_socket: Option<f64>,
    cap: Option<f64>,
    /// Properties about switching it on and off.
    switching: Properties,
    workloads: Vec<(String, Work)>,
}

/// Watts of a class of work, per pstate.
struct Work {
    low: Option<Low>,
    all_cores: Vec<f64>,
}

/// The other point of the line through all busy cores.
enum Low {
    OneCore(Vec<f64>),
    Static(Vec<f64>),
}

impl PowerTable {
    /// Reads `power` of a section about nodes, if it is there.
    pub(super) fn read(nodes: &Section<'_>) -> Option<Self> {
        let section = nodes.section("power")?;
        section.require(&["idle"]);
        let watts = |key| section.value(key).and_then(|value| per_pstate(&value));
        let single = |key| section.value(key).and_then(|value| value.watts());
        let (off, second_socket) = (single("off"), single("second_socket"));
        let cap = single("cap");
        let switching = [("boot", BOOT), ("shutdown", SHUTDOWN)];
        let switching = switching.into_iter().filter_map(|(key, property)| {
            Some((property.to_owned(), time_and_power(section.section(key)?)?))
        });
        let switching = switching.collect();
        let (idle, polling) = (watts("idle"), watts("polling"));
        let work = Work::read(&section);
        let workloads = section.section("workloads").map(workloads).unwrap_or_default();
        section.finish();
        let (idle, work) = (idle?, work?);
        Some(Self { off, idle, work, polling, second_socket, cap, switching, workloads })
    }

    /// Says it in properties, in place of those about power that are there.
    pub(super) fn apply(&self, cores: u32, properties: &mut Properties) {
        let is_power = |key: &str| {
            [BOOT, CAP, OFF, POLLING, SECOND_SOCKET, SHUTDOWN, OLD_PER_STATE].contains(&key)
                || key.starts_with(PER_STATE)
        };
        properties.retain(|(key, _)| !is_power(key));
        let mut add = |key: String, value: String| properties.push((key, value));
        let step = self.second_socket.unwrap_or(0.0);
        let states = self.work.points((cores, step), &self.idle, &self.idle);
        let entries = states
            .iter()
            .enumerate()
            .map(|(at, (fixed, all))| format!("{}:{fixed}:{all}", of_pstate(&self.idle, at)));
        add(PER_STATE.to_owned(), entries.collect::<Vec<_>>().join(","));
        let usual: Vec<f64> = states.iter().map(|(fixed, _)| *fixed).collect();
        for (name, work) in &self.workloads {
            let points = work.points((cores, step), &usual, &self.idle);
            let entries = points.iter().map(|(fixed, all)| format!("{fixed}:{all}"));
            add(format!("{PER_STATE}/{name}"), entries.collect::<Vec<_>>().join(","));
        }
        if let Some(polling) = &self.polling {
            let entries = polling.iter().map(f64::to_string);
            add(POLLING.to_owned(), entries.collect::<Vec<_>>().join(","));
        }
        if let Some(step) = self.second_socket {
            add(SECOND_SOCKET.to_owned(), step.to_string());
        }
        if let Some(off) = self.off {
            add(OFF.to_owned(), off.to_string());
        }
        if let Some(cap) = self.cap {
            add(CAP.to_owned(), cap.to_string());
        }
        self.switching.iter().for_each(|(key, value)| add(key.clone(), value.clone()));
    }
}

impl Work {
    fn read(section: &Section<'_>) -> Option<Self> {
        section.require(&["all_cores"]);
        let watts = |key| section.value(key).and_then(|value| per_pstate(&value));
        let (one, fixed) = (watts("one_core"), watts("static"));
        if section.has("one_core") && section.has("static") {
            let message = format!("{} needs only one of `one_core` and `static`", section.title);
            section.mistakes.error(section.span.clone(), message);
        }
        let low = one.map(Low::OneCore).or(fixed.map(Low::Static));
        Some(Self { low, all_cores: watts("all_cores")? })
    }

    /// Static part and all cores for each pstate; the static part is `usual` if nothing is said.
    /// As many entries as the longest list that plays a part. What a second socket adds is part of
    /// what all cores draw, not of the line.
    fn points(&self, (cores, step): (u32, f64), usual: &[f64], idle: &[f64]) -> Vec<(f64, f64)> {
        let low = self.low.as_ref().map_or(usual.len(), |low| match low {
            Low::OneCore(list) | Low::Static(list) => list.len(),
        });
        let count = self.all_cores.len().max(low).max(idle.len());
        let point = |at| {
            let all = of_pstate(&self.all_cores, at);
            let fixed = match &self.low {
                Some(Low::OneCore(list)) => static_part(of_pstate(list, at), all - step, cores),
                Some(Low::Static(list)) => of_pstate(list, at),
                None => of_pstate(usual, at),
            };
            (fixed, all)
        };
        (0..count).map(point).collect()
    }
}

fn workloads(section: Section<'_>) -> Vec<(String, Work)> {
    let mut found: Vec<_> = section
        .entries()
        .filter_map(|(name, value)| {
            let (start, title) = (value.key_span.start, format!("[power.workloads.{name}]"));
            let inner = value.section(title)?;
            let work = Work::read(&inner);
            inner.finish();
            Some((start, name.to_owned(), work?))
        })
        .collect();
    found.sort_by_key(|(start, ..)| *start);
    found.into_iter().map(|(_, name, work)| (name, work)).collect()
}

/// `time` and `power`.
fn time_and_power(section: Section<'_>) -> Option<String> {
    section.require(&["time", "power"]);
    let seconds = section.value("time").and_then(|value| value.seconds());
    let watts = section.value("power").and_then(|value| value.watts());
    section.finish();
    Some(format!("{}:{}", seconds?, watts?))
}

/// One figure for all pstates, or one for each.
fn per_pstate(value: &Value<'_>) -> Option<Vec<f64>> {
    if !value.is_list() {
        return value.watts().map(|watts| vec![watts]);
    }
    let list = value.list()?;
    if list.is_empty() {
        value.error(format!("{} needs one entry per pstate", value.title));
        return None;
    }
    list.iter().map(Value::watts).collect()
}

/// The entry of a pstate; a list that is too short ends in its last one.
fn of_pstate(list: &[f64], pstate: usize) -> f64 {
    list[pstate.min(list.len() - 1)]
}
