//! What nodes are called and what they compute with.

use std::ops::Range;

use super::power::PowerTable;
use super::section::Section;
use super::value::Value;
use crate::governor::{GOVERNOR, Governor};
use crate::machine::Disk;
use crate::names::{Naming, NumberRange};
use crate::spec::{NodeSpec, Properties};

/// Most nodes of one cluster: well above any machine, well below what ids can count.
pub(super) const MOST_NODES: u32 = 1 << 26;

/// Most cores of one node.
const MOST_CORES: u32 = 1 << 20;

/// Most pstates, runs of numbers, and the like.
const MOST_ENTRIES: usize = 10_000;

/// Speeds, cores, pstate and properties, from `[nodes]`, `[[node]]`, `[[row]]` or `[[peer]]`.
pub(super) fn node(section: &Section<'_>) -> NodeSpec {
    section.require(&["speed"]);
    // Stands in for a speed that was wrong or missing, which has been reported.
    let speeds = section.value("speed").and_then(|value| speeds(&value)).unwrap_or(vec![1.0]);
    let pstate = section.value("pstate").and_then(|value| pstate(&value, &speeds)).unwrap_or(0);
    let cores = section.value("cores").and_then(|value| value.count(MOST_CORES)).unwrap_or(1);
    let disk = section.section("disk").and_then(disk);
    let mut properties = properties(section);
    if let Some(power) = PowerTable::read(section) {
        power.apply(cores, &mut properties);
    }
    governor(section, &mut properties);
    NodeSpec { speeds, pstate, cores, disk, properties }
}

/// `governor` of a section about nodes, as a property.
pub(super) fn governor(section: &Section<'_>, properties: &mut Properties) {
    let Some(value) = section.value("governor") else { return };
    let Some(text) = value.text() else { return };
    match text.value.parse::<Governor>() {
        Ok(_) => {
            properties.retain(|(key, _)| key != GOVERNOR);
            properties.push((GOVERNOR.to_owned(), text.value));
        }
        Err(error) => value.error(error.to_string()),
    }
}

/// What holds files, from `disk` of a node or `[storage]`: bandwidths of reading and writing, and
/// a latency, which need not be given.
pub(super) fn disk(section: Section<'_>) -> Option<Disk> {
    section.require(&["read", "write"]);
    let read = section.value("read").and_then(|value| value.bandwidth());
    let write = section.value("write").and_then(|value| value.bandwidth());
    let latency = section.value("latency").and_then(|value| value.seconds()).unwrap_or(0.0);
    section.finish();
    Some(Disk { read: read?, write: write?, latency })
}

/// One speed, or one per pstate.
pub(super) fn speeds(value: &Value<'_>) -> Option<Vec<f64>> {
    if !value.is_list() {
        return value.speed().map(|speed| vec![speed]);
    }
    let list = value.list()?;
    if list.is_empty() || list.len() > MOST_ENTRIES {
        value.error("`speed` needs one entry per pstate");
        return None;
    }
    list.iter().map(Value::speed).collect()
}

/// The pstate to start in.
pub(super) fn pstate(value: &Value<'_>, speeds: &[f64]) -> Option<usize> {
    let most = speeds.len() as u64;
    let pstate = value.whole(0..u64::from(u32::MAX))?;
    if pstate >= most {
        let last = most - 1;
        value.error(format!("there is no pstate {pstate}: `speed` gives 0 to {last}"));
        return None;
    }
    Some(pstate as usize)
}

/// Cores of an override.
pub(super) fn cores(value: &Value<'_>) -> Option<u32> {
    value.count(MOST_CORES)
}

/// The free `properties` of a section.
pub(super) fn properties(section: &Section<'_>) -> Properties {
    let Some(table) = section.section("properties") else { return Vec::new() };
    let mut found: Vec<_> = table
        .entries()
        .filter_map(|(key, value)| {
            Some((value.key_span.start, key.to_owned(), value.text()?.value))
        })
        .collect();
    found.sort();
    found.into_iter().map(|(_, key, value)| (key, value)).collect()
}

/// How nodes are named, and where that was said.
pub(super) struct Named {
    /// Which numbers; `None` if only the topology knows how many nodes there are.
    pub(super) ranges: Option<Vec<NumberRange>>,
    pub(super) first: u32,
    pub(super) prefix: String,
    pub(super) suffix: String,
    pub(super) span: Range<usize>,
}

impl Named {
    /// From `count` or `numbers`, `first`, `prefix` and `suffix`.
    pub(super) fn read(section: &Section<'_>) -> Self {
        let text = |key| section.value(key).and_then(|value| value.text());
        let prefix = text("prefix").map_or_else(|| "node-".to_owned(), |text| text.value);
        let suffix = text("suffix").map_or_else(String::new, |text| text.value);
        let first = section.value("first").and_then(|value| value.whole(0..1 << 31)).unwrap_or(0);
        let (count, numbers) = (section.value("count"), section.value("numbers"));
        let span = count.as_ref().or(numbers.as_ref()).map_or(section.span.clone(), Value::span);
        let mut named = Self { ranges: None, first: first as u32, prefix, suffix, span };
        if let Some(value) = &numbers {
            if section.has("count") || section.has("first") {
                value.error("`numbers` says it all: leave out `count` and `first`");
            }
            named.ranges = Some(ranges(value).unwrap_or_default());
        } else if let Some(value) = count {
            named.ranges =
                Some(value.count(MOST_NODES).map_or(vec![], |count| named.counted(count)));
        }
        named
    }

    /// The names of exactly these many nodes, numbered on from `first`.
    pub(super) fn counted(&self, count: u32) -> Vec<NumberRange> {
        match count {
            0 => Vec::new(),
            // `first` is below 2^31 and `count` below 2^26.
            count => vec![NumberRange { first: self.first, last: self.first + (count - 1) }],
        }
    }

    /// How many nodes were asked for, if the section says so.
    pub(super) fn count(&self) -> Option<u64> {
        let ranges = self.ranges.as_ref()?;
        Some(ranges.iter().map(|range| u64::from(range.last - range.first) + 1).sum())
    }

    pub(super) fn naming(&self, ranges: &[NumberRange]) -> Naming {
        Naming::new(&self.prefix, &self.suffix, ranges)
    }
}

/// Runs of numbers in the notation `0-38,40,50-60`.
fn ranges(value: &Value<'_>) -> Option<Vec<NumberRange>> {
    let text = value.text()?;
    let parsed: Option<Vec<_>> = text.value.split(',').map(range).collect();
    let good = |ranges: &Vec<NumberRange>| ranges.len() <= MOST_ENTRIES;
    let Some(ranges) = parsed.filter(good) else {
        value.error("`numbers` is a list of runs like \"0-38,40\"");
        return None;
    };
    let total: u64 = ranges.iter().map(|range| u64::from(range.last - range.first) + 1).sum();
    if total > u64::from(MOST_NODES) {
        value.error(format!("`numbers` asks for {total} nodes; at most {MOST_NODES} are possible"));
        return None;
    }
    Some(ranges)
}

fn range(text: &str) -> Option<NumberRange> {
    let number = |text: &str| text.trim().parse::<u32>().ok();
    let (first, last) = match text.split_once('-') {
        Some((first, last)) => (number(first)?, number(last)?),
        None => (number(text)?, number(text)?),
    };
    // Leaves room to count past the last one.
    (first <= last && last < u32::MAX).then_some(NumberRange { first, last })
}
