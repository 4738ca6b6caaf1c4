//! What locations of nodes tell: power, speed and pstate, by the names and units of metrics.
//!
//! Counters of ranks are metrics as well, which nobody here knows what to do with.

use rustc_hash::FxHashMap;

use super::bytes::{Body, Wrong};
use super::story::Story;
use crate::timed::Event;
use crate::timed::otf2::definitions::{Meter, WHOLE};

/// Which metrics there are.
#[derive(Debug, Default)]
pub(super) struct Gauges {
    members: FxHashMap<u64, Gauge>,
    /// Of each class what its first values are.
    classes: FxHashMap<u64, [Option<Gauge>; MOST]>,
}

/// How many values at once are looked at.
const MOST: usize = 2;

/// What a value is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Gauge {
    Power,
    Speed,
    Pstate,
}

/// The first values of a class of metrics, as the bits of floating-point numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Values {
    class: u64,
    bits: [u64; MOST],
}

impl Gauge {
    /// The metric of this name and unit, if it is one of those that we write.
    fn named(name: &str, unit: &str) -> Option<Self> {
        let is = |meter: Meter, nth: usize| {
            meter.members().get(nth).is_some_and(|known| (known.0, known.3) == (name, unit))
        };
        match () {
            () if is(Meter::Power, 0) => Some(Gauge::Power),
            () if is(Meter::Speed, 0) => Some(Gauge::Speed),
            () if is(Meter::Speed, 1) => Some(Gauge::Pstate),
            () => None,
        }
    }
}

impl Gauges {
    /// A metric is defined.
    pub(super) fn member(
        &mut self,
        mut body: Body<'_>,
        strings: &FxHashMap<u64, String>,
    ) -> Result<(), Wrong> {
        let (id, name) = (body.number()?, body.number()?);
        body.number()?;
        for _ in 0..4 {
            body.byte()?;
        }
        body.number()?;
        let unit = body.number()?;
        let text = |number| strings.get(&number).map_or("", String::as_str);
        if let Some(gauge) = Gauge::named(text(name), text(unit)) {
            self.members.insert(id, gauge);
        }
        Ok(())
    }

    /// A class of metrics, whose values are told at once.
    pub(super) fn class(&mut self, mut body: Body<'_>) -> Result<(), Wrong> {
        let (id, count) = (body.number()?, body.byte()?);
        let mut gauges = [None; MOST];
        for nth in 0..usize::from(count) {
            let member = body.number()?;
            if let Some(gauge) = gauges.get_mut(nth) {
                *gauge = self.members.get(&member).copied();
            }
        }
        self.classes.insert(id, gauges);
        Ok(())
    }

    /// Whether any of them is one that nodes have.
    pub(super) fn are_of_nodes(&self) -> bool {
        !self.members.is_empty()
    }
}

impl Values {
    /// What an event tells.
    pub(super) fn read(mut body: Body<'_>) -> Result<Self, Wrong> {
        let (class, count) = (body.number()?, body.byte()?);
        let mut bits = [0; MOST];
        for value in bits.iter_mut().take(count.into()) {
            let kind = body.byte()?;
            let number = body.number()?;
            *value = if kind == WHOLE { (number as f64).to_bits() } else { number };
        }
        Ok(Self { class, bits })
    }
}

impl Story<'_> {
    /// A location tells values of its node.
    pub(super) fn measure(&mut self, date: f64, node: u32, values: Values) {
        let Values { class, bits } = values;
        let [first, second] = bits.map(f64::from_bits);
        let gauges = self.definitions.gauges.classes.get(&class).copied();
        match gauges {
            Some([Some(Gauge::Power), _]) => {
                self.writer.write(date, &Event::Draws { node, watts: first });
            }
            Some([Some(Gauge::Speed), Some(Gauge::Pstate)]) => {
                let (pstate, speed) = (second as u32, first);
                self.writer.write(date, &Event::Runs { node, pstate, speed });
            }
            _ => self.leave_out("values of metrics"),
        }
    }
}
