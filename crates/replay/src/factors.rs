//! How much faster than recorded some of the computation is to be.

use std::collections::BTreeMap;

/// Speed-ups of computation: of all, of ranks, of parts of the program. Several that apply are
/// multiplied; of parts that lie in each other, the innermost one counts that has a speed-up.
#[derive(Debug, Clone, PartialEq)]
pub struct Factors {
    /// Of all ranks.
    pub all: f64,
    /// Of single ranks.
    pub ranks: BTreeMap<u32, f64>,
    /// Of parts of the program, by their names.
    pub parts: BTreeMap<String, f64>,
}

impl Default for Factors {
    fn default() -> Self {
        Self { all: 1.0, ranks: BTreeMap::new(), parts: BTreeMap::new() }
    }
}

impl Factors {
    /// The speed-up of a rank outside of all parts.
    pub(crate) fn of_rank(&self, rank: u32) -> f64 {
        self.all * self.ranks.get(&rank).copied().unwrap_or(1.0)
    }
}

/// The parts of the program that a rank is in, and what they do to its computation.
#[derive(Debug, Default)]
pub(crate) struct Parts {
    /// Names and speed-ups, the outermost first; of the last, one that is told by places in the
    /// source may be replaced by the next.
    open: Vec<(String, Option<f64>)>,
    place: Option<f64>,
}

impl Parts {
    pub(crate) fn enter(&mut self, name: &str, factors: &Factors) {
        self.open.push((name.to_owned(), factors.parts.get(name).copied()));
    }

    /// The part of this name that began last ends, and all that began in it; gives how many.
    pub(crate) fn leave(&mut self, name: &str) -> usize {
        let before = self.open.len();
        if let Some(at) = self.open.iter().rposition(|(open, _)| open == name) {
            self.open.truncate(at);
        }
        before - self.open.len()
    }

    /// The next action is at a place of the source.
    pub(crate) fn be_at(&mut self, file: &str, line: u64, factors: &Factors) {
        self.place = match factors.parts.is_empty() {
            true => None,
            false => factors.parts.get(&format!("{file}:{line}")).copied(),
        };
    }

    /// Whether a speed-up names this place of the source.
    pub(crate) fn is_at_a_part(&self) -> bool {
        self.place.is_some()
    }

    /// The speed-up that counts here.
    pub(crate) fn factor(&self) -> f64 {
        let innermost = self.open.iter().rev().find_map(|(_, factor)| *factor);
        self.place.or(innermost).unwrap_or(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_innermost_part_with_a_factor_counts() {
        let mut factors = Factors::default();
        factors.parts.insert("solve".into(), 2.0);
        factors.parts.insert("a.c:7".into(), 5.0);
        let mut parts = Parts::default();
        parts.enter("solve", &factors);
        parts.enter("dot", &factors);
        assert_eq!(parts.factor(), 2.0);
        parts.be_at("a.c", 7, &factors);
        assert_eq!(parts.factor(), 5.0);
        parts.be_at("a.c", 8, &factors);
        parts.leave("unknown");
        parts.leave("solve");
        assert_eq!(parts.factor(), 1.0);
    }
}
