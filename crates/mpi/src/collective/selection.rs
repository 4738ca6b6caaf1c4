//! Which algorithm a collective operation runs.

mod asked;
mod conditions;
mod foreign;
mod library;
mod range;
mod rule;
mod situation;

use std::fmt;
use std::rc::Rc;

use super::{Channel, Operation};

pub use library::Library;
pub use rule::{BadRules, Rule, Rules};
pub use situation::{Call, Situation};

/// The option that names a library whose rules all operations follow.
pub const SELECTOR: &str = "smpi/coll-selector";
/// The option that has rules themselves.
pub const RULES: &str = "foretell/collectives";

/// The option that asks for notes of which algorithms run.
pub const NOTED: &str = "foretell/note-collectives";

/// Algorithms chosen by name or by rules; operations without either run their default.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Selection {
    /// For each operation.
    chosen: [Source; Operation::ALL.len()],
    /// Whether it is noted which algorithms run.
    is_noted: bool,
}

/// Where the choice of an operation's algorithm comes from.
#[derive(Debug, Clone, Default, PartialEq)]
enum Source {
    /// Always the first algorithm there is.
    #[default]
    First,
    /// Always this one.
    Fixed(Choice),
    /// As the first rule says that fits.
    Rules(Rc<Rules>),
}

/// An algorithm, and what it is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    /// Its name.
    pub algorithm: &'static str,
    /// Bytes of a segment of its pipeline; none if the algorithm decides.
    pub segment: Option<u64>,
    /// Fan-out of its tree, or base of its steps; none if the algorithm decides.
    pub radix: Option<u32>,
    /// The algorithm on each node, if it has two levels.
    pub inner: Option<&'static str>,
    /// The algorithm between nodes, if it has two levels.
    pub outer: Option<&'static str>,
    /// Whether ranks first find out who is on which node, if they have not done so.
    pub meet: bool,
}

impl Choice {
    /// An algorithm without parameters.
    pub const fn named(algorithm: &'static str) -> Choice {
        Choice { algorithm, segment: None, radix: None, inner: None, outer: None, meet: false }
    }

    pub(crate) fn segment(&self, usual: u64) -> u64 {
        self.segment.unwrap_or(usual)
    }

    /// The same for algorithms that count whole segments: one of nothing is more than there can be.
    pub(crate) fn whole_segment(&self, usual: u64) -> u64 {
        self.segment_or_all(usual, u64::MAX >> 2)
    }

    /// The bytes of a segment, of which 0 are all.
    pub(crate) fn segment_or_all(&self, usual: u64, all: u64) -> u64 {
        if self.segment == Some(0) { all } else { self.segment(usual) }
    }

    pub(crate) fn radix(&self, usual: u32) -> u32 {
        self.radix.unwrap_or(usual).max(2)
    }

    pub(crate) fn inner(&self, usual: impl FnOnce() -> Choice) -> Choice {
        let radix = self.radix;
        self.inner.map_or_else(usual, |name| Choice { radix, ..Choice::named(name) })
    }

    /// The same, with this algorithm between nodes if no other is asked for.
    pub(crate) fn with_outer(self, outer: Choice) -> Choice {
        Choice { outer: Some(self.outer.unwrap_or(outer.algorithm)), ..self }
    }

    pub(crate) fn outer(&self, usual: impl FnOnce() -> Choice) -> Choice {
        let radix = self.radix;
        self.outer.map_or_else(usual, |name| Choice { radix, ..Choice::named(name) })
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Choice { algorithm, segment, radix, inner, outer, .. } = self;
        write!(f, "{algorithm}")?;
        segment.iter().try_for_each(|bytes| write!(f, ", segments of {bytes} bytes"))?;
        radix.iter().try_for_each(|radix| write!(f, ", radix {radix}"))?;
        outer.iter().try_for_each(|name| write!(f, ", {name} between nodes"))?;
        inner.iter().try_for_each(|name| write!(f, ", {name} on nodes"))
    }
}

impl Selection {
    /// Chooses an algorithm, or the rules of a library for this operation; on failure says which
    /// algorithms there are. Behind the name and a colon come parameters, as in
    /// `ompi_ring_segmented:segment=64k`.
    pub fn choose(&mut self, operation: Operation, algorithm: &str) -> Result<(), String> {
        let source = match (Choice::read(operation, algorithm)?, Library::named(algorithm)) {
            (Some(choice), _) => Source::Fixed(choice),
            _ if algorithm == "default" => Source::First,
            (None, Some(library)) => Source::Rules(library.rules()),
            (None, None) => return Err(operation.unknown(algorithm)),
        };
        self.chosen[operation as usize] = source;
        Ok(())
    }

