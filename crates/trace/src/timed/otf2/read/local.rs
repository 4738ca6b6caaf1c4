//! What is defined for one location: other numbers for the same things, and how wrong its clock is.

use rustc_hash::FxHashMap;

use super::bytes::{Body, Window, Wrong};
use super::definitions::for_records;
use crate::mistake::Problem;

/// The definitions of one location.
#[derive(Debug, Default)]
pub(super) struct Local {
    strings: FxHashMap<u64, u64>,
    attributes: FxHashMap<u64, u64>,
    regions: FxHashMap<u64, u64>,
    comms: FxHashMap<u64, u64>,
    groups: FxHashMap<u64, u64>,
    windows: FxHashMap<u64, u64>,
    contexts: FxHashMap<u64, u64>,
    files: FxHashMap<u64, u64>,
    /// Dates at which it is known how many ticks the clock is behind, in order.
    offsets: Vec<(u64, i64)>,
}

/// Kinds of things that have other numbers.
const TEXT: u8 = 0;
const ATTRIBUTE: u8 = 1;
const REGION: u8 = 3;
const GROUP: u8 = 4;
const COMM: u8 = 6;
const WINDOW: u8 = 8;
const CONTEXT: u8 = 10;
const FILE: u8 = 13;

impl Local {
    pub(super) fn read(window: &mut Window, chunk: u64) -> Result<Self, Problem> {
        let mut local = Self::default();
        for_records(window, chunk, |kind, body| local.take(kind, body))?;
        local.offsets.sort_unstable();
        Ok(local)
    }

    fn take(&mut self, kind: u8, mut body: Body<'_>) -> Result<(), Wrong> {
        match kind {
            5 => {
                let what = body.byte()?;
                let count = body.count()?;
                let is_sparse = body.byte()? != 0;
                let mut other = FxHashMap::default();
                for nth in 0..count as u64 {
                    let from = if is_sparse { body.number()? } else { nth };
                    other.insert(from, body.number()?);
                }
                match what {
                    TEXT => self.strings = other,
                    ATTRIBUTE => self.attributes = other,
                    REGION => self.regions = other,
                    COMM => self.comms = other,
                    GROUP => self.groups = other,
                    WINDOW => self.windows = other,
                    CONTEXT => self.contexts = other,
                    FILE => self.files = other,
                    _ => {}
                }
            }
            6 => self.offsets.push((body.full()?, body.number()? as i64)),
            _ => {}
        }
        Ok(())
    }

    pub(super) fn string(&self, string: u64) -> u64 {
        self.strings.get(&string).copied().unwrap_or(string)
    }

    pub(super) fn attribute(&self, attribute: u64) -> u64 {
        self.attributes.get(&attribute).copied().unwrap_or(attribute)
    }

    pub(super) fn region(&self, region: u64) -> u64 {
        self.regions.get(&region).copied().unwrap_or(region)
    }

    pub(super) fn comm(&self, comm: u64) -> u64 {
        self.comms.get(&comm).copied().unwrap_or(comm)
    }

    pub(super) fn group(&self, group: u64) -> u64 {
        self.groups.get(&group).copied().unwrap_or(group)
    }

    pub(super) fn window(&self, window: u64) -> u64 {
        self.windows.get(&window).copied().unwrap_or(window)
    }

    pub(super) fn context(&self, context: u64) -> u64 {
        self.contexts.get(&context).copied().unwrap_or(context)
    }

    pub(super) fn file(&self, file: u64) -> u64 {
        self.files.get(&file).copied().unwrap_or(file)
    }

    /// A date of the location on the clock of all: between two dates at which the error is known it
    /// is taken to grow evenly, and outside of all as between the nearest two.
    pub(super) fn global(&self, time: u64) -> u64 {
        let behind = match &self.offsets[..] {
            [] => return time,
            [(_, only)] => *only as f64,
            all => {
                let after = all.partition_point(|(date, _)| *date <= time);
                let at = after.clamp(1, all.len() - 1);
                let ((from, first), (to, second)) = (all[at - 1], all[at]);
                let share = (time as f64 - from as f64) / (to as f64 - from as f64).max(1.0);
                first as f64 + share * (second as f64 - first as f64)
            }
        };
        // Small next to dates, which would lose their last digits as floating-point numbers.
        time.saturating_add_signed(behind.round() as i64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_corrected_between_known_errors_and_beyond() {
        let local = Local { offsets: vec![(1000, -300), (3000, 200)], ..Local::default() };
        let dates = [1000, 1007, 2000, 3000, 5000].map(|time| local.global(time));
        assert_eq!(dates, [700, 709, 1950, 3200, 5700]);
        let one = Local { offsets: vec![(5, 7)], ..Local::default() };
        assert_eq!([one.global(0), Local::default().global(9)], [7, 9]);
    }
}