    /// Applies an option in SimGrid's spelling: `smpi/coll-selector` names a library, and
    /// `smpi/<operation>` an algorithm or a library for one operation. [`RULES`] has a name and,
    /// behind it on lines of their own, rules. False if the option is about something else.
    pub fn apply_option(&mut self, key: &str, value: &str) -> Result<bool, String> {
        if key == SELECTOR {
            let library = Library::named(value).ok_or_else(|| {
                let names = Library::ALL.map(Library::name).join(", ");
                format!("there are no rules of '{value}'; there are: {names}")
            })?;
            self.follow(library.rules());
            return Ok(true);
        }
        if key == RULES {
            let (name, text) = value.split_once('\n').unwrap_or((value, ""));
            let rules = Rules::read(name, text).map_err(|mistakes| mistakes.to_string())?;
            self.follow(Rc::new(rules));
            return Ok(true);
        }
        if key == NOTED {
            self.is_noted = value == "yes";
            return Ok(true);
        }
        match key.strip_prefix("smpi/").and_then(Operation::named) {
            Some(operation) => self.choose(operation, value).map(|()| true),
            None => Ok(false),
        }
    }

    /// Goes by rules, wherever there are some. Operations without keep what was chosen.
    pub fn follow(&mut self, rules: Rc<Rules>) {
        for operation in Operation::ALL.into_iter().filter(|operation| rules.has(*operation)) {
            self.chosen[operation as usize] = Source::Rules(rules.clone());
        }
    }

    /// Asks for notes of which algorithms run, in the report of a simulation.
    pub fn note_use(&mut self) {
        self.is_noted = true;
    }

    /// Whether it is noted which algorithms run.
    pub(crate) fn is_noted(&self) -> bool {
        self.is_noted
    }

    /// The algorithm of an operation, or the name of the rules that it goes by.
    pub fn algorithm(&self, operation: Operation) -> &str {
        match &self.chosen[operation as usize] {
            Source::First => operation.algorithms()[0],
            Source::Fixed(choice) => choice.algorithm,
            Source::Rules(rules) => rules.name(),
        }
    }

    /// What runs in a situation.
    pub fn choice(&self, situation: &Situation) -> Choice {
        match &self.chosen[situation.call.operation as usize] {
            Source::First => Choice::named(situation.call.operation.algorithms()[0]),
            Source::Fixed(choice) => *choice,
            Source::Rules(rules) => rules.choice(situation),
        }
    }
}

impl Channel<'_> {
    /// What runs for a call.
    pub(crate) fn choose(&self, call: Call) -> Choice {
        self.choose_for(call, call.bytes)
    }

    /// The same for a call in which this rank has a block of its own, of so many bytes.
    pub(crate) fn choose_for(&self, call: Call, own: u64) -> Choice {
        let choice = self.chosen(call);
        if let Some(notes) = self.comm.world.notes() {
            // One rank of those that call is enough.
            if self.rank() == 0 {
                notes.note(call, choice, self.size());
            }
        }
        let state = &mut *self.comm.world.state.borrow_mut();
        if state.is_followed {
            state.observe_choice(self.comm.me, own, choice.algorithm);
        }
        choice
    }

    /// The same where nothing runs.
    pub(super) fn chosen(&self, call: Call) -> Choice {
        match &self.comm.world.selection().chosen[call.operation as usize] {
            Source::First => Choice::named(call.operation.algorithms()[0]),
            Source::Fixed(choice) => *choice,
            Source::Rules(rules) => rules.choice(&self.situation(call, rules)),
        }
    }

    /// What a library would run for a call.
    pub(crate) fn choose_as(&self, library: Library, call: Call) -> Choice {
        let rules = self.comm.world.rules_of(library);
        rules.choice(&self.situation(call, &rules))
    }

    fn situation(&self, call: Call, rules: &Rules) -> Situation {
        // Who runs where is looked up only for rules that ask.
        let (nodes, per_node) = match rules.asks_for_nodes() {
            true => {
                let layout = self.layout();
                (layout.nodes().len() as u32, layout.per_node().unwrap_or(0))
            }
            false => (self.size(), 1),
        };
        Situation { call, ranks: self.size(), nodes, per_node, is_part: self.team.is_some() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_chosen_runs_its_default() {
        let mut selection = Selection::default();
        selection.choose(Operation::Alltoall, "bruck").unwrap();
        assert_eq!(selection.algorithm(Operation::Alltoall), "bruck");
        assert_eq!(selection.algorithm(Operation::Barrier), "default");
    }

    #[test]
    fn an_unknown_name_is_answered_with_those_there_are() {
        let message = Selection::default().choose(Operation::Gather, "bruck").unwrap_err();
        let expected = "gather has no algorithm 'bruck'; there are: ompi_binomial,";
        assert!(message.starts_with(expected), "{message}");
    }

    #[test]
    fn rules_of_one_operation_leave_the_others_alone() {
        let mut selection = Selection::default();
        selection.choose(Operation::Bcast, "mpich").unwrap();
        assert_eq!(selection.algorithm(Operation::Bcast), "mpich");
        assert_eq!(selection.algorithm(Operation::Gather), "ompi_binomial");
        let call = Call::new(Operation::Bcast, 8);
        let situation = Situation::spread(call, 64);
        assert_eq!(selection.choice(&situation).algorithm, "SMP_binomial");
    }
}
